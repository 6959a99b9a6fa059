"""Structs as rows and rows as structs: a column for each field, by the field's name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

import msgspec

from leeboard.errors import StateError
from leeboard.model.contract import Allowance
from leeboard.model.ledger import Entry
from leeboard.model.lookup import Cursor, Receipt
from leeboard.model.outcome import Capture, Judged, Step
from leeboard.model.verdict import Correction, Finding, Verdict
from leeboard.store.database import json_text

Row = Sequence[Any]
Kind = TypeVar("Kind", bound=msgspec.Struct)


class Shape(Generic[Kind]):
    """`json` names the fields that are kept as JSON text, `flags` those that SQLite keeps as 0 and 1."""

    def __init__(self, kind: type[Kind], json: tuple[str, ...] = (), flags: tuple[str, ...] = ()) -> None:
        self._kind = kind
        self._fields = kind.__struct_fields__
        self._json = json
        self._flags = flags

    def row(self, value: Kind, *more: object) -> Row:
        fields = [
            json_text(field) if type(field) is tuple or isinstance(field, msgspec.Struct) else field
            for field in msgspec.structs.astuple(value)
        ]
        return (*fields, *more)

    def read(self, row: Row) -> Kind:
        values = dict(zip(self._fields, row, strict=False))
        try:
            for name in self._json:
                values[name] = None if values[name] is None else msgspec.json.decode(values[name])
            for name in self._flags:
                values[name] = bool(values[name])
            return msgspec.convert(values, self._kind)
        except (msgspec.MsgspecError, ValueError, TypeError) as error:
            raise StateError(f"a stored {self._kind.__name__.lower()} can not be read: {error}") from error

    def select(self, rest: str) -> str:
        """SQL that reads every column, then what `rest` says."""
        return " ".join(("SELECT", ", ".join(self._fields), rest))

    def insert(self, table: str, *more: str, key: str) -> str:
        """SQL that writes a row, or writes over the one with the same key."""
        names = (*self._fields, *more)
        changes = ", ".join(f"{name} = excluded.{name}" for name in names if name not in key.split(", "))
        columns, marks = ", ".join(names), ", ".join("?" * len(names))
        return " ".join(
            ("INSERT INTO", table, f"({columns}) VALUES ({marks}) ON CONFLICT ({key}) DO UPDATE SET", changes)
        )


STEP = Shape(Step, json=("files", "folders", "keywords"), flags=("is_key_decision", "is_validated"))
VERDICT = Shape(Verdict, json=("rules", "paths", "trace"))
FINDING = Shape(Finding, json=("evidence", "signal"))
CORRECTION = Shape(Correction, json=("rules", "paths"))
CAPTURE = Shape(Capture, json=("tags",), flags=("had_halt", "needs_review"))
JUDGED = Shape(Judged, json=("trace",))
ENTRY = Shape(Entry)
ALLOWANCE = Shape(Allowance)
RECEIPT = Shape(Receipt)
CURSOR = Shape(Cursor)
