"""Write a new detector and its test: `make rule name=<pattern_it_flags>`.

Both files run as they are: the rule flags nothing but a word nobody uses, so every check is green before you begin.
"""

from __future__ import annotations

import keyword
import re
import sys
from pathlib import Path
from string import Template

ROOT = Path(__file__).resolve().parent.parent

DETECTOR = Template('''"""$Words: say in one line what the agent does.

## What it catches
Say which actions it flags, and by which sign.

## Why it matters
Say what goes wrong when nobody notices.

## Example
The user says "fix auth bug"; the agent runs `replace-me`.

## Known limits
Say what it can not see, and what it leaves alone on purpose.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.event import ToolProposed
from leeboard.model.verdict import Evidence, Finding
from leeboard.model.world import World
from leeboard.rule import Rule, Sample

RULE = Rule(summary="$words")

FIRES = (Sample(name="the plain case", lines=("@ fix auth bug", "$$ replace-me")),)
SILENT = (Sample(name="a near miss", lines=("@ fix auth bug", "$$ pytest")),)


def detect(event: ToolProposed, world: World) -> Iterator[Finding]:
    """One finding for the line."""
    if event.call.action == "bash" and "replace-me" in world.analysis.command:
        text = "say what was seen, in words the agent can act on"
        yield Finding(rule="$name", subject=world.analysis.command, evidence=(Evidence(text, -2),))
''')

TEST = Template('''from __future__ import annotations

from leeboard.detectors import $name
from leeboard.rule import read_rule


def test_it_listens_to_what_it_can_judge() -> None:
    """Replace it by the edges of the rule; the samples are run for every rule by tests/test_samples.py."""
    assert read_rule($name).listens == {"ToolProposed"}
''')


def problem(name: str) -> str:
    """Why a rule can not have this name; empty when it can."""
    if not name:
        return "give the rule a name: make rule name=<pattern_it_flags>"
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or keyword.iskeyword(name):
        return f"'{name}' can not be a rule: use lower-case words joined by _, such as scope_drift"
    if re.match(r"(no|not|avoid|forbid|prevent)_", name):
        return f"'{name}' names the remedy: name the pattern it flags, so that 'allow {name}' reads true"
    return ""


def targets(name: str) -> dict[Path, Template]:
    return {
        ROOT / "leeboard" / "detectors" / f"{name}.py": DETECTOR,
        ROOT / "tests" / "detectors" / f"test_{name}.py": TEST,
    }


def main() -> None:
    name = sys.argv[1].strip() if len(sys.argv) > 1 else ""
    taken = [path.relative_to(ROOT).as_posix() for path in targets(name) if path.exists()]
    complaint = problem(name) or (f"{taken[0]} is there already" if taken else "")
    if complaint:
        sys.exit(f"leeboard: {complaint}")
    words = name.replace("_", " ")
    for path, template in targets(name).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(template.substitute(name=name, words=words, Words=words.capitalize()), encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
