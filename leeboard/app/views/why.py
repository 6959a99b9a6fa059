"""How a finding, a score or a correction came about, by the id that people were shown."""

from __future__ import annotations

import re

import msgspec
from msgspec.structs import replace

from leeboard.app.archive import find_session, known_archive
from leeboard.app.views.said import HOW_TOLD, SaidView, is_said, said_view
from leeboard.errors import ConfigError
from leeboard.io.clock import now
from leeboard.judge.correction import block
from leeboard.model.outcome import FINDING_STATES, Judged, JudgedState, told_urgency
from leeboard.model.verdict import PAUSED, Correction, Disposition, Finding, Verdict
from leeboard.model.workspace import Workspace
from leeboard.rule import code_of, rule_named
from leeboard.store.sqlite import SqliteStore

SESSIONS_SEARCHED = 500


class SignalView(msgspec.Struct, frozen=True, kw_only=True):
    kind: str = "signal"
    id: str
    session: str
    agent: str
    turn: int
    rule: str
    code: str
    subclass: str
    urgency: str
    disposition: Disposition
    state: JudgedState
    path: str
    line: int
    confidence: float
    message: str
    reason: str
    note: str
    trace: tuple[str, ...]

    @property
    def became(self) -> str:
        """Its state, in the words people are shown."""
        return FINDING_STATES[self.state]

    @property
    def told_urgency(self) -> str:
        return told_urgency(self.urgency)

    @property
    def steps(self) -> tuple[str, ...]:
        """How its urgency came about, in such words."""
        return tuple(filter(None, map(_reckoned, self.trace)))


class SignalPage(msgspec.Struct, frozen=True, kw_only=True):
    signal: SignalView
    place: str
    """Its file and line, as far as they are known, else its subject."""
    spoken_turn: int
    """Negative where it was not said."""
    interrupt: str
    """What a person passes on to the agent."""
    allowed: tuple[str, ...] = ()
    """Whose word lets it stand by now, and why."""

    @property
    def is_spoken(self) -> bool:
        return self.signal.state in {"fired", "delivered"}


class VerdictView(msgspec.Struct, frozen=True, kw_only=True):
    kind: str = "verdict"
    session: str
    turn: int
    tool_use_id: str
    action: str
    score: int
    level: str
    confidence: str
    rules: tuple[str, ...]
    codes: tuple[str, ...]
    paths: tuple[str, ...]
    message: str
    id: str
    trace: tuple[str, ...]
    findings: tuple[Finding, ...]


class VerdictPage(msgspec.Struct, frozen=True, kw_only=True):
    verdict: VerdictView
    event: str
    """The kind of event that was judged."""
    said: SaidView | None = None
    """What was said of it, where anything was."""
    allowed: tuple[str, ...] = ()
    """Whose word lets what was found stand by now, and why."""

    @property
    def in_pause(self) -> bool:
        """A person had paused the guard: it was let pass unsaid and unscored."""
        return any(line.startswith(PAUSED) for line in self.verdict.trace)

    @property
    def about(self) -> str:
        """What was judged, in words."""
        told = _EVENTS.get(self.event, self.event)
        return f"{told} {self.verdict.tool_use_id}".rstrip() if told.endswith(":") else told

    @property
    def heads(self) -> tuple[tuple[str, str], ...]:
        """What was said, by the id it was said under; what was thought of the action, where that was another moment."""
        verdict, said = self.verdict, self.said
        spoken = (("correction", f"{said.id}, {HOW_TOLD[said.how]}, level {said.level}"),) if said else ()
        if said is not None and said.id == verdict.id:
            return spoken
        loud = f", level {verdict.level}" if verdict.level != "none" else ""
        return (*spoken, ("judged", f"{verdict.id}, {_UNSAID.get(verdict.action, 'said')}{loud}"))


_UNSAID = {"ALLOW": "let pass", "LOG": "let pass and noted", "QUEUE": "noted, to be said at the next pause"}
_EVENTS = {
    "ToolProposed": "a call, before it ran:",
    "ToolFinished": "a call that ran:",
    "FilesChanged": "files that a script changed",
    "PromptGiven": "a message of the user",
    "MessageSaid": "what the agent said",
    "ThoughtShown": "what the agent thought",
    "TurnEnded": "the end of a turn",
    "Stopped": "the agent's wish to stop",
    "AgentEnded": "the end of a sub-agent",
}
_SUM = re.compile(r"[A-Z]\d \w+: (?P<cost>[\d.]+) x (?P<stays>[\d.]+) = (?P<urgency>[\d.]+)")
_PRESSING = re.compile(r"\b[A-Z]\d-ESCALATE\b")
_CLASS = re.compile(r"\A(\w+ [+-]\d+: )?[A-DV]\d(?: \w+)?: ")
_NOTHING_TAKEN = re.compile(r"\A(\w+) \+0: ")
_DISPOSITIONS = ("FIRE", "QUEUE", "LOG")


