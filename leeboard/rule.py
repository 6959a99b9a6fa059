"""A rule is a module: its docstring is its page, `RULE` its metadata, `detect` its function, samples its proof.

Nothing registers a rule: every module in `leeboard.rules` is one, and its file name is its id. What it listens to
and which facts it wants is read from the annotations of `detect`, so a new rule is two new files and no edit.

A process imports only the rules that listen to what it was asked. It knows them by their headers: `RULE` and the
signatures, cut out of the source by plain search and looked up among those that `make data` has parsed. A header that
nobody has seen, such as that of a rule that was dropped in, is parsed on the spot. The text that was cut is the key, so
the table can not be out of date.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from types import ModuleType
from typing import Any, Literal

import msgspec

from leeboard.data import load
from leeboard.errors import StateError
from leeboard.model.event import Event
from leeboard.model.text import digest
from leeboard.model.verdict import Finding

HEADINGS = ("What it catches", "Why it matters", "Example", "Known limits")

Detect = Callable[..., Iterable[Finding]]
Holds = Callable[..., bool]
Channel = Literal["score", "signal", "guard", "inform"]
"""Which way findings go: they take from the score; they are weighed by urgency and said as interrupts; they keep a
workflow on disk in order, asked only where there is one, and refuse by themselves; they tell of what others did to
files, outside the score, and refuse under `enforce` alone."""
LETTERS: dict[Channel, str] = {"score": "S", "guard": "G", "inform": "I"}
"""What the codes of a channel begin with. That of a signal begins with its subclass."""
Permit = Literal["word", "widen", "allow", "terminal"]
"""How the user lets a finding pass: they say so, widen the scope, run `leeboard allow`, do it in their own terminal."""
Footing = Literal[
    "",
    "contract",
    "constraint",
    "correction",
    "protected",
    "tests",
    "guards",
    "claim",
    "repetition",
    "handler",
    "outside",
    "own",
    "written",
    "flag",
    "plan",
    "stray",
    "area",
    "rework",
    "shell",
    "destroying",
    "sending",
    "installing",
]
"""What a rule rests on: an explicit contract of the work tree, a limit the user set, a correction that was given, files
that the settings protect, rules of the project's own people. Or what an event has: a change of tests, a guard taken
down, a claim, a call once more, a handler of errors, words from outside; a file that is written, beside that a red flag
of the turn or words of a plan; a path that does not belong, or is of another area; a change after others; a shell line,
and in it a word without which nothing is destroyed, sent or installed.
"""


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


class Traits(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What has to be known of a rule before it is imported: in `RULE` it is written in constants."""

    code: str = ""
    """Short, and never given to another rule: `LB-`, then where its findings belong, then a number."""
    channel: Channel = "score"
    subclass: str = ""
    """For signals: the letter of a class and a number. `leeboard/data/judge/classes.toml` says what is known of it."""
    denies: bool = False
    """One of the named few: its findings are refused under `advise` too."""
    permit: Permit = "word"
    same_as: str = ""
    """Another rule that finds the same: what people let stand of its findings, they let stand of this one's."""
    remedy_first: bool = False
    """What it found is put right before anything else: it is no step away from the work that going back would mend."""
    about_place: bool = False
    """It asks where the work lies: whoever widens the scope lets its findings pass."""
    needs_no_history: bool = False
    """Its refusals rest on the call and the user's words alone, so they are made where there is no store, too."""
    only_where: Footing = ""
    """Where an action lacks this, the rule could find nothing and is passed over."""


class Rule(Traits, frozen=True, kw_only=True):
    """What a rule module says about itself."""

    summary: str
    kind: str = ""
    """What a drift report calls its findings, where that is not the rule's id."""
    detail: str = ""
    """Under which name a drift report lists the subjects of its findings."""
    order: int = 99
    """Where a drift report tells of its findings: the smallest first."""
    countersteer: Countersteer | None = None
    """For a rule that judges a work tree."""

    def __post_init__(self) -> None:
        """A signal belongs to a class, and nothing else does."""
        if (self.channel == "signal") != bool(self.subclass):
            raise ValueError(f"channel {self.channel!r} and subclass {self.subclass!r} do not go together")


