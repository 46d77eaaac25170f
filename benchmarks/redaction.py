"""What redaction leaks, what it damages and how fast it is: ``python -m benchmarks.redaction [--long]``.

Leak: of the secrets of a kind, those of which any piece can still be read. Damage: of the texts without a
secret, those that come back changed. The baseline in the same run is the public rule set by itself.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter

from benchmarks.redaction_benign import benign
from benchmarks.redaction_set import Sample, secrets
from perdure.safety.prefilter import lowered
from perdure.safety.redaction import Redactor, default_redactor
from tools import compile_rules

SEED = 20_250_311
TARGET_LEAK, TARGET_SPEED, TARGET_PATTERN, TARGET_LINE = 0.01, 5.0, 0.050, 3.0


def leaks(redactor: Redactor, sample: Sample) -> bool:
    """Whether any piece of the secret is still there."""
    cleaned = redactor.clean(sample.text)
    return any(piece in cleaned for piece in sample.pieces)


def damages(redactor: Redactor, sample: Sample) -> bool:
    """Whether a text without a secret comes back changed."""
    return redactor.clean(sample.text) != sample.text


def table(title: str, samples: list[Sample], counted: dict[str, list[bool]]) -> None:
    """Print per kind how many of the samples were counted, for ours and for the baseline."""
    total = Counter(sample.kind for sample in samples)
    hits = {
        name: Counter(sample.kind for sample, hit in zip(samples, flags, strict=True) if hit)
        for name, flags in counted.items()
    }
    print(f"\n{title:<24}{'samples':>9}" + "".join(f"{name:>12}" for name in counted))
    for kind, number in total.items():
        print(f"{kind:<24}{number:>9}" + "".join(f"{hits[name][kind] / number:>12.1%}" for name in counted))
    print(f"{'all':<24}{len(samples):>9}" + "".join(f"{sum(flags) / len(flags):>12.2%}" for flags in counted.values()))


def corpus(size: int) -> str:
    """A transcript's worth of ordinary text with a secret now and then, about ``size`` characters."""
    rng = random.Random(SEED)
    plain = [sample.text for sample in benign(SEED, 4)]
    hidden = [sample.text for sample in secrets(SEED)]
    parts: list[str] = []
    length = 0
    while length < size:
        part = rng.choice(hidden) if rng.random() < 0.01 else rng.choice(plain)
        parts.append(part)
        length += len(part) + 1
    return "\n".join(parts)[:size]


def speed(redactor: Redactor, text: str) -> float:
    """Seconds of processor time for one redaction, the best of three."""
    best = float("inf")
    for _ in range(3):
        begin = time.process_time()
        redactor.redact(text)
        best = min(best, time.process_time() - begin)
    return best


def hostile(size: int) -> dict[str, str]:
    """Texts that make careless expressions slow."""
    rng = random.Random(SEED)
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    units = (
        "a",
        " ",
        "0",
        "-",
        "_a",
        "a.",
        "\\",
        '"',
        "=",
        "sk-",
        "eyJ.",
        "ey.ey",
        "token",
        "token ",
        "token=",
        "password:",
        "password is ",
        "key = ",
        "-----BEGIN ",
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----\n",
        "://a:",
        "https://a:b",
        "<private>",
        "cookie: a=",
        "mysql -p",
        " -p",
        "--a ",
        "--token ",
        "echo | sudo -s ",
        "пароль ",
        "authorization: ",
        "basic ",
        "adafruit ",
        "AKIAAAAAAAAAAAAAAAAA ",
        "otpauth://",
        ":aa",
        "q~",
        '"d": ',
        "$(cat <<",
        "password for a ",
        "login: a/",
        "export A_SECRET='",
        "$2a$",
        "secret: |\n ",
        "xoxb-",
        "-us",
        "as the password",
    )
    texts = {repr(unit): unit * (size // len(unit)) for unit in units}
    texts["random letters"] = "".join(rng.choices(letters, k=size))
    texts["random lines"] = "\n".join("".join(rng.choices(letters + "+/", k=64)) for _ in range(size // 65))
    return texts


def slowest_patterns(redactor: Redactor, texts: dict[str, str]) -> list[tuple[float, str, str]]:
    """Each rule by itself over each text that holds one of its keywords: seconds, rule, text; slowest first."""
    book = redactor._book  # noqa: SLF001 - single rules are what is measured
    found = []
    for name, text in texts.items():
        lower = lowered(text)
        for number, hits in book._index.hits(lower).items():  # noqa: SLF001
            begin = time.process_time()
            for _ in book._matches(number, hits, text, lower):  # noqa: SLF001
                pass
            found.append((time.process_time() - begin, f"{book._rows[number][0]}/{book._rows[number][-1]}", name))  # noqa: SLF001
    return sorted(found, reverse=True)


def measure_speed(redactor: Redactor, *, long: bool) -> bool:
    """Print the figures of speed; whether all are within their targets."""
    text = corpus(5_000_000 if long else 2_000_000)
    rate = len(text.encode()) / 1e6 / speed(redactor, text)
    line = corpus(10_000_000).replace("\n", " ")
    begin = time.process_time()
    redactor.redact(line)
    seconds = time.process_time() - begin
    texts = hostile(1_000_000)
    whole = []
    for name, hard in texts.items():
        begin = time.process_time()
        redactor.redact(hard)
        whole.append((time.process_time() - begin, name))
    slow = slowest_patterns(redactor, texts)
    print(f"\nspeed on transcripts      {rate:8.1f} MB/s   (target {TARGET_SPEED})")
    print(f"one line of 10 MB         {seconds:8.2f} s      (target {TARGET_LINE})")
    for taken, name in sorted(whole, reverse=True)[:5]:
        print(f"1 MB of hostile text      {taken * 1e3:8.0f} ms     {name}")
    for taken, rule, name in slow[:5]:
        print(
            f"one pattern on that       {taken * 1e3:8.1f} ms     {rule} on {name} (target {TARGET_PATTERN * 1e3:.0f})"
        )
    return rate >= TARGET_SPEED and seconds <= TARGET_LINE and slow[0][0] <= TARGET_PATTERN


def main(arguments: list[str]) -> int:
    """Print all figures; 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--long", action="store_true", help="five times the samples")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the first N failures")
    options = parser.parse_args(arguments)
    rounds = 5 if options.long else 1
    ours = default_redactor()
    redactors = {"perdure": ours, "gitleaks": Redactor(compile_rules.read("gitleaks", superseded=True))}
    hidden = list(secrets(SEED, rounds))
    plain = list(benign(SEED + 1, 4 * rounds))
    leaked = {name: [leaks(redactor, sample) for sample in hidden] for name, redactor in redactors.items()}
    damaged = {name: [damages(redactor, sample) for sample in plain] for name, redactor in redactors.items()}
    table("leak", hidden, leaked)
    table("damage", plain, damaged)
    failures = [s for s, hit in zip((*hidden, *plain), (*leaked["perdure"], *damaged["perdure"]), strict=True) if hit]
    for sample in failures[: options.show]:
        print(f"\n{sample.kind} / {sample.context}\n  {sample.text[:300]!r}\n  {ours.clean(sample.text)[:300]!r}")
    quick = measure_speed(ours, long=options.long)
    leak = sum(leaked["perdure"]) / len(hidden)
    return int(leak > TARGET_LEAK or any(damaged["perdure"]) or not quick)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
