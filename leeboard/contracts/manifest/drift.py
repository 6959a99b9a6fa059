"""What changed manifests and lock files mean for a contract: which packages are drift, and what is worth knowing."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator

import msgspec
from msgspec.structs import replace

from leeboard.contracts.manifest.gain import Gain, Key, declared_around, gain_of
from leeboard.contracts.manifest.kind import is_lock, is_sample, kind_of
from leeboard.contracts.manifest.package import Package
from leeboard.model.contract import Contract
from leeboard.model.event import TreeChecked
from leeboard.model.lookup import BaseFiles, Files
from leeboard.model.session import Goal
from leeboard.model.text import lazy
from leeboard.model.touch import FileChange
from leeboard.model.world import World
from leeboard.speech.order import named

MOST = 50
"""Packages of one file that are named one by one; the rest is counted."""
_FEW = 8
_VERSION = lazy(r"[\w.^~<>=!*, |+\-]{1,24}$")
"""Longer ones may be an address with a password in it, or a digest nobody reads."""

_THINGS = {"docker": "image", "actions": "action", "nix": "flake input", "url": "module", "gradle": "Gradle plugin"}


class ManifestRemark(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to say of one file."""

    path: str
    about: str
    """What it is about, within the file: stays the same when lines move."""
    text: str
    line: int = 0
    is_drift: bool = False


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    """What every manifest of a tree is judged against."""

    event: TreeChecked
    world: World
    contract: Contract
    base: BaseFiles
    gains: tuple[Gain, ...]
    asked: str
    """Why nothing is drift here; empty where it may be."""
    around: dict[tuple[str, str], dict[Key, str]]
    """What was declared at the base, by folder and ecosystem: read when it is first asked for."""


def drift_of(
    changes: Iterable[FileChange], event: TreeChecked, world: World, now: Files, base: BaseFiles
) -> list[ManifestRemark]:
    """All there is to say of these files, in their order."""
    contract = world.held.contract if world.held else Contract()
    there = Situation(
        event=event,
        world=world,
        contract=contract,
        base=base,
        gains=tuple(gain_of(change, now, base) for change in changes),
        asked=_lets_all_in(world, contract),
        around={},
    )
    return [told for gain in there.gains for told in _of_file(gain, there)]


def _lets_all_in(world: World, contract: Contract) -> str:
    if contract.mode in {"harden", "explore"}:
        return f"the mode is {contract.mode}"
    return "dependencies are what is asked for" if asks_for_packages(world, contract) else ""


def _of_file(gain: Gain, there: Situation) -> Iterator[ManifestRemark]:
    path = gain.change.path
    if gain.problem:
        text = f"{path} was changed and not analysed for packages: {gain.problem}"
        yield ManifestRemark(path=path, about="not analysed", text=text)
        return
    yield from _added(gain, there)
    yield from _transitive(gain, there)
    if gain.removed:
        text = f"{path} no longer declares {_listed(entry.name for entry in gain.removed)}"
        yield ManifestRemark(path=path, about="removed packages", text=text)
    if gain.bumped:
        names = _listed(f"{bump.package.name}{_from_to(bump.old, bump.package.version)}" for bump in gain.bumped)
        yield ManifestRemark(path=path, about="other versions", text=f"{path} asks for another version of {names}")


def _added(gain: Gain, there: Situation) -> Iterator[ManifestRemark]:
    path = gain.change.path
    named = gain.added[:MOST]
    lines = entry_lines(gain.change, gain.text, named)
    for entry in named:
        line = lines.get(entry, 0)
        why = there.asked or _excuse(gain, entry, there)
        text = f"{path}{f':{line}' if line else ''} adds {_called(entry)}"
        yield _told(gain, entry, f"{text}: {why}" if why else text, line, is_drift=not why)
    if rest := gain.added[MOST:]:
        text = f"{path} adds {len(rest)} more packages, among them {_listed(entry.name for entry in rest)}"
        yield ManifestRemark(path=path, about="more packages", text=text, is_drift=not there.asked)


def _excuse(gain: Gain, entry: Package, there: Situation) -> str:
    """Why an added package is no drift; empty where it is."""
    path = gain.change.path
    if path in there.event.shared:
        return "another task in progress may touch this file"
    if path in there.event.directed:
        return "user-directed"
    if is_sample(path):
        return "material for tests"
    if speaks_of(there.world, there.contract, entry):
        return "the contract or the user speaks of it"
    before = _declared_before(gain, entry, there)
    return f"{before} declared it before" if before else ""


def _declared_before(gain: Gain, entry: Package, there: Situation) -> str:
    """Where, in another file that was changed or in a main manifest of this folder or one above."""
    for other in there.gains:
        if other is not gain and any(lost.key == entry.key for lost in other.removed):
            return other.change.old_path or other.change.path
    return _around(gain, entry.ecosystem, there).get(entry.key, "")


