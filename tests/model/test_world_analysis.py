"""What an analysis says of itself."""

from __future__ import annotations

from leeboard.model.event import Event
from leeboard.model.touch import Touch, TouchKind
from leeboard.model.world import Analysis


def test_modified_is_each_changed_path_once_and_neither_reads_nor_restores() -> None:
    kinds: list[tuple[str, TouchKind]] = [
        ("a", "write"),
        ("b", "read"),
        ("a", "delete"),
        ("c", "restore"),
        ("d", "delete"),
    ]
    touches = tuple(Touch(path, kind) for path, kind in kinds)
    assert Analysis(event=Event(session="s"), touches=touches).modified == ("a", "d")
