"""Session and analysed event to the next session."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from leeboard.analysis.analyse import analyse
from leeboard.model.event import (
    AgentEnded,
    ContextCompacted,
    Event,
    MessageSaid,
    PromptGiven,
    SessionEnded,
    SessionStarted,
    Stopped,
    ToolCall,
    ToolFinished,
    ToolProposed,
)
from leeboard.model.fold import counts, fold, put_agent
from leeboard.model.session import AGENT_WINDOW, AgentState, Session
from leeboard.model.verdict import Correction
from leeboard.model.workspace import Workspace
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import tell
from leeboard.testing.scenario_lines import events_of

PLACE = Workspace("/repo")
LINES = (
    "@ fix src/a.py",
    "read src/a.py",
    "edit src/a.py | x = 1 => x = 2",
    "& edit src/b.py",
    "$! pytest -> E boom",
    "stop",
)
EVENTS = events_of(LINES)


def folded(*events: Event, session: Session | None = None) -> Session:
    session = session or Session(id="scenario")
    for event in events:
        session, _ = fold(session, analyse(event, PLACE))
    return session


def test_the_same_input_gives_the_same_output() -> None:
    analyses = [analyse(event, PLACE) for event in EVENTS]
    session = Session(id="scenario")
    for analysis in analyses:
        before = replace(session)
        once, rows = fold(session, analysis)
        assert (once, rows) == fold(session, analysis)
        assert session == before
        session = once


def test_counts_and_times_move_forward() -> None:
    early, late = (PromptGiven(session="s", text="go", time=time) for time in (5.0, 9.0))
    session = folded(late, early)
    assert (session.events, session.started, session.updated) == (2, 9.0, 9.0)


def test_status_follows_the_session() -> None:
    ended = folded(SessionStarted(session="s"), SessionEnded(session="s"))
    assert ended.status == "completed"
    assert folded(SessionStarted(session="s", reason="resume"), session=ended).status == "active"


def test_no_check_happens_at_the_start_of_a_session() -> None:
    """AD-11."""
    session = folded(SessionStarted(session="s"))
    assert (session.history, session.scored, session.goals) == ((), 0, ())


def test_what_the_agent_said_last_is_kept_and_redacted() -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    session = folded(MessageSaid(session="s", text=f"I use {secret} " + "word " * 500))
    assert secret not in session.agent("").last_text
    assert len(session.agent("").last_text) <= 600


def test_a_session_that_begins_in_the_middle_remembers_nothing() -> None:
    """A compaction after work was seen changes nothing; one before it, or a resume, does."""
    assert not folded(ContextCompacted(session="s")).agent("").remembers
    assert not folded(SessionStarted(session="s", reason="resume")).agent("").remembers
    assert folded(*EVENTS, ContextCompacted(session="scenario")).agent("").remembers
    assert folded(SessionStarted(session="s", reason="startup")).agent("").remembers


def test_an_event_without_id_counts_from_the_best_source_alone() -> None:
    stop = Stopped(session="s")
    assert counts(Session(id="s", live="hook"), stop)
    assert counts(Session(id="s", live="transcript"), stop)
    assert not counts(Session(id="s", live="hook"), replace(stop, source="transcript"))
    assert counts(Session(id="s", live="transcript"), replace(stop, source="transcript"))


def test_a_prompt_seen_twice_under_two_names_counts_once() -> None:
    hooked = PromptGiven(session="s", text="fix src/a.py")
    read = PromptGiven(session="s", source="transcript", key="prompt:uuid", text="fix  src/a.py\n")
    session = folded(hooked)
    assert not counts(session, read)
    assert counts(session, replace(read, text="fix src/b.py"))
    assert counts(session, hooked), "the human may say the same thing twice"


def test_a_prompt_at_a_hook_always_counts() -> None:
    """It is the one that can be answered, also where the transcript was read first."""
    read = PromptGiven(session="s", source="transcript", key="prompt:uuid", text="fix src/a.py")
    assert counts(folded(read), PromptGiven(session="s", text="fix src/a.py"))


def test_corrections_of_an_ended_agent_go_to_the_parent() -> None:
    waiting = Correction(
        id="c1", agent="sub", turn=1, level="correct", score=6, text="t", rules=("scope_drift",), paths=("x.css",)
    )
    session = put_agent(Session(id="s"), AgentState(id="sub", waiting=(waiting,)))
    session = folded(AgentEnded(session="s", agent="sub"), session=session)
    assert [state.id for state in session.agents] == [""]
    assert [(heir.id, heir.agent) for heir in session.agent("").waiting] == [("c1", "")]


def test_the_main_agent_does_not_end() -> None:
    session = put_agent(Session(id="s"), AgentState(edits=4))
    assert folded(AgentEnded(session="s"), session=session).agent("").edits == 4


def test_agents_beyond_the_window_are_forgotten_least_recently_active_first() -> None:
    session = put_agent(Session(id="s"), AgentState(turn=1))
    for number in range(AGENT_WINDOW + 5):
        session = put_agent(session, AgentState(id=f"a{number}"))
    ids = [state.id for state in session.agents]
    assert len(ids) == AGENT_WINDOW
    assert "" in ids
    assert "a0" not in ids


KEYED: list[Event] = [
    event
    for number in range(4)
    for call in [ToolCall(id=f"t{number}", tool="Edit", action="edit", paths=(f"src/f{number}.py",))]
    for event in (
        PromptGiven(session="scenario", key=f"prompt:{number}", text=f"fix src/f{number}.py"),
        ToolProposed(session="scenario", key=f"call:t{number}", call=call),
        ToolFinished(session="scenario", key=f"result:t{number}", call=call, outcome="done"),
    )
]
WITNESSED = [*KEYED, *(replace(event, source="transcript", message="m") for event in KEYED)]


@given(st.permutations(WITNESSED), st.lists(st.sampled_from(WITNESSED), max_size=6))
def test_any_order_of_arrival_gives_the_same_counts(deliveries: list[Event], again: list[Event]) -> None:
    """Each thing is told by hook and transcript, some twice: it counts once, and no call stays open."""
    store = MemoryStore()
    for event in (*deliveries, *again):
        tell(event, store)
    session = store.session("scenario")
    assert session is not None
    assert (session.events, session.exchange, session.scored, len(session.history)) == (12, 4, 4, 4)
    assert session.agent("").open_calls == ()
    assert len(store.steps("scenario")) == 4