class Header(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a rule's file says of itself before it is imported."""

    traits: Traits = msgspec.field(default_factory=Traits)
    listens: tuple[str, ...] = ()
    """The events it judges."""
    wants: tuple[str, ...] = ()
    """The types of the facts that `detect` asks for, behind event and world."""
    holds_wants: tuple[str, ...] = ()
    """The types of the facts that `holds` asks for, behind finding and world."""


UNREADABLE = Header(listens=("ToolProposed",))
"""The header of a file that is no rule: it is asked about every call, so that its failure is on record."""


class LoadedRule:
    """A rule module, read; imported when it is first asked for more than its header says."""

    def __init__(self, name: str, header: Header) -> None:
        self.id = name.rpartition(".")[2]
        self._name = name
        self.traits = header.traits
        self.only_where = header.traits.only_where
        self.code = header.traits.code
        self.channel = header.traits.channel
        self.listens = frozenset(header.listens)
        self.wants = header.wants
        self.holds_wants = header.holds_wants

    @cached_property
    def _module(self) -> ModuleType:
        module = importlib.import_module(self._name)
        if traits_of(module.RULE) != self.traits:
            raise StateError(f"{self.id}: what RULE says can not be read from its source: write it in constants")
        return module

    @property
    def rule(self) -> Rule:
        rule: Rule = self._module.RULE
        return rule

    @property
    def page(self) -> str:
        return (self._module.__doc__ or "").strip()

    @cached_property
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


def rule_named(name: str) -> LoadedRule | None:
    """The rule of this id or code."""
    return _by_name().get(name) or _by_name().get(name.upper())


def code_of(rule_id: str) -> str:
    """Empty for what is no rule of ours, such as one of a later version whose findings lie in the store."""
    loaded = _by_name().get(rule_id)
    return loaded.code if loaded else ""


def code_attribute(rule_ids: Iterable[str]) -> dict[str, str]:
    """The attribute that the element around words for an agent carries: the codes of the rules that speak."""
    codes = " ".join(filter(None, dict.fromkeys(map(code_of, rule_ids))))
    return {"code": codes} if codes else {}


def permit_of(rule_id: str) -> Permit:
    """How the user lets a finding of this rule pass."""
    loaded = _by_name().get(rule_id)
    return loaded.traits.permit if loaded else "word"


def same_as(rule_id: str) -> str:
    """Which other rule finds the same, under the same subject; empty where none does."""
    loaded = _by_name().get(rule_id)
    return loaded.traits.same_as if loaded else ""


def remedy_comes_first(rule_id: str) -> bool:
    """Whether nothing is to be done before what a finding of this rule tells to do."""
    loaded = _by_name().get(rule_id)
    return loaded is not None and loaded.traits.remedy_first


def with_code(rule_id: str) -> str:
    """A rule as it is shown to people: its id, and its code where it has one."""
    code = code_of(rule_id)
    return f"{rule_id} {code}" if code else rule_id


@lru_cache(maxsize=1)
def _by_name() -> dict[str, LoadedRule]:
    rules = _all_rules()
    return {loaded.code: loaded for loaded in rules} | {loaded.id: loaded for loaded in rules}


@lru_cache(maxsize=1)
def _all_rules() -> tuple[LoadedRule, ...]:
    parsed = load("rules", dict[str, dict[str, Any]])
    return tuple(LoadedRule(f"leeboard.rules.{id_}", _header(source, parsed)) for id_, source in sources())


def _header(source: bytes, parsed: dict[str, dict[str, Any]]) -> Header:
    text = header_text(source)
    known = parsed.get(key_of(text))
    if known is None:
        return parse_header(text, source)
    # Decoded as a Header it would be checked once more, and the checks cost more to set up than all that is read here.
    lists = {name: tuple(values) for name, values in known.items() if name != "traits"}
    return Header(traits=Traits(**known["traits"]), **lists)


def sources() -> Iterable[tuple[str, bytes]]:
    """The id and the text of every rule there is, sorted by id."""
    package = importlib.import_module("leeboard.rules")
    # pkgutil would do the same and import inspect for it, a third of a bare interpreter's start.
    files = sorted((name, folder) for folder in package.__path__ for name in os.listdir(folder))  # noqa: PTH208 - as above
    for name, folder in files:
        if name.endswith(".py") and not name.startswith("_"):
            source: bytes = package.__loader__.get_data(f"{folder}/{name}")  # type: ignore[union-attr]  # a package's loader reads its files
            yield name.removesuffix(".py"), source


def header_text(source: bytes) -> bytes:
    """The statements a rule declares itself by, as they are written behind its docstring."""
    opening = source.find(b'"""')
    start = source.find(b'"""', opening + 3) if 0 <= opening <= 1 else 0
    signatures = (_cut(source, b"\ndef detect(", b":\n", start), _cut(source, b"\ndef holds(", b":\n", start))
    return _cut(source, b"\nRULE = ", b"\n\n", start) + b"".join(text + b": ..." for text in signatures if text)


def _cut(source: bytes, opening: bytes, end: bytes, start: int) -> bytes:
    at = source.find(opening, start)
    return source[at : source.find(end, at + 1)] if at >= 0 else b""


def key_of(header: bytes) -> str:
    return digest(header, 6)


def parse_header(*texts: bytes) -> Header:
    """The header in the first of these texts that is a whole one: what was cut out of a source, or all of it."""
    from leeboard.rule_parser import declared_in  # noqa: PLC0415 - only for a rule that `make data` has not seen

    for text in texts:
        try:
            return msgspec.convert(declared_in(text), Header)
        except (SyntaxError, LookupError, ValueError, msgspec.ValidationError):
            continue
    return UNREADABLE


def read_rule(module: ModuleType) -> LoadedRule:
    """A rule module that is imported already."""
    from leeboard.rule_parser import alternatives  # noqa: PLC0415 - not in a hook

    (event, _, *wants), (_, _, *holds_wants) = _annotated(module, "detect"), _annotated(module, "holds")
    header = Header(
        traits=traits_of(module.RULE),
        listens=alternatives(event),
        wants=tuple(wants),
        holds_wants=tuple(holds_wants),
    )
    loaded = LoadedRule(module.__name__, header)
    loaded._module = module  # noqa: SLF001 - its own, set before anybody asks
    return loaded


def traits_of(rule: Rule) -> Traits:
    return Traits(**{name: getattr(rule, name) for name in Traits.__struct_fields__})


def _annotated(module: ModuleType, function: str) -> list[str]:
    """The annotations of its parameters; two empty ones where there is no such function."""
    known = getattr(getattr(module, function, None), "__annotations__", {"event": "", "world": ""})
    return [str(value) for name, value in known.items() if name != "return"]
