"""Write a new rule and its test: `make rule name=<pattern_it_flags>`, for one with signals `subclass=<A4>` as well.

Both files run as they are: the rule flags nothing but a word nobody uses, so every check is green before you begin.
What is made from the rules, their pages and the table of their headers, is made anew.
"""

from __future__ import annotations

import keyword
import re
import subprocess
import sys
from pathlib import Path
from string import Template

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from leeboard.rule import LETTERS, discover  # noqa: E402 - the checkout has to be on the path first

RULE_FILE = Template('''"""$Words: say in one line what the agent does.

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
from leeboard.model.verdict import $parts
from leeboard.model.world import World
from leeboard.rule import Rule, Sample

RULE = Rule(
    code="$code",
${traits}    summary="$words",
)

FIRES = (Sample(name="the plain case", lines=("@ fix auth bug", "$$ replace-me")),)
SILENT = (Sample(name="a near miss", lines=("@ fix auth bug", "$$ pytest")),)


def detect(event: ToolProposed, world: World) -> Iterator[Finding]:
    """One finding for the line."""
    if event.call.action == "bash" and "replace-me" in world.analysis.command:
        text = "say what was seen, in words the agent can act on"
        yield Finding(
            rule="$name",
            subject=world.analysis.command,
${evidence}        )
''')

SCORED = {"parts": "Evidence, Finding", "traits": "", "evidence": "            evidence=(Evidence(text, -2),),\n"}
SIGNALLED = {
    "parts": "MED, Evidence, Finding, Signal",
    "traits": '    channel="signal",\n    subclass="$subclass",\n',
    "evidence": """            evidence=(Evidence(text),),
            message=text,
            signal=Signal(subclass="$subclass", rework_cost=2, self_correct_prob=MED),
""",
}

TEST = Template('''from __future__ import annotations

from leeboard.rules import $name
from leeboard.rule import read_rule


def test_it_listens_to_what_it_can_judge() -> None:
    """Replace it by the edges of the rule; the samples are run for every rule by tests/test_samples.py."""
    assert read_rule($name).listens == {"ToolProposed"}
''')


def problem(name: str, subclass: str) -> str:
    """Why a rule can not have this name, or be of this class; empty when it can."""
    if not name:
        return "give the rule a name: make rule name=<pattern_it_flags>"
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or keyword.iskeyword(name):
        return f"'{name}' can not be a rule: use lower-case words joined by _, such as scope_drift"
    if re.match(r"(no|not|avoid|forbid|prevent)_", name):
        return f"'{name}' names the remedy: name the pattern it flags, so that 'allow {name}' reads true"
    if subclass and not re.fullmatch(r"[A-Z][1-9]", subclass):
        return f"'{subclass}' is no subclass: use the letter of a class and a number, such as A4"
    if subclass[:1] in LETTERS.values():
        return f"'{subclass}' can not be a subclass: the codes of other rules begin with {subclass[:1]}"
    return ""


def free_code(subclass: str) -> str:
    """The first behind all that rules of this class, or of the score, have: a code is never given again."""
    prefix = f"LB-{subclass or LETTERS['score']}"
    taken = [int(rule.code.removeprefix(prefix)) for rule in discover() if rule.code.startswith(prefix)]
    digits = 3 if not subclass else 2
    return f"{prefix}{max(taken, default=0) + 1:0{digits}}"


def targets(name: str) -> dict[Path, Template]:
    return {
        ROOT / "leeboard" / "rules" / f"{name}.py": RULE_FILE,
        ROOT / "tests" / "rules" / f"test_{name}.py": TEST,
    }


def _parts(subclass: str) -> dict[str, str]:
    return SIGNALLED if subclass else SCORED


def main() -> None:
    name, subclass = (argument.strip() for argument in (*sys.argv[1:3], "", "")[:2])
    taken = [path.relative_to(ROOT).as_posix() for path in targets(name) if path.exists()]
    complaint = problem(name, subclass) or (f"{taken[0]} is there already" if taken else "")
    if complaint:
        sys.exit(f"leeboard: {complaint}")
    words = name.replace("_", " ")
    parts = {part: Template(text).substitute(subclass=subclass) for part, text in _parts(subclass).items()}
    values = {**parts, "name": name, "code": free_code(subclass), "words": words, "Words": words.capitalize()}
    for path, template in targets(name).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(template.substitute(values), encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}", flush=True)
    for script in ("make_docs.py", "compile_data.py"):
        subprocess.run((sys.executable, str(ROOT / "tools" / script)), check=True)


if __name__ == "__main__":
    main()
