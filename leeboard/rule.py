"""A rule is a module: its docstring is its page, `RULE` its metadata, `detect` its function, samples its proof.

Nothing registers a rule: every module in `leeboard.detectors` is one, and its file name is its id. What it listens to
and which facts it wants is read from the annotations of `detect`, so a new rule is two new files and no edit.
"""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from types import ModuleType

import msgspec

from leeboard.model.event import Event
from leeboard.model.verdict import Finding

HEADINGS = ("What it catches", "Why it matters", "Example", "Known limits")

Detect = Callable[..., Iterable[Finding]]


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """A short scenario in the lines of `leeboard.testing.scenario`; the last line is the one the rule judges."""

    name: str
    lines: tuple[str, ...]


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """What a rule module says about itself."""

    summary: str
    denies: bool = False
    """One of the named few: its findings are refused under `advise` too."""


class LoadedRule(msgspec.Struct, frozen=True, kw_only=True):
    """A rule module, read."""

    id: str
    rule: Rule
    page: str
    listens: frozenset[str]
    wants: tuple[str, ...]
    detect: Detect
    fires: tuple[Sample, ...]
    silent: tuple[Sample, ...]


def discover(disabled: tuple[str, ...] = ()) -> tuple[LoadedRule, ...]:
    """Every rule there is, sorted by id, but for those switched off."""
    return tuple(loaded for loaded in _all_rules() if loaded.id not in disabled)


def listening(rules: tuple[LoadedRule, ...], event: Event) -> tuple[LoadedRule, ...]:
    name = type(event).__name__
    return tuple(loaded for loaded in rules if name in loaded.listens)


@lru_cache(maxsize=1)
def _all_rules() -> tuple[LoadedRule, ...]:
    package = importlib.import_module("leeboard.detectors")
    # pkgutil would do the same and import inspect for it, a third of a bare interpreter's start.
    files = sorted(name for folder in package.__path__ for name in os.listdir(folder) if name.endswith(".py"))  # noqa: PTH208 - as above
    names = [name.removesuffix(".py") for name in files if not name.startswith("_")]
    return tuple(read_rule(importlib.import_module(f"leeboard.detectors.{name}")) for name in names)


def read_rule(module: ModuleType) -> LoadedRule:
    """A rule module to its rule. Annotations are read as text: resolving them would import what they name."""
    annotations = {key: str(value) for key, value in module.detect.__annotations__.items() if key != "return"}
    event, _world, *facts = annotations.items()
    return LoadedRule(
        id=module.__name__.rpartition(".")[2],
        rule=module.RULE,
        page=(module.__doc__ or "").strip(),
        listens=frozenset(re.findall(r"\w+", event[1])),
        wants=tuple(annotation for _name, annotation in facts),
        detect=module.detect,
        fires=module.FIRES,
        silent=module.SILENT,
    )
