"""The small hot state of a run: bounded windows and counters. All that grows is rows elsewhere."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec.structs import replace

from leeboard.model.contract import Constraint, Contract
from leeboard.model.event import ActionType, Source
from leeboard.model.policy import Pin
from leeboard.model.touch import Health, Span
from leeboard.model.verdict import Correction, Disposition, Finding, Level

Mode = Literal["NORMAL", "DRIFTED", "FORCED"]
Status = Literal["active", "completed", "abandoned"]

SHAPE = 2
"""Version of the stored form; a process that meets a newer one must not write it back."""

HISTORY_WINDOW = 240
FORCED_TURNS = 10
"""How many turns FORCED lasts where neither the agent nor a human ends it."""
GOAL_WINDOW = 8
AGENT_WINDOW = 32
OPEN_CALL_WINDOW = 64
EARLY_WINDOW = 16
MARK_WINDOW = 32
CALL_WINDOW = 6
SAID_WINDOW = 64
WAITING_WINDOW = 6
PROMPT_WINDOW = 16
PENDING_WINDOW = 8
SEEN_WINDOW = 96
LIFTED_WINDOW = 16
DOUBT_WINDOW = 8
INTERRUPT_BUDGET = 3
FORCED_ROOM = 200
"""A longer path is no action one can name."""
PATH_ROOM = 300
"""A longer path is not remembered."""


class Doubt(msgspec.Struct, frozen=True, array_like=True):
    """A changed path that little or nothing ties to the work, and how heavily that weighs."""

    path: str
    weight: float
    is_new: bool = False
    """The session itself made the file: nothing could have led to it."""
    told: bool = False
    """The run it stands in was spoken of."""


class Goal(msgspec.Struct, frozen=True, kw_only=True):
    """One human message that gave direction."""

    text: str
    exchange: int
    keywords: tuple[str, ...] = ()
    scope: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    let_stand: tuple[str, ...] = ()
    """Those places of the scope that no message names: the user said yes to them."""


class Drift(msgspec.Struct, frozen=True):
    """One check, as the seed's drift_history keeps it; clean checks too."""

    score: int
    level: Level
    timestamp: float


