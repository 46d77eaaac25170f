"""Safety."""

from __future__ import annotations

from tests.requirements import Requirement

REQUIREMENTS = {
    "safety.trust": Requirement(
        "What tools and documents said is found when asked for and never given unasked.",
        "spec safety, Poisoned text",
    ),
    "safety.fence": Requirement(
        "What is injected is fenced as data, and no content can close the fence.",
        "spec safety, Poisoned text",
    ),
    "safety.redact-kinds": Requirement(
        "A token with a form of its own is taken out of any surroundings, and they stay.",
        "spec safety, Secrets; facts, 10",
    ),
    "safety.redact-places": Requirement(
        "A word that is a secret by its place alone (flag, field, header, address, sentence) is taken out.",
        "spec safety, Secrets",
    ),
    "safety.redact-keys": Requirement(
        "No line of a private key stays, whole or torn, numbered, indented or escaped; what is public stays.",
        "spec safety, Secrets",
    ),
    "safety.private-tags": Requirement(
        "What stands in private tags, closed or not, is taken out.",
        "spec safety, Secrets; cases, Capture",
    ),
    "safety.survivors": Requirement(
        "Identifiers, hashes, public keys, code, prose and placeholders come back byte for byte.",
        "spec safety, Secrets",
    ),
    "safety.redact-findings": Requirement(
        "A redaction says what kind of secret stood where, and changes nothing else.",
        "spec safety, Secrets",
    ),
    "safety.redact-idempotent": Requirement(
        "Redacting twice is redacting once.",
        "spec safety, Secrets",
    ),
    "safety.redact-settings": Requirement(
        "Allowed texts survive, further patterns are found, and one that cannot work stops with its name.",
        "spec safety, Secrets",
    ),
    "safety.redact-values": Requirement(
        "Keys and values of a JSON value are redacted, and a key says what its value is.",
        "spec safety, Secrets",
    ),
    "safety.redact-joined": Requirement(
        "A secret over the border of two texts is found, and the result is the same however a text is cut.",
        "spec safety, Secrets",
    ),
    "safety.redaction-targets": Requirement(
        "Of a labelled set at most one secret in a hundred leaks, and no text without one is damaged.",
        "spec safety, Secrets",
    ),
    "safety.rules": Requirement(
        "Rules are data: what ships is what the sources make, each is sound, and a rule runs if its keyword occurs.",
        "spec safety, Secrets",
    ),
    "safety.defang": Requirement(
        "What cannot be seen goes out of a text; what is seen, and what letters and emoji need, stays.",
        "spec safety, Poisoned text",
    ),
}
