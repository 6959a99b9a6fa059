"""Fields of a plan file, read one by one as what they should be.

A slip in one field must not hide the others: it gets its default and is named. What earlier versions wrote is read as
what it means today.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from leeboard.model.complaint import nearest
from leeboard.model.studio import GateCommand
from leeboard.model.unit import Pass, PassResult

Choice = TypeVar("Choice", bound=str)
LONGEST_TEXT, MOST_ITEMS = 20_000, 2_000
_ALIKE = 0.7
_RESULTS: dict[str, PassResult] = {
    "advance": "advance",
    "advanced": "advance",
    "reject": "reject",
    "rejected": "reject",
}


def strange_keys(fields: Iterable[Any], known: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Keys that nobody reads, each with the one that may be meant; empty: none is near."""
    strange = (str(key) for key in fields if key not in known)
    yield from ((key, nearest(key, known, _ALIKE)) for key in strange)


class Fields:
    """A mapping being read, and what was wrong with it so far."""

    def __init__(self, fields: Mapping[str, Any], problem: str = "") -> None:
        self._fields = fields
        self._problems = [problem] if problem else []

    @property
    def problem(self) -> str:
        return "; ".join(self._problems)[:2_000]

    @property
    def problems(self) -> tuple[str, ...]:
        return tuple(self._problems)

    def complain(self, text: str) -> None:
        self._problems.append(text)

    def raw(self, key: str) -> Any:
        return self._fields.get(key)

    def text(self, key: str, default: str = "") -> str:
        found = self._fields.get(key)
        if found is None:
            return default
        if isinstance(found, str):
            return found[:LONGEST_TEXT]
        if isinstance(found, int | float):
            return str(found).lower() if isinstance(found, bool) else str(found)
        self.complain(f"{key} must be a text")
        return default

    def texts(self, key: str, *also: str) -> tuple[str, ...]:
        """A single text counts as a list of one."""
        name = next((name for name in (key, *also) if self._fields.get(name) is not None), key)
        found = self._fields.get(name)
        if found is None:
            return ()
        items = found if isinstance(found, list) else [found]
        if any(isinstance(item, dict | list) or item is None for item in items):
            self.complain(f"{name} must be a list of texts")
        texts = (str(item).strip() for item in items[:MOST_ITEMS] if isinstance(item, str | int | float))
        return tuple(text for text in texts if text)

    def count(self, key: str) -> int:
        found = self._fields.get(key)
        if isinstance(found, str) and found.isascii() and found.isdigit() and len(found) < 10:
            return int(found)
        if found is None or found == "":
            return 0
        if isinstance(found, int) and not isinstance(found, bool) and found >= 0:
            return found
        self.complain(f"{key} must be a whole number from 0 on")
        return 0

    def yes(self, key: str, *, default: bool = False) -> bool:
        found = self._fields.get(key)
        if found is None or found == "":
            return default
        if isinstance(found, bool):
            return found
        self.complain(f"{key} must be true or false")
        return default

    def choice(self, key: str, valid: tuple[Choice, ...], default: Choice, earlier: Mapping[str, Choice]) -> Choice:
        """One of `valid`; `earlier` names what other versions wrote."""
        found = self._fields.get(key)
        if found is None or found == "":
            return default
        text = found.strip() if isinstance(found, str) else str(found).lower()
        for choice in valid:
            if choice == text:
                return choice
        if text in earlier:
            return earlier[text]
        self.complain(f"{key} is {text[:40]!r}; valid are {', '.join(filter(None, valid))}")
        return default

    def records(self, key: str) -> tuple[dict[str, Any], ...]:
        found = self._fields.get(key)
        if found is None:
            return ()
        items = found if isinstance(found, list) else [found]
        if not all(isinstance(item, dict) for item in items):
            self.complain(f"{key} must be a list of mappings")
        return tuple(item for item in items[:MOST_ITEMS] if isinstance(item, dict))

    def passes(self, key: str = "iterations") -> tuple[Pass, ...]:
        """Hats worn so far. One that is still worn has no result, and is none yet."""
        ended = (Fields(record) for record in self.records(key) if record.get("result"))
        return tuple(self._pass(record) for record in ended)

    def _pass(self, record: Fields) -> Pass:
        result = _RESULTS.get(record.text("result").strip().lower())
        if result is None:
            self.complain(f"a result of {record.text('result')[:40]!r} is read as reject")
        return Pass(
            hat=record.text("hat"),
            started_at=record.text("started_at"),
            completed_at=record.text("completed_at"),
            result=result or "reject",
            reason=record.text("reason"),
            changed=record.yes("changed"),
            work=record.text("work"),
        )

    def gates(self, key: str = "quality_gates") -> tuple[GateCommand, ...]:
        found = self._fields.get(key)
        items = found if isinstance(found, list) else [] if found is None else [found]
        gates = (self._gate(item, number) for number, item in enumerate(items[:MOST_ITEMS], start=1))
        return tuple(gate for gate in gates if gate is not None)

    def _gate(self, item: Any, number: int) -> GateCommand | None:
        record = Fields(item if isinstance(item, dict) else {"command": item})
        command = record.text("command").strip()
        if not command:
            self.complain(f"quality gate {number} has no command")
            return None
        return GateCommand(name=record.text("name").strip() or command, command=command, dir=record.text("dir").strip())
