"""What differs between a commit and the work tree as it is now: committed since, staged, unstaged and untracked.

Whatever keeps it from being seen is an EffectError with git's words and the next step, never an empty change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256

from leeboard.io._base_commit import EMPTY_TREES, base_for, empty_tree, landed_since, resolve
from leeboard.io._base_texts import BaseTexts
from leeboard.io._change_list import changes_of, digest_entries
from leeboard.io._second_look import Attributes, filtered, hides_text, look_again, read_attributes
from leeboard.io._tree_facts import Facts, Question, gather
from leeboard.io._tree_notes import notes_of, unseen_in
from leeboard.io.git_place import find, head_at, head_of
from leeboard.model.glob import matches
from leeboard.model.pattern import lazy
from leeboard.model.tree import TreeChange
from leeboard.wire.git_output import Patched, RawChange, Side

__all__ = ["EMPTY_TREES", "BaseTexts", "base_for", "before_any_commit", "collect", "head_of", "landed_since"]

SECONDS = 60.0
OWN_FOLDERS = frozenset({".workgraph", ".wg", ".git", ".leeboard"})
"""At the root: where tasks and tools keep their own state."""
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
    seconds: float = SECONDS,
) -> TreeChange:
    """Against `base`, or HEAD without one. With `staged_only` what is in the index, and not the files."""
    question = _question(root, base, staged_only=staged_only, seconds=seconds)

    def left_out(path: str) -> bool:
        first, inside, _ = path.partition("/")
        return bool(inside and first in OWN_FOLDERS) or bool(exclude and matches(path.rstrip("/"), exclude))

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
    """Of a rename between what is looked at and what is left out: a file that came or went, its lines not known yet."""
    change = one.change
    if not change.old_path or left_out(change.path) == left_out(change.old_path):
        return None
    if left_out(change.path):
        return Patched(RawChange(change.old_path, "D", change.old, Side()))
    return Patched(RawChange(change.path, "A", Side(), one.new))


def _digest(facts: Facts, entries: Iterable[tuple[str, Side]]) -> str:
    """Over what each path holds, and not over how git tells it: committing the same content changes nothing."""
    digest = sha256(facts.tree.encode())
    for path, side in sorted(entries):
        digest.update(f"\0{path}\0{side.mode} {side.blob}".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()
