"""What one changed file gained and lost in packages, between the base and now."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

import msgspec

from leeboard.contracts.manifest import compiled, python, scripting, systems
from leeboard.contracts.manifest.kind import MAIN, is_lock, kind_of
from leeboard.contracts.manifest.package import Package, Packages, Reader, UnreadableManifest
from leeboard.model.lookup import BaseFiles, Files
from leeboard.model.text import lazy
from leeboard.model.touch import FileChange

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
    return Packages(problem="it is not a text, or too large") if text is None else packages(path, text)


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


# The packages a file declares, or locks.


_READERS: dict[str, Reader] = {
    "bun_lock": scripting.read_bun_lock,
    "cargo_lock": compiled.read_cargo_lock,
    "cargo_toml": compiled.read_cargo_toml,
    "catalog": compiled.read_catalog,
    "compose": systems.read_compose,
    "composer_json": scripting.read_composer_json,
    "composer_lock": scripting.read_composer_lock,
    "deno_json": scripting.read_deno_json,
    "deno_lock": scripting.read_deno_lock,
    "dockerfile": systems.read_dockerfile,
    "dotnet_project": compiled.read_project,
    "dotnet_tools": compiled.read_tools,
    "environment": systems.read_environment,
    "flake": systems.read_flake,
    "flake_lock": systems.read_flake_lock,
    "gemfile": scripting.read_gemfile,
    "gemfile_lock": scripting.read_gemfile_lock,
    "gemspec": scripting.read_gemspec,
    "go_mod": compiled.read_go_mod,
    "go_sum": compiled.read_go_sum,
    "gradle_build": compiled.read_build,
    "gradle_lock": compiled.read_gradle_lock,
    "mix": scripting.read_mix,
    "mix_lock": scripting.read_mix_lock,
    "package_blocks": python.read_package_blocks,
    "package_json": scripting.read_package_json,
    "package_lock": scripting.read_package_lock,
    "package_resolved": compiled.read_package_resolved,
    "package_swift": compiled.read_package_swift,
    "packages_config": compiled.read_packages_config,
    "packages_lock": compiled.read_packages_lock,
    "pipfile": python.read_pipfile,
    "pipfile_lock": python.read_pipfile_lock,
    "pnpm_lock": scripting.read_pnpm_lock,
    "pnpm_workspace": scripting.read_pnpm_workspace,
    "pom": compiled.read_pom,
    "pubspec": compiled.read_pubspec,
    "pubspec_lock": compiled.read_pubspec_lock,
    "pylock": python.read_pylock,
    "pyproject": python.read_pyproject,
    "requirements": python.read_requirements,
    "setup_cfg": python.read_setup_cfg,
    "setup_py": python.read_setup_py,
    "workflow": systems.read_workflow,
    "yarn_lock": scripting.read_yarn_lock,
}
_CONFLICT = lazy(r"(?m)^(?:<<<<<<<|>>>>>>>) ")


def packages(path: str, text: str) -> Packages | None:
    """What the file declares or locks; None where it is no file that does. It never fails: see `Packages.problem`."""
    kind = kind_of(path)
    if not kind:
        return None
    locked = is_lock(kind) or (kind == "requirements" and python.is_compiled(text))
    if kind not in _READERS:
        return Packages(locked=locked, problem="it is binary")
    if _CONFLICT.search(text):
        return Packages(locked=locked, problem="it has an unresolved merge in it")
    try:
        return Packages(locked=locked, entries=tuple(dict.fromkeys(_READERS[kind](text))))
    except UnreadableManifest as error:
        return Packages(locked=locked, problem=str(error))
