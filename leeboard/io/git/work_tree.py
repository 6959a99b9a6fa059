"""What differs between a commit and the work tree as it is now: committed since, staged, unstaged and untracked.

Whatever keeps it from being seen is an EffectError with git's words and the next step, never an empty change.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from leeboard.io.git.changes import (
    Attributes,
    changes_of,
    digest_entries,
    filtered,
    hides_text,
    look_again,
    read_attributes,
)
from leeboard.io.git.comparison import (
    EMPTY_TREES,
    BaseTexts,
    DiffFacts,
    Question,
    base_for,
    empty_tree,
    gather,
    landed_since,
    parted_from,
    resolve,
)
from leeboard.io.git.output import Patched, RawChange, Side
from leeboard.io.git.place import find, head_at, head_of
from leeboard.io.git.untracked import Untracked, shown
from leeboard.model.own_rule import RULES_FOLDER
from leeboard.model.text import lazy, matches
from leeboard.model.touch import TreeChange

__all__ = [
    "EMPTY_TREES",
    "BaseTexts",
    "base_for",
    "before_any_commit",
    "collect",
    "head_of",
    "landed_since",
    "parted_from",
]

SECONDS = 60.0
OWN_FOLDERS = frozenset({".workgraph", ".wg", ".git", ".leeboard"})
"""At the root: where tasks and tools keep their own state. Rules that a project's people wrote are none of that."""
_ID = lazy(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


def before_any_commit(root: str) -> str:
    """What stands for the base where there is no commit yet: git's empty tree."""
    return empty_tree(find(root))


def collect(
    root: str,
    base: str = "",
    *,
    staged_only: bool = False,
    exclude: tuple[str, ...] = (),
    own_too: bool = False,
    seconds: float = SECONDS,
) -> TreeChange:
    """Against `base`, or HEAD without one. With `staged_only` what is in the index, and not the files. `own_too`: what
    lies where tasks keep their state is no part of what the work promised, but it is code like any other.
    """
    question = _question(root, base, staged_only=staged_only, seconds=seconds)

    def left_out(path: str) -> bool:
        first, inside, _ = path.partition("/")
        own = bool(inside and first in OWN_FOLDERS and not own_too) and not path.startswith(f"{RULES_FOLDER}/")
        return own or bool(exclude and matches(path.rstrip("/"), exclude))

    facts = gather(question, left_out=left_out)
    attributes = read_attributes(question, facts.listing)
    patched = _visible(question, facts.patched, attributes, left_out)
    untracked = filtered(question, facts.untracked, attributes)
    files = changes_of(question, facts, patched, untracked, made=attributes.made)
    return TreeChange(
        root=question.place.root,
        files=files,
        base=question.base,
        head=question.head,
        commits=facts.commits,
        digest=_digest(facts, digest_entries(question, patched, untracked).items()),
        unseen=unseen_in(question, facts),
        notes=notes_of(question, facts, patched, untracked),
    )


def _question(root: str, base: str, *, staged_only: bool, seconds: float) -> Question:
    place = find(root)
    head = head_at(place)
    if base and not _ID.fullmatch(base):
        base = resolve(place, base)
    base = base or head
    compared = base or empty_tree(place)
    return Question(place=place, base=base, head=head, compared=compared, staged_only=staged_only, seconds=seconds)


def _visible(
    question: Question, patched: tuple[Patched, ...], attributes: Attributes, left_out: Callable[[str], bool]
) -> tuple[Patched, ...]:
    """Without what is left out. What one diff could not say of the rest is asked for again."""
    kept = [one for one in patched if not any(left_out(path) for path in _names(one))]
    halves = [half for one in patched if (half := _visible_half(one, left_out))]
    hidden = [one.change.path for one in kept if hides_text(question, one, attributes)]
    again = look_again(question, (*hidden, *(half.change.path for half in halves)))
    better = {one.change.path: one for one in again}
    return tuple(better.get(one.change.path, one) for one in (*kept, *halves))


def _names(one: Patched) -> tuple[str, ...]:
    return (one.change.old_path, one.change.path) if one.change.old_path else (one.change.path,)


def _visible_half(one: Patched, left_out: Callable[[str], bool]) -> Patched | None:
    """A rename between what is looked at and what is left out is a file that came or went, its lines unknown yet."""
    change = one.change
    if not change.old_path or left_out(change.path) == left_out(change.old_path):
        return None
    if left_out(change.path):
        return Patched(RawChange(change.old_path, "D", change.old, Side()))
    return Patched(RawChange(change.path, "A", Side(), one.new))


def _digest(facts: DiffFacts, entries: Iterable[tuple[str, Side]]) -> str:
    """Over what each path holds, and not over how git tells it: committing the same content changes nothing."""
    digest = sha256(facts.tree.encode())
    for path, side in sorted(entries):
        digest.update(f"\0{path}\0{side.mode} {side.blob}".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


# What could not be looked at, in words.


_NAMED = 5
_CLOSED = lazy(r"could not open directory '([^']{1,4096})'")
_LOOKED_AT = 10_000


def notes_of(
    question: Question, facts: DiffFacts, patched: tuple[Patched, ...], untracked: tuple[Untracked, ...]
) -> tuple[str, ...]:
    notes = [*_of_history(question, facts), *_of_index(question, facts), *_of_warnings(facts.warnings)]
    if dirty := [one.change.path for one in patched if one.dirty]:
        notes.append(f"uncommitted changes inside submodules are not looked at: {_named(dirty)}")
    if nested := [one.path for one in untracked if one.submodule]:
        notes.append(f"nested repositories are not looked into: {_named(nested)}")
    if cut := [one.change.path for one in patched if one.section is None]:
        notes.append(f"too much changed to keep it all: the lines of {len(cut)} files are only counted: {_named(cut)}")
    if long := [one.path for one in untracked if one.cut and not one.note]:
        notes.append(f"too large to be kept, lines are only counted: {_named(long)}")
    return (*notes, *(one.note for one in untracked if one.note))


def unseen_in(question: Question, facts: DiffFacts) -> tuple[str, ...]:
    """What is there, and nobody looked at: it may be anything. What a sparse checkout left out is not there."""
    if question.staged_only:
        return ()
    return (*facts.listing.unwatched, *_skipped_here(question, facts), *_closed(facts.warnings))


def _skipped_here(question: Question, facts: DiffFacts) -> list[str]:
    root = Path(question.place.root)
    return [path for path in facts.listing.skipped[:_LOOKED_AT] if os.path.lexists(root / path)]


def _closed(words: str) -> Iterator[str]:
    """Folders git could not read."""
    for line in words.splitlines():
        found = _CLOSED.search(line)
        if found:
            yield found[1]


def _of_history(question: Question, facts: DiffFacts) -> Iterator[str]:
    if facts.astray:
        yield f"HEAD no longer contains the base {question.base[:12]}: this may include what others did since"
    if question.place.shallow and question.base != question.head:
        yield "a shallow clone: commits since the base may be more than are counted"


def _of_index(question: Question, facts: DiffFacts) -> Iterator[str]:
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
