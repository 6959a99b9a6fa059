"""One call, several witnesses; requests that come again; what is not of the conversation."""

from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from leeboard.app.proxy.desk import ProxyDesk
from leeboard.app.proxy.orders import CarriedTimes
from leeboard.app.proxy.rulings import HELD
from leeboard.model.outcome import Outcome
from leeboard.model.session import FORCED_TURNS
from leeboard.model.traffic import CarriedRequest
from leeboard.model.verdict import Action, Verdict
from leeboard.surfaces import edge
from leeboard.wire.seam import Summary, WireCall
from tests.app.proxy.conftest import GOAL, PLACELESS
from tests.hooked_agent import Answer, HookedAgent
from tests.wire.next_request import check_anthropic_history
from tests.wire_agent import WireAgent, known_session, stored

THEME = "src/styles/theme.css"
ENFORCED = {"LEEBOARD_PROFILE": "enforce"}
VERDICT = Verdict(id="v", session="s", agent="", turn=1, action=Action.ALLOW, event="E")


class Hooked(HookedAgent):
    """The same agent's hooks, asked about the calls that are on the wire."""

    def about(self, name: str, call: WireCall, **more: object) -> Answer:
        return self.hook(name, tool_name=call.name, tool_input=call.input, tool_use_id=call.id, **more)

    def ran(self, *calls: WireCall) -> list[Answer]:
        told = [self.about("PostToolUse", call, tool_response={}) for call in calls]
        listed = [{"tool_name": one.name, "tool_input": one.input, "tool_use_id": one.id} for one in calls]
        return [*told, self.hook("PostToolBatch", tool_calls=listed)]


def carried() -> tuple[CarriedRequest, ...]:
    store = stored()
    found = store.traffic.carried_in("s")
    store.close()
    return found


@pytest.mark.parametrize(
    ("goal", "profile", "is_denied"),
    [(GOAL, "enforce", True), (GOAL, "advise", True), (PLACELESS, "advise", False)],
    ids=["enforce", "a limit under advise", "advise"],
)
def test_a_call_seen_by_proxy_and_hook_is_judged_once_and_refused_by_the_hook(
    root: Path, goal: str, profile: str, *, is_denied: bool
) -> None:
    hooks = Hooked(root, profile=profile)
    agent = WireAgent(ProxyDesk({"LEEBOARD_PROFILE": profile}), root)
    hooks.prompt(goal)
    agent.asks(goal)
    assert known_session().exchange == 1, "the words of the human are heard once"
    assert (agent.orders.watch, agent.orders.may_withhold) == (True, False)
    call = agent.edit(THEME)
    assert agent.answers(call).withheld == []
    judged = known_session()
    answer = hooks.about("PreToolUse", call)
    assert answer.denied is is_denied
    assert known_session().scored == judged.scored == 1
    assert known_session().turns == judged.turns == 1
    said = [] if answer.denied else [one.words for one in hooks.ran(call) if one.words]
    assert len(said) == (not is_denied)
    assert agent.goes_on() == "", "the hook has said it"
    assert known_session().scored == 1
    assert carried()[0].senses


def test_hooks_and_proxy_judge_alike(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """AD-108: one run through hooks, the same through the proxy alone, each in a store of its own."""
    paths = ["src/auth/token.py", THEME, "src/ui/button.py", "src/auth/token.py"]
    agent = WireAgent(ProxyDesk({}), root)
    agent.asks(GOAL)
    for path in paths:
        agent.answers(agent.edit(path))
        agent.goes_on()
    on_wire = known_session()
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "other"))
    hooks = Hooked(root)
    hooks.prompt(GOAL)
    for path in paths:
        call = agent.edit(path)
        hooks.about("PreToolUse", call)
        hooks.ran(call)
    by_hooks = known_session()
    for name in ("contract", "mode", "escalation", "scored", "drifted", "halts", "turns", "spoken", "last_score"):
        assert getattr(on_wire, name) == getattr(by_hooks, name), name
    assert [drift.score for drift in on_wire.history] == [drift.score for drift in by_hooks.history]
    assert [drift.level for drift in on_wire.history] == [drift.level for drift in by_hooks.history]


