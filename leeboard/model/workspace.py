"""The work tree an agent runs in, which gives each path one spelling, and what a path means to a workflow on disk."""

from __future__ import annotations

import posixpath
import re
from typing import Literal

import msgspec

from leeboard.model.text import lazy

System = Literal["posix", "windows"]
"""Which of two ways of naming files counts."""

_DEVICE = lazy(r"\A//[?.]/(?:(?=[A-Za-z]:)|(UNC/))", re.IGNORECASE)
_DRIVE_AS_FOLDER = lazy(r"\A/(?:cygdrive/)?([A-Za-z])(?:/|$)")


class Workspace(msgspec.Struct, frozen=True):
    """`root` is absolute, or empty when nothing is known about where the agent runs."""

    root: str = ""

    def spell(self, path: str, cwd: str = "") -> str:
        """The path relative to the root; absolute (or `~/...`) when it lies outside."""
        cleaned = path.replace("\x00", "") if "\x00" in path else path
        root, system = self.root, system_of(self.root)
        if system == "windows":
            cleaned, cwd, root = (one_spelling(name, system) for name in (cleaned, cwd, root))
        if cleaned.startswith("~"):
            return cleaned
        cleaned = normal(cleaned if _has_drive(cleaned) else posixpath.join(cwd or root, cleaned))
        root = root.rstrip("/")
        if system == "windows":
            return _below_in_any_case(cleaned, root)
        if root and cleaned == root:
            return "."
        if root and cleaned.startswith(root + "/"):
            return cleaned[len(root) + 1 :]
        return cleaned

    def holds(self, spelled: str) -> bool:
        """True for a path that `spell` found inside the work tree."""
        return is_inside(spelled)


def is_inside(spelled: str) -> bool:
    """Whether a path as `spell` gives it lies inside the work tree."""
    return not spelled.startswith(("/", "~", "..")) and not _has_drive(spelled)


def _below_in_any_case(path: str, root: str) -> str:
    """From a root on Windows, where capitals make no other name. A path without a drive is on the drive of the root."""
    is_on_our_drive = path.startswith("/") and not path.startswith("//") and _has_drive(root)
    whole = f"{root[:2]}{path}" if is_on_our_drive else path
    if whole[: len(root)].lower() != root.lower():
        return path
    inner = whole[len(root) :]
    return inner[1:] or "." if inner[:1] in {"", "/"} else path


# What systems differ in, as far as names of files go: drives, shares, and what a backslash is.


def system_of(place: str) -> System:
    """The system of a folder, by its name: only Windows has drives and shares."""
    return "windows" if _has_drive(place) or place.startswith(("//", "\\\\")) else "posix"


def one_spelling(path: str, system: System) -> str:
    r"""The one spelling among those a system takes for the same file; `.` and `..` stay in it.

    On Windows `c:\shop\a.py`, `/c/shop/a.py` of Git Bash, `\\?\C:\shop\a.py` and `C:/shop/a.py::$DATA` are
    `C:/shop/a.py`. Elsewhere a backslash is a letter of a name, and a name is spelled by itself.
    """
    if system == "posix":
        return path
    while (spelled := _spelled_simpler(path)) != path:
        path = spelled
    return path


def _spelled_simpler(path: str) -> str:
    """One step of it: what stands in front may only show when what Windows passes over is gone."""
    path = _DEVICE.sub(lambda found: "//" if found[1] else "", path.replace("\\", "/"))
    path = _DRIVE_AS_FOLDER.sub(r"\1:/", path)
    drive, rest = (path[0].upper() + ":", path[2:]) if _has_drive(path) else ("", path)
    parts = ((part.partition(":")[0] or part).rstrip(". ") or part for part in rest.split("/"))
    return drive + "/".join(parts)


def is_whole(path: str) -> bool:
    """Whether a path says by itself where it begins, on whichever system."""
    return path.startswith("/") or (_has_drive(path) and path[2:3] in {"/", "\\"})


def normal(path: str) -> str:
    """Without `.`, `..` and doubled slashes; there is nothing above a drive."""
    if _has_drive(path) and path[2:3] == "/":
        return path[:2] + posixpath.normpath("/" + path[2:].lstrip("/"))
    return posixpath.normpath(path)


def placed(folder: str, path: str) -> str:
    """Where a path leads from a folder, on whichever system."""
    return normal(path if is_whole(path) else posixpath.join(folder, path))


def _has_drive(path: str) -> bool:
    return len(path) > 1 and path[1] == ":" and path[0].isalpha() and path[0].isascii()


# What a path means to a workflow on disk: which of its files it is, or whose work tree it lies in.


PlanKind = Literal["intent", "stage", "unit", "feedback", "material", "log", "folder"]
"""`material` is what agents bring forth, `log` what only the engine and the hooks write, `folder` holds any of it."""

