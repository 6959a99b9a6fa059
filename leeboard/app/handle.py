"""Load, drive steer, commit, answer: the only wiring. Every source enters at `handle`.

Analysis and judging run outside the lock. Inside it the session is read again; when a sibling moved it meanwhile, the
lock is given back and steer runs once more on what is already analysed, so nothing slow happens while others wait. Who
is overtaken every time judges at last while holding it, with all that was parsed before at hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from leeboard.analysis.analyse import analyse
from leeboard.analysis.relation import Relations
from leeboard.model.contract import Allowance, Constraint, Contract, Held
from leeboard.model.event import Event, ToolProposed
from leeboard.model.fold import counts
from leeboard.model.ledger import Rows
from leeboard.model.lookup import Around, Store, Surroundings, Transaction, Tree
from leeboard.model.outcome import Outcome, Step
from leeboard.model.policy import Pin, Policy
from leeboard.model.session import Session
from leeboard.model.touch import Diffs
from leeboard.model.verdict import Action, Moment, Verdict
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis, World
from leeboard.rule import LoadedRule, discover, rule_named
from leeboard.steer import Recall, Supply, SurroundingsWant, Want, steer

if TYPE_CHECKING:
    from leeboard.judge.urgency import Give
    from leeboard.model.own_rule import OwnRule
    from leeboard.model.plan import Plan
    from leeboard.model.unit import Unit


Foretell = Callable[["Verdict | None", "Session | None"], None]

TRIES = 3
"""How often events are judged outside the lock before it is held for judging them."""
SILENT = Moment()
"""Nobody is there to be answered: what is to be said waits."""
OVERHEARD = "overheard before its hook asked, which is told"
"""In the trace of a verdict with words that nobody has heard yet."""


class _Answers:
    """What steer may ask for: from the store, and over it what this batch of events has added already."""

    def __init__(self, store: Store, session_id: str, reader: Store | Transaction, setting: RunSetting) -> None:
        self._store = store
        self._session_id = session_id
        self._reader = reader
        self._team_steps = setting.team_steps
        self._added: dict[str, int] = {}
        self._around = Around(reader, session_id, setting.tree)

    def to(self, wanted: Want) -> Rows | tuple[Step, ...] | Around | Give:
        if isinstance(wanted, SurroundingsWant):
            return self._around
        if isinstance(wanted, Supply):
            facts = EventFacts(around=wanted.around, diffs=wanted.diffs, relations=wanted.relations)
            return _Supplied(facts).__getitem__
        if isinstance(wanted, Recall):
            own = self._store.past_steps(self._session_id, wanted.files, wanted.folders, wanted.keywords)
            if not self._team_steps:
                return own
            from leeboard.app.team_files import team_past  # noqa: PLC0415 - only for who has a team

            return (*own, *team_past(self._team_steps, wanted.files, wanted.folders, wanted.keywords))
        rows = dict(self._reader.rows(self._session_id, wanted.terms))
        for term in wanted.terms:
            if term in self._added:
                rows[term] = rows.get(term, 0) | self._added[term]
        return rows

    def add(self, outcome: Outcome) -> None:
        for mention in outcome.mentions:
            self._added[mention.term] = self._added.get(mention.term, 0) | mention.met
        self._around = self._around.remembering(outcome.entries)


def handle(
    events: Sequence[Event], moment: Moment, store: Store, setting: RunSetting, foretell: Foretell | None = None
) -> Verdict | None:
    """The answer to the last of the events that asks for one; None when there was nothing new to answer.

    An event that was answered before gets that answer again, as far as this moment can carry it. `foretell` is told
    the answer and the session before they are kept: another answer is returned where others have moved that by then.
    """
    if not events:
        return None
    judge = _EventJudge(events, moment, store, setting)
    judged = judge.judge(store)
    if foretell is not None:
        foretell(
            _answer(judged, moment), judged.outcomes[-1].session if judged.outcomes else store.session(judge.session_id)
        )
    settled = _settled(judge, judged, store, TRIES)
    if any(allowance.session for allowance in setting.allowances):
        _end_for_restated_limits(judge.stated_limits(), store, setting.allowances)
    return _answer(settled, moment)


def _end_for_restated_limits(limits: tuple[Constraint, ...], store: Store, allowances: tuple[Allowance, ...]) -> None:
    """The newest word wins: what was let stand in this session against a limit ends once the limit is stated again."""
    if not limits:
        return
    from leeboard.rules.broken_constraint import is_about  # noqa: PLC0415 - only for limits where one was let be broken

    for allowance in allowances:
        name, _, subject = allowance.fingerprint.partition(":")
        rule = rule_named(name) if allowance.session else None
        lifts_limit = rule is not None and rule.only_where == "constraint"
        if lifts_limit and any(is_about(limit, subject) for limit in limits):
            store.revoke(allowance.id)


def _answer(judged: _Judged, moment: Moment) -> Verdict | None:
    if judged.known is None and len(judged.outcomes) == 1:
        return judged.outcomes[0].verdict
    verdicts = [outcome.verdict for outcome in judged.outcomes]
    if judged.known is not None:
        verdicts.append(_again(judged.known, moment))
    return max(reversed(verdicts), key=_weight, default=None)


class Supposed(msgspec.Struct, frozen=True):
    """An event that has not happened, and what would hold when it did."""

    event: Event
    moment: Moment
    setting: RunSetting


def foresee(steps: Sequence[Supposed], session: Session | None, store: Store) -> list[Outcome]:
    """What would come of these events, one after the other. Nothing of it is kept."""
    outcomes: list[Outcome] = []
    for step in steps:
        answers = _Answers(store, step.event.session, store, step.setting)
        for outcome in outcomes:
            answers.add(outcome)
        analysed = analyse(step.event, step.setting.workspace)
        outcomes += _drive((analysed,), session, step.moment, step.setting, answers)
        session = outcomes[-1].session if outcomes else session
    return outcomes


class _Judged(msgspec.Struct, frozen=True):
    """What came of the events, on the session as it was at this version."""

    version: int
    outcomes: list[Outcome]
    known: Verdict | None
    """What the last of the events was answered before."""


class _EventJudge:
    """Events of one session, told at one moment: analysed once, judged as often as the session moves meanwhile."""

    def __init__(self, events: Sequence[Event], moment: Moment, store: Store, setting: RunSetting) -> None:
        self.session_id = events[-1].session
        self._last_key = events[-1].key
        self._events = _once(events)
        self._moment = moment
        self._store = store
        self._setting = setting
        self._analyses: dict[int, Analysis] = {}

    def judge(self, reader: Store | Transaction) -> _Judged:
        loaded = reader.session(self.session_id)  # before the answers: what is answered after this moves its version
        known = self._answered(reader, self._last_key)
        fresh = [
            self._analysed(at)
            for at, event in enumerate(self._events)
            if (known if event.key == self._last_key else self._answered(reader, event.key)) is None
        ]
        answers = _Answers(self._store, self.session_id, reader, self._setting)
        return _Judged(_version(loaded), _drive(fresh, loaded, self._moment, self._setting, answers), known)

    def look_again(self) -> None:
        """The session has moved: whoever moved it knows files that were read here before that."""
        if self._setting.tree.disk is not None:
            self._setting.tree.disk.look_again()

    def stated_limits(self) -> tuple[Constraint, ...]:
        """What the user ruled out in those of the events that were judged now."""
        intents = (analysis.intent for analysis in self._analyses.values())
        return tuple(limit for intent in intents if intent is not None for limit in intent.constraints)

    def _answered(self, reader: Store | Transaction, key: str) -> Verdict | None:
        return reader.answered(self.session_id, key) if key else None

    def _analysed(self, position: int) -> Analysis:
        if position not in self._analyses:
            self._analyses[position] = analyse(self._events[position], self._setting.workspace)
        return self._analyses[position]


def _settled(judge: _EventJudge, judged: _Judged, store: Store, tries: int) -> _Judged:
    """Judged on the session as it is, and kept. Under the lock only where every try was in vain, so that it ends."""
    if not judged.outcomes:
        return judged
    with store.transaction(judge.session_id) as transaction:
        moved = _version(transaction.session(judge.session_id)) != judged.version
        if moved:
            judge.look_again()
        if moved and tries == 1:
            judged, moved = judge.judge(transaction), False
        if not moved:
            for outcome in judged.outcomes:
                transaction.commit(outcome)
            return judged
    return _settled(judge, judge.judge(store), store, tries - 1)


def _once(events: Sequence[Event]) -> list[Event]:
    """The last of several reports of one thing, which is the one that asks."""
    if len(events) == 1:
        return list(events)
    newest = {event.key: position for position, event in enumerate(events) if event.key}
    return [event for position, event in enumerate(events) if newest.get(event.key, position) == position]


def _drive(
    analyses: Sequence[Analysis], session: Session | None, moment: Moment, setting: RunSetting, answers: _Answers
) -> list[Outcome]:
    """Steer each event in turn; what earlier ones add to the ledger is seen by later ones."""
    answered = _answered_at(analyses, moment)
    outcomes: list[Outcome] = []
    for position, analysis in enumerate(analyses):
        event = analysis.event
        session = _pinned(session, setting) if session else new_session(event.session, setting)
        if not counts(session, event):
            continue
        world = world_of(analysis, session, setting)
        outcome = _run(world, moment if position == answered else SILENT, setting.rules, answers)
        if moment.overheard and outcome.verdict.briefing:
            told = replace(outcome.verdict, trace=(*outcome.verdict.trace, OVERHEARD))
            outcome = replace(outcome, verdict=told)
        session = outcome.session
        outcomes.append(outcome)
        if position + 1 < len(analyses):
            answers.add(outcome)
    return outcomes


def _pinned(session: Session, setting: RunSetting) -> Session:
    return session if setting.pin is None or session.pin == setting.pin else replace(session, pin=setting.pin)


def new_session(session_id: str, setting: RunSetting) -> Session:
    given = setting.given
    return Session(
        id=session_id,
        root=setting.workspace.root,
        contract=given,
        given_scope=given.scope,
        interrupt_budget=setting.policy.interrupt_budget,
        pin=setting.pin,
    )


def _answered_at(analyses: Sequence[Analysis], moment: Moment) -> int:
    """Which event the moment belongs to: the proposed call where one can be denied, else the last."""
    last = len(analyses) - 1
    if Action.DENY not in moment.actions:
        return last
    return next((at for at in range(last, -1, -1) if isinstance(analyses[at].event, ToolProposed)), last)


def _run(world: World, moment: Moment, rules: tuple[LoadedRule, ...], answers: _Answers) -> Outcome:
    """Drive one steer to its end, giving it what it asks for."""
    steering = steer(world, moment, rules)
    try:
        wanted = next(steering)
        while True:
            wanted = steering.send(answers.to(wanted))
    except StopIteration as end:
        outcome: Outcome = end.value
        return outcome


def _again(known: Verdict, moment: Moment) -> Verdict:
    """An earlier answer at another moment: a denial stands, words are not said twice."""
    if known.action is Action.DENY and Action.DENY in moment.actions:
        return known
    if OVERHEARD in known.trace and moment.kind == "before_call" and not moment.overheard:
        return replace(known, action=Action.ALLOW, message="")
    return replace(known, action=Action.ALLOW, message="", briefing="")


def _weight(verdict: Verdict) -> tuple[int, bool]:
    return verdict.action, bool(verdict.briefing)


def _version(session: Session | None) -> int:
    return session.version if session is not None else -1


# The one builder of the world that rules see: what holds for a run, around one event of one session.


class RunSetting(msgspec.Struct, frozen=True, kw_only=True):
    """What holds for every event of a run."""

    workspace: Workspace
    policy: Policy
    rules: tuple[LoadedRule, ...] = ()
    pin: Pin | None = None
    """What the session is held to from here on."""
    allowances: tuple[Allowance, ...] = ()
    given: Contract = Contract()
    """What the project's settings promise for every session."""
    held: Held | None = None
    """The explicit contract of the work tree."""
    tree: Tree = Tree()
    secret_key: bytes = b""
    plan_root: str = ""
    """Where a workflow lives on disk."""
    plan: Plan | None = None
    unit: Unit | None = None
    own_rules: tuple[OwnRule, ...] = ()
    """Those of the project's own people."""
    own_processes: tuple[int, ...] = ()
    paused: bool = False
    team_steps: str = ""
    """The file with what others in the team did; empty where there is no team."""


