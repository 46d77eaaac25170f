"""What redaction leaks, what it damages and how fast it is: ``python -m benchmarks.redaction [--long]``.

Leak: of the secrets of a kind, in thirty transcript contexts, the share of which any piece can still be read.
Damage: of the texts without a secret, the share that comes back changed. The baseline is the public rule set that
ours builds on, by itself, in the same engine.
"""

from __future__ import annotations

import random
import re
import string
import time
from collections import Counter, deque
from typing import TYPE_CHECKING

from benchmarks._lib import MILLI, Figure, Options, main
from benchmarks.redaction_benign import benign
from benchmarks.redaction_set import Sample, secrets
from perdure.safety.prefilter import lowered
from perdure.safety.redaction import Redactor, default_redactor
from tools import compile_rules

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_LEAK = 1.0
MOST_DAMAGE = 0.0
LEAST_SPEED = 5.0
MOST_PATTERN_MS = 50.0
MOST_LINE_S = 3.0
HIDDEN, ALIKE = 0.001, 0.05
MEGA = 1_000_000


def leaks(redactor: Redactor, sample: Sample) -> bool:
    """Whether any piece of the secret is still there."""
    cleaned = redactor.clean(sample.text)
    return any(piece in cleaned for piece in sample.pieces)


def damages(redactor: Redactor, sample: Sample) -> bool:
    """Whether a text without a secret comes back changed."""
    return redactor.clean(sample.text) != sample.text


def shares(word: str, samples: Sequence[Sample], hits: tuple[list[bool], list[bool]], most: float) -> list[Figure]:
    """The share of hits in percent for each kind, and last for all, beside the baseline's."""
    total = Counter(sample.kind for sample in samples)
    ours, theirs = (Counter(sample.kind for sample, hit in zip(samples, flags, strict=True) if hit) for flags in hits)
    figures = [
        Figure(f"{word}: {kind} ({number})", 100 * ours[kind] / number, "%", 100 * theirs[kind] / number)
        for kind, number in total.items()
    ]
    count = len(samples)
    whole = Figure(f"{word}: all ({count:,})", 100 * sum(hits[0]) / count, "%", 100 * sum(hits[1]) / count, most=most)
    return [*figures, whole]


SAID = """the of and to in is that for it as was with be by on not he this are or at from but have an they which one
you were build test run file line module error import return function value list index query result cache server
client route update remove rename check commit branch merge review deploy worker queue table column page window"""
WORDS = SAID.split()


def _filler(rng: random.Random) -> str:
    """A line of a transcript that has nothing to do with secrets: talk, code, a listing, or a record."""
    said = " ".join(rng.choices(WORDS, k=rng.randrange(4, 24)))
    number = rng.randrange(10**6)
    return rng.choice(
        (
            said.capitalize() + ".",
            f"    {rng.choice(WORDS)}_{rng.choice(WORDS)} = {rng.choice(WORDS)}.run({number}, {said[:12]!r})",
            f"src/{rng.choice(WORDS)}/{rng.choice(WORDS)}_{number % 97}.py:{number % 411}: {said}",
            f"-rw-r--r-- 1 ana staff {number:>8} Mar 11 09:14 {rng.choice(WORDS)}.{rng.choice(WORDS)}.json",
            f'{{"type":"assistant","message":{{"role":"assistant","content":"{said}"}},"seq":{number}}}',
            f"2025-03-11T09:14:07.{number % 1000:03}Z INFO {rng.choice(WORDS)}: {said} in {number % 977} ms",
        )
    )


def corpus(size: int, seed: int) -> str:
    """A transcript of ``size`` characters: of its lines one in twenty looks like a secret, one in 1,000 holds one."""
    rng = random.Random(seed)  # noqa: S311 - a corpus must come out the same
    plain = [sample.text for sample in benign(seed, 4)]
    hidden = [sample.text for sample in secrets(seed)]
    parts: list[str] = []
    length = 0
    while length < size:
        chance = rng.random()
        part = rng.choice(hidden) if chance < HIDDEN else rng.choice(plain) if chance < ALIKE else _filler(rng)
        parts.append(part)
        length += len(part) + 1
    return "\n".join(parts)[:size]


def seconds(redactor: Redactor, text: str, times: int = 3) -> float:
    """Processor time of one redaction, the best of a few."""
    taken = []
    for _ in range(times):
        begin = time.process_time()
        redactor.redact(text)
        taken.append(time.process_time() - begin)
    return min(taken)


