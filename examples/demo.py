"""The main job from end to end, in a home of its own below build/demo: nothing of yours is read or changed.

Imports the example sessions, runs a host's hook sequence with real processes, asks ten questions and shows what lies
where on disk. Leaves with 1 if an answer is not the expected one.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
STAGE = ROOT / "build" / "demo"
HOME = STAGE / "home"
MEMORY = HOME / ".perdure"
PROJECT = "/home/dev/work/lantern"
DECISION = "We decided that the kiosk shows prices in the buyer's currency, because tourists kept asking."
PROMPT = "How do we install packages in CI?"


def main() -> int:
    """Run the demo and return its exit code."""
    shutil.rmtree(STAGE, ignore_errors=True)
    HOME.mkdir(parents=True)
    started = time.perf_counter()

    heading("A memory of your own, and hooks in the host's settings")
    perdure("init", "--author", "demo", show=True)
    perdure("hosts", "install", "claude-code", show=True)

    heading("Thirty-six example sessions of three projects")
    perdure("import", "claude-code", str(ROOT / "examples" / "sessions"), "--all", show=True)

    heading("A new session of lantern, through the hooks that were just installed")
    live_session()

    heading("Ten questions")
    wrong = sum(not ask(question) for question in json.loads((ROOT / "examples" / "questions.json").read_text()))

    heading("What is where on disk")
    listing()
    print(f"\nAll of this took {time.perf_counter() - started:.1f} s. Look around:")
    print(f"  PERDURE_HOME={MEMORY} {command()} recall --everywhere 'retry policy'")
    return 1 if wrong else 0


def heading(text: str) -> None:
    """Print what comes next."""
    print(f"\n== {text}")


def command() -> str:
    """The perdure command of this installation."""
    return str(Path(sys.executable).with_name("perdure"))


def environment() -> dict[str, str]:
    """An environment with the demo's own home."""
    return {"HOME": str(HOME), "PERDURE_HOME": str(MEMORY), "PATH": os.environ.get("PATH", os.defpath)}


def perdure(*arguments: str, show: bool = False) -> str:
    """Run a command of ours and return what it prints; a failure ends the demo."""
    if show:
        print(f"$ perdure {' '.join(arguments).replace(str(ROOT), '.')}")
    done = subprocess.run(
        [command(), *arguments], env=environment(), cwd=HOME, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"perdure {' '.join(arguments)} failed with {done.returncode}:\n{done.stdout}{done.stderr}")
    if show:
        print("".join(f"  {line}\n" for line in done.stdout.splitlines()).replace(str(ROOT), "."), end="")
    return done.stdout


def hook(event: str, payload: dict[str, Any]) -> str:
    """Call a hook as the host would: the command of its settings file, the payload on standard input."""
    settings = json.loads((HOME / ".claude" / "settings.json").read_text())
    line = settings["hooks"][event][0]["hooks"][0]["command"]
    begun = time.perf_counter()
    done = subprocess.run(
        ["/bin/sh", "-c", line],
        input=json.dumps(payload),
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    took = (time.perf_counter() - begun) * 1000
    reply = json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"] if done.stdout else ""
    print(f"  {event:<17} {took:4.0f} ms  {f'gave {len(reply):,} characters' if reply else 'printed nothing'}")
    return str(reply)


class Session:
    """A session of the host: it writes its transcript and fires its events."""

    def __init__(self, name: str) -> None:
        """Begin a transcript."""
        self.name = name
        self.transcript = HOME / ".claude" / "projects" / "-home-dev-work-lantern" / f"{name}.jsonl"
        self.transcript.parent.mkdir(parents=True, exist_ok=True)
        self.count = 0

    def fire(self, event: str, **more: str) -> str:
        """Fire one event."""
        common = {"session_id": self.name, "transcript_path": str(self.transcript), "cwd": PROJECT}
        return hook(event, {**common, "hook_event_name": event, **more})

    def write(self, role: str, text: str) -> None:
        """Append a record to the transcript."""
        self.count += 1
        message = {"role": role, "content": text if role == "user" else [{"type": "text", "text": text}]}
        record = {
            "type": role,
            "message": message,
            "uuid": f"{self.name}-{self.count}",
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime()),
            "cwd": PROJECT,
            "sessionId": self.name,
            "isSidechain": False,
        }
        with self.transcript.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")


def live_session() -> None:
    """One session makes a decision; the next one knows it."""
    first = Session("11111111-0000-4000-8000-000000000001")
    first.fire("SessionStart", source="startup")
    recalled = first.fire("UserPromptSubmit", prompt=PROMPT)
    first.write("user", PROMPT)
    first.write("assistant", "With bun, from the frozen lock file.")
    first.fire("UserPromptSubmit", prompt=DECISION)
    first.write("user", DECISION)
    first.write("assistant", "Done: the price tag takes the currency from the card.")
    first.fire("Stop")
    first.fire("SessionEnd", reason="other")
    perdure("work")
    second = Session("22222222-0000-4000-8000-000000000002")
    briefing = second.fire("SessionStart", source="startup")

    print(f"\n  With the prompt '{PROMPT}' the host was given:")
    print("".join(f"    {shortened(line)}\n" for line in recalled.splitlines()))
    print("  The next session starts with:")
    print("".join(f"    {shortened(line)}\n" for line in briefing.splitlines()))
    if DECISION[:40] not in briefing:
        sys.exit("The decision of the first session is missing from the second one's briefing.")


def shortened(line: str, width: int = 150) -> str:
    """A line that fits a screen, and says so where it was cut."""
    return line if len(line) <= width else f"{line[: width - 2]} …"


def ask(asked: dict[str, Any]) -> bool:
    """Ask one question and say whether the answer is the expected one."""
    begun = time.perf_counter()
    answer = json.loads(perdure("recall", asked["question"], "--project", asked["project"], "--json"))
    took = (time.perf_counter() - begun) * 1000
    hits = answer["hits"]
    text = "\n".join(f"{hit['title']} {hit['body']}" for hit in hits[:3])
    first = f"{hits[0]['title']} {hits[0]['body']}" if hits else ""
    good = not hits if asked.get("abstain") else all(part in text for part in asked["expect"])
    good = good and not any(part in text for part in asked.get("reject", ()))
    print(f"\n  {'ok ' if good else 'BAD'} {asked['question']}  ({asked['project']}, {took:.0f} ms)")
    print(f"      Why it is asked: {asked['why']}")
    if not hits:
        print(f"      No answer: {answer['nothing']['reason']}, the nearest scored {answer['nothing']['best']:.2f}.")
        return good
    best = hits[0]
    print(f"      {shortened(' '.join(first.split()), 200)}")
    source = best["source"]
    where = f"{best['valid_from'][:10]}, {source['channel']}, session {source['session'][-12:]}"
    print(f"      {where}, score {best['score']:.2f}")
    return good


def listing() -> None:
    """Show the files of the home with their sizes."""
    for path in sorted(MEMORY.rglob("*")):
        if path.is_file():
            print(f"  {path.stat().st_size:>9,}  {path.relative_to(STAGE)}")


if __name__ == "__main__":
    sys.exit(main())