def told_evidence(text: str) -> str:
    """Evidence, also as a line of a trace, without the class that the formats count it to."""
    return _NOTHING_TAKEN.sub(r"\1: ", _CLASS.sub(r"\1", text))


def _reckoned(line: str) -> str:
    """A step of how an urgency came about, without the names that the formats have for it."""
    if sum_ := _SUM.fullmatch(line):
        cost, stays, urgency = sum_["cost"], sum_["stays"], sum_["urgency"]
        return f"it costs {cost} to put right x {stays} that the agent does not notice = {urgency}"
    disposition, colon, why = told_evidence(_PRESSING.sub("at once", line)).partition(": ")
    return f"{disposition}{colon}{why}" if disposition not in _DISPOSITIONS else f"only noted: {why}" if colon else ""


def signal_view(judged: Judged, session: str) -> SignalView:
    return SignalView(
        id=judged.id,
        session=session,
        agent=judged.agent,
        turn=judged.turn,
        rule=judged.rule,
        code=code_of(judged.rule),
        subclass=judged.subclass,
        urgency=judged.urgency,
        disposition=judged.disposition,
        state=judged.state,
        path=judged.path,
        line=judged.line,
        confidence=judged.confidence,
        message=judged.message,
        reason=judged.reason,
        note=judged.note,
        trace=judged.trace,
    )


def signal_page(judged: Judged, session: str) -> SignalPage:
    place = f"{judged.path}:{judged.line}" if judged.path and judged.line else judged.path or judged.subject
    return SignalPage(
        signal=signal_view(judged, session),
        place=place,
        spoken_turn=judged.spoken_turn,
        interrupt=block(judged),
    )


def how_it_came(id_: str, root: str, session: str = "") -> SignalPage | VerdictPage:
    """What an id of any kind leads to, without one what was said last here; ConfigError where it leads nowhere.

    `session` narrows "here" to one session, by its id or the start of it.
    """
    with known_archive() as store:
        id_ = id_ or _said_last(store, root, session)
        signal = store.signal(id_) if id_.startswith("s") and ":" not in id_ else None
        if signal is not None:
            words = _allowed(
                store, root, ((signal.rule, signal.path or signal.subject, f"{signal.rule}:{signal.subject}"),)
            )
            return replace(signal_page(signal, _owner(store, signal)), allowed=words)
        verdict = find_verdict(store, id_, root)
        asked_for = store.verdict(id_) if ":" not in id_ else None
        spoken = next((one for one in (asked_for, verdict) if one is not None and is_said(one)), None)
        findings = store.findings(verdict.id)
        found = tuple((one.rule, one.path or one.subject, one.fingerprint) for one in findings)
        words = _allowed(store, root, found, verdict.session)
        return replace(_verdict_page(verdict, findings, said_view(spoken) if spoken else None), allowed=words)


def _allowed(
    store: SqliteStore, root: str, found: tuple[tuple[str, str, str], ...], session: str = ""
) -> tuple[str, ...]:
    """The allowances that cover what a rule found at a place, with the fingerprint of that: id, by whom, and why."""
    known = store.allowances(root, session, now())
    covering = (one for one in known if any(one.covers(*each) for each in found))
    return tuple(f"{one.id} by {one.by or 'a person'}: {one.reason}" for one in covering)


def _said_last(store: SqliteStore, root: str, start: str) -> str:
    searched = (find_session(store, start, root),) if start else store.sessions(root, SESSIONS_SEARCHED)
    for session in searched:
        for verdict in reversed(store.verdicts(session.id)):
            if is_said(verdict):
                return verdict.id
    if start:
        raise ConfigError(f"nothing was said in session {searched[0].id}; `leeboard report {start}` shows what it did")
    raise ConfigError("nothing was said in this project yet; `leeboard status` shows whether it is watched")


def _verdict_page(verdict: Verdict, findings: tuple[Finding, ...], said: SaidView | None) -> VerdictPage:
    view = VerdictView(
        session=verdict.session,
        turn=verdict.turn,
        tool_use_id=verdict.tool_use_id,
        action=verdict.action.name,
        score=verdict.score,
        level=verdict.level,
        confidence=verdict.confidence,
        rules=verdict.rules,
        codes=tuple(filter(None, map(code_of, verdict.rules))),
        paths=verdict.paths,
        message=verdict.message,
        id=verdict.id,
        trace=verdict.trace,
        findings=findings,
    )
    return VerdictPage(verdict=view, event=verdict.event, said=said)


