"""Tokens that name themselves by how they begin. Each is put together here, so that none lies in the repository."""

from __future__ import annotations

import json
import random
import string

import pytest

from perdure.safety.redaction import default_redactor

pytestmark = pytest.mark.req("safety.redact-kinds")

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + string.digits


def dice(length, alphabet=ALNUM):
    """Random characters, the same in every run, with digits and letters among them."""
    rng = random.Random(length)
    return "a7" * 0 + "".join(rng.choices(alphabet, k=length))


KINDS = {
    "anthropic-key": ("sk-ant-api03-", dice(95)),
    "openai-key": ("sk-proj-", dice(40)),
    "openrouter-key": ("sk-or-v1-", dice(64, HEX)),
    "github-token": ("ghp_", dice(36)),
    "gitlab-pat": ("glpat-", dice(20)),
    "gitlab-token": ("glrt-", dice(20)),
    "slack-token": ("xoxb-", f"{dice(12, string.digits)}-{dice(24)}"),
    "aws-key": ("AKIA", "Q7" + dice(14, UPPER)),
    "google-key": ("AIza", dice(35)),
    "azure-secret": ("a1b8Q~", dice(34)),
    "stripe-key": ("sk_live_", dice(24)),
    "shopify-token": ("shpat_", dice(32, HEX)),
    "sendgrid-key": ("SG.", f"{dice(22)}.{dice(43)}"),
    "npm-token": ("npm_", dice(36)),
    "pypi-token": ("pypi-AgE", dice(90)),
    "huggingface-token": ("hf_", dice(34, string.ascii_letters)),
    "replicate-token": ("r8_", dice(37)),
    "databricks-token": ("dapi", dice(32, HEX)),
    "vault-token": ("hvs.", dice(95)),
    "age-key": ("AGE-SECRET-KEY-1", dice(58, UPPER)),
    "tailscale-key": ("tskey-auth-", dice(40)),
    "grafana-token": ("glsa_", f"{dice(32)}_{dice(8, HEX)}"),
    "linear-key": ("lin_api_", dice(40)),
    "notion-token": ("ntn_", dice(46)),
    "airtable-token": ("pat", f"{dice(14)}.{dice(64, HEX)}"),
    "telegram-token": ("7712345678:AA", dice(33)),
    "mailchimp-key": (dice(32, HEX), "-us14"),
    "terraform-token": (dice(14), f".atlasv1.{dice(64)}"),
    "discord-token": ("MT" + dice(22), f".Gx1y2z.{dice(38)}"),
    "jwt": ("eyJhbGciOiJIUzI1NiJ9.eyJ", f"{dice(40)}.{dice(43)}"),
    "password-hash": ("$2b$12$", dice(53)),
    "langsmith-key": ("lsv2_pt_", f"{dice(32, HEX)}_{dice(10, HEX)}"),
    "asana-token": ("1/", f"{dice(16, string.digits)}:{dice(32, HEX)}"),
    "hubspot-token": ("pat-na1-", "-".join(dice(n, HEX) for n in (8, 4, 4, 4, 12))),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_token_is_known_by_its_form_alone(kind):
    secret = "".join(KINDS[kind])

    assert default_redactor().redact(secret).text == f"[REDACTED:{kind}]"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "place",
    ["here: {}", "`{}`", '"{}",', "({})", "{}.", "see {}\nthen go on", "用这个 {}", "x={}&y=1", "\\n{}\\n", "%3D{}"],
)
def test_a_token_goes_from_any_surroundings_and_leaves_them(kind, place):
    secret = "".join(KINDS[kind])

    cleaned = default_redactor().clean(place.format(secret))

    assert KINDS[kind][1][1:] not in cleaned
    assert f"[REDACTED:{kind}]" in cleaned or "[REDACTED:credential]" in cleaned
    assert cleaned.startswith(place.partition("{}")[0])


@pytest.mark.parametrize("kind", KINDS)
def test_a_token_goes_from_records_in_json_within_json(kind):
    secret = "".join(KINDS[kind])
    record = json.dumps({"content": json.dumps({"output": f"line\n{secret}\nline"})})

    cleaned = default_redactor().clean(record)

    assert secret not in cleaned
    assert json.loads(json.loads(cleaned)["content"])["output"].startswith("line\n[REDACTED:")


def test_a_key_with_dots_goes_whole():
    for key in ("sk-proj-abc.def.ghi", f"sk-proj-{dice(9)}.{dice(12)}.{dice(10)}"):
        assert default_redactor().clean(f"key {key}, next") == "key [REDACTED:openai-key], next"


def test_the_secret_key_of_a_cloud_goes_when_it_stands_behind_its_id():
    secret = dice(40, ALNUM + "+/")
    ident = "AKIA" + "Q7" + dice(14, UPPER)

    assert default_redactor().clean(f"{ident},{secret}") == "[REDACTED:aws-key],[REDACTED:aws-secret]"


def test_a_word_that_begins_like_a_token_is_none():
    words = [
        "sk-spinner-double-bounce-animated-large",
        "hf_hub_download_with_retry_and_resume",
        "npm_config_registry_url_override_value",
        "ASIAPACIFICREGIONWEST",
        "pat.example.org",
        "key-" + "cache" * 8,
        "re_compile_pattern_with_flags",
    ]
    text = "\n".join(words)

    assert default_redactor().clean(text) is text