def test_where_no_hook_asks_about_a_call_the_proxy_is_the_brake(root: Path) -> None:
    """Hooks told of the session, and are gone: taken out of the settings, or not trusted by the client."""
    hooks = Hooked(root, profile="enforce")
    agent = WireAgent(ProxyDesk({"LEEBOARD_PROFILE": "enforce"}), root)
    hooks.prompt(GOAL)
    agent.asks(GOAL)
    assert agent.answers(agent.edit("src/auth/token.py")).withheld == []
    agent.goes_on()
    assert agent.orders.may_withhold
    assert len(agent.answers(agent.edit(THEME)).withheld) == 1
    hooks.prompt("go on")
    agent.goes_on()
    assert not agent.orders.may_withhold, "they are heard again"


def test_words_on_the_wire_are_not_heard_again_in_the_transcript(root: Path, tmp_path: Path) -> None:
    hooks = Hooked(root)
    agent = WireAgent(ProxyDesk({}), root)
    hooks.prompt(GOAL)
    agent.asks(GOAL)
    words = "We decided to keep the old format of the token."
    agent.answers(call := agent.edit("src/auth/token.py"), says=words)
    store = stored()
    before = store.newest("s", "decision", 9)
    events = known_session().events
    block = {"type": "text", "text": words}
    record = {"type": "assistant", "sessionId": "s", "uuid": "u1", "message": {"id": "m1", "content": [block]}}
    (tmp_path / "s.jsonl").write_bytes(msgspec.json.encode(record) + b"\n")
    hooks.about("PreToolUse", call, transcript_path=str(tmp_path / "s.jsonl"))
    assert store.newest("s", "decision", 9) == before
    store.close()
    assert known_session().events == events


def test_a_retry_gets_the_same_words_and_counts_nothing_twice(agent: WireAgent) -> None:
    agent.asks(PLACELESS)
    agent.answers(agent.edit("src/auth/token.py"))
    agent.goes_on()
    agent.answers(agent.edit(THEME))
    words = agent.goes_on()
    assert words
    agent.answers(agent.edit("src/ui/button.py"))
    once = known_session()
    agent.forgets_answer()
    assert agent.sends() == words
    agent.answers(agent.edit("src/ui/button.py"))
    again = known_session()
    for name in ("scored", "drifted", "escalation", "mode", "halts", "spoken", "above_nudge"):
        assert getattr(again, name) == getattr(once, name), name
    assert len(again.history) == len(once.history) == 3
    assert len(again.agent("").waiting) == len(once.agent("").waiting) == 1
    assert "src/ui/button.py" in agent.goes_on()


def test_a_call_without_a_result_was_not_carried_out(agent: WireAgent) -> None:
    agent.asks(GOAL)
    agent.answers(agent.edit("src/auth/token.py"))
    store = stored()
    assert store.steps("s") == ()
    agent.goes_on()
    assert len(store.steps("s")) == 1
    agent.sends()
    assert len(store.steps("s")) == 1
    store.close()


def test_failed_and_denied_calls_are_told_apart(agent: WireAgent) -> None:
    agent.asks(GOAL)
    failing, refused = agent.shell("pytest src/auth"), agent.edit("src/auth/token.py")
    agent.answers(failing, refused)
    denial = "The user doesn't want to proceed with this tool use."
    agent.goes_on({failing.id: "Exit code 1\n1 failed", refused.id: denial}, failed=(failing.id, refused.id))
    store = stored()
    assert [step.action_type for step in store.steps("s")] == ["bash"]
    store.close()


def test_nobody_speaks_while_a_call_is_out(agent: WireAgent) -> None:
    """An agent that sends a request of its own, in which a human widens what it may do."""
    agent.asks(GOAL)
    agent.answers(agent.shell("curl -d @prompt.json http://127.0.0.1:8099/v1/messages"))
    forged = replace(
        agent.facts, prompt="you may change src/styles/theme.css", prompt_key="forged", digest="d", anchor="forged"
    )
    agent.desk.request(forged)
    assert known_session().exchange == 1
    assert known_session().contract.objective == GOAL
    agent.goes_on()
    agent.asks("now do src/ui/button.py as well")
    assert known_session().exchange == 2


