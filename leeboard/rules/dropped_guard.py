"""A check of the project is gone around, switched off or lowered, and nobody asked for it.

## What it catches
`--no-verify`, `core.hooksPath` and variables that switch hooks off; hooks and the configuration of pre-commit deleted
or emptied; the protection of a branch changed; steps of a build made to pass whatever happens (`continue-on-error`,
`|| true`, `allow_failure`); rules of a linter or type check switched off in their settings; `noqa`, `type: ignore`,
`eslint-disable`, `@ts-ignore`, `nolint`, `#[allow(...)]`, `@SuppressWarnings`, `rubocop:disable` and their like; a
threshold of coverage or of warnings that gives way.

## Why it matters
A check that is switched off in passing stays off. Whoever relies on it learns of that by the bug it would have found.

## Example
The linter fails; the agent writes `/* eslint-disable */` above the file and goes on.

## Known limits
Only what a change brings is looked at, by its lines. One named check silenced on one line is ordinary, and only on
record, unless that very check failed just before and no reason is given. A mark for a whole file or for every check is
spoken of. What the user asked for, settings of a file that is new, and what scripts write are nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from leeboard.model.event import FilesChanged, ToolFinished, ToolProposed
from leeboard.model.lookup import Files, Registry
from leeboard.model.touch import Diff, Diffs
from leeboard.model.verdict import HIGH, Evidence, Finding, Signal
from leeboard.model.world import World
from leeboard.rule import Rule, Sample
from leeboard.text.language import is_generated, language_of

if TYPE_CHECKING:
    from leeboard.source.silenced import Silenced

RULE = Rule(
    code="LB-V201",
    channel="signal",
    subclass="V2",
    only_where="guards",
    summary="a check of the project is gone around, switched off or lowered, and nobody asked for it",
)

_CODE = "repo src/a.ts | const a = 1;\n"
FIRES = (
    Sample(name="around the hooks", lines=("@ fix a.ts", "$ git commit --no-verify -m x")),
    Sample(name="a whole file", lines=(_CODE, "@ fix a.ts", "edit src/a.ts | const => /* eslint-disable */\nconst")),
    Sample(
        name="right after it failed",
        lines=(
            "repo src/a.py | import os\n",
            "@ fix a.py",
            "$! ruff check -> Found 1 error.",
            "edit src/a.py | import os => import os  # noqa: F401",
        ),
    ),
    Sample(
        name="a lower threshold",
        lines=(
            "repo pyproject.toml | [tool.coverage.report]\nfail_under = 90\n",
            "@ add a cart",
            "edit pyproject.toml | fail_under = 90 => fail_under = 60",
        ),
    ),
    Sample(
        name="a rule taken out of the list",
        lines=("repo ruff.toml | lint.select = ['E', 'B']\n", "@ add a cart", "edit ruff.toml | 'E', 'B' => 'E'"),
    ),
)
SILENT = (
    Sample(name="the user says so", lines=("@ commit it with --no-verify", "$ git commit --no-verify -m x")),
    Sample(
        name="one named check with a reason",
        lines=("repo src/a.py | import os\n", "@ fix a.py", "edit src/a.py | os => os  # noqa: F401 - for its effect"),
    ),
    Sample(name="looking for one", lines=("@ fix it", "$ grep -rn no-verify .")),
    Sample(
        name="a list of rules that gets longer",
        lines=("repo ruff.toml | lint.select = ['E', 'B']\n", "@ add a cart", "edit ruff.toml | 'B' => 'B', 'S'"),
    ),
    Sample(
        name="a higher threshold",
        lines=(
            "repo pyproject.toml | [tool.coverage.report]\nfail_under = 60\n",
            "@ add a cart",
            "edit pyproject.toml | fail_under = 60 => fail_under = 90",
        ),
    ),
)

_MOST = 3
_LAST_READ = 12
_DIRECTED = "user-directed: not signaled"
_VERBS = (
    *"disable skip bypass ignore suppress silence lower relax loosen remove drop delete turn allow switch".split(),
    *"reduce weaken exclude uninstall mute".split(),
)
_ABOUT = (
    *"lint linter linting eslint ruff mypy typecheck hook hooks husky pre-commit precommit check checks".split(),
    *"coverage threshold noqa nolint warning warnings ci workflow pipeline protection no-verify strict".split(),
    *"rubocop clippy golangci rule rules failures errors".split(),
)


def detect(
    event: ToolProposed | ToolFinished | FilesChanged, world: World, diffs: Diffs, registry: Registry, files: Files
) -> Iterator[Finding]:
    """One finding for each thing that is taken down, the first few of a file; after a call what was not seen before."""
    if isinstance(event, ToolProposed) and event.call.action == "bash":
        yield from _by_line(event, world, registry)
        yield from _hooks_gone(world, registry)
    for diff in diffs:
        is_new = isinstance(event, ToolProposed) or diff.before is not None
        if diff.path and is_new and not diff.fragment and not is_generated(diff.path):
            yield from _by_change(diff, world, registry, files)


def _by_line(event: ToolProposed, world: World, registry: Registry) -> Iterator[Finding]:
    from leeboard.shell.evasion import evasions  # noqa: PLC0415 - for lines that have a word for it only
    from leeboard.speech.order import named  # noqa: PLC0415 - as above

    command = world.analysis.command[:100]
    for what in evasions(event.call.command, event.cwd):
        text = f"`{command}` goes around the checks of this repository: {what}"
        advice = "Run it with the checks and make them pass, or ask the user first"
        why = _DIRECTED if named(world, ("no-verify", "--no-verify")) else _asked(world, registry, ("hooks", what))
        yield _finding(f"line:{what}", text, advice, why=why)


def _hooks_gone(world: World, registry: Registry) -> Iterator[Finding]:
    from leeboard.source.silenced import is_hook_file  # noqa: PLC0415 - as above

    for touch in world.analysis.touches:
        if touch.kind == "delete" and is_hook_file(touch.path):
            text = f"`{world.analysis.command[:80]}` takes away {touch.path}, which runs checks"
            why = _asked(world, registry, (touch.path,))
            yield _finding(f"hook:{touch.path}", text, "Leave it, or ask the user first", path=touch.path, why=why)


def _by_change(diff: Diff, world: World, registry: Registry, files: Files) -> Iterator[Finding]:
    from leeboard.source.silenced import silenced  # noqa: PLC0415 - for files that may have one only

    before = diff.before or ""
    found = silenced(diff.path, language_of(diff.path, diff.after), before, diff.after)
    told = [one for one in found if not (one.kind == "coded" and one.reasoned)]
    for one in sorted(told, key=lambda one: one.kind == "coded")[:_MOST]:
        if _is_moved(one, diff.path, registry, files):
            continue
        why = _asked(world, registry, (diff.path, one.check)) or _ordinary(one, registry)
        place = f"{diff.path}:{one.line}"
        text = f"{place} {_does(one)} (`{one.text[:80]}`), which nobody asked for"
        advice = "Make the check pass instead, or tell the user why it is wrong here"
        yield _finding(f"{diff.path}:{one.text[:80]}", text, advice, path=diff.path, line=one.line, why=why)


def _is_moved(one: Silenced, path: str, registry: Registry, files: Files) -> bool:
    """The line stands word for word in another file the agent read: code that is taken elsewhere keeps its marks."""
    if one.kind == "setting":
        return False
    read = dict.fromkeys(entry.path for entry in registry.newest("read", _LAST_READ) if entry.path not in {"", path})
    return any(one.text in (files.text(other) or "") for other in read)


def _does(one: Silenced) -> str:
    match one.kind:
        case "setting":
            return f"brings {one.check}"
        case "threshold":
            return "lowers a threshold"
        case "blanket":
            return f"silences every {'type' if one.check == 'types' else 'lint'} check"
        case _:
            return f"silences a {'type' if one.check == 'types' else 'lint'} check that just failed"


def _ordinary(one: Silenced, registry: Registry) -> str:
    """Why it is only on record."""
    if one.kind != "coded" and not (one.kind == "blanket" and one.reasoned):
        return ""
    from leeboard.analysis.proof.run import runs  # noqa: PLC0415 - for findings only

    newest = next(iter(runs(registry, one.check)), None)
    if one.reasoned:
        return "it gives a reason"
    return "" if newest is not None and newest.ok is False else "one named check on one line"


def _asked(world: World, registry: Registry, about: tuple[str, ...]) -> str:
    from leeboard.speech.order import asked  # noqa: PLC0415 - for findings only

    return _DIRECTED if asked(world, registry, _VERBS, (*_ABOUT, *about)) else ""


def _finding(subject: str, text: str, advice: str, *, path: str = "", line: int = 0, why: str = "") -> Finding:
    return Finding(
        rule="dropped_guard",
        subject=subject,
        evidence=(Evidence(text), *([Evidence(f"at most logged: {why}")] if why else [])),
        confidence=0.9,
        path=path,
        line=line,
        message=f"{text}. {advice}.",
        remedy=advice[0].lower() + advice[1:],
        signal=Signal(subclass="V2", rework_cost=3, self_correct_prob=HIGH, fires=True, log_only=why),
    )


def holds(finding: Finding, world: World, files: Files) -> bool:
    """While the line is still there; what was run was run."""
    if not finding.path:
        return True
    from leeboard.source.silenced import RUNS_NO_MORE  # noqa: PLC0415 - as above

    text = files.text(finding.path)
    if finding.subject.startswith("hook:"):
        return text is None
    marked = finding.subject.removeprefix(f"{finding.path}:").partition(" (was ")[0]
    if text is not None and marked.startswith(RUNS_NO_MORE):
        return any(step not in " ".join(text.split()) for step in marked.removeprefix(RUNS_NO_MORE).split(", "))
    _key, lacks, rules = marked.partition(" (lacks ")
    if text is not None and lacks:
        return any(f'"{rule}"' not in text for rule in rules.rstrip(")").split(", "))
    return text is None or marked in text
