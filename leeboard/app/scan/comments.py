"""Comments in a file that let findings stand: those that count, and those that let nothing stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from leeboard.app.scan.judged_text import judged_text, rules_for, scan_key
from leeboard.app.scan.kept import KeptText
from leeboard.app.scan.target import Target
from leeboard.app.scan.work import Before, Terms, Work
from leeboard.io.git.tree_files import DiskFiles
from leeboard.model.lookup import Tree
from leeboard.rule import with_code

if TYPE_CHECKING:
    from leeboard.settings.decisions.suppression import Said, Suppression

_MARK_WORD = "leeboard:"
_NAMED = 3


def comments_that_count(target: Target, text: str, before: Before | None) -> tuple[Suppression, ...]:
    """What a change itself lets stand, nobody has let stand: of its comments those count that were there before it, for
    the lines they stood at.
    """
    if _MARK_WORD not in text:
        return ()
    from leeboard.settings.decisions.suppression import suppressions_in  # noqa: PLC0415 - hardly a file has one

    found = suppressions_in(text, target.name)
    if before is None or before.reviewed:
        return found
    left: dict[Said, list[frozenset[str]]] = {}
    for one in suppressions_in(before.text, target.name):
        left.setdefault(one.said, []).append(frozenset(_covered(one, before.text).values()))
    return tuple(one if one.problem else _as_before(one, text, left) for one in found)


def _covered(comment: Suppression, text: str) -> dict[int, str]:
    """The lines that it lets stand, by their numbers."""
    lines = text.split("\n")
    return {line: lines[line - 1].strip() for line in comment.covers if line <= len(lines)}


def _as_before(comment: Suppression, text: str, left: dict[Said, list[frozenset[str]]]) -> Suppression:
    """It lets those of its lines stand that an equal one stood at before."""
    mine = _covered(comment, text)
    stood = max(left.get(comment.said, ()), key=lambda lines: len(lines.intersection(mine.values())), default=None)
    if stood is None:
        return replace(comment, covers=())
    left[comment.said].remove(stood)
    return replace(comment, covers=tuple(line for line, words in mine.items() if words in stood))


def remarks_on(text: str, comments: tuple[Suppression, ...], judged: KeptText, work: Work) -> Iterator[str]:
    """What is wrong with each comment. Where only a change was judged, nobody knows what the older ones let stand; the
    new ones are findings of it, until a person has reviewed them.
    """
    target, terms, before = work
    new = _brought(comments, target, before) if before is not None and before.reviewed else ()
    for one in comments:
        told = one.problem or (idle_reason(one, judged, terms) if before is None else "")
        if told or (one in new and (told := _idle_in_change(text, one, judged, target))):
            yield f"{target.shown}:{one.line}: {told}"


def _brought(comments: tuple[Suppression, ...], target: Target, before: Before) -> tuple[Suppression, ...]:
    from leeboard.settings.decisions.suppression import suppressions_in  # noqa: PLC0415 - as above

    had = Counter(one.said for one in suppressions_in(before.text, target.name) if comments)
    return tuple(one for one in comments if not one.problem and not _is_counted_off(had, one.said))


def _is_counted_off(had: Counter[Said], said: Said) -> bool:
    had[said] -= 1
    return had[said] >= 0


def _idle_in_change(text: str, comment: Suppression, judged: KeptText, target: Target) -> str:
    if any(one.rule in comment.rules and one.line in comment.covers for one in judged.findings):
        return ""
    return idle_at(target.root, target.name, comment.line, text)


def idle_reason(comment: Suppression, judged: KeptText, terms: Terms) -> str:
    """Why a comment lets nothing stand, though it says all it has to; empty where it does, or nobody can tell."""
    asked = {rule.id for rule in rules_for(terms.disabled, terms.indexed)}
    meant = [finding for finding in judged.findings if finding.rule in comment.rules]
    if judged.unread or not asked.issuperset(comment.rules) or any(one.line in comment.covers for one in meant):
        return ""
    lines = sorted({one.line for one in meant})[:_NAMED]
    if lines == [0]:
        return f"{with_code(meant[0].rule)} is told of the file as a whole, which no comment in it lets stand"
    found = f" (here: line {' or '.join(map(str, lines))})" if lines else ""
    rules = " or ".join(map(with_code, comment.rules))
    there = f"there is no {rules} on line {comment.covers[-1]}"
    return f"{there}; it has to stand on a finding's line or right above it{found}"


def idle_at(root: str, name: str, line: int, text: str) -> str:
    """Why the comment on this line of a whole file lets nothing stand; empty where it lets something."""
    from leeboard.settings.decisions.suppression import suppressions_in  # noqa: PLC0415 - as above

    judged = judged_text(text, (Target(name, root, name), Terms(), None), Tree(DiskFiles(root)), scan_key())
    meant = next((one for one in suppressions_in(text, name) if one.line == line and not one.problem), None)
    return idle_reason(meant, judged, Terms()) if meant is not None else ""