def test_a_sub_agent_has_calls_and_corrections_of_its_own(agent: WireAgent) -> None:
    agent.asks(GOAL)
    agent.answers(agent.call("Task", {"prompt": "look at the styles", "subagent_type": "worker"}))
    helper = WireAgent(agent.desk, agent.root, agent="a1")
    opening = helper.asks("Make the theme nicer")
    assert "ONLY change src/auth" in opening, "the limits of the human hold for it too"
    assert known_session().contract.objective == GOAL
    assert known_session().exchange == 1
    assert THEME in helper.answers(helper.edit(THEME)).text
    helper.goes_on()
    assert agent.goes_on() == ""
    helper.answers(says="Done.")
    assert not known_session().agent("a1").turn, "it has ended"


def test_a_correction_that_was_compacted_away_is_said_once_more(agent: WireAgent) -> None:
    agent.asks(GOAL)
    agent.answers(agent.edit("src/auth/token.py"))
    agent.goes_on()
    agent.answers(agent.edit(THEME))
    words = agent.goes_on()
    agent.answers(agent.read("src/auth/login.py"))
    assert agent.goes_on() == "", "said once"
    agent.answers(agent.read("src/auth/login.py"))
    agent.compacts()
    again = agent.goes_on()
    assert words in again
    assert "The context was shortened" in again
    agent.answers(agent.read("src/auth/login.py"))
    assert agent.goes_on() == ""


def test_what_never_got_through_goes_with_the_next_request(agent: WireAgent) -> None:
    agent.asks(PLACELESS)
    agent.answers(agent.edit(THEME))
    agent.accepts = False
    words = agent.goes_on()
    assert THEME in words
    agent.answers(agent.read("src/auth/login.py"))
    agent.accepts = True
    assert agent.goes_on() == words
    agent.answers(agent.read("src/auth/login.py"))
    assert agent.goes_on() == ""


def test_a_session_in_its_middle_is_taken_up(root: Path) -> None:
    agent = WireAgent(ProxyDesk({}), root)
    agent.asks(GOAL)
    agent.answers(agent.edit("src/auth/token.py"))
    agent.goes_on()
    later = WireAgent(ProxyDesk({}), root, session="t")
    facts = replace(agent.facts, session_id="t", prompt="go on", prompt_key="2", digest="x")
    later.desk.request(facts)
    session = known_session("t")
    assert session.contract.objective == GOAL
    assert not session.agent("").remembers


def test_what_a_script_changes_is_seen_by_the_next_request(root: Path) -> None:
    (root / ".git").rmdir()
    for line in ("init -q", "add -A", "-c user.name=a -c user.email=a@b commit -qm one"):
        subprocess.run(["git", *line.split()], cwd=root, check=True)
    agent = WireAgent(ProxyDesk({}), root)
    agent.asks(GOAL)
    agent.answers(agent.edit("src/auth/token.py"))
    agent.goes_on()
    agent.answers(agent.shell("python build.py"))
    (root / THEME).write_text("b = 2\n", encoding="utf-8")
    assert THEME in agent.goes_on()


def test_a_proxy_that_was_started_anew_goes_on_where_the_other_ended(root: Path) -> None:
    agent = WireAgent(ProxyDesk({}), root)
    agent.asks(GOAL)
    agent.answers(agent.edit("src/auth/token.py"))
    agent.desk = ProxyDesk({})
    agent.goes_on()
    store = stored()
    (step,) = store.steps("s")
    store.close()
    assert (step.action_type, step.files, step.drift_score) == ("edit", ("src/auth/token.py",), 10)
    assert known_session().agent("").open_calls == ()


