"""How a feature that a user can see looks in code: routes, flags, commands, settings, controls, tables, jobs.

Every expression is run over one added line at a time and names the feature in its group `name`. Lines are bounded, and
so is every repeat.
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from leeboard.data import load
from leeboard.model.pattern import filled, lazy

FeatureKind = Literal["route", "flag", "command", "setting", "control", "column", "table", "job", "dependency"]

Feature = tuple[FeatureKind, tuple[str, ...], re.Pattern[str]]


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: FeatureKind
    hints: tuple[str, ...]
    pattern: str


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    parts: dict[str, str]
    dependencies: dict[str, str]
    features: tuple[_Row, ...]


_TABLE = load("source/features", _Table)
FEATURES: tuple[Feature, ...] = tuple(
    (row.kind, row.hints, lazy(filled(row.pattern, _TABLE.parts))) for row in _TABLE.features
)
"""Kind, pieces of text of which one occurs in lower case, expression."""

JOB_DECORATOR = lazy(r"^\s*@(?:[\w.]{1,40}\.)?(?:task|shared_task|periodic_task|job)\b")
JOB_HINTS = ("task", "job")
DEFINED = lazy(r"^\s*(?:async\s+)?(?:def|function|fn|func)\s+(?P<name>\w{2,80})")

DEPENDENCIES = {name: lazy(source) for name, source in _TABLE.dependencies.items()}
"""By the lower-case name of the manifest."""
