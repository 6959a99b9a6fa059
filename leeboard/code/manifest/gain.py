"""What one changed file gained and lost in packages, between the base and now."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

import msgspec

from leeboard.code.manifest.declared import packages
from leeboard.code.manifest.kind import MAIN, kind_of
from leeboard.code.manifest.package import Package, Packages
from leeboard.model.lookup import BaseFiles, Files
from leeboard.model.tree import FileChange

Key = tuple[str, str]


class Bump(msgspec.Struct, frozen=True):
    """A package that was there and is wanted in another version."""

    package: Package
    old: str


class Gain(msgspec.Struct, frozen=True, kw_only=True):
    """One file. Where it could not be read (`problem`), nothing else is known."""

    change: FileChange
    text: str = ""
    added: tuple[Package, ...] = ()
    """Declared now and not before, each once, in the order of the file."""
    transitive: tuple[Package, ...] = ()
    """Gained because others need them, or locked: by a lock file, or by `// indirect`."""
    removed: tuple[Package, ...] = ()
    bumped: tuple[Bump, ...] = ()
    is_new: bool = False
    problem: str = ""


def gain_of(change: FileChange, now: Files, base: BaseFiles) -> Gain:
    """Compares by package: a renamed file with itself."""
    old_path = change.old_path or change.path
    old = _read(old_path, base, absent=change.kind == "added")
    new = _read(change.path, now, absent=change.kind == "deleted")
    for when, side in (("", new), (" at the base", old)):
        if side and side.problem:
            return Gain(change=change, problem=side.problem + when)
    before, after = old or Packages(), new or Packages()
    known, kept = _by_key(before.entries), _by_key(after.entries)
    fresh = [entry for key, entry in kept.items() if key not in known]
    lost = [entry for key, entry in known.items() if key not in kept]
    return Gain(
        change=change,
        text=now.text(change.path) or "",
        added=tuple(entry for entry in fresh if not (after.locked or entry.transitive)),
        transitive=tuple(entry for entry in fresh if after.locked or entry.transitive),
        removed=() if before.locked else tuple(entry for entry in lost if not entry.transitive),
        bumped=() if after.locked else _bumped(before, after),
        is_new=not before.entries,
    )


def _read(path: str, files: Files, *, absent: bool) -> Packages | None:
    if absent or not kind_of(path):
        return None
    text = files.text(path)
    return Packages(problem="it is no text, or too large") if text is None else packages(path, text)


def _by_key(entries: Iterable[Package]) -> dict[Key, Package]:
    """The first of each; one that is asked for counts before one that others need."""
    found: dict[Key, Package] = {}
    for entry in entries:
        if entry.key not in found or (found[entry.key].transitive and not entry.transitive):
            found[entry.key] = entry
    return found


def _versions(entries: Iterable[Package]) -> dict[Key, set[str]]:
    found: dict[Key, set[str]] = {}
    for entry in entries:
        if not entry.transitive:
            found.setdefault(entry.key, set()).add(entry.version)
    return found


def _bumped(before: Packages, after: Packages) -> tuple[Bump, ...]:
    old, new = _versions(before.entries), _versions(after.entries)
    return tuple(
        Bump(entry, ", ".join(sorted(old[key] - new[key])))
        for key, entry in _by_key(after.entries).items()
        if key in old and key in new and old[key] != new[key]
    )


def declared_around(path: str, ecosystem: str, base: BaseFiles) -> dict[Key, str]:
    """What the main manifests in its folder and above it declared at the base, with where."""
    found: dict[Key, str] = {}
    folder = posixpath.dirname(path)
    while True:
        for name in MAIN.get(ecosystem, ()):
            near = posixpath.join(folder, name)
            text = base.text(near)
            read = packages(near, text) if text is not None else None
            for entry in read.entries if read else ():
                found.setdefault(entry.key, near)
        if not folder:
            return found
        folder = posixpath.dirname(folder)
