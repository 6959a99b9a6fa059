"""The same file changed again and again without getting anywhere.

## What it catches
Three or more changes to one file in which the work goes round: the same edit a third time, an edit that was taken back
and is made again, or the same failure after each of three changes.

## Why it matters
An agent that circles spends the user's time and money on one question it can not answer, and says nothing about it.

## Example
`retry = 3` becomes `retry = 5`, becomes `retry = 3` again, becomes `retry = 5` again.

## Known limits
Plain iteration is no circling: three different changes to one file, or failures that differ, are recorded as evidence
that costs nothing. Edits count as going round within one request and between two commits: what the user's next message
makes an agent take back or make again, or what is taken back to be committed by itself, is no circle. Nor are imports,
which come and go with the code that needs them. Proven circling on one file costs three points, on two or more four, so
that it is spoken of by itself. Failures are equal when they differ only in numbers, times and addresses.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.event import Event, ToolProposed
from leeboard.model.session import Mark
from leeboard.model.text import lazy
from leeboard.model.verdict import Evidence, Finding
from leeboard.model.world import World
from leeboard.rule import Rule, Sample
from leeboard.text.words import ordinal

RULE = Rule(
    code="LB-S004",
    only_where="rework",
    summary="the same file changed again and again without getting anywhere",
)

FIRES = (
    Sample(
        name="back and forth",
        lines=("@ fix a.py", "edit a.py | x = 1 => x = 2", "edit a.py | x = 2 => x = 1", "edit a.py | x = 1 => x = 2"),
    ),
    Sample(
        name="the same failure after each change",
        lines=(
            "@ fix a.py",
            "edit a.py | x = 1 => x = 2",
            "$! pytest -> E assert 1 == 2",
            "edit a.py | x = 2 => x = 3",
            "$! pytest -> E assert 1 == 2",
            "edit a.py | x = 3 => x = 4",
            "$! pytest -> E assert 1 == 2",
            "edit a.py | x = 4 => x = 5",
        ),
    ),
)
SILENT = (
    Sample(
        name="iteration",
        lines=("@ fix a.py", "edit a.py | x = 1 => x = 2", "edit a.py | y = 1 => y = 2", "edit a.py | z = 1 => z = 2"),
    ),
    Sample(
        name="failures that change",
        lines=(
            "@ fix a.py",
            "edit a.py | x = 1 => x = 2",
            "$! pytest -> E NameError",
            "edit a.py | x = 2 => x = 3",
            "$! pytest -> E TypeError",
            "edit a.py | x = 3 => x = 4",
        ),
    ),
    Sample(
        name="the user wants it after all",
        lines=(
            "@ fix a.py",
            "edit a.py | x = 1 => x = 2",
            "@ no, leave x as it was",
            "edit a.py | x = 2 => x = 1",
            "@ I was wrong, x has to be 2",
            "edit a.py | x = 1 => x = 2",
        ),
    ),
    Sample(name="taken back once", lines=("@ fix a.py", "edit a.py | x = 1 => x = 2", "edit a.py | x = 2 => x = 1")),
)

TIMES = 3
_IMPORT = lazy(
    r"\s*(?:(?:import|from|use|using|include|require|require_once|require_relative|load|@import|#\s*include)\b.*|"
    r"export\b.*\bfrom\b.*|(?:const|let|var)\b.*\brequire\(.*|(?:[\w.]{1,60}\s+)?\"[\w./@:~-]{1,200}\"|[(){};,]*)\s*"
)


def detect(event: ToolProposed, world: World) -> Iterator[Finding]:
    """Evidence for every file changed three times; a deduction where the changes go round."""
    marks = world.agent.marks
    repeated = [path for path in world.analysis.modified if _changes(marks, path) + 1 >= TIMES]
    circling = {path: why for path in repeated if (why := _goes_round(marks, path, world))}
    delta = -4 if len(circling) > 1 else -3
    for path in repeated:
        why = circling.get(path, "")
        times = _changes(marks, path) + 1
        text = (
            f"{path} is being changed for the {ordinal(times)} time: {why}"
            if why
            else f"{path} is being changed for the {ordinal(times)} time"
        )
        remedy = f"stop editing {path}; say what is known and what is not, then try another way" if why else ""
        cost = (delta - _told_before(path, world)) if why else 0
        yield Finding(rule="circling", subject=path, evidence=(Evidence(text, cost),), remedy=remedy)


def _told_before(path: str, world: World) -> int:
    """One more where the agent was told of it and goes on."""
    said = world.agent.correction
    return int(world.agent.corrected and said is not None and "circling" in said.rules and path in said.paths)


def _changes(marks: tuple[Mark, ...], path: str) -> int:
    return sum(mark.kind == "edit" and mark.path == path for mark in marks)


def _goes_round(marks: tuple[Mark, ...], path: str, world: World) -> str:
    """Why this change would close a circle; empty when it would not."""
    digest = "" if _only_imports(world.analysis.event) else world.analysis.digest
    own = [mark for mark in _since_rest(marks) if mark.kind == "edit" and mark.path == path]
    if digest and sum(mark.digest == digest for mark in own) >= TIMES - 1:
        return "the same edit again"
    taken_back = any(later.digest == mark.reverse for mark in own if mark.digest == digest for later in own)
    if digest and taken_back:
        return "an undone edit is made again"
    return "the same failure after each change" if _same_failure(marks, path) else ""


def _only_imports(event: Event) -> bool:
    """Whether the edits change nothing but lines that import."""
    edits = event.call.edits if isinstance(event, ToolProposed) else ()
    changed = [line for edit in edits for line in {*edit.old.splitlines()}.symmetric_difference(edit.new.splitlines())]
    return bool(changed) and all(_IMPORT.fullmatch(line[:400]) for line in changed)


def _since_rest(marks: tuple[Mark, ...]) -> tuple[Mark, ...]:
    """What was done since the user spoke last, or since the last commit."""
    rests = [at for at, mark in enumerate(marks) if mark.kind == "rest"]
    return marks[rests[-1] + 1 :] if rests else marks


def _same_failure(marks: tuple[Mark, ...], path: str) -> bool:
    """The last failure of each stretch between two changes of the file, three times the same."""
    after: list[str] = []
    for mark in marks:
        if mark.kind == "edit" and mark.path == path:
            after.append("")
        elif mark.kind == "failure" and after:
            after[-1] = mark.digest
    newest = after[-TIMES:]
    return len(newest) == TIMES and bool(newest[0]) and len(set(newest)) == 1
