"""What an agent has to know of the files it is about to write: said outside the score, refused under `enforce`.

That somebody else changed a file is no drift of the agent: it raises no escalation and costs nothing. What only has to
be known (it takes nothing from the score) is never refused.
"""

from __future__ import annotations

from functools import cached_property

from msgspec.structs import replace

from leeboard.code.wording import cut, element, on_one_line, untagged
from leeboard.judge.conclude import Conclusion
from leeboard.model.event import ToolProposed
from leeboard.model.fold import put_agent
from leeboard.model.known import Knowledge, Known
from leeboard.model.session import Session
from leeboard.model.shown import visible
from leeboard.model.verdict import Action, Finding, Moment
from leeboard.model.world import World
from leeboard.rule import code_attribute

ROOM = 4_000
_MOST = 4


class Notice:
    """Findings of the informing rules about one event, and what they make of its answer."""

    def __init__(self, world: World, moment: Moment, findings: tuple[Finding, ...]) -> None:
        self._world = world
        self._moment = moment
        self.findings = findings

    @cached_property
    def refuses(self) -> bool:
        return (
            self._world.policy.profile == "enforce"
            and isinstance(self._world.analysis.event, ToolProposed)
            and Action.DENY in self._moment.actions
            and any(finding.delta for finding in self.findings)
        )

    @cached_property
    def _can_be_said(self) -> bool:
        """Before a call words are only added to it: the client hands them on with its result."""
        reaches = self._moment.kind == "before_call" or Action.INJECT in self._moment.actions
        return self._world.policy.profile != "observe" and reaches

    def over(self, end: Conclusion) -> Conclusion:
        """The answer with the words in it; what is refused for another reason stays as it is."""
        plain = end.verdict
        if plain.action is Action.DENY:
            return end
        if not self.refuses and not self._can_be_said:
            return replace(end, verdict=replace(plain, action=max(plain.action, Action.LOG)))
        verdict = replace(
            plain,
            rules=tuple(dict.fromkeys((*plain.rules, *(one.rule for one in self.findings)))),
            paths=tuple(dict.fromkeys((*plain.paths, *(one.path[:300] for one in self.findings)))),
            trace=(*plain.trace, *(f"{one.rule}: {item.text}" for one in self.findings for item in one.evidence)),
        )
        if self.refuses:
            session = self._refused(replace(end.session, spoken=end.session.spoken + 1, denied=end.session.denied + 1))
            return replace(end, session=session, verdict=replace(verdict, action=Action.DENY, message=self._text()))
        briefing = "\n\n".join(filter(None, (plain.briefing, self._text())))
        verdict = replace(verdict, action=Action.INJECT, briefing=briefing)
        return replace(end, session=replace(end.session, spoken=end.session.spoken + 1), verdict=verdict)

    def _refused(self, session: Session) -> Session:
        """A call that does not run changes nothing: no change of a file is put down to it."""
        event, agent = self._world.analysis.event, session.agent(self._agent)
        own = event.call.id if isinstance(event, ToolProposed) else ""
        calls = tuple(replace(one, modifies=(), unsure=False) if one.id == own else one for one in agent.open_calls)
        return put_agent(session, replace(agent, open_calls=calls))

    def told(self, end: Conclusion, knowledge: Knowledge, learned: tuple[Known, ...] = ()) -> tuple[Known, ...]:
        """What the agent knows once it has heard it, beside what it has learnt from the call itself."""
        words = self._text()
        if words != end.verdict.message and words not in end.verdict.briefing:
            return ()
        new = {row.path: row for row in learned if row.agent == self._agent}
        named = self.findings[:_MOST]  # what was only counted is still to be named
        rows = ((one, new.get(one.path) or knowledge.known(self._agent, one.path)) for one in named)
        return tuple(replace(row, told=finding.subject.rpartition("@")[2]) for finding, row in rows if row)

    @property
    def _agent(self) -> str:
        return self._world.analysis.event.agent

    def _text(self) -> str:
        named = self.findings[:_MOST]
        told = [cut(_message(finding), ROOM // len(named)) for finding in named]
        more = [f"And {len(self.findings) - _MOST} more."] if len(self.findings) > _MOST else []
        then = [f"Next: {_safe(step)}." for step in dict.fromkeys(one.remedy for one in self.findings)]
        body = "\n".join((*told, *more))
        codes = code_attribute(one.rule for one in named)
        return element(f"{body}\n{' '.join(then)}", {"rule": self.findings[0].rule, **codes})


def _safe(text: str) -> str:
    """It can not end our own tag."""
    return visible(untagged(text))


def _message(finding: Finding) -> str:
    named = finding.message
    return _safe(named.replace(finding.path, on_one_line(finding.path)) if finding.path else named)