UNITS = (
    *("a", " ", "0", "-", "_a", "a.", "\\", '"', "=", "sk-", "eyJ.", "ey.ey", "token", "token ", "token=", "password:"),
    *("password is ", "key = ", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----\n", "://a:"),
    *("https://a:b", "<private>", "cookie: a=", "mysql -p", " -p", "--a ", "--token ", "echo | sudo -s ", "пароль "),
    *("authorization: ", "basic ", "adafruit ", "AKIAAAAAAAAAAAAAAAAA ", "otpauth://", ":aa", "q~", '"d": ', "$2a$"),
    *(
        "password for a ",
        "login: a/",
        "export A_SECRET='",
        "secret: |\n ",
        "xoxb-",
        "-us",
        "as the password",
        "$(cat <<",
    ),
)


def hostile(size: int, seed: int) -> dict[str, str]:
    """Texts that make careless expressions slow."""
    rng = random.Random(seed)  # noqa: S311 - the same
    letters = string.ascii_letters + string.digits
    texts = {repr(unit): unit * (size // len(unit)) for unit in UNITS}
    texts["random letters"] = "".join(rng.choices(letters, k=size))
    texts["random lines"] = "\n".join("".join(rng.choices(letters + "+/", k=64)) for _ in range(size // 65))
    return texts


def slowest_pattern(redactor: Redactor, texts: dict[str, str]) -> tuple[float, str]:
    """Every expression by itself over each text that calls for its rule: the longest time, and which."""
    book = redactor._book  # noqa: SLF001 - single rules are what is measured
    worst = (0.0, "")
    for name, text in texts.items():
        lower = lowered(text)
        for number in book._index.hits(lower):  # noqa: SLF001
            kind, form, _, anchors, expression, follow, cased, *_ = book._rows[number]  # noqa: SLF001
            for anchor in anchors or ("",):
                pattern = re.compile(re.escape(anchor) + (follow if form == "back" else expression))
                taken = []
                for _ in range(3):
                    begin = time.process_time()
                    deque(pattern.finditer(text if cased else lower), maxlen=0)
                    taken.append(time.process_time() - begin)
                worst = max(worst, (min(taken), f"{kind} after {anchor!r} on {name}"))
    return worst


def speeds(ours: Redactor, theirs: Redactor, options: Options) -> list[Figure]:
    """How fast it is on ordinary and on hostile text."""
    text = corpus(options.pick(200_000, 2 * MEGA, 8 * MEGA), options.seed)
    size = len(text.encode()) / MEGA
    line = corpus(options.pick(MEGA, 10 * MEGA, 10 * MEGA), options.seed).replace("\n", " ")
    texts = hostile(options.pick(20_000, MEGA, MEGA), options.seed)
    whole, name = max((seconds(ours, hard, 1), name) for name, hard in texts.items())
    pattern, rule = slowest_pattern(ours, texts)
    small = [sample.text for sample in benign(options.seed)]
    begin = time.process_time()
    for each in small:
        ours.redact(each)
    each_ms = MILLI * (time.process_time() - begin) / len(small)
    return [
        Figure(
            "speed on transcripts", size / seconds(ours, text), "MB/s", size / seconds(theirs, text), least=LEAST_SPEED
        ),
        Figure(f"one line of {len(line) / MEGA:.0f} MB", seconds(ours, line, 1), "s", most=MOST_LINE_S),
        Figure("one short text", each_ms, "ms"),
        Figure(f"hostile text of 1 MB: {name}", MILLI * whole, "ms"),
        Figure(f"slowest pattern on it: {rule}", MILLI * pattern, "ms", most=MOST_PATTERN_MS),
    ]


def measure(options: Options) -> list[Figure]:
    """All figures: leak and damage for each kind, then speed."""
    ours = default_redactor()
    theirs = Redactor(compile_rules.read("gitleaks", superseded=True))
    rounds = options.pick(1, 1, 5)
    hidden = list(secrets(options.seed, rounds))[:: options.pick(7, 1, 1)]
    plain = list(benign(options.seed + 1, 4 * rounds))
    leaked = tuple([leaks(redactor, sample) for sample in hidden] for redactor in (ours, theirs))
    damaged = tuple([damages(redactor, sample) for sample in plain] for redactor in (ours, theirs))
    return [
        *shares("leak", hidden, (leaked[0], leaked[1]), MOST_LEAK),
        *shares("damage", plain, (damaged[0], damaged[1]), MOST_DAMAGE),
        *speeds(ours, theirs, options),
    ]


if __name__ == "__main__":
    main(__doc__, measure)
