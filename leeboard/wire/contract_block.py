"""The `wg-contract` block in a task's description: found, read, written, and rewritten without losing a word.

The description is the one place that survives when `wg` rewrites a task, so the contract stands in it as a fenced block
of TOML. Read is the first block; a fence of tildes, words behind the info string and a block without a body count too,
because a contract that is passed over in silence would switch every check off. A rewrite changes the one value and
leaves comments, unknown keys, order, line endings and everything around the block as they were.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from leeboard.errors import WireError
from leeboard.model.contract import SCHEMA, Contract, ContractProblem, Mode
from leeboard.model.pattern import lazy
from leeboard.model.task import Task
from leeboard.wire.contract_table import KEYS, contract_of, sourced

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

INFO = "wg-contract"
LONGEST = 65_536
"""Characters of a block that are read: a contract is a page at most."""
MAX_FILES, MAX_LOC = 25, 800

NON_GOALS: Mapping[Mode, tuple[str, ...]] = {
    "core": ("No fallbacks, retries or guardrails unless acceptance needs them",),
    "harden": ("No new features",),
    "perf": ("No change of behaviour",),
    "explore": (),
}
"""What a new contract of each mode rules out: hardening must not rule out the guardrails it is about."""

_FENCE = lazy(r"([ \t>*+-]{0,40})(`{3,}|~{3,})[ \t]*([^\s`]*)([^`\n]*)")
_INLINE = lazy(r"(?<=[^\s`])[ \t]{0,40}(`{3})wg-contract[ \t]{0,40}\r?\n")
_AT_LINE = lazy(r"\(at line (\d+),")
_KEY_LINE = lazy(r"\s*[\"']?([\w-]+)[\"']?\s*=")


class Block(msgspec.Struct, frozen=True):
    """Where a block lies in a description; `start` and `end` take in its fences."""

    start: int
    end: int
    body: str
    closed: bool = True


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """What a task says about its contract. `contract` is None where it has none, or none that can be read."""

    contract: Contract | None = None
    table: dict[str, Any] = msgspec.field(default_factory=dict)
    problems: tuple[ContractProblem, ...] = ()
    error: str = ""
    """Why the block is no TOML."""


def read_task(task: Task) -> Reading:
    """The contract of a task: its structured data where the store keeps any, else the block of its description."""
    title = task.title or task.id
    structured = task.metadata.get(INFO)
    if isinstance(structured, dict):
        return _read_table(structured, title, task.id, "")
    block = find_block(task.description)
    if block is None:
        return Reading()
    table, error = _parsed(block)
    if error is not None:
        failed = Contract(objective=title, source="task", task=task.id)
        return Reading(contract=failed, problems=(error,), error=error.text)
    return _read_table(table, title, task.id, block.body)


def _read_table(table: dict[str, Any], title: str, task_id: str, body: str) -> Reading:
    contract, problems = contract_of(table, title)
    placed = tuple(msgspec.structs.replace(problem, line=_line_of(body, problem.key)) for problem in problems)
    return Reading(contract=sourced(contract, "task", task_id), table=dict(table), problems=placed)


def find_block(description: str) -> Block | None:
    """The first block. One inside another fence is an example, not a contract."""
    at = 0
    while at < len(description):
        end = _line_end(description, at)
        opened = _FENCE.match(description, at, end)
        if opened is None:
            at = end
            continue
        block = _block(description, at + len(opened[1]), end, opened[2])
        if opened[3] == INFO:
            return block
        at = block.end
    inline = _INLINE.search(description)
    return _block(description, inline.start(1), inline.end(), "```") if inline else None


def _block(text: str, start: int, body_start: int, fence: str) -> Block:
    """From its fence to the line that closes it: the same character, at least as often."""
    at = body_start
    while at < len(text):
        end = _line_end(text, at)
        line = text[at:end].strip(" \t\r\n>")
        if len(line) >= len(fence) and not line.strip(fence[0]):
            return Block(start, at + len(text[at:end].rstrip("\r\n")), text[body_start:at])
        at = end
    return Block(start, len(text), text[body_start:], closed=False)


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found + 1


def _parsed(block: Block) -> tuple[dict[str, Any], ContractProblem | None]:
    import tomllib  # noqa: PLC0415 - only where there is a contract

    if not block.closed:
        return {}, ContractProblem(text=f"the {INFO} block is never closed: end it with a line of ```")
    if len(block.body) > LONGEST:
        return {}, ContractProblem(text=f"the {INFO} block is longer than {LONGEST // 1024} KB")
    try:
        return tomllib.loads(block.body.replace("\r\n", "\n")), None
    except (ValueError, RecursionError) as error:
        found = _AT_LINE.search(str(error))
        return {}, ContractProblem(text=f"not valid TOML: {error}", line=int(found[1]) if found else 0)


def _line_of(body: str, key: str) -> int:
    for number, line in enumerate(body.splitlines(), start=1):
        found = _KEY_LINE.match(line)
        if found and found[1] == key:
            return number
    return 0


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
    import tomlkit  # noqa: PLC0415 - only where a contract is written

    document = tomlkit.document()
    for key in (*KEYS, *(name for name in values if name not in KEYS)):
        if key in values and values[key] is not None:
            document[key] = _item(values[key])
    return tomlkit.dumps(document)


def _item(value: object) -> Any:
    """As TOML; a list stands with one item on a line."""
    import tomlkit  # noqa: PLC0415 - as above

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
    _, problem = _parsed(found)
    if problem is not None:
        raise WireError(f"the {INFO} block can not be changed: {problem.text}")
    document = _document(found.body)
    for key, value in values.items():
        document[key] = _item(value)
    return f"{description[: found.start]}{_fenced(description, found, document)}{description[found.end :]}"


def _document(body: str) -> TOMLDocument:
    import tomlkit  # noqa: PLC0415 - as above
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415 - as above

    try:
        return tomlkit.parse(body)
    except (TOMLKitError, RecursionError) as error:
        raise WireError(f"the {INFO} block can not be changed: {error}") from error


def _fenced(description: str, found: Block, document: TOMLDocument) -> str:
    """The block with a new body, in the line endings it had."""
    import tomlkit  # noqa: PLC0415 - as above

    old = description[found.start : found.end]
    head, last = old[: old.index("\n") + 1], old[old.rfind("\n") + 1 :]
    body = tomlkit.dumps(document)
    if body and not body.endswith("\n"):
        body += "\n"
    if head.endswith("\r\n"):
        body = body.replace("\r\n", "\n").replace("\n", "\r\n")
    return f"{head}{body}{last}"
