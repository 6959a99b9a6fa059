"""The flow of the seed: every action of an agent is judged on its way, and what is to be said comes right after it."""

from __future__ import annotations

import threading
from pathlib import Path

import msgspec
import pytest

from leeboard.app.proxy.desk import ProxyDesk
from leeboard.app.proxy.orders import CarriedTimes
from leeboard.errors import LeeboardError
from leeboard.model.outcome import Step
from leeboard.model.session import FORCED_TURNS
from leeboard.wire.seam import RequestFacts, Summary, WireCall
from tests.app.proxy.conftest import GOAL
from tests.leak import live_key
from tests.surfaces.proxy.running_proxy import LIMIT
from tests.wire_agent import WireAgent, known_session, stored

UNLIMITED = "fix the auth bug in src/auth/token.py and src/auth/login.py"


def steps() -> dict[str, Step]:
    store = stored()
    found = {step.files[0] if step.files else step.command or "": step for step in store.steps("s")}
    store.close()
    return found


def test_a_request_makes_a_session_with_its_goal(agent: WireAgent) -> None:
    """AD-71."""
    assert agent.asks(GOAL) == ""
    assert agent.orders.watch
    assert agent.orders.may_withhold
    session = known_session()
    assert (session.live, session.root) == ("wire", agent.root)
    assert session.contract.objective == GOAL
    assert "src/auth/token.py" in session.contract.scope
    assert [limit.kind for limit in session.contract.constraints] == ["only"]


def test_each_kind_of_action_is_checked_on_its_way(agent: WireAgent) -> None:
    """AD-72, AD-65: no human speaks in between."""
    agent.asks(GOAL)
    write = agent.call("Write", {"file_path": f"{agent.root}/src/styles/new.css", "content": "a {}\n"})
    for call in (agent.edit("src/auth/token.py"), write, agent.shell("sed -i s/1/2/ src/ui/button.py")):
        scored = known_session().scored
        agent.answers(call)
        assert known_session().scored == scored + 1
        agent.goes_on()
    assert known_session().exchange == 1


def test_a_call_is_judged_while_its_answer_is_still_on_its_way(agent: WireAgent) -> None:
    """AD-66."""
    agent.asks(GOAL)
    rulings = agent.desk.judge(agent.facts, [call := agent.edit("src/styles/theme.css")])
    store = stored()
    verdict = store.answered("s", f"call:{call.id}")
    assert (verdict is not None and verdict.score) == 1
    assert store.traffic.carried_in("s") == ()
    store.close()
    assert rulings[call.id].verdict == "withhold", "the user ruled it out"


def test_each_action_of_one_answer_has_a_score_of_its_own(agent: WireAgent) -> None:
    """AD-70."""
    agent.asks(UNLIMITED)
    agent.answers(agent.edit("src/auth/token.py"), agent.edit("src/styles/a.css"), agent.edit("src/auth/login.py"))
    agent.goes_on()
    scores = {path: step.drift_score for path, step in steps().items()}
    assert scores == {"src/auth/token.py": 10, "src/styles/a.css": 8, "src/auth/login.py": 10}


def test_what_is_on_course_is_saved_and_goes_through_unchanged(agent: WireAgent) -> None:
    """AD-73."""
    agent.asks(GOAL)
    played = agent.answers(agent.edit("src/auth/token.py"))
    assert played.withheld == []
    assert agent.goes_on() == ""
    step = steps()["src/auth/token.py"]
    assert (step.drift_score, step.drift_type, step.is_validated, step.correction_given) == (10, "none", True, None)


def test_a_mild_drift_is_saved_as_such_and_named_in_the_next_request(agent: WireAgent) -> None:
    """AD-74, AD-67, AD-104: in the middle of the conversation, right after the action."""
    agent.asks("fix the auth bug")
    assert agent.answers(agent.edit("src/styles/theme.css")).withheld == []
    words = agent.goes_on()
    assert "src/styles/theme.css" in words
    step = steps()["src/styles/theme.css"]
    assert 5 <= step.drift_score <= 7
    assert step.drift_type == "minor"
    assert step.is_validated
    assert step.correction_given
    assert step.correction_given in words
    assert known_session().mode == "NORMAL"
    (insertion,) = agent.orders.insertions
    assert insertion.anchor == agent.facts.anchor


def test_a_strong_drift_stays_out_of_the_main_history_and_pauses_the_session(agent: WireAgent) -> None:
    """AD-75, AD-76."""
    agent.asks(UNLIMITED)
    agent.answers(agent.edit("src/auth/token.py"))
    agent.goes_on()
    agent.answers(agent.edit("src/ui/button.py"))
    agent.goes_on()
    agent.answers(agent.edit("src/styles/theme.css"))
    words = agent.goes_on()
    assert 'level="halt"' in words
    assert "Mandatory first action" in words
    assert "src/auth/token.py (key decision)" in words, "the four queries lead back to what was on course"
    assert known_session().mode == "DRIFTED"
    assert not steps()["src/styles/theme.css"].is_validated
    store = stored()
    found = store.past_steps("s", ("src/styles/theme.css", "src/auth/token.py"), ("src/styles/",), ("auth",))
    store.close()
    assert {step.files for step in found} == {("src/auth/token.py",)}