INTENTS = ".haiku/intents/"
INTENT_TREE = "main"
"""The work tree of an intent beside those of its units: called as its branch is, so that no unit can be."""
MATERIAL = ("artifacts", "outputs", "knowledge", "discovery", "features")
PRODUCED = "produced"
"""Folder of a stage that records what each unit wrote; no output itself."""

TRUNK_BRANCHES = ("main", "master", "trunk", "develop")
TRUNKS = ("HEAD", *TRUNK_BRANCHES)
"""Branches, here or on a remote, that tell by holding the work that somebody merged it."""

_WORKTREE = lazy(r"\.haiku/worktrees/([^/]+)/([^/]+)(?:/|$)")
_IN_WORKTREE = lazy(r"(?:.*/)?\.haiku/worktrees/([^/]+)/([^/]+)(?:/.*)?")


class PlanPath(msgspec.Struct, frozen=True, kw_only=True):
    """A path below `.haiku/intents/`."""

    slug: str
    kind: PlanKind
    stage: str = ""
    """Empty: of the intent as a whole."""
    name: str = ""
    """The name of a unit or a feedback file, without its ending."""


def plan_path(path: str) -> PlanPath | None:
    """What it is, wherever the tree around it lies; None for everything that is no part of a plan."""
    before, found, rest = path.rpartition(INTENTS)
    if not found:
        is_top = path.endswith((".haiku", ".haiku/", INTENTS[:-1]))
        return PlanPath(slug="", kind="folder") if is_top and not before else None
    if before and not before.endswith("/"):
        return None
    slug, _, inner = rest.strip("/").partition("/")
    parts = inner.split("/") if inner else []
    if parts[:1] == ["stages"]:
        return _of_stage(slug, parts[1:])
    return _of_intent(slug, parts)


def _of_intent(slug: str, parts: list[str]) -> PlanPath:
    if parts == ["intent.md"]:
        return PlanPath(slug=slug, kind="intent")
    return _other(slug, "", parts)


def _of_stage(slug: str, parts: list[str]) -> PlanPath:
    stage, inner = (parts[0], parts[1:]) if parts else ("", [])
    if inner == ["state.json"]:
        return PlanPath(slug=slug, kind="stage", stage=stage)
    if len(inner) == 2 and inner[0] == "units" and inner[1].endswith(".md"):
        return PlanPath(slug=slug, kind="unit", stage=stage, name=inner[1].removesuffix(".md"))
    if inner == ["units"]:
        return PlanPath(slug=slug, kind="folder", stage=stage)
    return _other(slug, stage, inner)


def _other(slug: str, stage: str, parts: list[str]) -> PlanPath:
    """Whatever is neither the engine's own file nor made to be written by agents is a log."""
    if not parts:
        return PlanPath(slug=slug, kind="folder", stage=stage)
    if parts[0] in MATERIAL:
        return PlanPath(slug=slug, kind="material", stage=stage)
    if parts[0] == "feedback" and len(parts) == 2 and parts[1].endswith(".md"):
        return PlanPath(slug=slug, kind="feedback", stage=stage, name=parts[1].removesuffix(".md"))
    if parts == ["feedback"]:
        return PlanPath(slug=slug, kind="folder", stage=stage)
    return PlanPath(slug=slug, kind="log" if _is_log(parts) else "material", stage=stage)


def _is_log(parts: list[str]) -> bool:
    name = parts[-1]
    return (
        parts[0] in {PRODUCED, "reviews", "drift-assessments", "baseline-content"}
        or name.endswith((".json", ".jsonl"))
        or (name in {".fsm_checksum", ".drift_checksum", ".baseline-ack"})
    )


def worktree_of(path: str) -> tuple[str, str]:
    """Slug and unit of the work tree a path lies in, counted from the top; both empty where it lies in none."""
    found = _WORKTREE.match(path)
    return (found[1], found[2]) if found else ("", "")


def worktree_around(folder: str) -> tuple[str, str]:
    """The same for a folder given from the root of the disk."""
    found = _IN_WORKTREE.fullmatch(folder)
    return (found[1], found[2]) if found else ("", "")


def from_top(path: str, root: str, top: str) -> str:
    """A path as a work tree spells it, relative to the one the plan lies in; empty where it lies outside of that.

    Units of an intent with a tree of its own have theirs beside it: they are spelled as if they were inside.
    """
    if path.startswith("~"):
        return ""
    whole = path if is_whole(path) else f"{root.rstrip('/')}/{path}"
    top = top.rstrip("/")
    if not whole.startswith(f"{top}/") and worktree_around(top)[1] == INTENT_TREE:
        beside = f"{top.removesuffix(INTENT_TREE)}"
        inner = whole.removeprefix(beside)
        return f".haiku/worktrees/{worktree_around(top)[0]}/{inner}" if inner != whole and "/" in inner else ""
    return whole[len(top) + 1 :] if top and whole.startswith(f"{top}/") else ""
