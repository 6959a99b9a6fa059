"""A session stays small whatever a run brings."""

from __future__ import annotations

import random

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from leeboard.analysis.analyse import analyse
from leeboard.model.contract import Constraint, Contract
from leeboard.model.event import (
    AgentEnded,
    AgentStarted,
    ContextCompacted,
    Event,
    MessageSaid,
    PromptGiven,
    Stopped,
    TextEdit,
    TodosUpdated,
    ToolCall,
    ToolFinished,
    ToolProposed,
    TurnEnded,
)
from leeboard.model.fold import fold
from leeboard.model.session import (
    AGENT_ROOM,
    AGENTS_ROOM,
    GOAL_ROOM,
    AgentState,
    Goal,
    Mark,
    OpenCall,
    Session,
    fitting,
    short,
    slim,
    weight,
    with_small_goals,
)
from leeboard.model.verdict import Correction
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import tell

STORED = 64 * 1024
"""What a stored session may weigh."""

PLACE = Workspace("/repo")
WORDS = "auth token invoice theme parser session café 認証 schema migration worker".split()


def noise(dice: random.Random) -> list[Event]:
    """A realistic mix, and the worst that comes with it: long paths, long prompts, huge texts, many agents."""
    events: list[Event] = []
    for number in range(600):
        agent = dice.choice(["", "", "", f"agent-{dice.randrange(60)}"])
        base = {"session": "s", "agent": agent, "time": 1_763_242_000.25 + number}
        path = "/".join(dice.choices(WORDS, k=dice.choice([2, 4, 40]))) + f"/{dice.choice(WORDS)}{number}.py"
        edit = TextEdit(" ".join(dice.choices(WORDS, k=20)), " ".join(dice.choices(WORDS, k=dice.choice([20, 2000]))))
        shell = "sed -i s/a/b/ " + " ".join(f"{dice.choice(WORDS)}/{'x' * 60}{i}.py" for i in range(30))
        call = dice.choice(
            [
                ToolCall(id=f"toolu_{number}", tool="Edit", action="edit", paths=(path,), edits=(edit,)),
                ToolCall(id=f"toolu_{number}", tool="Read", action="read", paths=(path,)),
                ToolCall(id=f"toolu_{number}", tool="Bash", action="bash", command=shell),
            ]
        )
        text = " ".join(dice.choices(WORDS, k=dice.choice([5, 3000]))) + f" {path} don't touch {path}/x{number}.sql"
        outcome = dice.choice(["done", "done", "failed", "denied"])
        kinds: list[Event] = [
            ToolProposed(**base, key=f"call:{number}", call=call),  # type: ignore[arg-type] # one base for all
            ToolFinished(**base, key=f"result:{number}", call=call, outcome=outcome, output=text),  # type: ignore[arg-type] # as above
            PromptGiven(**base, key=f"prompt:{number}", text=text),  # type: ignore[arg-type] # as above
            MessageSaid(**base, key=f"say:{number}", text=text),  # type: ignore[arg-type] # as above
            TodosUpdated(**base, items=(text,)),  # type: ignore[arg-type] # as above
            TurnEnded(**base),  # type: ignore[arg-type] # as above
            Stopped(**base),  # type: ignore[arg-type] # as above
            ContextCompacted(**base, summary=text),  # type: ignore[arg-type] # as above
            AgentStarted(**base),  # type: ignore[arg-type] # as above
            AgentEnded(**base),  # type: ignore[arg-type] # as above
        ]
        events.append(dice.choices(kinds, weights=[14, 8, 2, 4, 1, 2, 1, 0.2, 1, 0.5])[0])
    return events


def test_a_hundred_thousand_events_keep_it_under_64_kb() -> None:
    dice = random.Random(20_261_115)
    analyses: list[Analysis] = [analyse(event, PLACE) for event in noise(dice)]
    session, heaviest = Session(id="s", root="/repo"), 0
    for number in range(100_000):
        session, _ = fold(session, analyses[dice.randrange(len(analyses))])
        if number % 250 == 0:
            heaviest = max(heaviest, weight(session))
    assert session.events == 100_000
    assert 10_000 < heaviest < STORED