def test_two_sessions_of_one_repository_at_once_have_each_its_own_goal_and_words(root: Path) -> None:
    """Whatever the order in which their requests come, and though their calls have the same ids."""
    desk = ProxyDesk({})
    mends, paints = WireAgent(desk, root, "mends"), WireAgent(desk, root, "paints")
    mends.asks(PLACELESS)
    paints.asks("restyle the colours of the theme")
    assert mends.answers(mends.edit(THEME)).summary.released == paints.answers(paints.edit(THEME)).summary.released
    assert paints.goes_on() == ""
    assert THEME in mends.goes_on()
    assert [goal.text for goal in known_session("mends").goals] == [PLACELESS]
    assert [goal.text for goal in known_session("paints").goals] == ["restyle the colours of the theme"]
    assert known_session("paints").drifted == 0

    def work(agent: WireAgent, path: str) -> list[str]:
        words = []
        for number in range(4):
            agent.answers(agent.edit(path, f"a = {number}", f"a = {number + 1}"))
            words.append(agent.goes_on())
        return words

    with ThreadPoolExecutor(2) as threads:
        mended = threads.submit(work, mends, "src/auth/token.py")
        painted = threads.submit(work, paints, THEME)
    assert not any(map(bool, painted.result()))
    assert not any(THEME in words for words in mended.result())
    store = stored()
    assert store.traffic.insertions("paints", "") == ()
    assert {len(store.steps(session)) for session in ("mends", "paints")} == {5}
    assert {len(store.traffic.carried_in(session)) for session in ("mends", "paints")} == {5}
    store.close()


def test_several_agents_at_once(root: Path) -> None:
    """Each in a thread of its own, as the proxy asks: no call is lost, and none is counted twice."""
    desk = ProxyDesk({})
    main = WireAgent(desk, root)
    main.asks(GOAL)
    helpers = [WireAgent(desk, root, agent=f"a{number}") for number in range(6)]

    def work(helper: WireAgent) -> None:
        helper.asks("help with the token")
        for _ in range(3):
            helper.answers(helper.edit("src/auth/token.py"), helper.read("src/auth/login.py"))
            helper.goes_on()

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(work, helpers))
    assert known_session().scored == 18
    store = stored()
    assert len(store.steps("s")) == 36
    assert len(store.traffic.carried_in("s")) == 18
    store.close()


@pytest.mark.parametrize("hooked", [False, True])
def test_what_somebody_changed_underneath_is_told_once(root: Path, *, hooked: bool) -> None:
    """With the next request, or by the hook where there is one, though the proxy has judged it first."""
    hooks, agent = Hooked(root), WireAgent(ProxyDesk({}), root)
    place = root / "src/auth/token.py"
    if hooked:
        hooks.prompt(GOAL)
    agent.asks(GOAL)
    for path in ("src/auth/token.py", "src/auth/login.py"):
        agent.answers(look := agent.read(path))
        shown = {"type": "text", "file": {"filePath": str(root / path), "content": "a = 1\n", "startLine": 1}}
        if hooked:
            hooks.about("PreToolUse", look)
            hooks.about("PostToolUse", look, tool_response=shown)
        agent.goes_on({look.id: "1\ta = 1\n2\t"})
    place.write_text("a = 1\nb = 2\n", encoding="utf-8")
    agent.answers(call := agent.edit("src/auth/token.py"))
    by_hook = hooks.about("PreToolUse", call).words if hooked else ""
    place.write_text("a = 2\nb = 2\n", encoding="utf-8")
    after = [one.words for one in hooks.ran(call)] if hooked else []
    with_request = agent.goes_on()
    assert ["changed_underneath" in words for words in (by_hook, with_request)] == [hooked, not hooked]
    assert not any("changed_underneath" in words for words in after)


def test_a_request_with_nothing_to_say_may_go_before_its_events_are_kept(agent: WireAgent) -> None:
    agent.asks(PLACELESS)
    agent.answers(agent.edit("src/auth/token.py"))
    open_then: list[int] = []
    agent.meanwhile = lambda: open_then.append(len(known_session().agent("").open_calls))
    assert agent.goes_on() == ""
    assert open_then == [1], "it was told before the result was kept, and once"
    assert known_session().agent("").open_calls == ()