class OpenCall(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A call that was proposed and has not come back."""

    id: str
    action: ActionType
    turn: int
    modifies: tuple[str, ...] = ()
    opaque: bool = False
    unsure: bool = False
    """It may change files nobody can name, for all that anybody knows."""
    exchange: int = 0
    score: int = 10
    aligned: bool = True
    seeds: bool = True
    """It is so clearly part of the work that what lies beside it may be too."""
    digest: str = ""
    reverse: str = ""
    words: tuple[str, ...] = ()
    """Ledger terms of what its edit and its paths speak of."""
    added: tuple[Span, ...] | None = None
    """Lines a file written whole adds: once it is written nobody can tell any more. None where nobody could before."""
    fresh: bool = False
    """It makes a new file."""
    health: Health = Health()
    ids_before: tuple[tuple[str, str], ...] = ()
    """Files it changes in a way nobody can see beforehand, each with git's id of it as it was."""
    began: float = 0.0
    """When it was proposed."""


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """One edit that was done, one failure that followed, or a rest after which no circle is closed.

    The user spoke, or what was there was committed: whatever goes round afterwards goes round anew.
    """

    kind: Literal["edit", "failure", "rest"]
    digest: str = ""
    path: str = ""
    reverse: str = ""


class Pending(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A finding of the classes A to D that waits: for its window, for a pause, for the cooldown to end."""

    id: str
    finding: Finding
    turn: int
    """In which it was detected."""
    urgency: float
    disposition: Disposition
    escalates: bool = False
    wired: bool = False
    """Other files import or call what was written."""
    trace: tuple[str, ...] = ()


class AgentState(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of one agent of the run; the main agent's id is empty."""

    id: str = ""
    turn: int = 0
    turn_open: bool = False
    message: str = ""
    open_calls: tuple[OpenCall, ...] = ()
    early: tuple[str, ...] = ()
    """Calls whose result came before they were seen to be proposed: they will not be opened any more."""
    marks: tuple[Mark, ...] = ()
    waiting: tuple[Correction, ...] = ()
    said: tuple[str, ...] = ()
    """Fingerprint and level of what was said: the same is not said again."""
    spoken_turn: int = -1
    corrected: bool = False
    """A correction was offered and no action since was back on course."""
    unheard: bool = False
    """The escalation rose for something that was not said to it yet."""
    by_word: bool = False
    """What it heard last was a refusal that only words lift, however wide the scope is: it is about no place."""
    heard: Literal["", "last", "looked"] = ""
    """What it did since the newest correction: nothing but to speak, only looked around, or something else."""
    closing: str = ""
    """The end of what it said since then, redacted: a `yes` of the user answers that."""
    refused: tuple[str, ...] = ()
    """What it was refused since the human gave direction: a yes to something else lets none of it in."""
    correction: Correction | None = None
    """The newest one that was offered, to be given again after a compaction while it is open."""
    last_text: str = ""
    """What the agent said last, redacted: the reasoning of the steps that follow."""
    last_thought: str = ""
    """The end of what it thought last, redacted, where somebody carries its traffic."""
    edits: int = 0
    """Files changed in this exchange by actions that were on course."""
    edits_asked: int = 0
    """As many when the human spoke last: what a check at the prompt looks back on."""
    last_good: str = ""
    """The newest path that was worked on while on course."""
    strays: tuple[str, ...] = ()
    """Paths of this exchange that hardly anything led to, spoken of or not."""
    pending: tuple[Pending, ...] = ()
    fired_turn: int = -9
    """In which an interrupt was last spoken: the cooldown counts from here."""
    lull: bool = False
    """It has come to the end of something: a diff followed by new plans, a sub-task said to be done, tests running."""
    wrote: bool = False
    """Its last call changed a file."""
    calls: tuple[str, ...] = ()
    """The newest calls that came back: what was asked, what came of it (`!`: it failed), as digests."""
    remembers: bool = True
    """False once the context was compacted or the session resumed: what led to a file may lie before that."""


class Session(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    shape: int = SHAPE
    version: int = 0
    root: str = ""
    live: Source | Literal[""] = ""
    """The best source that has reported so far: events without an id count from it alone."""
    carried: bool = False
    """Its traffic was carried: what the agent said and thought was known before any transcript showed it."""
    status: Status = "active"
    started: float = 0.0
    updated: float = 0.0
    checked: float = 0.0
    batches: bool = False
    """The client reports the end of each batch of calls; where it does not, a turn ends when no call is open."""
    exchange: int = 0
    goals: tuple[Goal, ...] = ()
    contract: Contract = Contract()
    given_scope: tuple[str, ...] = ()
    """Places that belong to every work in the project, by its settings."""
    mode: Mode = "NORMAL"
    escalation: int = 0
    uncorrected: int = 0
    """Drifts above a nudge since the last action that was on course."""
    forced: str = ""
    """The path whose handling ends FORCED; empty when looking at the changes is the way out."""
    forced_turns: int = 0
    """Turns since FORCED began."""
    outlasted: int = 0
    """How often FORCED ended because nobody had done the action for many turns: a person is to look at it."""
    history: tuple[Drift, ...] = ()
    agents: tuple[AgentState, ...] = ()
    prompts: tuple[str, ...] = ()
    """Digests of the newest prompts, to know one again when a second source brings it without an id."""
    reads: int = 0
    """Results that showed a file."""
    events: int = 0
    turns: int = 0
    scored: int = 0
    drifted: int = 0
    spoken: int = 0
    denied: int = 0
    paused: int = 0
    """Actions that were let pass while a person had paused the guard: no score, and nothing to be said later."""
    halts: int = 0
    above_nudge: int = 0
    last_score: int = 0
    interrupt_budget: int = INTERRUPT_BUDGET
    """One less for each interrupt that fires; below zero only by B1 and B2."""
    fired: int = 0
    delivered: int = 0
    """Queued signals that were spoken at a pause: they cost no budget."""
    logged: int = 0
    seen: tuple[str, ...] = ()
    """Digests of the fingerprints that were judged: the same is not judged twice."""
    finished: int = 0
    """The turn in which the agent said that the work is done, or the session ended; the report is due then."""
    health: Health = Health()
    """What the session did to the code so far."""
    lifted: tuple[str, ...] = ()
    """Fingerprints of exposures the user's own prompt ordered."""
    doubts: tuple[Doubt, ...] = ()
    """The run of doubtful changes since the human gave direction, of all agents."""
    usual: tuple[float, ...] = ()
    """How its files are usually tied to the work: means and counts, in the order of the facts."""
    pin: Pin | None = None
    """What it began under; None for one of an older version, until its next event."""

    @property
    def is_live(self) -> bool:
        """Somebody tells of it while it happens, who can refuse a call."""
        return self.live in {"hook", "wire"}

    def agent(self, agent_id: str) -> AgentState:
        for state in self.agents:
            if state.id == agent_id:
                return state
        return AgentState(id=agent_id)


def with_closing(agent: AgentState, words: str) -> AgentState:
    """What it says once it was corrected is what the user answers; at any other time nobody asks for it."""
    return replace(agent, closing=words) if agent.heard and words else agent


def tried_on(agent: AgentState, *, looks: bool) -> AgentState:
    """It goes on to another call, which only looks or does more: what it said before is not what the user answers."""
    return replace(agent, heard="looked" if looks else "", closing="") if agent.heard else agent


def with_let_stand(goal: Goal, placed: tuple[str, ...], window: int) -> Goal:
    """The places belong to the work from here on, though nobody has named them."""
    new = (path for path in placed if path not in goal.scope)
    scope = tuple(dict.fromkeys((*placed, *goal.scope)))[:window]
    return replace(goal, scope=scope, let_stand=tuple(path for path in (*new, *goal.let_stand) if path in scope))


# What keeps a session small, whatever a run brings: rooms in bytes of its stored form.
#
# History takes at most 16 KB by its window. Agents and goals are weighed, and the oldest part of what is too heavy is
# forgotten first.


AGENT_ROOM = 15_000
AGENTS_ROOM = 30_000
GOAL_ROOM = 14_000

_ENCODER = msgspec.json.Encoder()


def weight(value: object) -> int:
    """Bytes of the stored form."""
    try:
        return len(_ENCODER.encode(value))
    except UnicodeEncodeError:  # half a surrogate pair, which the store replaces
        return 4 * len(repr(value))


def short(paths: tuple[str, ...], window: int) -> tuple[str, ...]:
    """The first few paths that are worth remembering."""
    return tuple(path for path in paths if len(path) <= PATH_ROOM)[:window]


def slim(agent: AgentState) -> AgentState:
    """The agent within its room."""
    if weight(agent) <= AGENT_ROOM:
        return agent
    halved = replace(
        agent,
        open_calls=tuple(_light(call) for call in agent.open_calls[-24:]),
        marks=agent.marks[-12:],
        said=agent.said[-16:],
        waiting=agent.waiting[-2:],
        pending=agent.pending[-3:],
        strays=agent.strays[-4:],
        early=agent.early[-4:],
    )
    return halved if weight(halved) <= AGENT_ROOM else _bare(agent)


def fitting(agents: tuple[AgentState, ...]) -> tuple[AgentState, ...]:
    """All agents within their common room, the newest last: the least recently active are stripped first."""
    if len(agents) * AGENT_ROOM <= AGENTS_ROOM or weight(agents) <= AGENTS_ROOM:
        return agents
    order = sorted(range(len(agents)), key=lambda at: (not agents[at].id, at))
    kept = list(agents)
    for at in order:
        kept[at] = _bare(kept[at])
        if weight(kept) <= AGENTS_ROOM:
            break
    return tuple(kept)


def with_small_goals(session: Session) -> Session:
    """The session with goals and contract within their room."""
    if weight((session.goals, session.contract)) <= GOAL_ROOM:
        return session
    older = tuple(replace(goal, keywords=goal.keywords[:8], scope=goal.scope[:8]) for goal in session.goals[:-1])
    contract = session.contract
    less = replace(
        session,
        goals=(*older, *session.goals[-1:]),
        contract=replace(
            contract, scope=contract.scope[:20], keywords=contract.keywords[:80], constraints=contract.constraints[-8:]
        ),
    )
    return less if weight((less.goals, less.contract)) <= GOAL_ROOM else _goals_in_words(session)


def _goals_in_words(session: Session) -> Session:
    bare = tuple(
        replace(goal, text=goal.text[:400], keywords=(), scope=(), areas=(), let_stand=()) for goal in session.goals
    )
    old = session.contract
    limits = _newest_within(old.constraints, GOAL_ROOM // 2)
    contract = Contract(objective=old.objective[:400], constraints=limits, wide=old.wide, version=old.version)
    return replace(session, goals=(*bare[:1], *bare[1:][-1:]), contract=contract)


def _newest_within(constraints: tuple[Constraint, ...], room: int) -> tuple[Constraint, ...]:
    """Limits are the last thing to be forgotten."""
    kept: list[Constraint] = []
    for constraint in reversed(constraints):
        room -= weight(constraint)
        if room < 0:
            break
        kept.append(constraint)
    return tuple(reversed(kept))


def _light(call: OpenCall) -> OpenCall:
    return replace(call, modifies=call.modifies[:4], words=(), added=None)


def _bare(agent: AgentState) -> AgentState:
    """Who it is, where it stands and what it last heard."""
    return AgentState(
        id=agent.id[:200],
        turn=agent.turn,
        turn_open=agent.turn_open,
        message=agent.message[:200],
        spoken_turn=agent.spoken_turn,
        corrected=agent.corrected,
        fired_turn=agent.fired_turn,
        edits=agent.edits,
        remembers=agent.remembers,
    )


FORCED_END = "nobody has done the forced action for many turns: what is on course passes again, and a person is to look"


def words_of_end(session: Session) -> str:
    """For the person who is to look at it."""
    return f"{FORCED_END}: `leeboard report {session.id[:8]}`"


def outlasted(session: Session) -> Session:
    """FORCED that nobody has ended for many turns: what is on course may go on, and a person is to look at the rest.

    An agent that can not or will not do the one action would otherwise be frozen for good where no human speaks.
    """
    if session.mode != "FORCED":
        return replace(session, forced_turns=0) if session.forced_turns else session
    turns = session.forced_turns + 1
    if turns <= FORCED_TURNS:
        return replace(session, forced_turns=turns)
    session = replace(session, escalation=max(0, session.escalation - 1), outlasted=session.outlasted + 1)
    return replace(session, mode="DRIFTED", forced="", forced_turns=0)
