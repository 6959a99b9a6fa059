"""A session and an intent made by somebody who wants the page to run, hide or break something."""

from __future__ import annotations

from pathlib import Path

from tests.hooked_agent import HookedAgent
from tests.mcp_agent import Agent

SCRIPT = '<script>document.title="owned"</script><img src=x onerror="document.title=\'owned\'">'
LINK = "[look](javascript:document.title='owned') <a href=\"javascript:document.title='owned'\">there</a>"
ODD = "\x1b[31mred\x1b[0m \u202egnp.exe\u202c zero\u200bwidth \x00nul"
LONG = "x" * 1_000_000
NAMES = ("static", "enter", "p", "..%2f..%2fetc", "<b>bold<b>.py", "a\u202egnp.py", "quote\"'.py", "{{ 7 * 7 }}.py")
TEXT = f"{SCRIPT}\n\n{LINK}\n\n{ODD}\n\n{{{{ 7 * 7 }}}} {{% raw %}}\n"
SESSION = "../static/<script>alert(1)</script>?id=1&x=\u202e"


def hostile_run(root: Path) -> str:
    """A session with all of it in goal, paths and commands; its id."""
    agent = HookedAgent(root, SESSION)
    agent.hook("SessionStart", source="startup")
    agent.prompt(f"Fix {SCRIPT} {ODD} in src/auth. {LONG}")
    for name in NAMES:
        agent.propose("Edit", {"file_path": str(root / "src" / name), "old_string": "a", "new_string": SCRIPT})
    agent.propose("Bash", {"command": f"echo '{SCRIPT}' {ODD} {LONG}"})
    agent.bash("echo '<script>alert(1)</script>'")
    return SESSION


def hostile_plan(agent: Agent, slug: str) -> None:
    """An intent in its first stage, with documents that are not meant to be read."""
    told = agent("intent_create", title=SCRIPT[:80], description=TEXT.replace("\0", ""), slug=slug, studio="small")
    assert not told.is_error, told.json
    agent.until("elaborate")
    top = agent.root / f".haiku/intents/{slug}"
    for at, name in enumerate(("notes.md", "<img src=x>.md", "long.txt")):
        place = top / "knowledge" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(LONG if at == 2 else TEXT)
    (top / "stages/shape/artifacts").mkdir(parents=True, exist_ok=True)
    (top / "stages/shape/artifacts/fake.png").write_bytes(b"<svg onload=alert(1)>\0" + SCRIPT.encode())
    filed = agent("feedback", title=SCRIPT[:80], body=TEXT.replace("\0", ""))
    assert not filed.is_error, filed.json
    agent("run_next")
