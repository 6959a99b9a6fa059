"""Whether the contract, or a person in the session, speaks of a package or asks for new ones."""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.code.directive import named
from leeboard.code.manifest.package import Package
from leeboard.model.contract import Contract
from leeboard.model.pattern import lazy
from leeboard.model.session import Goal
from leeboard.model.world import World

_DEPENDENCIES = lazy(
    r"\b(?:add|upgrad|updat|bump|instal|introduc|refresh|renew|migrat|replac|swap|switch)[a-z]{0,6}\b"
    r"(?:[ \t]{1,3}(?!(?:no|not|without|never|any|zero)\b)[\w'/@.,\-]{1,40}){0,6}?"
    r"[ \t]{1,3}(?:dependenc(?:y|ies)|deps|lock ?files?"
    r"|(?:npm|pip|third[- ]party|external|new)[ \t]{1,3}(?:packages?|librar(?:y|ies)))\b"
)
_NEGATED = lazy(r"(?:\b(?:no|not|never|without|avoid|stop|instead of|rather than)|n't|\bdont)\s(?:\w{1,20}\s){0,3}$")


def asks_for_packages(world: World, contract: Contract) -> bool:
    """Whether its work is to add or to renew dependencies."""
    return any(_asks(text.lower().replace("’", "'")) for text in _words(world, contract))


def _asks(text: str) -> bool:
    return any(not _NEGATED.search(text[max(0, at.start() - 80) : at.start()]) for at in _DEPENDENCIES.finditer(text))


def speaks_of(world: World, contract: Contract, entry: Package) -> bool:
    """Whether the package is named as one to use."""
    goals = tuple(Goal(text=text, exchange=0) for text in _words(world, contract))
    return named(replace(world, session=replace(world.session, goals=goals)), _spellings(entry))


def _words(world: World, contract: Contract) -> tuple[str, ...]:
    return contract.objective, *contract.acceptance, *(goal.text for goal in world.session.goals)


def _spellings(entry: Package) -> set[str]:
    last = entry.name.rpartition(":" if entry.ecosystem == "maven" else "/")[2]
    named_by_last = entry.ecosystem in {"maven", "go", "docker", "swift", "composer"}
    names = {entry.name, last} if named_by_last else {entry.name}
    return names | {name.replace("-", "_") for name in names} | {name.replace("_", "-") for name in names}
