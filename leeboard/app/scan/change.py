"""What a change brought in, and nothing that was there before it: for `scan --diff` and `scan --staged`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from leeboard.app.scan.comments import idle_at
from leeboard.app.scan.decided import Decisions, decided_before
from leeboard.app.scan.target import Target
from leeboard.app.scan.texts import ScannedBase, ScannedFiles, ScannedIndex
from leeboard.app.scan.unanalysed import REPOSITORY
from leeboard.app.scan.work import Before
from leeboard.io.git.work_tree import BaseTexts, collect, parted_from
from leeboard.io.places import project_root
from leeboard.model.lookup import BaseFiles, Files
from leeboard.model.text import as_sentence
from leeboard.model.touch import FileChange, TreeChange
from leeboard.model.verdict import PlacedFinding
from leeboard.settings.decisions.loosened import Loosened, MovedComments, decides, idle_comment, is_decision, loosened
from leeboard.text.language import lies_in

RULE = "contract_changed"


class ChangeOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Which change a person means."""

    base: str = ""
    """A branch or commit: the change is what came since the work left it. Empty: since the last commit."""
    staged: bool = False
    reviewed: bool = False
    """A person has reviewed what it decides about itself."""


class GoneLines(msgspec.Struct, frozen=True, kw_only=True):
    """A file that lost lines."""

    then: str
    now: str
    """Empty where it is gone."""
    lines: frozenset[str]
    """Those that were taken out of it."""


class ScannedChange(msgspec.Struct, frozen=True, kw_only=True):
    """One work tree's part of it."""

    root: str
    targets: tuple[Target, ...]
    before: Mapping[Target, Before]
    gone: Mapping[str, GoneLines]
    """By path as it was."""
    decisions: Decisions
    """Those that count."""
    decided: tuple[PlacedFinding, ...]
    """What the change decides about itself."""


def find_change(paths: Iterable[str], asked: ChangeOptions, found: Mapping[str, Decisions]) -> Iterator[ScannedChange]:
    """One for each work tree that the paths lie in; `found` are the decisions by root as they stand there now."""
    by_root: dict[str, list[str]] = {}
    for path in paths:
        real = os.path.realpath(path)
        by_root.setdefault(project_root(real if os.path.isdir(real) else os.path.dirname(real)), []).append(path)  # noqa: PTH112, PTH120 - names that are no valid text pass through
    for root, given in by_root.items():
        base = parted_from(root, asked.base) if asked.base else ""
        change = collect(root, base, staged_only=asked.staged, own_too=True)
        texts = ScannedBase(change.root, change.base)
        try:
            yield _change(change, texts, given, asked, found.get(root, Decisions()))
        finally:
            texts.close()


def _change(
    change: TreeChange, texts: BaseTexts, given: list[str], asked: ChangeOptions, found: Decisions
) -> ScannedChange:
    now: Files = ScannedIndex(change.root) if asked.staged else ScannedFiles(change.root)
    before: dict[Target, Before] = {}
    for one in change.files:
        shown = "" if one.kind == "deleted" else _shown(change.root, one.path, given)
        if shown and one.submodule:
            before[Target(shown.rstrip("/"), change.root, one.path)] = Before(text="", problem=REPOSITORY)
        elif shown and (asked.staged or not _is_link(change.root, one.path)):
            earlier = one.old_path or one.path
            then = texts.text(earlier)
            after = now.text(one.path) if asked.staged else None
            before[Target(shown, change.root, one.path)] = Before(
                text=then or "",
                name=earlier,
                was_unread=then is None and bool(texts.exists(earlier)),
                new_folder=_new_folder(one.path, texts),
                after=after,
                reviewed=asked.reviewed,
                problem=_unstaged_reason(one) if asked.staged and after is None else "",
            )
    before |= dict(_unwatched(change, texts, given, frozenset(before)))
    decided = () if asked.reviewed else tuple(_decided(change, now, texts))
    return ScannedChange(
        root=change.root,
        targets=tuple(sorted(before, key=lambda target: target.shown)),
        before=before,
        gone={path: _gone(one, texts.text(path) or "", now) for one in change.files for path in _earlier(one)},
        decisions=found if asked.reviewed else decided_before(found, texts),
        decided=decided,
    )


