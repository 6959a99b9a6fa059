"""What a folder of a certain name is, wherever it lies: brought along, made by a tool, left by running things."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

import msgspec

from leeboard.data import load
from leeboard.model.pattern import lazy

Role = Literal[
    "foreign",
    "made",
    "artifact",
    "reference",
    "trace",
    "outside-plan",
    "without-limits",
    "untracked",
    "unindexed",
    "unscanned",
]
"""One for each reader that passes folders over for a reason of its own; the table says which."""


class _Folders(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    folders: dict[str, frozenset[Role]]


@cache
def _table() -> _Folders:
    return load("folders/roles", _Folders)


@cache
def folders_with(role: Role) -> frozenset[str]:
    """The folders of a role."""
    return frozenset(name for name, roles in _table().folders.items() if role in roles)


def lies_in(path: str, role: Role, *, any_case: bool = False) -> bool:
    """Whether a folder of this role is on the way to the file."""
    return bool(_on_the_way(role, any_case=any_case).search(path))


@cache
def _on_the_way(role: Role, *, any_case: bool) -> re.Pattern[str]:
    folders = "|".join(map(re.escape, sorted(folders_with(role))))
    return lazy(rf"(?:^|/)(?:{folders})/", re.IGNORECASE if any_case else 0)
