"""What is found outside the score: by rules that guard a workflow, and by rules that tell of others' changes.

It is no drift from what the user asked: it is kept from the score, and has its say over the answer that the score gave.
"""

from __future__ import annotations

from functools import cached_property

from msgspec.structs import replace

from leeboard.judge.conclude import Conclusion, enqueue, was_said
from leeboard.judge.score import standing
from leeboard.model.event import FilesChanged, ToolProposed
from leeboard.model.fold import put_agent
from leeboard.model.known import Knowledge, Known
from leeboard.model.outcome import Offer
from leeboard.model.session import Session
from leeboard.model.text import digest, visible
from leeboard.model.unit import StopProposed
from leeboard.model.verdict import Action, Correction, Finding, Moment, Verdict
from leeboard.model.world import World
from leeboard.rule import LoadedRule, code_attribute, permit_of
from leeboard.text.words import cut, element, on_one_line, untagged


class Aside:
    """Findings outside the score about one event, and what they make of its answer."""

    def __init__(self, guard: GuardFindings | None, notice: NoticeFindings | None) -> None:
        self._guard = guard
        self._notice = notice

    @property
    def refuses(self) -> bool:
        return bool((self._guard and self._guard.refuses) or (self._notice and self._notice.refuses))

    @property
    def findings(self) -> tuple[Finding, ...]:
        return (*(self._guard.findings if self._guard else ()), *(self._notice.findings if self._notice else ()))

    def over(self, end: Conclusion) -> Conclusion:
        """The answer with all of it said; what a workflow does not let pass is refused in its own words alone."""
        end = self._guard.over(end) if self._guard else end
        if self._notice is None or (self._guard and self._guard.refuses):
            return end
        return self._notice.over(end)

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
) -> tuple[GuardFindings | None, tuple[Finding, ...]]:
    """What the rules that guard a workflow found, and what the others did."""
    if not world.plan_root:
        return None, found
    guards = {loaded.id for loaded in rules if loaded.channel == "guard"}
    guarded = standing(tuple(finding for finding in found if finding.rule in guards), world.allowances)
    rest = tuple(finding for finding in found if finding.rule not in guards)
    if not guarded:
        return None, rest

    return GuardFindings(world=world, moment=moment, findings=guarded), rest


def _notice_over(
    world: World, moment: Moment, rules: tuple[LoadedRule, ...], found: tuple[Finding, ...]
) -> tuple[NoticeFindings | None, tuple[Finding, ...]]:
    """What the rules that tell of others' changes found, and what the others did."""
    informing = {loaded.id for loaded in rules if loaded.channel == "inform"}
    rest = tuple(finding for finding in found if finding.rule not in informing)
    if len(rest) == len(found):
        return None, found
    told = standing(tuple(finding for finding in found if finding.rule in informing), world.allowances)
    if not told:
        return None, rest

    return NoticeFindings(world=world, moment=moment, findings=told), rest


# What a workflow on disk does not let pass: refused in its own words, with the next step, and outside the score.
#
# A wrong move inside a workflow is no drift from what the user asked: it raises no escalation, and repeating it leads
# to no other answer.


ROOM = 1_800
"""Characters of a refusal: the end of a failing gate's output has to fit in."""
_MOST = 4


class GuardFindings:
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
            message=self._text(plain.id),
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
        own = "c" + digest("\x1f".join((session.id, *(one.fingerprint for one in self.findings))), 5)
        return Correction(
            id=own,
            agent=event.agent,
            turn=session.agent(event.agent).turn,
            level="correct",
            score=0,
            text=self._text(own),
            rules=self._rules,
            paths=self._subjects,
        )

    @property
    def _rules(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(finding.rule for finding in self.findings))

    @property
    def _subjects(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(finding.subject[:300] for finding in self.findings))

    def _text(self, id_: str) -> str:
        told = [finding.message or finding.evidence[0].text for finding in self.findings]
        shown = [untagged(text) for text in dict.fromkeys(told)]
        more = [f"And {len(shown) - _MOST} more."] if len(shown) > _MOST else []
        then = [f"Next: {untagged(step)}" for step in dict.fromkeys(one.remedy for one in self.findings if one.remedy)]
        body = "\n".join((*shown[:_MOST], *more, *then[:2]))
        if self._may_be_allowed:
            body = f"{body}\nIf the user wants this, they can run `leeboard allow {id_} --reason ...` themselves."
        return element(cut(body, ROOM), {"rule": self._rules[0], **code_attribute(self._rules)})

    @property
    def _may_be_allowed(self) -> bool:
        return permit_of(self.findings[0].rule) == "allow" and isinstance(self._world.analysis.event, ToolProposed)


def _counted(session: Session, *, denied: bool) -> Session:
    return replace(session, spoken=session.spoken + 1, denied=session.denied + denied)


# What an agent has to know of the files it is about to write: said outside the score, refused under `enforce`.
#
# That somebody else changed a file is no drift of the agent: it raises no escalation and costs nothing. What only has
# to be known (it takes nothing from the score) is never refused.


NOTICE_ROOM = 4_000
_MOST_NOTICES = 4


class NoticeFindings:
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
        """The answer with the words in it; they go along with what is refused for another reason."""
        plain = end.verdict
        if not self.refuses and not self._can_be_said:
            return replace(end, verdict=replace(plain, action=max(plain.action, Action.LOG)))
        verdict = replace(
            plain,
            rules=tuple(dict.fromkeys((*plain.rules, *(one.rule for one in self.findings)))),
            paths=tuple(dict.fromkeys((*plain.paths, *(one.path[:300] for one in self.findings)))),
            trace=(*plain.trace, *(f"{one.rule}: {item.text}" for one in self.findings for item in one.evidence)),
        )
        if plain.action is Action.DENY:
            message = "\n\n".join(filter(None, (plain.message, self._text())))
            return replace(end, session=self._refused(end.session), verdict=replace(verdict, message=message))
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
        if words not in end.verdict.message and words not in end.verdict.briefing:
            return ()
        new = {row.path: row for row in learned if row.agent == self._agent}
        named = self.findings[:_MOST_NOTICES]  # what was only counted is still to be named
        rows = ((one, new.get(one.path) or knowledge.known(self._agent, one.path)) for one in named)
        return tuple(replace(row, told=finding.subject.rpartition("@")[2]) for finding, row in rows if row)

    @property
    def _agent(self) -> str:
        return self._world.analysis.event.agent

    def _text(self) -> str:
        named = self.findings[:_MOST_NOTICES]
        told = [cut(_message(finding), NOTICE_ROOM // len(named)) for finding in named]
        more = [f"And {len(self.findings) - _MOST_NOTICES} more."] if len(self.findings) > _MOST_NOTICES else []
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
