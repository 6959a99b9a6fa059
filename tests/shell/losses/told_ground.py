"""A work tree that is told: two files of the user's in it are in no commit."""

from __future__ import annotations

from leeboard.model.lookup import NO_FILES
from leeboard.shell.losses.loss import LossGround
from leeboard.testing.unsaved_lines import ToldUnsaved, told_unsaved


def told_ground(*, read: bool = False, lists: dict[str, tuple[str, ...]] | None = None, made: str = "") -> LossGround:
    """`lists` are files that name others; `made` is a file of the session's own."""
    unsaved = told_unsaved(("unsaved notes.md", "unsaved drafts/one.md"))
    assert isinstance(unsaved, ToldUnsaved)
    unsaved.names.update(lists or {})
    return LossGround(
        root="/repo",
        cwd="/repo",
        unsaved=unsaved,
        files=NO_FILES,
        is_own=lambda _: False,
        made=lambda path: bool(made) and path == made,
        has_read=lambda _: read,
    )
