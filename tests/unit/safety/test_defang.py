"""What cannot be seen goes; what is seen, and what letters and emoji need, stays."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.safety.defang import defang

pytestmark = pytest.mark.req("safety.defang")

WOMAN, LAPTOP, HEART, FLAG, RAINBOW = "\U0001f469", "\U0001f4bb", "\u2764", "\U0001f3f3", "\U0001f308"
ZWJ, ZWNJ, VS16 = "\u200d", "\u200c", "\ufe0f"


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("a\x1b[31mred\x1b[0m b", "ared b"),
        ("\x1b[38;2;1;2;3mx\x1b[K", "x"),
        ("\x9b31mx", "x"),
        ("\x1b]0;a title\x07x", "x"),
        ("\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b]52;c;Zm9v", ""),
        ("\x9d0;a title\x9cx \x9bMenu \x93quoted\x94", "x Menu quoted"),
        ("\x1b]52;c;Zm9v\nnext", "\nnext"),
        ("\x1bPq#0;2;0\x1b\\x", "x"),
        ("\x1b(Bx\x1b=y\x1bcz", "xyz"),
        ("\x1b\u200b[31mx", "x"),
        ("x\x1b", "x"),
        ("a\x00b\x08c\x7fd\x85e\x9fg", "abcd\neg"),
        ("a\tb\nc", "a\tb\nc"),
        ("a\r\nb\rc\u2028d\u2029e", "a\nb\nc\nd\ne"),
        ("pay\u200bload \u2060x\ufeffy\u00adz\u034f", "payload xyz"),
        ("a\u202eb\u2066c\u2069d\u200fe\u061c", "abcde"),
        ("x\U000e0041\U000e0042\U000e007f", "x"),
        ("x\ufe00y\ufe0fz\U000e0100", "xyz"),
        ("a\u3164b\u115fc", "abc"),
        (f"x{ZWJ}y{ZWNJ}z", "xyz"),
        ("\ud83d\ude00 \ud83dx\udc00", "\U0001f600 \ufffdx\ufffd"),
    ],
)
def test_the_unseen_goes(text, seen):
    assert defang(text) == seen


@pytest.mark.parametrize(
    "text",
    [
        "plain words, naïve café, Straße, 密码, пароль, كلمة المرور",
        f"{WOMAN}{ZWJ}{LAPTOP} {HEART}{VS16} {FLAG}{VS16}{ZWJ}{RAINBOW} 1{VS16}\u20e3 #{VS16}\u20e3",
        f"\U0001f468\U0001f3fd{ZWJ}\U0001f680",
        f"می{ZWNJ}خواهم کتاب{ZWNJ}ها",
        f"क्{ZWJ}ष क्{ZWNJ}ष ന്{ZWJ}",
        "e\u0301 e\u0302 a\u0308",
    ],
)
def test_the_seen_stays_and_so_does_what_it_needs(text):
    assert defang(text) == text


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        (f"{WOMAN}{ZWJ}x", f"{WOMAN}x"),
        (f"{HEART}{VS16}{VS16}", f"{HEART}{VS16}"),
        (f"{WOMAN}{ZWJ}{ZWJ}{LAPTOP}", f"{WOMAN}{ZWJ}{LAPTOP}"),
        (f"1{VS16}x", "1x"),
        (f"می{ZWNJ}x", "میx"),
        (f"می{ZWNJ}{ZWNJ}خواهم", f"می{ZWNJ}خواهم"),
        (f"مَ{ZWNJ}خ", f"مَ{ZWNJ}خ"),
        (f"क{ZWJ}ष", "कष"),
        (f"{ZWNJ}می", "می"),
        (f"می{ZWNJ}", "می"),
    ],
)
def test_a_joiner_with_nothing_to_join_goes(text, seen):
    assert defang(text) == seen


def test_a_plain_text_is_not_copied():
    text = "a plain text\n\twith lines"

    assert defang(text) is text


PARTS = st.sampled_from(
    [
        *("\x1b", "[", "]", "31m", "\x07", "\\", "\x9b", "\x9d", "\r", "\n", "a", "1", "#", "\ud83d", "\ude00"),
        *(ZWJ, ZWNJ, VS16, WOMAN, HEART, "\u200b", "\u20e3", "م", "خ", "\u064e", "क", "\u094d", "\U000e0041"),
    ]
)


@given(st.lists(PARTS | st.characters(), max_size=30).map("".join))
def test_defanging_twice_is_defanging_once_and_nothing_unseen_is_left(text):
    once = defang(text)

    assert defang(once) == once
    assert once.encode("utf-8").decode("utf-8") == once
    unseen = {c for c in once if unicodedata.category(c) in {"Cc", "Cf", "Cs"} and c not in "\n\t" + ZWJ + ZWNJ}
    assert {c for c in unseen if c not in "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2"} <= {
        c for c in unseen if ord(c) > 0x11000
    }


@given(st.text(st.characters(codec="utf-8", exclude_categories=["C", "Zl", "Zp", "Mn", "Me"]), max_size=30))
def test_letters_digits_and_signs_are_never_touched(text):
    kept = "".join(c for c in text if c not in "\u115f\u1160\u3164\uffa0")

    assert defang(text) == kept
