"""What becomes of a call on the wire, and the words of it."""

from __future__ import annotations

import shlex

import pytest

from leeboard.app.proxy.rulings import HELD, ruling_on, words_of
from leeboard.model.verdict import Action, Verdict
from leeboard.wire.seam import RELEASE, RequestFacts
from tests.app.proxy.conftest import GOAL
from tests.wire_agent import WireAgent, known_session, stored

DENIAL = Verdict(id="v1", session="s", agent="", turn=1, action=Action.DENY, event="ToolProposed", message="no")


def facts(*tools: str) -> RequestFacts:
    return RequestFacts(api="anthropic", kind="work", session_id="s", tools=tools)


@pytest.mark.parametrize("action", [action for action in Action if action is not Action.DENY])
def test_only_a_denial_withholds(action: Action) -> None:
    verdict = Verdict(id="v", session="s", agent="", turn=1, action=action, event="ToolProposed", message="words")
    assert ruling_on(verdict, "words", facts("Bash")) == RELEASE
    assert ruling_on(None, "", facts("Bash")) == RELEASE


@pytest.mark.parametrize(
    ("tool", "key"), [("Bash", "command"), ("bash", "command"), ("exec_command", "cmd"), ("shell_command", "command")]
)
def test_a_shell_prints_the_words_so_that_the_loop_goes_on(tool: str, key: str) -> None:
    words = '<leeboard level="halt">\nit\'s `rm -rf $HOME` & more; > x\nStop.\n</leeboard>'
    ruling = ruling_on(DENIAL, words, facts("Edit", tool))
    assert (ruling.verdict, ruling.text) == ("withhold", words)
    assert ruling.substitute is not None
    assert ruling.substitute.name == tool
    line = ruling.substitute.input[key]
    assert shlex.split(str(line)) == ["echo", f"{HELD} its rm -rf HOME more x Stop."]


def test_codex_gets_its_words_as_a_list() -> None:
    ruling = ruling_on(DENIAL, "no", facts("shell"))
    assert ruling.substitute is not None
    assert ruling.substitute.input == {"command": ["bash", "-lc", f"echo '{HELD} no'"]}


def test_without_a_shell_the_words_take_its_place() -> None:
    ruling = ruling_on(DENIAL, "", facts("Edit"))
    assert (ruling.text, ruling.substitute) == (HELD, None)


def test_the_way_back_starts_from_what_was_on_course(agent: WireAgent) -> None:
    agent.asks(GOAL)
    for path in ("src/auth/token.py", "src/styles/theme.css", "src/auth/login.py"):
        agent.answers(agent.edit(path))
        agent.goes_on()
    store = stored()
    said = Verdict(
        id="v",
        session="s",
        agent="",
        turn=1,
        action=Action.INJECT,
        event="TurnEnded",
        level="correct",
        message="words",
        paths=("src/styles/theme.css",),
    )
    told = words_of(said, known_session(), store)
    store.close()
    assert told.startswith("words\nWork on course to come back to: ")
    assert "src/auth/token.py (key decision)" in told
    assert "src/auth/login.py" in told
    assert "theme.css" not in told


def test_a_nudge_stays_brief(agent: WireAgent) -> None:
    agent.asks(GOAL)
    agent.answers(agent.edit("src/auth/token.py"))
    agent.goes_on()
    store = stored()
    nudge = Verdict(
        id="v", session="s", agent="", turn=1, action=Action.INJECT, event="TurnEnded", level="nudge", message="words"
    )
    assert words_of(nudge, known_session(), store) == "words"
    store.close()
