"""The settings' own contract, changed by the work that it judges.

## What it catches
`[contract]` of `leeboard.toml` or `pyproject.toml` differs from what it was when the work began: a glob was added, a
limit raised, a mode changed, the whole taken out. Rules that were switched off since count too. A new contract, where
there was none, is none of this.

## Why it matters
A contract that the work may rewrite judges nothing: the change that widens it would be green by itself.

## Example
On a branch `touch = ["src/**"]` becomes `touch = ["**"]` in the same commits that change `docs/`.

## Known limits
Contracts of tasks are not compared: changing them leaves a trace on the task. Who changed the file is not known; a
person who meant it lets it stand with `leeboard allow contract_changed --reason WHY`. Rules that were switched off
since the work began are asked all the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.event import TreeChecked
from leeboard.model.lookup import BaseFiles, Files
from leeboard.model.verdict import WARNED, Evidence, Finding
from leeboard.model.world import World
from leeboard.rule import Countersteer, Rule, Sample

RULE = Rule(
    code="LB-S011",
    summary="the settings' own contract, changed by the work that it judges",
    detail="keys",
    order=12,
    countersteer=Countersteer(
        action="have a person confirm the changed contract, or undo its change",
        rationale="a contract that the work may rewrite judges nothing",
        priority="high",
    ),
)

_BASE = 'repo leeboard.toml | [contract]\ntouch = ["src/**"]'
FIRES = (
    Sample(
        name="widened",
        lines=("@ change leeboard.toml", _BASE, 'write leeboard.toml | [contract]\ntouch = ["**"]', "check"),
    ),
    Sample(
        name="taken out", lines=("@ change leeboard.toml", _BASE, "write leeboard.toml | profile = 'advise'", "check")
    ),
)
SILENT = (
    Sample(
        name="a new one",
        lines=("@ change leeboard.toml", 'write leeboard.toml | [contract]\ntouch = ["src/**"]', "check"),
    ),
    Sample(
        name="something else in the file",
        lines=(
            "@ change leeboard.toml",
            _BASE,
            'write leeboard.toml | profile = "advise"\n[contract]\ntouch = ["src/**"]',
            "check",
        ),
    ),
)

_FILES = ("leeboard.toml", "pyproject.toml")


def detect(event: TreeChecked, world: World, files: Files, base: BaseFiles) -> Iterator[Finding]:
    """One finding for each key, and one for each rule that was switched off."""
    for path in event.change.paths:
        if path not in _FILES:
            continue
        from leeboard.settings.toml import parse_tolerantly  # noqa: PLC0415 - only where settings were changed

        old = parse_tolerantly(base.text(path) or "", path)[0]
        new = parse_tolerantly(files.text(path) or "", path)[0]
        before, after = (old.contract.table if old.contract else {}), (new.contract.table if new.contract else {})
        for key in sorted(key for key in {*before, *after} if before and before.get(key) != after.get(key)):
            yield _finding(path, f"contract.{key}", "was changed since the work began")
        for rule in sorted({*new.policy.disabled_rules} - {*old.policy.disabled_rules}):
            yield _finding(path, f"rules.{rule}", "was switched off since the work began")


def _finding(path: str, key: str, what: str) -> Finding:
    text = f"{key} in {path} {what}"
    return Finding(
        rule="contract_changed",
        subject=f"{path}:{key}",
        evidence=(Evidence(text, WARNED),),
        path=path,
        message=f"{text}.",
        remedy=f"undo the change to {key}, or have a person confirm it",
    )