def find_verdict(store: SqliteStore, id_: str, root: str) -> Verdict:
    """The verdict that an id of any kind leads to; ConfigError where it leads nowhere."""
    if ":" in id_:
        found = _by_finding(store, with_rule_id(id_), root)
    else:
        found = _by_verdict(store, id_) or _by_correction(store, id_) or _by_path(store, id_, root)
    if found is None:
        raise ConfigError(f"nothing is known of {id_!r}; `leeboard report` shows the ids of a session")
    return found


def _by_verdict(store: SqliteStore, id_: str) -> Verdict | None:
    """The verdict itself; of one that only passed on what waited, the one on the action that the words were about."""
    found = store.verdict(id_)
    if found is None or not found.message or store.findings(found.id):
        return found
    passed_on = (one.correction for one in store.corrections(found.session) if one.correction.text == found.message)
    about = next(passed_on, None)
    return (_origin(store.verdicts(found.session), about) if about else _by_subject(store, found)) or found


def _by_subject(store: SqliteStore, said: Verdict) -> Verdict | None:
    """The newest earlier verdict that has a finding of the rule and the file that the words name."""
    for verdict in reversed(store.verdicts(said.session)):
        if {*verdict.rules} & {*said.rules} and verdict.id != said.id:
            found = (one.subject for one in store.findings(verdict.id) if one.rule in said.rules)
            if any(not said.paths or any(subject.startswith(path) for path in said.paths) for subject in found):
                return verdict
    return None


def with_rule_id(fingerprint: str) -> str:
    """A finding as rule:subject, with the rule's id where its code was given."""
    name, colon, subject = fingerprint.partition(":")
    rule = rule_named(name)
    return f"{rule.id if rule else name}{colon}{subject}"


def _by_path(store: SqliteStore, path: str, root: str) -> Verdict | None:
    """The newest verdict of this project that found something about a file. ConfigError where none did, and an action
    on it was scored: there is a score to tell, and nothing to explain.
    """
    spelled = Workspace(root).spell(path)
    for session in store.sessions(root, SESSIONS_SEARCHED):
        for verdict in reversed(store.verdicts(session.id)):
            if spelled in verdict.paths and verdict.rules and store.findings(verdict.id):
                return verdict
    for session in store.sessions(root, SESSIONS_SEARCHED):
        for step in reversed(store.steps(session.id)):
            if spelled in step.files:
                told = f"no rule found anything about {spelled}: the last action on it scored {step.drift_score}/10"
                raise ConfigError(f"{told}; `leeboard report {session.id}` shows the session")
    return None


def _owner(store: SqliteStore, signal: Judged) -> str:
    """The session it belongs to."""
    sessions = (session.id for session in store.sessions(None, SESSIONS_SEARCHED))
    return next((id_ for id_ in sessions if any(one.id == signal.id for one in store.signals(id_))), "")


def _by_correction(store: SqliteStore, start: str) -> Verdict | None:
    for session in store.sessions(None, SESSIONS_SEARCHED):
        for offer in store.corrections(session.id):
            if offer.correction.id.startswith(start):
                return _origin(store.verdicts(session.id), offer.correction)
    return None


def _origin(verdicts: tuple[Verdict, ...], correction: Correction) -> Verdict | None:
    """The verdict on the action that the words were about; else the one that said them."""
    by_call = (v for v in verdicts if v.tool_use_id == correction.tool_use_id and v.trace and correction.tool_use_id)
    by_words = (v for v in verdicts if v.message == correction.text)
    return next(by_call, None) or _by_script(verdicts, correction) or next(by_words, None)


def _by_script(verdicts: tuple[Verdict, ...], correction: Correction) -> Verdict | None:
    """What a script changed belongs to no call: the verdict of that turn that shares most of paths and rules."""
    if correction.tool_use_id:
        return None
    same = [v for v in verdicts if v.event == "FilesChanged" and v.trace and v.turn == correction.turn]
    shared = [v for v in same if {*v.paths} & {*correction.paths} and {*v.rules} & {*correction.rules}]
    return max(shared, key=lambda v: len({*v.paths} & {*correction.paths}), default=None)


def _by_finding(store: SqliteStore, fingerprint: str, root: str) -> Verdict | None:
    """The newest verdict of this project with that finding."""
    for session in store.sessions(root, SESSIONS_SEARCHED):
        for verdict in reversed(store.verdicts(session.id)):
            if any(finding.fingerprint == fingerprint for finding in store.findings(verdict.id)):
                return verdict
    return None
