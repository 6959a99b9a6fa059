"""What a workflow on disk does not let pass: refused in its own words, with the next step, and outside the score.

A wrong move inside a workflow is no drift from what the user asked: it raises no escalation, and repeating it leads to
no other answer.
"""

from __future__ import annotations

from functools import cached_property

from msgspec.structs import replace

from leeboard.code.wording import cut, element, untagged
from leeboard.judge.conclude import Conclusion
from leeboard.judge.delivery import enqueue, was_said
from leeboard.model.digest import digest
from leeboard.model.event import FilesChanged, ToolProposed
from leeboard.model.fold import put_agent
from leeboard.model.outcome import Offer
from leeboard.model.session import Session
from leeboard.model.stop import StopProposed
from leeboard.model.verdict import Action, Correction, Finding, Moment, Verdict
from leeboard.model.world import World
from leeboard.rule import code_attribute, permit_of

ROOM = 1_800
"""Characters of a refusal: the end of a failing gate's output has to fit in."""
_MOST = 4
_SHORT = 100


class Guard:
    """Findings of the guarding rules about one event, and what they make of its answer."""

    def __init__(self, world: World, moment: Moment, findings: tuple[Finding, ...]) -> None:
        self._world = world
        self._moment = moment
        self.findings = findings

    @cached_property
    def refuses(self) -> bool:
        """Whether this moment lets the policy refuse it."""
        event = self._world.analysis.event
        if self._world.policy.profile == "observe":
            return False
        return isinstance(event, StopProposed) or (
            isinstance(event, ToolProposed) and Action.DENY in self._moment.actions
        )

    def over(self, end: Conclusion) -> Conclusion:
        """The answer with the refusal in it; what was refused for a worse reason stays so."""
        if not self.refuses:
            return self._noted(end)
        if end.verdict.action is Action.DENY:
            return end
        stops = isinstance(self._world.analysis.event, StopProposed)
        verdict = self._verdict(end.verdict, Action.INJECT if stops else Action.DENY)
        return replace(end, session=_counted(end.session, denied=not stops), verdict=verdict)

    def _verdict(self, plain: Verdict, action: Action) -> Verdict:
        return replace(
            plain,
            action=action,
            rules=self._rules,
            paths=self._subjects,
            message=self._text(),
            trace=(*plain.trace, *(f"{one.rule}: {one.evidence[0].text}" for one in self.findings)),
        )

    def _noted(self, end: Conclusion) -> Conclusion:
        """On record; and where it has happened already, said at the next pause."""
        event = self._world.analysis.event
        verdict = replace(end.verdict, action=max(end.verdict.action, Action.LOG))
        if self._world.policy.profile == "observe" or not isinstance(event, FilesChanged):
            return replace(end, verdict=verdict)
        words, agent = self._correction(end.session), end.session.agent(event.agent)
        if was_said(agent, words):
            return replace(end, verdict=verdict)
        session = put_agent(end.session, enqueue(agent, words))
        return replace(end, session=session, verdict=verdict, offers=(*end.offers, Offer(words, "waiting")))

    def _correction(self, session: Session) -> Correction:
        event = self._world.analysis.event
        return Correction(
            id="c" + digest("\x1f".join((session.id, *(one.fingerprint for one in self.findings))), 5),
            agent=event.agent,
            turn=session.agent(event.agent).turn,
            level="correct",
            score=0,
            text=self._text(),
            rules=self._rules,
            paths=self._subjects,
        )

    @property
    def _rules(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(finding.rule for finding in self.findings))

    @property
    def _subjects(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(finding.subject[:300] for finding in self.findings))

    def _text(self) -> str:
        told = [finding.message or finding.evidence[0].text for finding in self.findings]
        shown = [untagged(text) for text in dict.fromkeys(told)]
        more = [f"And {len(shown) - _MOST} more."] if len(shown) > _MOST else []
        then = [f"Next: {untagged(step)}" for step in dict.fromkeys(one.remedy for one in self.findings if one.remedy)]
        body = "\n".join((*shown[:_MOST], *more, *then[:2]))
        if self._may_be_allowed:
            body = f"{body}\n{_allow(self.findings[0])}"
        return element(cut(body, ROOM), {"rule": self._rules[0], **code_attribute(self._rules)})

    @property
    def _may_be_allowed(self) -> bool:
        return permit_of(self.findings[0].rule) == "allow" and isinstance(self._world.analysis.event, ToolProposed)


def _allow(finding: Finding) -> str:
    from shlex import quote  # noqa: PLC0415 - only once something is denied

    place = quote(cut(untagged(finding.subject), _SHORT))
    return f"If the user wants this, they run `leeboard allow {finding.rule} --path {place} --reason ...` themselves."


def _counted(session: Session, *, denied: bool) -> Session:
    return replace(session, spoken=session.spoken + 1, denied=session.denied + denied)