def test_judged_events_keep_it_under_64_kb() -> None:
    """History, what waits and what was said come on top."""
    store, heaviest = MemoryStore(keep_rows=False), 0
    for event in noise(random.Random(7)):
        tell(event, store)
        heaviest = max(heaviest, weight(store.session("s")))
    assert heaviest < STORED


def heavy(name: str, size: int) -> AgentState:
    """An agent with every window full of texts of that size."""
    text = "x" * size
    correction = Correction(
        id="c", agent=name, turn=1, level="halt", score=1, text=text * 4, rules=("scope_drift",), paths=(text,) * 12
    )
    return AgentState(
        id=name,
        turn=9,
        edits=4,
        open_calls=tuple(OpenCall(id=text, action="edit", turn=1, modifies=(text,) * 16) for _ in range(64)),
        marks=tuple(Mark(kind="edit", digest=text, path=text) for _ in range(32)),
        waiting=(correction,) * 6,
        said=(text,) * 64,
        correction=correction,
    )


@settings(max_examples=30)
@given(st.integers(0, 2_000), st.integers(1, 12))
def test_agents_fit_their_room(size: int, number: int) -> None:
    agents = tuple(slim(heavy(f"a{i}" if i else "", size)) for i in range(number))
    assert all(weight(agent) <= AGENT_ROOM for agent in agents)
    kept = fitting(agents)
    assert weight(kept) <= AGENTS_ROOM
    assert [(agent.id, agent.turn, agent.edits) for agent in kept] == [(agent.id, 9, 4) for agent in agents]


def test_an_ordinary_agent_is_left_as_it_is() -> None:
    agent = AgentState(marks=(Mark(kind="edit", digest="d", path="src/a.py"),) * 20, said=("correct:src/a.py",))
    assert slim(agent) is agent
    assert fitting((agent, replace(agent, id="b"))) == (agent, replace(agent, id="b"))


def test_the_main_agent_is_stripped_last() -> None:
    agents = tuple(replace(slim(heavy(name, 20)), last_good="a.py") for name in ("", "b", "c", "d", "e", "f", "g"))
    kept = fitting(agents)
    assert weight(agents) > AGENTS_ROOM >= weight(kept)
    assert kept[0].last_good == "a.py"
    assert not kept[1].last_good


def test_goals_fit_their_room_and_the_newest_keeps_its_words() -> None:
    goals = tuple(Goal(text=f"goal {i} " + "y" * 390, exchange=i, scope=("p" * 200,) * 40) for i in range(8))
    ban = Constraint(text="DO NOT " + "z" * 400, kind="forbid", patterns=("w" * 200,) * 20)
    contract = Contract(objective=goals[-1].text, scope=("q" * 250,) * 60, constraints=(ban,) * 16, version=8)
    small = with_small_goals(Session(id="s", goals=goals, contract=contract))
    assert weight((small.goals, small.contract)) <= GOAL_ROOM
    assert small.goals[0].text.startswith("goal 0")
    assert small.contract.objective.startswith("goal 7")
    assert small.contract.version == 8


def test_a_message_full_of_paths_does_not_erase_the_limits() -> None:
    goals = tuple(Goal(text="migrate these", exchange=i, scope=("p" * 250,) * 60) for i in range(2))
    ban = Constraint(text="DO NOT touch src/billing/", kind="forbid", patterns=("**/src/billing/**",))
    contract = Contract(objective="migrate these", scope=("p" * 250,) * 60, constraints=(ban,), wide=True)
    small = with_small_goals(Session(id="s", goals=goals, contract=contract))
    assert (small.contract.constraints, small.contract.wide) == ((ban,), True)


def test_long_paths_are_not_remembered() -> None:
    assert short(("a" * 301, "b", "c" * 300, "d"), 2) == ("b", "c" * 300)


def test_half_a_surrogate_pair_has_a_weight() -> None:
    """Odd file names bring them; the fold must not stumble over what only the store can mend."""
    agent = AgentState(last_good="a\ud800.py")
    assert weight(agent) > 10
    assert slim(agent) == agent
    assert msgspec.json.encode(AgentState())
