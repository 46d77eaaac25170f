from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.domain.change import Add
from perdure.domain.memory import Channel, provenance
from perdure.safety.redaction import default_redactor
from perdure.services.cleaning import clean, clean_all
from perdure.testing.fakes import draft

pytestmark = pytest.mark.req("write.redaction")

SECRETS = ["ghp_" + "n0tReal9PerdureTest0nlyQw7ZxK2mVb4X7", "postgresql://ana:tide-Table-4471@db.pier.example/x"]
plain = st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=40)


@given(st.lists(plain, min_size=5, max_size=5), st.integers(0, 4), st.sampled_from(SECRETS))
def test_a_secret_in_any_field_of_a_change_is_taken_out_whatever_stands_in_the_others(texts, place, secret):
    texts[place] = f"{texts[place]} {secret} "
    title, body, tag, key, value = texts
    change = Add(draft(body, title=title, tags=(tag,), attrs={key: [value]}), provenance(Channel.HAND, excerpt=body))

    cleaned, kinds = clean(change, default_redactor())

    assert secret not in repr(cleaned)
    assert kinds


@given(st.lists(plain, min_size=3, max_size=3))
def test_cleaning_all_fields_together_gives_what_cleaning_each_alone_gives(texts):
    title, body, tag = texts
    redactor = default_redactor()
    together, _kinds = clean(Add(draft(body, title=title, tags=(tag,)), provenance(Channel.HAND)), redactor)

    alone = [clean(Add(draft(text), provenance(Channel.HAND)), redactor)[0].draft.body for text in texts]
    assert [together.draft.title, together.draft.body, *together.draft.tags] == alone


PARTS = ["-----BEGIN PRIVATE KEY-----", "password:", "\u200b", "\n", " kept"]
PIECES = [*SECRETS, SECRETS[0][:12], SECRETS[0][12:], *PARTS]
pieces = st.lists(st.sampled_from(PIECES), max_size=4).map("".join) | plain


@given(st.lists(pieces, max_size=8))
def test_cleaning_many_changes_at_once_gives_what_cleaning_each_gives(texts):
    redactor = default_redactor()
    changes = [Add(draft(text, title=text[:20]), provenance(Channel.HAND)) for text in texts]

    assert clean_all(changes, redactor) == [clean(change, redactor) for change in changes]
