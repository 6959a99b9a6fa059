"""What is found outside the score: by rules that guard a workflow, and by rules that tell of others' changes.

It is no drift from what the user asked: it is kept from the score, and has its say over the answer that the score gave.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from leeboard.judge.assess import standing
from leeboard.judge.conclude import Conclusion
from leeboard.model.known import Knowledge, Known
from leeboard.model.verdict import Finding, Moment
from leeboard.model.world import World
from leeboard.rule import LoadedRule

if TYPE_CHECKING:
    from leeboard.judge.guard import Guard
    from leeboard.judge.notice import Notice


class Aside:
    """Findings outside the score about one event, and what they make of its answer."""

    def __init__(self, guard: Guard | None, notice: Notice | None) -> None:
        self._guard = guard
        self._notice = notice

    @property
    def refuses(self) -> bool:
        return bool((self._guard and self._guard.refuses) or (self._notice and self._notice.refuses))

    @property
    def findings(self) -> tuple[Finding, ...]:
        return (*(self._guard.findings if self._guard else ()), *(self._notice.findings if self._notice else ()))

    def over(self, end: Conclusion) -> Conclusion:
        """The answer with all of it said: a refusal first, so that words are not added to what is refused."""
        end = self._guard.over(end) if self._guard else end
        return self._notice.over(end) if self._notice else end

    def told(self, end: Conclusion, knowledge: Knowledge, learned: tuple[Known, ...]) -> tuple[Known, ...]:
        """What the agent knows once it has heard the answer."""
        return self._notice.told(end, knowledge, learned) if self._notice else ()


def set_aside(
    world: World, moment: Moment, rules: tuple[LoadedRule, ...], found: tuple[Finding, ...]
) -> tuple[Aside | None, tuple[Finding, ...]]:
    """What was found outside the score, and what the other rules found."""
    guard, found = _guard_over(world, moment, rules, found)
    notice, found = _notice_over(world, moment, rules, found)
    return Aside(guard, notice) if guard or notice else None, found


def _guard_over(
    world: World, moment: Moment, rules: tuple[LoadedRule, ...], found: tuple[Finding, ...]
) -> tuple[Guard | None, tuple[Finding, ...]]:
    """What the rules that guard a workflow found, and what the others did."""
    if not world.plan_root:
        return None, found
    guards = {loaded.id for loaded in rules if loaded.channel == "guard"}
    guarded = standing(tuple(finding for finding in found if finding.rule in guards), world.allowances)
    rest = tuple(finding for finding in found if finding.rule not in guards)
    if not guarded:
        return None, rest
    from leeboard.judge.guard import Guard  # noqa: PLC0415 - only where a workflow lives on disk and is broken

    return Guard(world=world, moment=moment, findings=guarded), rest


def _notice_over(
    world: World, moment: Moment, rules: tuple[LoadedRule, ...], found: tuple[Finding, ...]
) -> tuple[Notice | None, tuple[Finding, ...]]:
    """What the rules that tell of others' changes found, and what the others did."""
    informing = {loaded.id for loaded in rules if loaded.channel == "inform"}
    rest = tuple(finding for finding in found if finding.rule not in informing)
    if len(rest) == len(found):
        return None, found
    told = standing(tuple(finding for finding in found if finding.rule in informing), world.allowances)
    if not told:
        return None, rest
    from leeboard.judge.notice import Notice  # noqa: PLC0415 - only where somebody else changed something

    return Notice(world=world, moment=moment, findings=told), rest