def _unwatched(
    change: TreeChange, texts: BaseTexts, given: list[str], known: frozenset[Target]
) -> Iterator[tuple[Target, Before]]:
    """What git was told not to look at, or could not, may be anything: it is looked at all the same."""
    files = ScannedFiles(change.root)
    for path in change.unseen:
        shown = _shown(change.root, path.rstrip("/"), given)
        target = Target(shown, change.root, path.rstrip("/"))
        then, after = texts.text(path), files.text(path)
        if shown and target not in known and not _is_link(change.root, path) and (after is None or after != then):
            yield target, Before(text=then or "", was_unread=then is None and bool(texts.exists(path)))


def _is_link(root: str, name: str) -> bool:
    """What it leads to lies somewhere else, or is found there."""
    return os.path.islink(os.path.join(root, name))  # noqa: PTH114, PTH118 - names that are no valid text pass through


def _new_folder(path: str, texts: BaseFiles) -> str:
    """The outermost decides: what a tool makes inside of what it brought along belongs to that."""
    if not lies_in(path, "made"):
        return ""
    parts = path.split("/")[:-1]
    folders = ("/".join(parts[: place + 1]) for place in range(len(parts)))
    made = next((folder for folder in folders if lies_in(f"{folder}/", "made")), "")
    return made if made and not texts.exists(made) else ""


def _unstaged_reason(one: FileChange) -> str:
    return "binary" if one.binary else "larger than 2 MB"


def _shown(root: str, name: str, given: list[str]) -> str:
    """As the person would write it; empty where it lies in none of the paths they gave."""
    place = os.path.join(os.path.realpath(root), name)  # noqa: PTH118 - names that are no valid text pass through
    for path in given:
        real = os.path.realpath(path)
        if place == real or place.startswith(real.rstrip("/") + "/"):
            return os.path.normpath(os.path.join(path, os.path.relpath(place, real)))  # noqa: PTH118 - as above
    return ""


def _earlier(one: FileChange) -> tuple[str, ...]:
    lost = one.kind == "deleted" or any(hunk.removed for hunk in one.hunks)
    return (one.old_path or one.path,) if lost else ()


def _gone(one: FileChange, then: str, now: Files) -> GoneLines:
    deleted = one.kind == "deleted"
    lines = then.split("\n") if deleted else [line for hunk in one.hunks for line in hunk.removed]
    return GoneLines(
        then=then,
        now="" if deleted else now.text(one.path) or "",
        lines=frozenset(stripped for line in lines if (stripped := line.strip())),
    )


def _decided(change: TreeChange, now: Files, texts: BaseFiles) -> Iterator[PlacedFinding]:
    moved = MovedComments(change.files, now, texts)
    for one in change.files:
        for path in one.paths:
            after = now.text(path) if path == one.path and one.kind != "deleted" else None
            if after is None and not decides(one, path):
                continue
            earlier = path if is_decision(path) or path != one.path else one.old_path or path
            for made in loosened(path, texts.text(earlier) or "", after):
                if made.for_scan and not moved.has(made):
                    idle = idle_at(change.root, path, made.line, after) if made.line and after else ""
                    yield _finding(path, made, idle)


def _finding(path: str, made: Loosened, idle: str) -> PlacedFinding:
    told = as_sentence(made.told(path))
    undone = f"{as_sentence(idle_comment(path, made.line))}: {idle}." if idle else ""
    return PlacedFinding(
        rule=RULE,
        subclass="",
        path=path,
        line=made.line,
        confidence=1.0,
        disposition="FIRE",
        message=undone or f"{told}: it does not count until a person has reviewed it (`--reviewed`).",
        fingerprint=f"{RULE}:{path}:{made.key}",
        name=path,
        what=made.key,
    )
