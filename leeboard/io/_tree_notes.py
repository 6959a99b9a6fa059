"""What could not be looked at, in words."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from leeboard.io._tree_facts import Facts, Question
from leeboard.io._untracked import Untracked, shown
from leeboard.model.pattern import lazy
from leeboard.wire.git_output import Patched

_NAMED = 5
_CLOSED = lazy(r"could not open directory '([^']{1,4096})'")
_LOOKED_AT = 10_000


def notes_of(
    question: Question, facts: Facts, patched: tuple[Patched, ...], untracked: tuple[Untracked, ...]
) -> tuple[str, ...]:
    notes = [*_of_history(question, facts), *_of_index(question, facts), *_of_warnings(facts.warnings)]
    if dirty := [one.change.path for one in patched if one.dirty]:
        notes.append(f"changes inside of submodules that they did not commit are not looked at: {_named(dirty)}")
    if nested := [one.path for one in untracked if one.submodule]:
        notes.append(f"repositories of their own are not looked into: {_named(nested)}")
    if cut := [one.change.path for one in patched if one.section is None]:
        notes.append(f"too much changed to keep it all: the lines of {len(cut)} files are only counted: {_named(cut)}")
    if long := [one.path for one in untracked if one.cut and not one.note]:
        notes.append(f"too large to be kept, lines are only counted: {_named(long)}")
    return (*notes, *(one.note for one in untracked if one.note))


def unseen_in(question: Question, facts: Facts) -> tuple[str, ...]:
    """What is there, and nobody looked at: it may be anything. What a sparse checkout left out is not there."""
    if question.staged_only:
        return ()
    return (*facts.listing.unwatched, *_skipped_here(question, facts), *_closed(facts.warnings))


def _skipped_here(question: Question, facts: Facts) -> list[str]:
    root = Path(question.place.root)
    return [path for path in facts.listing.skipped[:_LOOKED_AT] if os.path.lexists(root / path)]


def _closed(words: str) -> Iterator[str]:
    """Folders git could not read."""
    for line in words.splitlines():
        found = _CLOSED.search(line)
        if found:
            yield found[1]


def _of_history(question: Question, facts: Facts) -> Iterator[str]:
    if facts.astray:
        yield f"HEAD does not contain the base {question.base[:12]} any more: what others did since may be among this"
    if question.place.shallow and question.base != question.head:
        yield "a shallow clone: commits since the base may be more than are counted"


def _of_index(question: Question, facts: Facts) -> Iterator[str]:
    listing = facts.listing
    if listing.unmerged:
        yield f"not merged yet: {_named(sorted(listing.unmerged))}"
    if listing.unwatched and not question.staged_only:
        yield f"marked assume-unchanged, so that git does not look at them: {_named(listing.unwatched)}"
    if listing.skipped and not question.staged_only:
        there = _skipped_here(question, facts)
        if there:
            yield f"marked skip-worktree, so that git does not look at them: {_named(there)}"
        if away := len(listing.skipped) - len(there):
            yield f"a sparse checkout: {away} files are not in the work tree"


def _of_warnings(words: str) -> Iterator[str]:
    for line in words.splitlines():
        if "could not open directory" in line:
            yield f"git {line.removeprefix('warning: ')}"
        elif "rename detection was skipped" in line:
            yield "too many files changed to find all renames: some are told as deleted and added"


def _named(paths: Sequence[str]) -> str:
    more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
    return ", ".join(map(shown, paths[:_NAMED])) + more