def test_the_action_after_a_drift_is_held_against_the_way_back(agent: WireAgent) -> None:
    """AD-77, AD-78, AD-107."""
    agent.asks(GOAL)
    agent.answers(agent.edit("src/auth/token.py"))
    agent.goes_on()
    agent.answers(agent.edit("src/styles/theme.css"))
    agent.goes_on()
    agent.answers(agent.edit("src/auth/token.py", "a = 2", "a = 3"))
    assert known_session().mode == "NORMAL"
    store = stored()
    notes = [one.note for one in store.traffic.carried_in("s")]
    store.close()
    assert notes == ["", "drifted (score 1): the next action is held against the way back", notes[-1]]
    assert notes[-1] == "recovered: src/auth/token.py is on the way back"


def test_who_goes_on_drifting_is_left_one_action(strict: WireAgent) -> None:
    """AD-79, AD-68: a call that is refused never reaches the client; looking around always does."""
    agent = strict
    agent.asks(GOAL)
    agent.answers(agent.edit("src/auth/token.py"))
    agent.goes_on()
    for path in ("src/styles/theme.css", "src/ui/button.py", "src/styles/theme.css"):
        assert agent.answers(agent.edit(path)).released == []
        agent.goes_on()
    assert (known_session().mode, known_session().forced) == ("FORCED", "src/auth/token.py")
    assert [*steps()] == ["src/auth/token.py"], "what was withheld was no step"
    other = agent.answers(agent.edit("src/auth/login.py"), agent.read("src/ui/button.py"))
    assert [len(other.withheld), len(other.released)] == [1, 1]
    assert "nothing before it: read src/auth/token.py" in other.text
    agent.goes_on()
    assert known_session().mode == "FORCED"
    assert agent.answers(agent.read("src/auth/token.py")).withheld == []
    assert known_session().mode == "FORCED", "proposed is not done"
    agent.goes_on()
    assert known_session().mode == "NORMAL"
    assert agent.answers(agent.edit("src/auth/login.py")).withheld == []


def test_a_word_of_the_human_ends_what_is_forced(strict: WireAgent) -> None:
    agent = strict
    agent.asks(GOAL)
    agent.answers(agent.edit("src/auth/token.py"))
    agent.goes_on()
    for path in ("src/styles/theme.css", "src/ui/button.py", "src/styles/theme.css"):
        agent.answers(agent.edit(path))
        agent.goes_on()
    assert known_session().mode == "FORCED"
    agent.answers(says="I can not go on.")
    agent.asks("please do change src/styles/theme.css as well")
    assert known_session().mode == "NORMAL"
    assert agent.answers(agent.edit("src/styles/theme.css")).withheld == []


def test_a_session_ends_with_its_record(agent: WireAgent) -> None:
    """AD-80."""
    agent.asks(GOAL)
    agent.answers(agent.edit("src/styles/theme.css"))
    agent.goes_on()
    agent.answers(says="Done: everything is nicer now.")
    agent.desk.close()
    store = stored()
    (capture,) = store.captures(agent.root)
    store.close()
    assert (capture.goal, capture.status, capture.drift_events, capture.final_score) == (GOAL, "completed", 1, 1)
    assert capture.needs_review
    assert capture.tags == ("needs-review", "had-drift")
    assert "unresolved" in capture.reasoning_trace


def test_what_the_model_thinks_is_heard_and_never_kept_whole(agent: WireAgent) -> None:
    """AD-69."""
    agent.asks(GOAL)
    secret = "sk-ant-api03-" + "Zq8" * 30
    thought = f"First the token. The key is {secret}, and the check of its age in token.py comes before the signature."
    agent.answers(agent.edit("src/auth/token.py"), thinks=thought, says="I fix the check of the age first.")
    agent.goes_on()
    reasoning = steps()["src/auth/token.py"].reasoning or ""
    assert "I fix the check of the age first." in reasoning
    assert "thought: …" in reasoning
    assert reasoning.endswith("comes before the signature.")
    assert "First the token" not in reasoning
    assert secret not in Path(agent.root, "../state/leeboard.db").read_bytes().decode("latin-1")


