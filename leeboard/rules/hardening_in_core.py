"""Guardrails, retries and fallbacks in work that is to make something work first.

## What it catches
Code that a core or perf task adds to keep a program going where something fails: a handler for every error, an error
that is dropped, only logged or replaced by a default, a loop or library that tries again, a new retry, backoff or
timeout option, a fallback, a feature flag or legacy branch, three or more guards of parameters in one function. Told by
syntax in Python, JavaScript, TypeScript, Go, Java, Kotlin, C#, PHP, Ruby, Rust, C and C++, elsewhere by words.

## Why it matters
Agents harden out of caution, before anybody knows what fails. It hides the errors that would show that the core does
not work, and nobody asked to review it.

## Example
The task is to add an export; the change wraps the query in `except Exception: return []`.

## Known limits
Only written lines count: not tests, documents, generated files, comments, strings, or lines that were moved. A handler
that hands the error on, one for a special error, and what the objective or acceptance of the contract names are no
drift. What a name means is not known: a `timeout` of a game counts. Not in the modes `harden` and `explore`.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.event import TreeChecked
from leeboard.model.lookup import BaseFiles, Files
from leeboard.model.touch import FileChange
from leeboard.model.verdict import WARNED, Evidence, Finding
from leeboard.model.world import World
from leeboard.rule import Countersteer, Rule, Sample
from leeboard.text.language import is_generated, is_test_path, language_of

RULE = Rule(
    code="LB-S016",
    summary="guardrails, retries and fallbacks in work that should make something work first",
    detail="signals",
    order=8,
    countersteer=Countersteer(
        action="move guardrails into a `harden:` follow-up task",
        rationale="hardening that nobody asked for hides whether the core works",
        priority="high",
    ),
)

_CORE = 'contract objective = "add the export"'
FIRES = (
    Sample(
        name="every error is dropped",
        lines=(
            _CORE,
            "repo src/export.py | def export(db):\n    return db.rows()\n",
            "write src/export.py | def export(db):\n  try:\n    return db.rows()\n  except Exception:\n    return []\n",
            "check",
        ),
    ),
    Sample(
        name="a loop that tries again",
        lines=(
            _CORE,
            "write src/send.js | for (let i = 0; i < 3; i++) {\n try { return f(u) } catch (e) { await sleep(9) }\n}\n",
            "check",
        ),
    ),
    Sample(
        name="an option",
        lines=(_CORE, "write src/get.py | def get(url):\n    return http.get(url, timeout=5)\n", "check"),
    ),
)
SILENT = (
    Sample(
        name="a special error",
        lines=(
            _CORE,
            "write src/export.py | def name(row):\n  try:\n    return row['x']\n  except KeyError:\n    return None\n",
            "check",
        ),
    ),
    Sample(
        name="it is the task",
        lines=(
            'contract objective = "add a timeout to the client"',
            "write src/get.py | def get(url):\n    return http.get(url, timeout=5)\n",
            "check",
        ),
    ),
    Sample(
        name="hardening",
        lines=(
            'contract mode = "harden"',
            "write src/get.py | def get(url):\n    return http.get(url, timeout=5)\n",
            "check",
        ),
    ),
    Sample(
        name="in a test",
        lines=(_CORE, "write tests/test_get.py | def test_get():\n    get('x', timeout=5)\n", "check"),
    ),
)

_MODES = frozenset({"core", "perf"})


def detect(event: TreeChecked, world: World, files: Files, base: BaseFiles) -> Iterator[Finding]:
    """One finding for each path and signal."""
    contract = world.held.contract if world.held else None
    if contract is None or contract.mode not in _MODES or not event.change.files:
        return
    from leeboard.contracts.hardening.find import (  # noqa: PLC0415 - only a check of a tree pays for it
        Moves,
        added_hardening,
        asked_signals,
        may_harden,
    )

    asked = asked_signals(contract.objective, contract.acceptance)
    moves = Moves(event.change)
    for change in event.change.files:
        if not _is_work(change) or change.path in event.shared:
            continue
        fresh = moves.fresh(change)
        worth = bool(fresh) and may_harden("\n".join(fresh.values()), language_of(change.path))
        text = files.text(change.path) if worth else None
        if text is None or is_generated(change.path, text):
            continue
        before = (base.text(change.old_path or change.path) or "") if change.kind != "added" else ""
        for one in added_hardening(change.path, language_of(change.path, text), (before, text), fresh):
            if one.signal not in asked:
                yield _finding(change.path, one.signal, one.line, one.what)


def _is_work(change: FileChange) -> bool:
    is_text = bool(change.hunks) and not (change.binary or change.submodule or change.generated)
    return is_text and not is_test_path(change.path)


def _finding(path: str, signal: str, line: int, what: str) -> Finding:
    text = f"{path}:{line} adds {signal} (`{what}`)"
    return Finding(
        rule="hardening_in_core",
        subject=f"{path}:{signal}",
        evidence=(Evidence(text, WARNED),),
        path=path,
        line=line,
        message=f"{text}, which the contract did not ask for.",
        remedy=f"remove it from {path}:{line} and leave it to a `harden:` follow-up task",
    )
