"""A contract as people and programs read it."""

from __future__ import annotations

from typing import Any

from leeboard.app.promise import Promise
from leeboard.code.wording import counted
from leeboard.io.tasks.find import notes_of
from leeboard.model.contract import Contract, Held
from leeboard.surfaces.cli._drift_view import short_base
from leeboard.surfaces.cli._screen import fields, print_json, say, screen, words


def show_promise(promise: Promise, *, as_json: bool) -> None:
    """What holds, and on stderr what could not be read of it."""
    show_notes((*promise.notes, *notes_of(promise.tasks)))
    if as_json:
        print_json(_object(promise))
        return
    held, task, console = promise.held, promise.task, screen()
    if held is None:
        console.print(words("no contract", f": {task.id} has none" if task else ""))
        return
    rows = [("task", f"{task.id}: {task.title}")] if task else []
    fields([*rows, *_rows(held.contract), *_begun(promise)], console)
    for problem in held.problems:
        where = f"line {problem.line}: " if problem.line else ""
        console.print(words(("! ", "bold red"), f"{where}{problem.text}"))


def show_notes(notes: tuple[str, ...]) -> None:
    for note in notes:
        say(note)


def _object(promise: Promise) -> dict[str, Any]:
    held = promise.held
    return {
        "task_id": promise.task.id if promise.task else None,
        "contract": _table(held) if held else None,
        "source": held.contract.source if held else None,
        "problems": [{"key": one.key, "line": one.line, "text": one.text} for one in held.problems] if held else [],
        "base_commit": _base(promise) or None,
    }


def _table(held: Held) -> dict[str, Any]:
    if held.problems and not held.table:
        return {"parse_error": held.problems[0].text}
    return held.table or {"objective": held.contract.objective, "scope": list(held.contract.scope)}


def _base(promise: Promise) -> str:
    """The commit that was recorded when the work began."""
    return promise.folder.read().task(promise.name).base_commit if promise.task else ""


def _begun(promise: Promise) -> list[tuple[str, str]]:
    base = _base(promise)
    return [("since", short_base(base))] if base else []


def _rows(contract: Contract) -> list[tuple[str, str]]:
    source = contract.source if contract.is_explicit else "inferred from what the newest session here was asked"
    rows = [("from", source), ("mode", contract.mode), ("objective", contract.objective)]
    guides = bool(contract.scope) and not contract.touch
    rows += [("scope", ", ".join(contract.scope)) if guides else ("touch", ", ".join(contract.touch) or "anything")]
    rows += [("not", text) for text in contract.non_goals]
    rows += [("not", limit.text) for limit in contract.constraints]
    rows += [("shown by", line) for line in contract.acceptance]
    limits = [("file", contract.max_files), ("line", contract.max_loc)]
    most = ", ".join(counted(limit, noun) for noun, limit in limits if limit is not None)
    return [*rows, ("at most", most or "no limit")]
