"""Both stores are driven with the same steps, and every answer of one must be the other's."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager
from functools import partial

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, multiple, rule, run_state_machine_as_test

from perdure.domain.access import Reader, audience_of
from perdure.domain.errors import PerdureError
from perdure.domain.ledger import ChangeRow, Criteria, ProjectRow
from perdure.domain.memory import (
    LATEST,
    Channel,
    Kind,
    Link,
    Moment,
    Scope,
    State,
    Type,
    handle,
    provenance,
)
from perdure.domain.record import replace
from perdure.domain.session import Defect, Role, Session, SessionRef, Turn
from perdure.store.sqlite import open_store
from perdure.testing.fakes import Scribe, memory, statement
from perdure.testing.memory_store import MemoryStore

AUTHORS = st.sampled_from(["ana", "ben", "Ana"])
PLACES = st.sampled_from(["", "harbour", "depot"])
INSTANTS = st.integers(0, 6)
WORDS = st.lists(st.sampled_from(["amber", "birch", "getUserById", "Überfall"]), max_size=3).map(" ".join)
TERMS = ["amber", "birch", "getuserbyid", "user", "uberfall", "unheard"]
MOMENTS = st.builds(Moment, as_of=st.none() | INSTANTS, known_at=st.none() | INSTANTS)
KINDS = st.sampled_from([Kind.FACT, Kind.EPISODE])
TYPES = st.sampled_from([Type.SEMANTIC, Type.PREFERENCE])
CHANNELS = st.sampled_from([Channel.USER_MESSAGE, Channel.ASSISTANT_INFERENCE, Channel.TOOL_RESULT])
STATEMENTS = st.builds(
    statement,
    body=WORDS,
    title=st.sampled_from(["", "Amber"]),
    tags=st.sampled_from([(), ("birch",)]),
    type=TYPES,
    valid_from=INSTANTS,
    valid_to=st.none() | INSTANTS,
    state=st.sampled_from([State.ACTIVE, State.ACTIVE, *State]),
    pinned=st.booleans(),
    expires=st.none() | INSTANTS,
)
CRITERIA = st.builds(
    Criteria,
    kinds=st.lists(KINDS, max_size=2, unique=True).map(tuple),
    types=st.lists(TYPES, max_size=2, unique=True).map(tuple),
    pinned=st.booleans(),
    injectable=st.booleans(),
    limit=st.sampled_from([1, 2, 50]),
    at=MOMENTS,
)
NUMBERS = st.integers(0, 3)
SIZES = st.integers(0, 60)


class Pair(RuleBasedStateMachine):
    """Two stores side by side; ``pair`` makes them."""

    def __init__(self):
        super().__init__()
        self.folder = tempfile.mkdtemp()
        self.stores = self.pair()
        self.scribes = [Scribe(), Scribe()]
        self.reader = Reader("ana")

    def pair(self):
        self.sqlite = open_store(f"{self.folder}/ledger.db", synchronous="OFF")
        return MemoryStore(), self.sqlite

    def teardown(self):
        if hasattr(self, "sqlite"):
            self.sqlite.close()
        shutil.rmtree(self.folder)

    def both(self, act, *, reader=None, write=True):
        """Do the same in both stores and return what the first answered; the second must answer the same."""
        answers = []
        for store, scribe in zip(self.stores, self.scribes, strict=True):
            try:
                with store.unit(reader or self.reader, write=write) as unit:
                    answers.append(act(unit, scribe))
            except PerdureError as error:
                answers.append(type(error))
        assert answers[0] == answers[1]
        return answers[0]


class MemoriesMachine(Pair):
    """What is remembered, by whom, where and when."""

    memories = Bundle("memories")

    def __init__(self):
        super().__init__()
        self.heads = {}

    def teardown(self):
        for author in ("ana", "ben", "Ana"):
            self.ask(author, "harbour", everywhere=True, criteria=Criteria(), at=LATEST)
        super().teardown()

    @rule(
        target=memories,
        whose=st.tuples(AUTHORS, PLACES),
        shared=st.booleans(),
        kind=KINDS,
        channel=CHANNELS,
        said=STATEMENTS,
        at=INSTANTS,
    )
    def add(self, whose, shared, kind, channel, said, at):
        author, project = whose
        place = {"author": author, "project": project, "kind": kind, "provenance": provenance(channel, "s1", "so")}
        if shared and project:
            place["scope"] = Scope.PROJECT
        entry = self.both(lambda unit, scribe: scribe.add(unit, said, at=at, **place))
        self.heads[entry.memory.id] = entry
        return entry.memory.id

    @rule(name=memories, said=STATEMENTS, at=INSTANTS)
    def say_anew(self, name, said, at):
        entry = self.heads[name]
        self.heads[name] = self.both(lambda unit, scribe: scribe.revise(unit, entry, said, at))

    @rule(name=memories, said=STATEMENTS, at=INSTANTS)
    def change_how_it_stands(self, name, said, at):
        head = self.heads[name].revision.statement
        self.say_anew(name, replace(said, title=head.title, body=head.body, tags=head.tags), at)

    @rule(name=memories, at=INSTANTS)
    def bring_the_first_words_back(self, name, at):
        entry = self.heads[name]
        first = self.both(lambda unit, _scribe: list(unit.memories.history(name)), reader=Reader(entry.memory.author))
        if first:
            back = partial(Scribe.revise, entry=entry, said=first[0].statement, at=at, wording=first[0].wording)
            self.heads[name] = self.both(lambda unit, scribe: back(scribe, unit))

    @rule(src=memories, dst=memories, kind=st.sampled_from(["cites", "supersedes"]))
    def link(self, src, dst, kind):
        self.both(lambda unit, _scribe: unit.memories.link(Link(src, dst, kind)))

    @rule(names=st.lists(memories, max_size=2), at=INSTANTS)
    def read(self, names, at):
        self.both(lambda unit, _scribe: unit.access.read(names, "ana", at))

    @rule(name=memories, said=STATEMENTS, at=INSTANTS)
    def fail_on_the_way(self, name, said, at):
        def act(unit, _scribe):
            Scribe(after=500).revise(unit, self.heads[name], said, at)
            unit.meta.set("failed", "yes")
            raise PerdureError

        assert self.both(act) is PerdureError

    @rule(slug=st.sampled_from(["harbour", "depot"]), author=AUTHORS)
    def join(self, slug, author):
        def act(unit, _scribe):
            if slug not in {row.slug for row in unit.projects.all()}:
                unit.projects.create(ProjectRow(slug, slug, 0), [])
            unit.projects.admit(slug, author, 0)

        self.both(act)

    @rule(author=AUTHORS, project=PLACES, everywhere=st.booleans(), criteria=CRITERIA, at=MOMENTS)
    def ask(self, author, project, everywhere, criteria, at):
        projects = self.both(lambda unit, _scribe: unit.projects.of(author), write=False)
        reader = Reader(author, projects, project, everywhere)
        self.both(lambda unit, _scribe: self.of_memories(unit, criteria, at), reader=reader, write=False)

    def of_memories(self, unit, criteria, at):
        seqs = range(1, 2 + max((head.revision.seq for head in self.heads.values()), default=0))
        return {
            "heads": list(unit.memories.heads(criteria)),
            "count": unit.memories.count(),
            "entries": unit.memories.entries(seqs, at),
            "standing": {match.seq for match in unit.search.lexical(TERMS, superseded=False, limit=999)},
            "ever": {match.seq for match in unit.search.lexical(TERMS, superseded=True, limit=999)},
            "by term": [{m.seq for m in unit.search.lexical([t], superseded=False, limit=999)} for t in TERMS],
            "frequencies": unit.search.frequencies(TERMS),
            "each": {name: self.of_one(unit, head, at) for name, head in self.heads.items()},
        }

    @staticmethod
    def of_one(unit, head, at):
        name = head.memory.id
        return (
            unit.memories.get(name, at),
            list(unit.memories.history(name)),
            list(unit.memories.links(name)),
            [list(unit.memories.resolve(each, 2)) for each in (name, handle(name), handle(name)[:7])],
            unit.memories.said(audience_of(head.memory), head.revision.digest),
            unit.access.reads(name),
            list(unit.changes.revisions(head.revision.change)),
        )


class UpkeepMachine(Pair):
    """Sessions, jobs, projects, the audit and the rest."""

    jobs = Bundle("jobs")

    def teardown(self):
        for author in ("ana", "ben"):
            self.ask(author)
        super().teardown()

    @rule(key=NUMBERS, change=NUMBERS, author=AUTHORS)
    def audit(self, key, change, author):
        def act(unit, _scribe):
            made = unit.changes.made([str(key)]).get(str(key))
            if made is None:
                unit.changes.remember(str(key), ChangeRow(change, "m", "r"))
            number = Scribe.change(unit, memory("m", author=author), 0, "undo")
            return made, unit.changes.undone(change, number), unit.changes.latest(author)

        self.both(act)

    @rule(number=NUMBERS, author=AUTHORS, project=PLACES, size=SIZES, started=st.none() | INSTANTS)
    def register(self, number, author, project, size, started):
        ref = SessionRef("claude-code", f"ref-{number}", "/t")
        session = Session(f"s{number}", ref, project, author, size=size, started=started)
        self.both(lambda unit, _scribe: unit.sessions.register(session))

    @rule(
        number=NUMBERS,
        offset=SIZES | st.none(),
        end=SIZES,
        uuids=st.lists(NUMBERS, max_size=3),
        role=st.sampled_from(Role),
    )
    def read_on(self, number, offset, end, uuids, role):
        turns = [Turn(f"u{uuid}", role, end, f"turn {uuid}", end) for uuid in uuids]

        def act(unit, _scribe):
            known = unit.sessions.find("claude-code", f"ref-{number}")
            if known is None:
                return None
            moved = unit.sessions.advance(replace(known, offset=known.offset if offset is None else offset), end)
            return moved, unit.sessions.record(known, turns)

        self.both(act)

    @rule(number=NUMBERS, size=SIZES, ended=st.none() | INSTANTS, settled=st.booleans())
    def grow(self, number, size, ended, settled):
        def act(unit, _scribe):
            unit.sessions.grow(f"s{number}", size, ended)
            if settled:
                unit.sessions.settle(f"s{number}", size)

        self.both(act)

    @rule(number=NUMBERS, given=NUMBERS, via=st.sampled_from(["start", "prompt"]), at=INSTANTS)
    def give(self, number, given, via, at):
        def act(unit, _scribe):
            unit.sessions.mark(f"ref-{number}", [f"m{given}"], via, at)
            unit.sessions.defect(Defect("/t", given, via), at)

        self.both(act)

    @rule(target=jobs, kind=st.sampled_from(["embed", "project"]), now=INSTANTS, length=INSTANTS)
    def lease(self, kind, now, length):
        job = self.both(lambda unit, _scribe: unit.jobs.lease(kind, "w", now, now + length))
        return job or multiple()

    @rule(kind=st.sampled_from(["embed", "project"]), key=NUMBERS, payload=st.sampled_from("ab"), at=INSTANTS)
    def put(self, kind, key, payload, at):
        self.both(lambda unit, _scribe: unit.jobs.put(kind, str(key), payload, at))

    @rule(job=jobs, retry_at=st.none() | INSTANTS)
    def finish(self, job, retry_at):
        def act(unit, _scribe):
            return unit.jobs.done(job) if retry_at is None else unit.jobs.failed(job, "no", retry_at)

        self.both(act)

    @rule(slug=st.sampled_from(["harbour", "depot"]), author=AUTHORS, keys=st.lists(NUMBERS, max_size=2))
    def join(self, slug, author, keys):
        def act(unit, _scribe):
            names = [f"path:/{key}" for key in keys]
            if slug in {row.slug for row in unit.projects.all()}:
                unit.projects.add_keys(slug, names)
            else:
                unit.projects.create(ProjectRow(slug, slug, 0), names)
            unit.projects.admit(slug, author, 0)
            unit.projects.set_watermark(slug, "commits", author)
            unit.meta.set("joined", author)

        self.both(act)

    @rule(author=AUTHORS)
    def ask(self, author):
        projects = self.both(lambda unit, _scribe: unit.projects.of(author), write=False)
        reader = Reader(author, projects)
        self.both(lambda unit, _scribe: self.of_all(unit, author), reader=reader, write=False)

    @staticmethod
    def of_all(unit, author):
        numbers = range(4)
        return {
            "latest change": unit.changes.latest(author),
            "made": unit.changes.made([str(number) for number in numbers]),
            "sessions": [unit.sessions.find("claude-code", f"ref-{number}") for number in numbers],
            "pending": list(unit.sessions.pending()),
            "latest": list(unit.sessions.latest(3)),
            "turns": [list(unit.sessions.turns(f"s{number}", since=5)) for number in numbers],
            "prompts": [unit.sessions.last_prompt(f"s{number}", 30) for number in numbers],
            "marked": [unit.sessions.marked(f"ref-{number}") for number in numbers],
            "defects": list(unit.sessions.defects(3)),
            "counts": unit.sessions.counts(),
            "projects": list(unit.projects.all()),
            "keys": [(unit.projects.by_key(f"path:/{number}")) for number in numbers],
            "of slug": [list(unit.projects.keys(slug)) for slug in ("harbour", "depot")],
            "watermark": unit.projects.watermark("harbour", "commits"),
            "waiting": unit.jobs.waiting(),
            "meta": (unit.meta.get("joined"), unit.meta.get("failed")),
        }


@pytest.mark.req("store.model")
@pytest.mark.parametrize("machine", [MemoriesMachine, UpkeepMachine])
def test_sqlite_answers_as_the_model_does(machine):
    run_state_machine_as_test(machine, settings=settings(max_examples=settings().max_examples // 2))


class ForgetsTheProject(MemoryStore):
    """A control: asks every question everywhere."""

    def unit(self, reader, *, write=False):
        return super().unit(reader.asking_everywhere(), write=write)


def spoiled(spoil):
    """A control: a store with one method of its units replaced."""

    class Spoiled(MemoryStore):
        @contextmanager
        def unit(self, reader, *, write=False):
            with super().unit(reader, write=write) as unit:
                spoil(unit)
                yield unit

    return Spoiled


def ignores_when_it_was_known(unit):
    get = unit.memories.get
    unit.memories.get = lambda name, at: get(name, replace(at, known_at=None))


def shows_links_to_hidden_memories(unit):
    rows = unit.memories._rows
    unit.memories.links = lambda name: [link for link in rows.links if name in {link.src, link.dst}]


def lists_old_words_among_those_that_stand(unit):
    lexical = unit.search.lexical
    unit.search.lexical = lambda terms, *, superseded, limit: lexical(terms, superseded=True, limit=limit)


def indexes_a_pin_again(unit):
    append = unit.memories.append
    unit.memories.append = lambda revision: append(replace(revision, wording=0))


def tells_what_others_said(unit):
    unit.memories._may_read = lambda _name: True


def moves_an_offset_unseen(unit):
    advance = unit.sessions.advance
    unit.sessions.advance = lambda session, end: advance(
        unit.sessions.find(session.ref.host, session.ref.ref) or session, end
    )


def finishes_a_job_after_its_lease(unit):
    done = unit.jobs.done
    unit.jobs.done = lambda job: done(job) or True


FAULTS = [
    (MemoriesMachine, ForgetsTheProject),
    (MemoriesMachine, spoiled(ignores_when_it_was_known)),
    (MemoriesMachine, spoiled(shows_links_to_hidden_memories)),
    (MemoriesMachine, spoiled(lists_old_words_among_those_that_stand)),
    (MemoriesMachine, spoiled(indexes_a_pin_again)),
    (MemoriesMachine, spoiled(tells_what_others_said)),
    (UpkeepMachine, spoiled(moves_an_offset_unseen)),
    (UpkeepMachine, spoiled(finishes_a_job_after_its_lease)),
]


@pytest.mark.req("store.model")
@pytest.mark.parametrize(("machine", "control"), FAULTS)
def test_a_store_with_one_fault_is_told_apart(machine, control):
    controlled = type("Controlled", (machine,), {"pair": lambda _self: (MemoryStore(), control())})
    quick = settings(max_examples=200, phases=[Phase.generate], database=None, derandomize=True)
    with pytest.raises(AssertionError):
        run_state_machine_as_test(controlled, settings=quick)
