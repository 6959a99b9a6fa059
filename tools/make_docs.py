"""Write the parts of the documentation that the code knows best: a page for each rule, the usage of each command, the
JSON Schema of the settings, the man page, and the figures at the head of README.md.

`python tools/make_docs.py` writes; with `--check` it only tells what is out of date, and exits 1. A rule's page is its
docstring; docs/findings.md lists the rules that give signals. In a command's page the text between the two usage marks
is what `leeboard COMMAND --help` says.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import leeboard  # noqa: E402 - as below
from leeboard.app.views.rules import switching_off  # noqa: E402 - as above
from leeboard.model.event import TreeChecked  # noqa: E402 - the checkout has to be on the path first
from leeboard.model.verdict import class_of, letter_of  # noqa: E402 - as above
from leeboard.plan.machine.diagram import page  # noqa: E402 - as above
from leeboard.rule import LoadedRule, discover, listening  # noqa: E402 - as above
from leeboard.settings.schema import settings_schema  # noqa: E402 - as above
from leeboard.surfaces.cli.main import COMMANDS, cli  # noqa: E402 - as above
from tools.man_page import man_page  # noqa: E402 - as above

USAGE = re.compile(r"(?<=<!-- usage -->\n).*?(?=<!-- /usage -->)", re.DOTALL)
TREE_RULES = re.compile(r"(?<=<!-- tree rules -->\n).*?(?=<!-- /tree rules -->)", re.DOTALL)
SIGNAL_RULES = re.compile(r"(?<=<!-- signal rules -->\n).*?(?=<!-- /signal rules -->)", re.DOTALL)
FIGURES = re.compile(r"(?<=<!-- figures -->\n).*?(?=<!-- /figures -->)", re.DOTALL)
SPOKEN = re.compile(
    r"^(\d+) sessions, .*?; (\d+) sessions? spoken to\s+\([\d.]+ %\), (\d+) messages?, (\d+) of them", re.MULTILINE
)
CODE_SET = re.compile(r"<!-- (\w+) -->\n(\d+) projects, (\d+) languages, ([\d,]+) lines\n(.*?)<!-- /\1 -->", re.DOTALL)
ALL_RULES = re.compile(r"^\| counted \| all \| (\w+) \| \d+ \| ([\d.]+) \| (\d+) \|.*\| ([^|]+) \|$", re.MULTILINE)
EXIT_CODES = re.compile(r"^\| (\d+) \| ([^|]+?) \|$", re.MULTILINE)
WIDTH = 100


def rule_page(rule: LoadedRule) -> str:
    return (
        f"<!-- Written by tools/make_docs.py from leeboard/rules/{rule.id}.py. -->\n\n"
        f"# {rule.id} ({rule.code})\n\n{rule.page}\n\n{switching_off(rule)}\n"
    )


def rule_index(rules: tuple[LoadedRule, ...]) -> str:
    rows = [f"| {rule.code} | [`{rule.id}`]({rule.id}.md) | {rule.rule.summary} |" for rule in rules]
    head = "<!-- Written by tools/make_docs.py. -->\n\n# Rules\n\n| code | rule | what it flags |\n|---|---|---|\n"
    return head + "\n".join(rows) + "\n"


def signal_rules(rules: tuple[LoadedRule, ...]) -> str:
    """The rules that give signals, class by class."""
    classes: dict[str, list[LoadedRule]] = {}
    for rule in sorted((rule for rule in rules if rule.channel == "signal"), key=lambda rule: rule.code):
        classes.setdefault(letter_of(rule.traits.subclass), []).append(rule)
    rows = ["| class | rules |", "|---|---|"]
    for letter, members in classes.items():
        title = ", ".join(filter(None, (letter, class_of(letter).title)))
        rows.append(f"| {title} | {', '.join(f'[`{rule.id}`](rules/{rule.id}.md)' for rule in members)} |")
    return "\n".join(rows) + "\n"


def findings_page(text: str, rules: tuple[LoadedRule, ...]) -> str:
    table = signal_rules(rules)
    return SIGNAL_RULES.sub(lambda _match: table, text)


def readme(text: str, precision: str) -> str:
    """README.md with the figures of docs/precision.md: those of sessions, and of the set of projects drawn last."""
    spoken = SPOKEN.search(precision)
    sets = CODE_SET.findall(precision)
    if spoken is None or not sets:
        raise SystemExit("docs/precision.md has no figures where README.md takes them from")
    table = "\n".join((*_FIGURES_HEAD, _session_figures(*spoken.groups()), *_code_figures(*sets[-1]))) + "\n"
    return FIGURES.sub(lambda _match: table, text)


_FIGURES_HEAD = ("| what was measured | result | command |", "|---|---|---|")
_WORDS = {"FIRE": "refused or said at once", "QUEUE": "said at the next pause"}


def _session_figures(sessions: str, spoken: str, messages: str, refusals: str) -> str:
    return (
        f"| ordinary sessions that others recorded and published | {spoken} of {sessions} spoken to at all; {messages} "
        f"messages, {refusals} refusals | `make precision DIR=<sessions> LABELS=docs/labels/field.jsonl` |"
    )


def _code_figures(name: str, projects: str, languages: str, lines: str, rows: str) -> Iterator[str]:
    halves = {row.split("|")[1].strip() for row in rows.splitlines() if row.startswith("|")} & {"looked", "counted"}
    half = f" HALF={halves.pop()}" if len(halves) == 1 else ""
    of = f"content rules over {projects} projects by others in {languages} languages, {lines} lines"
    for disposition, rate, read, right in ALL_RULES.findall(rows):
        if disposition in _WORDS:
            share = (
                f"{right.partition(' (')[0]} of the {read} that were read are right" if int(read) else "none was read"
            )
            result = f"{rate} for each 100,000 lines; {share}" if float(rate) else "nothing"
            command = f"`make field-code precision-code SET={name}{half}`"
            yield f"| {of}: {_WORDS[disposition]} | {result} | {command} |"
            of = "the same"


def tree_rules(rules: tuple[LoadedRule, ...]) -> str:
    """The kinds of a drift report, and the rules that find them."""
    kinds: dict[str, list[LoadedRule]] = {}
    for rule in sorted(listening(rules, TreeChecked), key=lambda rule: rule.rule.order):
        kinds.setdefault(rule.rule.kind or rule.id, []).append(rule)
    rows = ["| kind | rule |", "|---|---|"]
    rows += [
        f"| `{kind}` | {', '.join(f'[{rule.id}](../rules/{rule.id}.md)' for rule in members)} |"
        for kind, members in kinds.items()
    ]
    return "\n".join(rows) + "\n"


def usage_of(name: str) -> str:
    """Help of a command and of the commands below it."""
    command = cli.get_command(click.Context(cli), name)
    if command is None:
        raise SystemExit(f"no command {name}")
    return "\n\n".join(f"```text\n{text}\n```" for text in _helps(command, f"leeboard {name}")) + "\n"


def _helps(command: click.Command, path: str) -> Iterator[str]:
    with click.Context(command, info_name=path, terminal_width=WIDTH, max_content_width=WIDTH) as context:
        yield command.get_help(context)
    if isinstance(command, click.Group):
        for name, inner in command.commands.items():
            yield from _helps(inner, f"{path} {name}")


def command_page(name: str, text: str) -> str:
    """The page with its usage as it is now; a new page where there is none."""
    if not text:
        text = f"# leeboard {name}\n\n{COMMANDS[name]}\n\n## Usage\n\n<!-- usage -->\n<!-- /usage -->\n"
    usage, kinds = usage_of(name), tree_rules(discover())
    return TREE_RULES.sub(lambda _match: kinds, USAGE.sub(lambda _match: usage, text))


def man() -> str:
    """With the exit codes that docs/commands/README.md lists."""
    codes = EXIT_CODES.findall((ROOT / "docs" / "commands" / "README.md").read_text(encoding="utf-8"))
    usages = [(name, usage_of(name).replace("```text\n", "").replace("\n```", "")) for name in COMMANDS]
    return man_page(leeboard.__version__, "keeps coding agents on course", usages, codes)


def pages() -> Iterator[tuple[Path, str]]:
    rules = discover()
    path, precision = ROOT / "README.md", ROOT / "docs" / "precision.md"
    yield path, readme(path.read_text(encoding="utf-8"), precision.read_text(encoding="utf-8"))
    path = ROOT / "docs" / "findings.md"
    yield path, findings_page(path.read_text(encoding="utf-8"), rules)
    yield ROOT / "docs" / "rules" / "README.md", rule_index(rules)
    for rule in rules:
        yield ROOT / "docs" / "rules" / f"{rule.id}.md", rule_page(rule)
    yield ROOT / "docs" / "workflow-machine.md", page()
    yield ROOT / "docs" / "leeboard.schema.json", json.dumps(settings_schema(), indent=2) + "\n"
    yield ROOT / "docs" / "leeboard.1", man()
    for name in COMMANDS:
        path = ROOT / "docs" / "commands" / f"{name}.md"
        yield path, command_page(name, path.read_text(encoding="utf-8") if path.exists() else "")


def outdated() -> Iterator[tuple[Path, str]]:
    for path, text in pages():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            yield path, text


def main() -> None:
    found = list(outdated())
    if "--check" in sys.argv[1:]:
        sys.exit("\n".join(f"out of date: {path.relative_to(ROOT)}" for path, _ in found) or 0)
    for path, text in found:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
