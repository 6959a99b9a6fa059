"""A written contract as a table, whatever file it stood in: checked key by key, and made to a Contract.

One slip must not switch off what the rest says: what is valid holds, what is not gets its default, and each slip is a
problem that names the key, what was found and the nearest valid value. Keys nobody knows are left alone, unless they
look like a known one misspelled.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from leeboard.model.contract import MODES, PIT_STOP_AFTER, SCHEMA, Contract, ContractProblem, ContractSource, Mode
from leeboard.model.task import Task
from leeboard.model.text import in_short, lazy, nearest

Table = Mapping[str, Any]

KEYS = (
    *("schema", "mode", "objective", "non_goals", "touch", "acceptance"),
    *("max_files", "max_loc", "pit_stop_after", "auto_followups"),
)
"""In the order they are written in."""
OTHER_NAMES = {"touch": ("allowed_paths", "allowed_files", "scope"), "acceptance": ("verify",)}
"""What tools of the same family call it; read where the key itself is not there."""
_KNOWN_TO_OTHERS = frozenset(name for names in OTHER_NAMES.values() for name in names)
MOST_ITEMS, LONGEST_TEXT = 1_000, 4_000
_ALIKE = 0.7


def contract_of(table: Table, title: str = "") -> tuple[Contract, tuple[ContractProblem, ...]]:
    """The contract a table stands for. `title` is the objective where none is written."""
    reading = _Reading(table)
    contract = Contract(
        objective=reading.text("objective") or title,
        mode=reading.mode(),
        non_goals=reading.texts("non_goals"),
        touch=tuple(glob for glob in reading.texts("touch") if reading.is_glob(glob)),
        acceptance=reading.texts("acceptance"),
        max_files=reading.count("max_files"),
        max_loc=reading.count("max_loc"),
        pit_stop_after=reading.pit_stop_after(),
        auto_followups=reading.yes("auto_followups"),
    )
    reading.schema()
    reading.misspelled()
    return contract, tuple(reading.problems)


def sourced(contract: Contract, source: ContractSource, task: str = "") -> Contract:
    from msgspec.structs import replace  # noqa: PLC0415 - a hook process reads settings without a contract

    return replace(contract, source=source, task=task)


class _Reading:
    """One table being read, and what was wrong with it so far."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.problems: list[ContractProblem] = []

    def complain(self, key: str, text: str) -> None:
        self.problems.append(ContractProblem(key=key, text=f"{key} {text}"))

    def schema(self) -> None:
        found = self._table.get("schema", SCHEMA)
        if isinstance(found, bool) or not isinstance(found, int) or found != SCHEMA:
            self.complain("schema", f"is {in_short(found)}; this version reads {SCHEMA}")

    def mode(self) -> Mode:
        found = self._table.get("mode", "core")
        for mode in MODES:
            if found == mode:
                return mode
        near = nearest(str(found).strip().lower()[:60], MODES, _ALIKE) if isinstance(found, str) else ""
        hint = f"did you mean {near!r}?" if near else f"valid are {', '.join(MODES)}"
        self.complain("mode", f"is {in_short(found)}; {hint} Until then it is judged as 'core'")
        return "core"

    def text(self, key: str) -> str:
        found = self._table.get(key, "")
        if isinstance(found, str):
            return found.strip()[:LONGEST_TEXT]
        self.complain(key, f"must be a text, not {in_short(found)}")
        return ""

    def texts(self, key: str) -> tuple[str, ...]:
        name = next((name for name in (key, *OTHER_NAMES.get(key, ())) if name in self._table), key)
        found = self._table.get(name, [])
        if isinstance(found, str) and name in _KNOWN_TO_OTHERS:
            found = [found]
        if not isinstance(found, list):
            self.complain(name, f"must be a list of texts, not {in_short(found)}: write {name} = [{in_short(found)}]")
            return ()
        for item in found:
            if not isinstance(item, str) or not item.strip():
                self.complain(name, f"must be a list of texts; {in_short(item)} is not one")
        texts = tuple(item.strip()[:LONGEST_TEXT] for item in found if isinstance(item, str) and item.strip())
        if len(texts) > MOST_ITEMS:
            self.complain(name, f"has {len(texts)} entries; the first {MOST_ITEMS} are read")
        return texts[:MOST_ITEMS]

    def is_glob(self, glob: str) -> bool:
        plain = glob.removeprefix("!")
        if plain.startswith(("/", "~")) or ".." in plain.split("/"):
            self.complain("touch", f"{in_short(glob)} leads out of the repository; globs begin at its root: 'src/**'")
            return False
        return True

    def count(self, key: str) -> int | None:
        found = self._table.get(key)
        if found is None:
            return None
        if isinstance(found, bool) or not isinstance(found, int) or found < 0:
            self.complain(key, f"must be a whole number, 0 or more, not {in_short(found)}{_as_number(found)}")
            return None
        return found

    def pit_stop_after(self) -> int:
        found = self.count("pit_stop_after")
        return PIT_STOP_AFTER if found is None else found

    def yes(self, key: str) -> bool:
        found = self._table.get(key, True)
        if isinstance(found, bool):
            return found
        self.complain(key, f"must be true or false, not {in_short(found)}")
        return True

    def misspelled(self) -> None:
        for name in self._table:
            near = "" if name in KEYS or name in _KNOWN_TO_OTHERS else nearest(name[:60], KEYS, _ALIKE)
            if near and near not in self._table:
                self.complain(str(name)[:60], f"is not a key of a contract; did you mean {near!r}?")


def _as_number(found: object) -> str:
    text = found.strip() if isinstance(found, str) else ""
    return f": write {int(text)}" if text.isascii() and text.isdigit() and len(text) < 10 else ""


# The `wg-contract` block in a task's description, found and read.
#
# The description is the one place that survives when `wg` rewrites a task, so the contract stands in it as a fenced
# block of TOML. Read is the first block; a fence of tildes, words behind the info string and a block without a body
# count too, because a contract that is passed over in silence would switch every check off.


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
