"""Answers on their way: some calls withheld, streams that break off, clients that go away, ends that are told late."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from leeboard.app.proxy.desk import ProxyDesk
from leeboard.app.proxy.orders import CarriedTimes
from leeboard.wire.seam import Summary
from tests.app.proxy.conftest import GOAL
from tests.wire_agent import WireAgent, known_session, stored

THEME = "src/styles/theme.css"


def test_a_client_that_went_away_has_run_nothing(agent: WireAgent) -> None:
    agent.asks(GOAL)
    before = known_session()
    agent.desk.judge(agent.facts, [call := agent.edit(THEME)])
    assert known_session().drifted == 1
    agent.desk.gone(agent.facts, [call.id])
    after = known_session()
    assert (after.scored, after.drifted, after.mode, after.history) == (0, 0, "NORMAL", before.history)
    assert after.agent("").open_calls == ()
    assert after.agent("").waiting == ()
    store = stored()
    assert store.steps("s") == ()
    store.close()


def test_an_answer_that_breaks_off_has_run_nothing(agent: WireAgent) -> None:
    agent.asks(GOAL)
    agent.desk.judge(agent.facts, [first := agent.edit("src/auth/token.py"), agent.edit(THEME)])
    cut = Summary(calls=2, released=(first.id,))
    agent.desk.finished(agent.facts, cut, CarriedTimes(), outcome="cut")
    after = known_session()
    assert (after.scored, after.drifted, after.mode) == (1, 0, "NORMAL")
    assert [call.id for call in after.agent("").open_calls] == [first.id]
    agent.sends()
    assert (known_session().scored, known_session().agent("").open_calls) == (0, ()), "the client begins anew"


def test_where_only_some_calls_are_withheld_the_words_come_with_the_next_request(strict: WireAgent) -> None:
    strict.tools = ("Edit", "Read")
    strict.asks(GOAL)
    played = strict.answers(strict.edit(THEME), strict.read("src/auth/token.py"))
    assert [len(played.withheld), len(played.released)] == [1, 1]
    assert played.rulings[played.withheld[0]].substitute is None
    assert THEME in strict.goes_on()
    strict.answers(strict.read("src/auth/login.py"))
    assert strict.goes_on() == ""


def test_a_provider_that_keeps_the_conversation_gets_every_call(root: Path) -> None:
    agent = WireAgent(ProxyDesk({"LEEBOARD_PROFILE": "enforce"}), root)
    agent.asks(GOAL)
    facts = replace(agent.facts, server_keeps_history=True)
    assert not agent.desk.request(facts).may_withhold
    call = agent.edit(THEME)
    assert agent.desk.judge(facts, [call])[call.id].verdict == "release"


def test_what_is_told_late_changes_nothing(strict: WireAgent) -> None:
    """The end of an answer is told by a thread of its own, and the next request may be faster."""
    strict.tells_late = True
    strict.asks(GOAL)
    played = strict.answers(strict.edit(THEME), strict.read("src/auth/token.py"))
    assert len(played.withheld) == 1
    strict.goes_on()
    strict.answers(strict.edit("src/auth/token.py"))
    strict.goes_on()
    store = stored()
    assert [(step.action_type, step.files) for step in store.steps("s")] == [
        ("read", ("src/auth/token.py",)),
        ("edit", ("src/auth/token.py",)),
    ]
    assert [one.withheld for one in store.traffic.carried_in("s")] == [1, 0]
    store.close()