def world_of(analysis: Analysis, session: Session, setting: RunSetting) -> World:
    """The world around an event, with the agent that it is of."""
    return World(
        session=session,
        agent=session.agent(analysis.event.agent),
        analysis=analysis,
        policy=setting.policy,
        workspace=setting.workspace,
        allowances=setting.allowances,
        held=setting.held,
        secret_key=setting.secret_key,
        plan_root=setting.plan_root,
        plan=setting.plan,
        unit=setting.unit,
        own_rules=setting.own_rules,
        own_processes=setting.own_processes,
        paused=setting.paused,
    )


# The one supplier of facts: what a rule may ask for beside its event and the world, by the type of its parameter.
#
# A rule names what it wants in the signature of `detect` or `holds`. Whoever asks rules (a hook, a check, a scan, a
# report) makes `EventFacts` of what it knows; a type that is not here is refused when the rules are loaded.


class EventFacts(msgspec.Struct, frozen=True, kw_only=True):
    """All that is known around one event; the index is opened only for who asks."""

    around: Surroundings
    diffs: Diffs = ()
    relations: Relations = {}

    def give(self, wanted: str) -> Any:
        return _BY_TYPE[wanted](self)


class _Supplied(dict[str, Any]):
    """Facts by the types that name them, each made when it is first asked for: a dozen rules ask for the same few."""

    def __init__(self, facts: EventFacts) -> None:
        super().__init__(Diffs=facts.diffs, Relations=facts.relations, Registry=facts.around)
        self._facts = facts

    def __missing__(self, wanted: str) -> Any:
        fact = self[wanted] = self._facts.give(wanted)
        return fact