def _around(gain: Gain, ecosystem: str, there: Situation) -> dict[Key, str]:
    path = gain.change.path
    place = posixpath.dirname(path), ecosystem
    if place not in there.around:
        there.around[place] = declared_around(path, ecosystem, there.base)
    return there.around[place]


def _transitive(gain: Gain, there: Situation) -> Iterator[ManifestRemark]:
    """What came along with an addition is told at once; what came from nowhere is named one by one."""
    path = gain.change.path
    covering = [other for other in there.gains if other.added and _covers(other.change.path, path)]
    direct = {entry.key for other in covering for entry in other.added}
    left = [
        entry
        for entry in gain.transitive
        if entry.key not in direct and entry.key not in _around(gain, entry.ecosystem, there)
    ]
    if not left:
        return
    why = there.asked or _comes_from(gain, left, covering, there)
    if why:
        text = f"{path} locks {_listed(entry.name for entry in left)}: {why}"
        yield ManifestRemark(path=path, about="locked packages", text=text)
        return
    lines = entry_lines(gain.change, gain.text, left[:MOST])
    for entry in left[:MOST]:
        line = lines.get(entry, 0)
        text = f"{path}{f':{line}' if line else ''} gained {_called(entry)}, though no manifest beside it gained any"
        yield _told(gain, entry, text, line, is_drift=True)
    if rest := left[MOST:]:
        text = f"{path} gained {len(rest)} more packages, among them {_listed(entry.name for entry in rest)}"
        yield ManifestRemark(path=path, about="more packages", text=text, is_drift=True)


def _comes_from(gain: Gain, left: list[Package], covering: list[Gain], there: Situation) -> str:
    path = gain.change.path
    if path in there.event.shared:
        return "another task in progress may touch this file"
    if path in there.event.directed:
        return "user-directed"
    if is_sample(path):
        return "material for tests"
    if gain.is_new:
        return "the file is new"
    ecosystems = {entry.ecosystem for entry in left}
    cause = next((one for one in covering if any(entry.ecosystem in ecosystems for entry in one.added)), None)
    if cause:
        return f"they come with what {cause.change.path} added"
    raised = next((one for one in there.gains if _raises(one, ecosystems) and _covers(one.change.path, path)), None)
    return f"they come with what {raised.change.path} upgraded" if raised else ""


def _raises(gain: Gain, ecosystems: set[str]) -> bool:
    """Whether a manifest asks for another version of something."""
    is_manifest = not is_lock(kind_of(gain.change.path))
    return is_manifest and any(bump.package.ecosystem in ecosystems for bump in gain.bumped)


def _covers(manifest: str, lock: str) -> bool:
    """Whether the lock file is in the manifest's folder or above it."""
    folder = posixpath.dirname(lock)
    return not folder or manifest.startswith(f"{folder}/")


def _told(gain: Gain, entry: Package, text: str, line: int, *, is_drift: bool) -> ManifestRemark:
    ecosystem, name = entry.ecosystem, entry.name
    return ManifestRemark(path=gain.change.path, about=f"{ecosystem}:{name}", text=text, line=line, is_drift=is_drift)


def _called(entry: Package) -> str:
    version = f" ({entry.version})" if _VERSION.match(entry.version) else ""
    what = _THINGS.get(entry.ecosystem, f"{entry.ecosystem} package")
    return f"the {what} {entry.name}{version}"


def _from_to(old: str, new: str) -> str:
    return f" ({old} -> {new})" if _VERSION.match(old) and _VERSION.match(new) else ""


def _listed(names: Iterable[str]) -> str:
    every = list(names)
    rest = len(every) - _FEW
    return ", ".join(every[:_FEW]) + (f" and {rest} more" if rest > 0 else "")


# The line of a file at which a package is named.


_SAME = str.maketrans({"_": "-", ".": "-"})


def entry_lines(change: FileChange, text: str, entries: Iterable[Package]) -> dict[Package, int]:
    """Looked for in the added lines first; without those that stand nowhere."""
    lines = [(number, line.lower().translate(_SAME)) for number, line in _numbered(change, text)]
    found = ((entry, _first(entry, lines)) for entry in entries)
    return {entry: line for entry, line in found if line}


def _numbered(change: FileChange, text: str) -> Iterator[tuple[int, str]]:
    for hunk in change.hunks:
        yield from enumerate(hunk.added, hunk.start)
    if not change.hunks:
        yield from enumerate(text.split("\n"), 1)


def _first(entry: Package, lines: list[tuple[int, str]]) -> int:
    name = entry.name.rpartition(":")[2] if entry.ecosystem == "maven" else entry.name
    plain = name.lower().translate(_SAME)
    alone = re.compile(rf"(?<![a-z0-9]){re.escape(plain)}(?![a-z0-9]|-[a-z])")
    return next((number for number, line in lines if plain in line and alone.search(line)), 0)


# Whether the contract, or a person in the session, speaks of a package or asks for new ones.


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
