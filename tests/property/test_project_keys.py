from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from perdure.domain.project import (
    ProjectKey,
    canonical_name,
    choose_remote,
    normalise_remote,
    project_keys,
    slug,
)

ANYTHING = st.text(st.characters(codec=None, categories=None), max_size=40)
WORD = st.text("abcdefghijklmnopqrstuvwxyzABC0123456789", min_size=1, max_size=8)
NAME = st.builds("{}{}".format, WORD, st.sampled_from(["", "-x", "_y", ".z", "é", "字", " w", "~", "+", "@v"]))
HOST = st.sampled_from(["git.example.org", "intranet", "192.0.2.7", "a-b.example", "github.com", "gitlab.com"])
SECRET = "hunter2hunter2"

# Pieces that remotes are made of, put together at random: closer to the grammar than free text.
URLISH = st.lists(
    st.sampled_from(
        [
            *("https", "ssh", "git", "file", "://", ":", "::", "@", "/", "//", ".", "..", "~", "[", "]"),
            *("\\", "#", "?", "%", "%2F", "%40", "%3a", "%ff", "%00", ".git", "_git", "v3", "22", "443"),
            *(
                "2222",
                "::1",
                "2001:db8::1",
                "github.com",
                "GitHub.com",
                "dev.azure.com",
                "x.visualstudio.com",
            ),
            *("gist.github.com", "ssh.dev.azure.com", "org", "Repo", "é", "字", "ß", "İ", " ", "-", "\u3002"),
        ]
    ),
    max_size=12,
).map("".join)


def percent_encoded(path, every):
    return "".join(
        "".join(f"%{byte:02X}" for byte in char.encode())
        if char not in "/~" and (every or not char.isascii() or char in " %@?#")
        else char
        for char in path
    )


@st.composite
def spellings(draw):
    """Two spellings of one remote."""
    host = draw(HOST)
    # A number at the start of a short form's path is taken for a port, so none starts here.
    path = "o" + "/".join(draw(st.lists(NAME, min_size=2, max_size=4)))

    def spelling():
        written = draw(st.sampled_from([host, host.upper(), f"{host}."]))
        end = draw(st.sampled_from(["", "/", ".git", ".git/", "//"]))
        scheme, port, user = draw(
            st.sampled_from(
                [
                    ("https", ":443", f"ann:{SECRET}@"),
                    ("http", ":80", f"{SECRET}@"),
                    ("ssh", ":22", "git@"),
                    ("git+ssh", ":22", ""),
                    ("git", ":9418", ""),
                    ("scp", "", "git@"),
                    ("scp", "", f"ann:{SECRET}@"),
                ]
            )
        )
        if scheme == "scp":
            return f"{user}{written}:{draw(st.sampled_from(['', '/']))}{path}{end}"
        port = draw(st.sampled_from(["", port]))
        shown = percent_encoded(path, draw(st.booleans()))
        return f"{scheme}://{user}{written}{port}/{shown}{end}"

    return host, path, spelling(), spelling()


@pytest.mark.req("identity.remote-spellings")
@given(spellings())
def test_all_spellings_of_a_remote_are_one_value(drawn):
    host, path, one, other = drawn
    value = normalise_remote(one)

    assert value == normalise_remote(other)
    assert value is not None
    assert value.lower() == f"{host}/{path}".lower()


@pytest.mark.req("identity.no-credentials")
@given(spellings())
def test_no_secret_is_left_in_any_spelling(drawn):
    assert SECRET not in str([normalise_remote(url) for url in drawn[2:]])


@pytest.mark.req("identity.remote-spellings")
@given(ANYTHING | URLISH)
@example("https://dev.azure.com/a/_git/_git/b")
@example("https://a.visualstudio.com/v3/_git/x")
@example("https://host/a/...git")
@example("https://host/x .git")
@example("ssh://x:2222/org")
@example("http://host:22/x")
@example("git@host:/:22/a/b")
def test_a_normalised_remote_is_its_own_value(text):
    value = normalise_remote(text)

    assert value is None or normalise_remote(value) == value


@pytest.mark.req("identity.remote-spellings")
@given(ANYTHING | URLISH)
def test_a_normalised_remote_is_plain_composed_text(text):
    value = normalise_remote(text)

    if value is not None:
        host, _, path = value.partition("/")
        assert host
        assert path
        assert value.isprintable()
        assert value == unicodedata.normalize("NFC", value)
        assert not path.endswith((".git", "/"))


@pytest.mark.req("identity.slug")
@given(ANYTHING)
@example("İ" * 64)
@example("\u1e9e" * 64)
@example("a" * 54 + "." + "b" * 40)
@example("a-\u034f\u0301")
@example("ΑΣ" * 40)
def test_a_slug_is_a_safe_name_and_its_own_slug(name):
    text = slug(name)

    assert slug(text) == text
    assert 0 < len(text) <= 64
    assert len(text.encode()) <= 255
    assert text[0] not in ".-"
    assert text[-1] not in ".-"
    assert not set(text) & set("/\\:\0 ")
    assert text.isprintable()
    assert text == unicodedata.normalize("NFC", text)
    assert text == text.lower()


@pytest.mark.req("identity.names-folded")
@given(ANYTHING)
def test_a_canonical_name_is_its_own(name):
    folded = canonical_name(name)

    assert canonical_name(folded) == folded
    assert canonical_name(name.strip().replace(" ", "_")) == folded


@pytest.mark.req("identity.key-order")
@given(st.none() | ANYTHING, st.none() | ANYTHING | URLISH, st.lists(ANYTHING), st.none() | ANYTHING)
def test_any_texts_give_keys_that_can_be_stored_and_read_back(marker, remote, roots, path):
    keys = project_keys(marker, remote, roots, path)

    assert tuple(ProjectKey.parse(str(key).encode().decode()) for key in keys) == keys
    order = ["marker", "remote", "root", "path"]
    assert [key.kind for key in keys] == [kind for kind in order if kind in {key.kind for key in keys}]


@pytest.mark.req("identity.key-order")
@given(st.lists(st.text("0123456789abcdef", min_size=40, max_size=40), min_size=1, unique=True), st.randoms())
def test_the_order_in_which_roots_are_found_does_not_matter(roots, random):
    shuffled = random.sample(roots, len(roots))

    assert project_keys(None, None, roots, None) == project_keys(None, None, shuffled, None)


@pytest.mark.req("identity.remote-choice")
@given(st.dictionaries(ANYTHING | st.sampled_from(["origin", "upstream"]), ANYTHING | URLISH, max_size=5))
def test_a_chosen_remote_is_one_of_them_and_has_a_value(remotes):
    url = choose_remote(remotes)

    assert url is None or (url in remotes.values() and normalise_remote(url) is not None)