_BY_TYPE: dict[str, Callable[[EventFacts], Any]] = {
    "BaseFiles": lambda facts: facts.around.base,
    "Diffs": lambda facts: facts.diffs,
    "Files": lambda facts: facts.around.files,
    "Knowledge": lambda facts: facts.around.knowledge,
    "Registry": lambda facts: facts.around,
    "Relations": lambda facts: facts.relations,
    "Surroundings": lambda facts: facts.around,
    "Symbols": lambda facts: facts.around.symbols,
    "Symbols | None": lambda facts: facts.around.symbols,
    "Unsaved": lambda facts: facts.around.unsaved,
}


@lru_cache(maxsize=8)
def load_rules(disabled: tuple[str, ...] = ()) -> tuple[LoadedRule, ...]:
    """Every rule that is there, but for those switched off. TypeError for one that wants what nobody supplies."""
    return supplied(discover(disabled))


def supplied(rules: tuple[LoadedRule, ...]) -> tuple[LoadedRule, ...]:
    for loaded in rules:
        for wanted in (*loaded.wants, *loaded.holds_wants):
            if wanted not in _BY_TYPE:
                raise TypeError(f"{loaded.id} wants {wanted}: nobody supplies it. There is {', '.join(_BY_TYPE)}.")
    return rules
