"""The `wg-contract` block in a task's description, written and rewritten without losing a word.

A rewrite changes the one value and leaves comments, unknown keys, order, line endings and everything around the block
as they were.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import tomlkit
from tomlkit import TOMLDocument
from tomlkit.exceptions import TOMLKitError

from leeboard.contracts.table import INFO, KEYS, FencedBlock, find_block, parsed
from leeboard.errors import WireError
from leeboard.model.contract import SCHEMA, Mode

MAX_FILES, MAX_LOC = 25, 800
"""What a new contract has room for."""
NON_GOALS: Mapping[Mode, tuple[str, ...]] = {
    "core": ("No fallbacks, retries or guardrails unless acceptance needs them",),
    "harden": ("No new features",),
    "perf": ("No change of behaviour",),
    "explore": (),
}
"""What a new contract of each mode rules out: hardening must not rule out the guardrails it is about."""


def new_block(objective: str, mode: Mode = "core", touch: tuple[str, ...] = (), **others: object) -> str:
    """A contract as it is put into a task that has none. `others` are keys with values of their own."""
    values: dict[str, object] = {
        "schema": SCHEMA,
        "mode": mode,
        "objective": objective,
        "non_goals": NON_GOALS[mode],
        "touch": touch,
        "acceptance": (),
        "max_files": MAX_FILES,
        "max_loc": MAX_LOC,
        "pit_stop_after": 3,
        "auto_followups": True,
    }
    values |= others
    return f"```{INFO}\n{_rendered(values)}```"


def _rendered(values: Mapping[str, object]) -> str:
    document = tomlkit.document()
    for key in (*KEYS, *(name for name in values if name not in KEYS)):
        if key in values and values[key] is not None:
            document[key] = _item(values[key])
    return tomlkit.dumps(document)


def _item(value: object) -> Any:
    """As TOML; a list stands with one item on a line."""
    if not isinstance(value, (tuple, list)):
        return tomlkit.item(value)
    array = tomlkit.array()
    for text in value:
        array.add_line(_one_line(str(text)), indent="  ")
    array.add_line(indent="")
    return array


def _one_line(text: str) -> str:
    return re.sub(r"\s*[\r\n]+\s*", " ", text)


def with_block(description: str, block: str) -> str:
    """The description with this contract in place of its first one, or before all else."""
    found = find_block(description)
    if found is None:
        return f"{block}\n\n{description}" if description else block
    return f"{description[: found.start]}{block}{description[found.end :]}"


def with_values(description: str, values: Mapping[str, object]) -> str:
    """The description with these keys of its contract set. Raises WireError where there is none that can be read."""
    found = find_block(description)
    if found is None:
        raise WireError(f"the task has no {INFO} block")
    _, problem = parsed(found)
    if problem is not None:
        raise WireError(f"the {INFO} block can not be changed: {problem.text}")
    document = _document(found.body)
    for key, value in values.items():
        document[key] = _item(value)
    return f"{description[: found.start]}{_fenced(description, found, document)}{description[found.end :]}"


def _document(body: str) -> TOMLDocument:
    try:
        return tomlkit.parse(body)
    except (TOMLKitError, RecursionError) as error:
        raise WireError(f"the {INFO} block can not be changed: {error}") from error


def _fenced(description: str, found: FencedBlock, document: TOMLDocument) -> str:
    """The block with a new body, in the line endings it had."""
    old = description[found.start : found.end]
    head, last = old[: old.index("\n") + 1], old[old.rfind("\n") + 1 :]
    body = tomlkit.dumps(document)
    if body and not body.endswith("\n"):
        body += "\n"
    if head.endswith("\r\n"):
        body = body.replace("\r\n", "\n").replace("\n", "\r\n")
    return f"{head}{body}{last}"
