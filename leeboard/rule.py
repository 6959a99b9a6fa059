"""A rule is a module: its docstring is its page, `RULE` its metadata, `detect` its function, samples its proof.

Nothing registers a rule: every module in `leeboard.detectors` is one, and its file name is its id. What it listens to
and which facts it wants is read from the annotations of `detect`, so a new rule is two new files and no edit. The
annotations are read from the source as text: a process imports only the rules that listen to what it was asked.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from types import ModuleType
from typing import Literal

import msgspec

from leeboard.model.event import Event
from leeboard.model.verdict import Finding

HEADINGS = ("What it catches", "Why it matters", "Example", "Known limits")

Detect = Callable[..., Iterable[Finding]]
Holds = Callable[..., bool]


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """A short scenario in the lines of `leeboard.testing.scenario_lines`; the last line is the one the rule judges."""

    name: str
    lines: tuple[str, ...]


class Countersteer(msgspec.Struct, frozen=True, kw_only=True):
    """What a drift report recommends where a rule has found something. `{task}` stands for the task's id."""

    action: str
    rationale: str
    priority: Literal["high", "medium"] = "medium"
    commands: tuple[str, ...] = ()


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """What a rule module says about itself."""

    summary: str
    denies: bool = False
    """One of the named few: its findings are refused under `advise` too."""
    guards: bool = False
    """It keeps a workflow on disk in order: asked only where there is one, and refuses by itself, outside the score."""
    informs: bool = False
    """It tells of what others did to files: said outside the score, and refused under `enforce` alone."""
    subclass: str = ""
    """A1 to D3 for a rule whose findings carry a signal; empty for one that takes from the score."""
    kind: str = ""
    """What a drift report calls its findings, where that is not the rule's id."""
    detail: str = ""
    """Under which name a drift report lists the subjects of its findings."""
    countersteer: Countersteer | None = None
    """For a rule that judges a work tree."""


class Marks(msgspec.Struct, frozen=True, kw_only=True):
    """What has to be known of a rule before it is imported."""

    has_signals: bool
    guards: bool
    informs: bool


class LoadedRule:
    """A rule module, read; imported when it is first asked for more than what it listens to."""

    def __init__(self, name: str, detect: list[str], holds: list[str], marks: Marks) -> None:
        """`detect` and `holds` are the annotations of the parameters of these two."""
        self.id = name.rpartition(".")[2]
        self._name = name
        self.listens = frozenset(map(str.strip, detect[0].split("|")))
        self.wants = tuple(detect[2:])
        self.holds_wants = tuple(holds[2:])
        self.has_signals = marks.has_signals
        self.guards = marks.guards
        self.informs = marks.informs

    @cached_property
    def _module(self) -> ModuleType:
        return importlib.import_module(self._name)

    @property
    def rule(self) -> Rule:
        rule: Rule = self._module.RULE
        return rule

    @property
    def page(self) -> str:
        return (self._module.__doc__ or "").strip()

    @property
    def detect(self) -> Detect:
        detect: Detect = self._module.detect
        return detect

    @property
    def holds(self) -> Holds | None:
        """Tells whether a finding still stands, where running the rule again could not."""
        return getattr(self._module, "holds", None)

    @property
    def fires(self) -> tuple[Sample, ...]:
        fires: tuple[Sample, ...] = self._module.FIRES
        return fires

    @property
    def silent(self) -> tuple[Sample, ...]:
        silent: tuple[Sample, ...] = self._module.SILENT
        return silent


def discover(disabled: tuple[str, ...] = ()) -> tuple[LoadedRule, ...]:
    """Every rule there is, sorted by id, but for those switched off."""
    if not disabled:
        return _all_rules()
    return tuple(loaded for loaded in _all_rules() if loaded.id not in disabled)


@lru_cache(maxsize=64)
def listening(rules: tuple[LoadedRule, ...], event: type[Event]) -> tuple[LoadedRule, ...]:
    return tuple(loaded for loaded in rules if event.__name__ in loaded.listens)


@lru_cache(maxsize=1)
def _all_rules() -> tuple[LoadedRule, ...]:
    package = importlib.import_module("leeboard.detectors")
    # pkgutil would do the same and import inspect for it, a third of a bare interpreter's start.
    files = sorted((name, folder) for folder in package.__path__ for name in os.listdir(folder))  # noqa: PTH208 - as above
    return tuple(
        _read_source(package, f"leeboard.detectors.{name.removesuffix('.py')}", f"{folder}/{name}")
        for name, folder in files
        if name.endswith(".py") and not name.startswith("_")
    )


def _read_source(package: ModuleType, name: str, path: str) -> LoadedRule:
    source: bytes = package.__loader__.get_data(path)  # type: ignore[union-attr]  # a package's loader reads its files
    detect, holds = _annotations(source, b"detect"), _annotations(source, b"holds")
    marks = Marks(
        has_signals=b'subclass="' in source, guards=b"guards=True" in source, informs=b"informs=True" in source
    )
    return LoadedRule(name, detect, holds, marks)


def read_rule(module: ModuleType) -> LoadedRule:
    """A rule module that is imported already."""
    detect, holds = _annotated(module, "detect"), _annotated(module, "holds")
    rule: Rule = module.RULE
    marks = Marks(has_signals=bool(rule.subclass), guards=rule.guards, informs=rule.informs)
    loaded = LoadedRule(module.__name__, detect, holds, marks)
    loaded._module = module  # noqa: SLF001 - its own, set before anybody asks
    return loaded


def _annotated(module: ModuleType, function: str) -> list[str]:
    known = getattr(getattr(module, function, None), "__annotations__", {})
    return [str(value) for name, value in known.items() if name != "return"]


def _annotations(source: bytes, function: bytes) -> list[str]:
    """The annotations of a function's parameters as they are written; none where there is no such function.

    Found by plain search: a pattern would look at every character of every rule, in every hook process.
    """
    _, found, rest = source.partition(b"\ndef " + function + b"(")
    if not found:
        return []
    parameters = (one.partition(":") for one in rest[: rest.index(b")")].decode().split(","))
    return [annotation.strip() for _name, colon, annotation in parameters if colon]
