"""What a stage changed since it began, as git shows it. The plan's own records are left out."""

from __future__ import annotations

import msgspec

from leeboard.io.plan import layout
from leeboard.io.plan.repository import Repository
from leeboard.model.plan import StageState

MOST_LINES = 500
_SHOWN = ("--no-color", "--no-ext-diff", "--no-textconv", "--find-renames")
_RECORDS = ("units", "feedback", "reviews", "produced", "baseline-content", "drift-assessments")


class StageDiff(msgspec.Struct, frozen=True, kw_only=True):
    base: str = ""
    """The commit it is compared with; empty: nothing can be compared."""
    files: tuple[tuple[str, int, int], ...] = ()
    """Path, lines that came and lines that went; below zero: not text."""
    lines: tuple[str, ...] = ()
    left_out: int = 0
    """Lines of it that are not here."""
    records: int = 0
    """Files of the plan itself that changed too."""


def stage_diff(home: str, slug: str, state: StageState, most: int = MOST_LINES) -> StageDiff:
    """From where the stage first began to the files as they are."""
    place = layout.place_of(home)
    repository = Repository(place) if place else None
    base = _began(repository, slug, state) if repository else ""
    if repository is None or not base:
        return StageDiff()
    patch = _said(repository, slug, "diff", *_SHOWN, base).splitlines()
    counted = _said(repository, slug, "diff", "--numstat", "-z", "--no-renames", base)
    every = repository.run("diff", "--name-only", "-z", "--no-renames", base).count(b"\0")
    files = tuple(_count(line) for line in counted.split("\0") if line.count("\t") >= 2)
    return StageDiff(
        base=base,
        files=files,
        lines=tuple(patch[:most]),
        left_out=max(0, len(patch) - most),
        records=every - len(files),
    )


def _began(repository: Repository, slug: str, state: StageState) -> str:
    """The commit that began the stage; where the plan is not committed, the last one before its first visit."""
    hub = layout.hub(slug)
    if not repository.has_branch(hub):
        return ""
    path = f"{layout.HOME}/{layout.state_file(slug, state.stage)}"
    added = repository.said("log", "-1", "--diff-filter=A", "--format=%H", hub, "--", path)
    if added or not state.started_at:
        return added
    return repository.said("rev-list", "-1", "--first-parent", f"--before={state.started_at}", hub)


def _said(repository: Repository, slug: str, *arguments: str) -> str:
    top = layout.commit_path(slug)
    records = [f"{top}/*", f"{top}/stages/*/*"]
    records += [f"{top}/{where}{name}/**" for where in ("", "stages/*/") for name in _RECORDS]
    excluded = [f":(top,exclude,glob){each}" for each in records]
    printed = repository.run(*arguments, "--", ":(top)", *excluded, settings={"GIT_LITERAL_PATHSPECS": "0"})
    return printed.decode("utf-8", "replace")


def _count(line: str) -> tuple[str, int, int]:
    more, fewer, path = line.split("\t", 2)
    return path, int(more) if more.isdigit() else -1, int(fewer) if fewer.isdigit() else -1