def test_a_plan_in_a_thought_is_judged_like_one_that_is_said(root: Path) -> None:
    """AD-69: the rules that read the agent's words hear what it thinks, before anything is written."""
    judged = []
    for kind in ("says", "thinks"):
        agent = WireAgent(ProxyDesk({}), root, kind)
        agent.asks("build the service in src/auth/login.py")
        told = ["", "", "I'll use REST instead of GraphQL for the public interface.", ""]
        for words in (*told, "Let me reconsider REST vs GraphQL for the public interface."):
            agent.answers(agent.read("src/auth/token.py"), **{kind: words})
            agent.goes_on()
        store = stored()
        judged.append([(one.rule, one.subclass, one.turn, one.urgency) for one in store.signals(kind)])
        store.close()
    assert judged[0] == judged[1]
    assert ("reopened_decision", "C3") in [(rule, subclass) for rule, subclass, *_ in judged[1]]


def test_a_call_that_must_not_run_never_reaches_the_client(agent: WireAgent) -> None:
    """AD-68, AD-107: under `advise` the named few; the conversation goes on by itself."""
    agent.asks("add payments in src/pay.py")
    secret = live_key(1)
    sent: dict[str, object] = {"file_path": f"{agent.root}/src/pay.py", "content": f'KEY = "{secret}"\n'}
    played = agent.answers(agent.call("Write", sent), agent.read("src/auth/token.py"))
    assert (len(played.withheld), len(played.released)) == (1, 1)
    assert secret not in str(played.blocks)
    printed, read = (block for block in played.blocks if block["type"] == "tool_use")
    assert (printed["name"], read["name"]) == ("Bash", "Read")
    assert printed["id"] == played.withheld[0]
    assert printed["input"]["command"].startswith("echo 'Leeboard held this call back.")
    agent.goes_on({printed["id"]: printed["input"]["command"][6:-1]})
    store = stored()
    assert [step.action_type for step in store.steps("s")] == ["read"]
    assert [one.state for one in store.signals("s")] == ["fired"]
    store.close()
    assert secret not in Path(agent.root, "../state/leeboard.db").read_bytes().decode("latin-1")


@pytest.mark.parametrize(
    "line", ["leeboard allow scope_drift --reason x", "rm leeboard.toml", "sed -i s/enforce/observe/ leeboard.toml"]
)
def test_an_agent_does_not_loosen_its_guard(agent: WireAgent, line: str) -> None:
    Path(agent.root, "leeboard.toml").write_text('profile = "enforce"\n', encoding="utf-8")
    agent.asks(GOAL)
    assert len(agent.answers(agent.shell(line)).withheld) == 1


def test_a_background_request_is_left_alone(agent: WireAgent, root: Path) -> None:
    facts = RequestFacts(
        api="anthropic", kind="background", background="title", session_id="s", prompt=GOAL, cwd=str(root)
    )
    orders = agent.desk.request(facts)
    assert (orders.watch, orders.may_withhold, orders.insertions) == (False, False, ())
    agent.desk.finished(facts, Summary(), CarriedTimes())
    store = stored()
    assert (store.session("s"), store.traffic.carried_in("s")) == (None, ())
    store.close()


@pytest.mark.parametrize(
    ("profile", "spoken", "withheld"), [("observe", False, False), ("advise", True, False), ("enforce", False, True)]
)
def test_profiles_hold_as_everywhere(root: Path, profile: str, *, spoken: bool, withheld: bool) -> None:
    agent = WireAgent(ProxyDesk({"LEEBOARD_PROFILE": profile}), root)
    agent.asks(UNLIMITED)
    agent.answers(agent.edit("src/auth/token.py"))
    agent.goes_on()
    played = agent.answers(agent.edit("src/styles/theme.css"))
    assert bool(played.withheld) is withheld
    assert bool(agent.goes_on()) is spoken
    assert known_session().drifted == 1


def test_switched_off_it_does_nothing(root: Path) -> None:
    agent = WireAgent(ProxyDesk({"LEEBOARD_OFF": "1"}), root)
    agent.asks(GOAL)
    assert not agent.orders.watch
    assert agent.answers(agent.edit("src/styles/theme.css")).withheld == []
    store = stored()
    assert store.session("s") is None
    store.close()


def test_warming_up_leaves_no_trace(agent: WireAgent) -> None:
    agent.desk.warm()
    assert not Path(agent.root, "../state/leeboard.db").exists()


def test_a_store_that_was_replaced_is_opened_anew(agent: WireAgent) -> None:
    """Somebody set the database aside while the proxy runs."""
    agent.asks(GOAL)
    place = Path(agent.root, "../state/leeboard.db").resolve()
    for ending in ("", "-wal", "-shm"):
        place.with_name(place.name + ending).rename(place.with_name(f"old{ending}"))
    agent.asks(GOAL)
    assert known_session().contract.objective == GOAL


