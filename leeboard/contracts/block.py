"""The `wg-contract` block in a task's description, found and read.

The description is the one place that survives when `wg` rewrites a task, so the contract stands in it as a fenced block
of TOML. Read is the first block; a fence of tildes, words behind the info string and a block without a body count too,
because a contract that is passed over in silence would switch every check off.
"""

from __future__ import annotations

from typing import Any

import msgspec

from leeboard.contracts.table import contract_of, sourced
from leeboard.model.contract import Contract, ContractProblem
from leeboard.model.pattern import lazy
from leeboard.model.task import Task

INFO = "wg-contract"
LONGEST = 65_536
"""Characters of a block that are read: a contract is a page at most."""

_FENCE = lazy(r"([ \t>*+-]{0,40})(`{3,}|~{3,})[ \t]*([^\s`]*)([^`\n]*)")
_INLINE = lazy(r"(?<=[^\s`])[ \t]{0,40}(`{3})wg-contract[ \t]{0,40}\r?\n")
_AT_LINE = lazy(r"\(at line (\d+),")
_KEY_LINE = lazy(r"\s*[\"']?([\w-]+)[\"']?\s*=")


class FencedBlock(msgspec.Struct, frozen=True):
    """Where a block lies in a description; `start` and `end` take in its fences."""

    start: int
    end: int
    body: str
    closed: bool = True


class ContractReading(msgspec.Struct, frozen=True, kw_only=True):
    """What a task says about its contract. `contract` is None where it has none, or none that can be read."""

    contract: Contract | None = None
    table: dict[str, Any] = msgspec.field(default_factory=dict)
    problems: tuple[ContractProblem, ...] = ()
    error: str = ""
    """Why the block is no TOML."""


def read_task(task: Task) -> ContractReading:
    """The contract of a task: its structured data where the store keeps any, else the block of its description."""
    title = task.title or task.id
    structured = task.metadata.get(INFO)
    if isinstance(structured, dict) and structured:
        return _read_table(structured, title, task.id, "")
    block = find_block(task.description)
    if block is None:
        return ContractReading()
    table, error = parsed(block)
    if error is not None:
        failed = Contract(objective=title, source="task", task=task.id)
        return ContractReading(contract=failed, problems=(error,), error=error.text)
    return _read_table(table, title, task.id, block.body)


def _read_table(table: dict[str, Any], title: str, task_id: str, body: str) -> ContractReading:
    contract, problems = contract_of(table, title)
    placed = tuple(msgspec.structs.replace(problem, line=_line_of(body, problem.key)) for problem in problems)
    return ContractReading(contract=sourced(contract, "task", task_id), table=dict(table), problems=placed)


def find_block(description: str) -> FencedBlock | None:
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


def _block(text: str, start: int, body_start: int, fence: str) -> FencedBlock:
    """From its fence to the line that closes it: the same character, at least as often."""
    at = body_start
    while at < len(text):
        end = _line_end(text, at)
        line = text[at:end].strip(" \t\r\n>")
        if len(line) >= len(fence) and not line.strip(fence[0]):
            return FencedBlock(start, at + len(text[at:end].rstrip("\r\n")), text[body_start:at])
        at = end
    return FencedBlock(start, len(text), text[body_start:], closed=False)


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found + 1


def parsed(block: FencedBlock) -> tuple[dict[str, Any], ContractProblem | None]:
    """Its table, or why it has none."""
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
