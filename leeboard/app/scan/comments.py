"""Comments in a file that let findings stand: those that count, and those that let nothing stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from leeboard.app.scan.judged_text import judged_text, rules_for, scan_key
from leeboard.app.scan.kept import KeptText
from leeboard.app.scan.target import Target
from leeboard.app.scan.work import Before, Terms, Work
from leeboard.io.git.tree_files import DiskFiles
from leeboard.model.lookup import Tree
from leeboard.rule import with_code

if TYPE_CHECKING:
    from leeboard.settings.decisions.suppression import Suppression

_MARK_WORD = "leeboard:"
_NAMED = 3


def comments_that_count(target: Target, text: str, before: Before | None) -> tuple[Suppression, ...]:
    """What a change itself lets stand, nobody has let stand: of its comments those count that were there before it."""
    if _MARK_WORD not in text:
        return ()
    from leeboard.settings.decisions.suppression import suppressions_in  # noqa: PLC0415 - hardly a file has one

    found = suppressions_in(text, target.name)
    if before is None or before.reviewed:
        return found
    left = Counter(one.said for one in suppressions_in(before.text, target.name))
    return tuple(one for one in found if one.problem or _taken(left, one.said))


def _taken(left: Counter[tuple[tuple[str, ...], str]], said: tuple[tuple[str, ...], str]) -> bool:
    left[said] -= 1
    return left[said] >= 0


def remarks_on(comments: tuple[Suppression, ...], judged: KeptText, work: Work) -> Iterator[str]:
    """What is wrong with each comment. Where only a change was judged, nobody knows what the others let stand."""
    target, terms, before = work
    for one in comments:
        told = one.problem or (idle_reason(one, judged, terms) if before is None else "")
        if told:
            yield f"{target.shown}:{one.line}: {told}"


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
