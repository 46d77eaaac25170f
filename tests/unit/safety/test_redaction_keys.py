"""Private keys, whole and torn, and what a user marked as private."""

from __future__ import annotations

import json
import random
import string

import pytest

from perdure.safety.redaction import default_redactor

pytestmark = pytest.mark.req("safety.redact-keys")

BODY = ["".join(random.Random(n).choices(string.ascii_letters + string.digits + "+/", k=64)) for n in range(6)]
BODY.append("Q7" + "x9" * 4 + "==")


def armour(name="RSA PRIVATE KEY"):
    return [f"-----BEGIN {name}-----", *BODY, f"-----END {name}-----"]


FORMS = {
    "as it is": "\n".join(armour()),
    "without an end": "\n".join(armour()[:-1]),
    "without a beginning": "\n".join(armour()[1:]),
    "indented": "\n".join("    " + line for line in armour("PRIVATE KEY")),
    "numbered": "\n".join(f"{number:6}\t{line}" for number, line in enumerate(armour(), 1)),
    "numbered with arrows": "\n".join(f"{number:>5}→{line}" for number, line in enumerate(armour(), 1)),
    "in JSON": json.dumps({"private_key": "\n".join(armour("PRIVATE KEY"))}),
    "in JSON in JSON": json.dumps(json.dumps({"private_key": "\n".join(armour("PRIVATE KEY"))})),
    "in a diff": "\n".join("+" + line for line in armour()),
    "quoted": "\n".join("> " + line for line in armour()),
    "as joined strings": "\n".join(f'"{line}\\n" +' for line in armour()),
    "with carriage returns": "\r\n".join(armour("OPENSSH PRIVATE KEY")),
    "encrypted": "\n".join([armour()[0], "Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-256-CBC,0A1B2C", "", *armour()[1:]]),
    "of PGP": "\n".join(armour("PGP PRIVATE KEY BLOCK")),
    "of PuTTY": "\n".join(["PuTTY-User-Key-File-3: ssh-rsa", "Private-Lines: 7", *BODY, "Private-MAC: " + "ab12" * 8]),
    "of SSH2": "\n".join(["---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----", *BODY, "---- END SSH2 PRIVATE KEY ----"]),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("place", ["{}", "found this:\n{}\nand left it there", "2025-03-11 INFO {}\n"])
def test_no_line_of_a_private_key_stays(form, place):
    cleaned = default_redactor().clean(place.format(FORMS[form]))

    assert [line for line in BODY if line[:12] in cleaned] == []
    assert "[REDACTED:private-key]" in cleaned
    assert cleaned.startswith(place.partition("{}")[0][:10])


def test_what_follows_a_key_without_an_end_stays():
    text = FORMS["without an end"] + "\nlet me know when it is done"

    assert default_redactor().clean(text) == "[REDACTED:private-key]\nlet me know when it is done"


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(armour("PUBLIC KEY")),
        "\n".join(armour("CERTIFICATE")),
        "\n".join(armour("PGP PUBLIC KEY BLOCK")),
        "\n".join(armour("PGP SIGNATURE")),
        'if line.startswith("-----BEGIN RSA PRIVATE KEY-----"):\n    raise ValueError("no key")',
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
        "certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUM" + "Q0FURS0x" * 9,
    ],
)
def test_what_is_public_or_no_key_at_all_stays(text):
    assert default_redactor().clean(text) is text


@pytest.mark.req("safety.private-tags")
@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("a <private>b</private> c", "a [REDACTED:private] c"),
        ("a <PRIVATE>b\nb</Private> c", "a [REDACTED:private] c"),
        ("a < private >b< / private > c", "a [REDACTED:private] c"),
        ('a <private reason="x">b</private> c', "a [REDACTED:private] c"),
        ("a <private>b <private>c</private> d</private> e", "a [REDACTED:private] e"),
        ("a <private>b", "a [REDACTED:private]"),
        ("<private>a</private>b<private>c</private>", "[REDACTED:private]b[REDACTED:private]"),
        ("a <privateer>b", "a <privateer>b"),
    ],
)
def test_what_is_marked_as_private_goes_whatever_it_is(text, cleaned):
    assert default_redactor().clean(text) == cleaned