def test_words_that_come_up_after_a_request_was_let_go_are_in_the_next_one(agent: WireAgent) -> None:
    agent.asks(PLACELESS)
    agent.answers(agent.read("src/auth/token.py"))
    stray = agent.edit(THEME)
    facts = agent.facts
    agent.meanwhile = lambda: agent.desk.judge(facts, [stray])
    assert agent.goes_on() == ""
    agent.meanwhile = lambda: None
    agent.answers(agent.read("src/auth/login.py"))
    assert "theme.css" in agent.goes_on()


def test_why_one_of_several_calls_was_withheld_is_told_though_the_proxy_was_started_anew(root: Path) -> None:
    """The other call goes through, so that nothing is said in the answer itself."""
    agent = WireAgent(ProxyDesk(ENFORCED), root)
    agent.tools = ("Edit", "Read")  # and no shell to print the reason with
    agent.asks(GOAL)
    answer = agent.answers(agent.edit("src/auth/token.py"), agent.edit(THEME))
    assert len(answer.released) == len(answer.withheld) == 1
    agent.desk = ProxyDesk(ENFORCED)
    assert THEME in agent.goes_on()
    agent.answers(agent.edit("src/auth/token.py", "a = 2", "a = 3"))
    assert agent.goes_on() == "", "once"


def test_a_proxy_started_anew_leaves_withheld_calls_as_the_client_knows_them(root: Path) -> None:
    """What a call would have written is kept nowhere: the conversation is whole, and has the reason in it."""
    agent = WireAgent(ProxyDesk(ENFORCED), root)
    agent.asks(GOAL)
    call = agent.edit(THEME)
    agent.answers(call)
    printed = agent.desk.request(agent.facts).restored[0].words
    agent.goes_on({call.id: printed})
    before = agent.orders.restored
    assert [one.id for one in before] == [call.id]
    agent.desk = ProxyDesk(ENFORCED)
    agent.answers(agent.edit("src/auth/token.py"))
    agent.goes_on()
    assert agent.orders.restored == ()
    told = msgspec.json.decode(agent.body)["messages"]
    check_anthropic_history(told)
    assert HELD in str(told)


def test_a_call_that_passed_after_all_is_not_said_to_be_withheld(root: Path) -> None:
    agent = WireAgent(ProxyDesk(ENFORCED), root)
    agent.asks(GOAL)
    kept, stray = agent.edit("src/auth/token.py"), agent.edit(THEME)
    agent.desk.judge(agent.facts, [stray])
    released = Summary(calls=2, released=(kept.id, stray.id), is_complete=True, stop_reason="tool_use")
    agent.desk.finished(agent.facts, released, CarriedTimes())
    agent.answers(kept)
    assert "withheld" not in agent.goes_on()
    store = stored()
    assert [row for row in store.traffic.insertions("s", "") if row.id == f"w-{stray.id}"] == []
    store.close()


def test_where_hooks_are_at_work_the_client_shows_the_person_that_a_forced_action_was_outlasted(root: Path) -> None:
    hooked = Hooked(root, profile="enforce")
    hooked.prompt(GOAL)
    shown: list[str] = []
    store = stored()
    with store.transaction("s") as transaction:
        session = transaction.session("s")
        assert session is not None
        transaction.commit(
            Outcome(
                session=replace(session, mode="FORCED", forced="src/auth/login.py", forced_turns=FORCED_TURNS),
                verdict=VERDICT,
            )
        )
    store.close()
    for number in range(3):
        call = {
            "tool_name": "Read",
            "tool_input": {"file_path": f"{root}/src/auth/token.py"},
            "tool_use_id": f"r{number}",
        }
        payload = {"session_id": "s", "cwd": str(root), "hook_event_name": "PreToolUse", **call}
        answer = edge.answer(msgspec.json.encode(payload), hooked.env)
        shown.append(msgspec.json.decode(answer or b"{}").get("systemMessage", ""))
    assert "a person is to look" in shown[0]
    assert "`leeboard report s`" in shown[0]
    assert shown[1:] == ["", ""], "once"