def test_what_fails_is_raised_and_the_next_question_is_answered(agent: WireAgent) -> None:
    agent.asks(GOAL)
    place = Path(agent.root, "../state/leeboard.db").resolve()
    kept = place.read_bytes()
    for ending in ("-wal", "-shm"):
        place.with_name(place.name + ending).unlink(missing_ok=True)
    place.unlink()
    place.write_bytes(b"no database" * 500)
    with pytest.raises(LeeboardError):
        agent.sends()
    place.unlink()
    place.write_bytes(kept)
    agent.sends()


def _deep(agent: WireAgent) -> WireCall:
    call = agent.call("Bash", {"command": "touch src/auth/token.py"})
    return msgspec.structs.replace(call, input=None, unreadable="they are nested too deeply")


def test_a_call_that_can_not_be_read_is_withheld_where_low_scores_are(strict: WireAgent) -> None:
    strict.asks(GOAL)
    ruling = strict.desk.judge(strict.facts, [call := _deep(strict)])[call.id]
    assert ruling.verdict == "withhold"
    assert "can not be read: they are nested too deeply" in ruling.text
    assert ruling.substitute is not None
    assert strict.orders.unread.verdict == "withhold"


def test_a_call_that_can_not_be_read_passes_elsewhere_and_is_told_of(agent: WireAgent) -> None:
    agent.asks(GOAL)
    ruling = agent.desk.judge(agent.facts, [call := _deep(agent)])[call.id]
    assert (ruling.verdict, ruling.is_unchecked) == ("release", True)
    agent.desk.finished(agent.facts, Summary(calls=1, unchecked=(call.id,)), CarriedTimes())
    store = stored()
    (carried,) = store.traffic.carried_in("s")
    store.close()
    assert carried.unchecked == 1
    assert "a call of Bash could not be read: passed unchecked" in carried.note


@pytest.mark.parametrize("name", ["mcp__bank__pay", "Bash\x1b[31m", "no_such_tool", "x" * 5000])
def test_no_name_that_a_model_made_up_is_kept_or_shown(agent: WireAgent, name: str) -> None:
    agent.tools = ("Edit", "mcp__bank__pay", "x" * 5000)
    agent.asks(GOAL)
    call = WireCall(id="t", name=name, input=None, input_text="{", index=0, unreadable="they are no JSON")
    agent.desk.judge(agent.facts, [call])
    agent.desk.finished(agent.facts, Summary(calls=1, unchecked=("t",)), CarriedTimes())
    store = stored()
    (carried,) = store.traffic.carried_in("s")
    store.close()
    assert carried.note == "a call of a tool could not be read: passed unchecked"


def test_a_request_that_could_not_be_read_is_told_of(root: Path) -> None:
    desk = ProxyDesk({}, str(root))
    desk.unread("it came compressed (zstd)")
    store = stored()
    (carried,) = store.traffic.carried_for(str(root), 10)
    store.close()
    assert (carried.unchecked, carried.note) == (1, "a request was carried unread: it came compressed (zstd)")


def test_what_is_forced_ends_after_many_turns_and_a_person_is_told(
    strict: WireAgent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody speaks, and the agent does anything but the one action: it is not frozen for good."""
    heard, script = tmp_path / "heard", tmp_path / "ring"
    script.write_text(f'#!/bin/sh\necho "$LEEBOARD_RING_KIND $1" >> {heard}\n')
    script.chmod(0o755)
    monkeypatch.setenv("LEEBOARD_RING_COMMAND", str(script))
    agent = strict
    agent.asks(GOAL)
    agent.answers(agent.edit("src/auth/token.py"))
    agent.goes_on()
    for path in ("src/styles/theme.css", "src/ui/button.py", "src/styles/theme.css"):
        agent.answers(agent.edit(path))
        agent.goes_on()
    for _ in range(FORCED_TURNS):
        assert known_session().mode == "FORCED"
        assert agent.answers(agent.edit("src/auth/login.py")).released == []
        agent.goes_on()
    assert agent.answers(agent.edit("src/styles/theme.css")).released == [], "what strays is refused as before"
    assert known_session().outlasted == 1
    agent.goes_on()
    store = stored()
    notes = [one.note for one in store.traffic.carried_in("s")]
    store.close()
    assert any("a person is to look" in note for note in notes)
    for thread in [one for one in threading.enumerate() if one.name == "ring"]:
        thread.join(LIMIT)
    (line,) = heard.read_text().splitlines()
    assert line.startswith("course session s in ")
    assert "a person is to look" in line


def test_a_withheld_call_is_told_of_as_the_model_wrote_it(strict: WireAgent) -> None:
    strict.asks(GOAL)
    call = strict.edit("src/styles/theme.css")
    ruling = strict.desk.judge(strict.facts, [call])[call.id]
    assert strict.desk.request(strict.facts).restored[0].id == call.id
    (kept,) = strict.desk.request(strict.facts).restored
    assert (kept.name, kept.input_text, kept.substitute) == (call.name, call.input_text, ruling.substitute)
    assert kept.mark in kept.words
