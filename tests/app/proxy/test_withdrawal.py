"""A session without a call that was judged and never seen, whatever happened to it since."""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.app.proxy.withdrawal import WITHDRAWN, JudgedCall, withdraw, without
from leeboard.model.fold import put_agent
from leeboard.model.session import Session
from tests.app.proxy.conftest import GOAL, PLACELESS
from tests.wire_agent import WireAgent, known_session, stored


def judged(agent: WireAgent, path: str) -> JudgedCall:
    call = agent.edit(path)
    before = known_session()
    agent.desk.judge(agent.facts, [call])
    return JudgedCall(id=call.id, agent="", before=before, after=known_session())


def of_the_judge(session: Session) -> tuple[object, ...]:
    state = session.agent("")
    counts = (session.scored, session.drifted, session.halts, session.above_nudge, session.escalation, session.mode)
    return (*counts, session.history, state.waiting, state.unheard, state.strays, session.last_score)


def test_what_it_changed_is_taken_back(agent: WireAgent) -> None:
    agent.asks(GOAL)
    call = judged(agent, "src/styles/theme.css")
    assert of_the_judge(call.after) != of_the_judge(call.before)
    assert of_the_judge(without(call.after, call)) == of_the_judge(call.before)


def test_several_are_taken_back_one_by_one(agent: WireAgent) -> None:
    agent.asks(PLACELESS)
    calls = [judged(agent, path) for path in ("src/styles/theme.css", "src/auth/token.py", "src/ui/button.py")]
    store = stored()
    with store.transaction("s") as transaction:
        withdraw(calls, transaction)
    assert of_the_judge(known_session()) == of_the_judge(calls[0].before)
    assert [verdict.event for verdict in store.verdicts("s")][-1] == WITHDRAWN
    assert {offer.state for offer in store.corrections("s")} == {"dropped"}
    store.close()


def test_what_others_added_stays(agent: WireAgent) -> None:
    agent.asks(GOAL)
    call = judged(agent, "src/styles/theme.css")
    other = replace(call.after, scored=call.after.scored + 4, escalation=3, mode="FORCED", forced="a.py")
    other = put_agent(other, replace(other.agent("a1"), turn=7))
    left = without(other, call)
    assert (left.scored, left.escalation, left.mode, left.forced) == (4, 3, "FORCED", "a.py")
    assert left.agent("a1").turn == 7


def test_without_a_call_nothing_is_written(agent: WireAgent) -> None:
    agent.asks(GOAL)
    version = known_session().version
    store = stored()
    with store.transaction("s") as transaction:
        withdraw([], transaction)
    store.close()
    assert known_session().version == version
