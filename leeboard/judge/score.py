"""Findings to one score. The order of findings never matters, and one more never makes it milder.

The score of a path is ten less what its findings take, each thing counted once; the action has the score of its worst
path, under every cap.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable

from leeboard.model.verdict import LEVELS, Confidence, Finding, Level

LOW_CONFIDENCE_FLOOR = 5


def score_of(findings: Iterable[Finding], confidence: Confidence) -> int:
    """1 to 10. With low confidence only an explicit cap takes it below the floor."""
    by_subject: dict[str, int] = defaultdict(lambda: 10)
    strongest: dict[tuple[str, str], int] = {}
    cap = 10
    for finding in findings:
        same = (finding.rule, finding.subject)
        strongest[same] = min(strongest.get(same, 0), finding.delta)
        cap = min(cap, finding.cap)
    for (_rule, subject), delta in strongest.items():
        by_subject[subject] += delta
    worst = min(by_subject.values(), default=10)
    if confidence == "low":
        worst = max(worst, LOW_CONFIDENCE_FLOOR)
    return max(1, min(worst, cap))


def ratio_score(inside: int, outside: int) -> int:
    """Score of a batch of actions from the share that stayed inside: what a check at the next prompt sees at once."""
    if outside == 0:
        return 10
    if inside == 0:
        return max(1, 4 - outside)
    share = inside / (inside + outside)
    return max(1, math.floor(2 + 8 * share + 0.5) - outside)


def level_of(score: int) -> Level:
    """The seed's table: 8-10 none, 7 nudge, 5-6 correct, 3-4 intervene, 1-2 halt."""
    if score >= 8:
        return "none"
    if score == 7:
        return "nudge"
    if score >= 5:
        return "correct"
    return "intervene" if score >= 3 else "halt"


def raised(level: Level, steps: int) -> Level:
    """The level so many steps louder, at most halt; none stays none."""
    return level if level == "none" else LEVELS[min(LEVELS.index(level) + steps, len(LEVELS) - 1)]


def louder(one: Level, other: Level) -> Level:
    return max(one, other, key=LEVELS.index)
