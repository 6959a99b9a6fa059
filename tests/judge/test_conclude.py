"""From an assessment to the one answer, played through whole scenarios."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leeboard.analysis.analyse import analyse
from leeboard.app.handle import SILENT
from leeboard.judge.conclude import conclude
from leeboard.judge.score import assess
from leeboard.model.event import (
    AgentEnded,
    Event,
    PromptGiven,
    Stopped,
    ToolCall,
    ToolFinished,
    ToolProposed,
    TurnEnded,
)
from leeboard.model.fold import fold
from leeboard.model.policy import Policy
from leeboard.model.session import Goal, Session
from leeboard.model.verdict import Action, Evidence, Finding, Moment, Verdict
from leeboard.model.workspace import Workspace
from leeboard.model.world import World
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import Played, play, tell
from leeboard.testing.scenario_lines import ROOT, SESSION

ENFORCE, OBSERVE = Policy(profile="enforce"), Policy(profile="observe")
AUTH = ("@ fix auth bug", "edit src/auth/token.ts")
STRAY = "edit src/styles/theme.css"
FAR = "edit src/billing/invoice.ts"
BANNED = ("@ Fix src/login.py. Don't modify the schema.", "edit db/schema.sql")


def edit(number: int, path: str, agent: str = "") -> tuple[ToolProposed, ToolFinished]:
    call = ToolCall(id=f"t{number}", tool="Edit", action="edit", paths=(path,))
    proposed = ToolProposed(session=SESSION, agent=agent, cwd=ROOT, key=f"call:t{number}", call=call)
    finished = ToolFinished(session=SESSION, agent=agent, cwd=ROOT, key=f"result:t{number}", call=call, outcome="done")
    return proposed, finished


def prompt(text: str, key: str = "prompt:1") -> PromptGiven:
    return PromptGiven(session=SESSION, cwd=ROOT, key=key, text=text)


def at(played: Played, kind: type[Event]) -> list[Verdict]:
    return [told.verdict for told in played.told if isinstance(told.event, kind) and told.verdict is not None]


def test_advise_says_it_after_the_call_and_denies_nothing() -> None:
    """AD-02, AD-17: below 8 a correction, at 8 none."""
    played = play((*AUTH, STRAY))
    assert [verdict.action for verdict in played.proposed()] == [Action.ALLOW, Action.QUEUE]
    said = played.spoken()
    assert [(verdict.event, verdict.action) for verdict in said] == [("ToolFinished", Action.INJECT)]
    assert "src/styles/theme.css" in said[0].message
    assert said[0].tool_use_id == "toolu_2"


@pytest.mark.parametrize(("score", "made"), [(7, True), (8, False)])
def test_below_8_a_correction_is_built_and_at_8_none(score: int, *, made: bool) -> None:
    """AD-17."""
    finding = Finding(rule="scope_drift", subject="x.css", evidence=(Evidence("x.css is off", score - 10),))
    session = Session(id=SESSION, goals=(Goal(text="g", exchange=1, scope=("src/",)),))
    proposed = edit(1, "x.css")[0]
    analysis = analyse(proposed, Workspace(ROOT))
    session, _ = fold(session, analysis)
    world = World(
        session=session, agent=session.agent(""), analysis=analysis, policy=Policy(), workspace=Workspace(ROOT)
    )
    end = conclude(world, SILENT, assess((finding,), session, session.agent("")))
    assert end.verdict.score == score
    assert [offer.state for offer in end.offers] == (["waiting"] if made else [])
    assert bool(end.session.agent("").waiting) is made
    assert [drift.score for drift in end.session.history] == [score]


def test_it_is_said_once() -> None:
    store = MemoryStore()
    play((*AUTH, STRAY), store=store)
    pause = Moment(kind="batch_end", actions=(Action.ALLOW, Action.INJECT), pause=True)
    verdict = tell(TurnEnded(session=SESSION), store, moment=pause)
    assert verdict is not None
    assert (verdict.action, verdict.message) == (Action.ALLOW, "")


def test_two_parallel_strays_get_one_voice() -> None:
    played = play((*AUTH, STRAY, f"& {FAR}"))
    assert len(played.spoken()) == 1
    assert set(played.spoken()[0].paths) == {"src/styles/theme.css", "src/billing/invoice.ts"}


def test_what_comes_after_the_voice_of_a_turn_waits_for_the_pause() -> None:
    """The second call of the message is proposed only when the first was spoken of."""
    store = MemoryStore()
    play(AUTH, store=store)
    one, other = edit(11, "src/styles/theme.css"), edit(12, "src/billing/invoice.ts")
    opening = edit(10, "src/auth/token.ts")[0]
    first = [tell(event, store) for event in (opening, *one)]
    second = [tell(event, store) for event in other]
    pause = tell(TurnEnded(session=SESSION, key="batch:t10", calls=("t10", "t11", "t12")), store)
    assert [verdict.action.name for verdict in first if verdict] == ["ALLOW", "QUEUE", "INJECT"]
    assert [verdict.action.name for verdict in second if verdict] == ["QUEUE", "ALLOW"]
    assert pause is not None
    assert (pause.action, pause.paths) == (Action.INJECT, ("src/billing/invoice.ts",))


def test_enforce_denies_from_4_down() -> None:
    played = play((*AUTH, STRAY), ENFORCE)
    verdict = played.proposed()[-1]
    assert (verdict.score <= 4, verdict.action) == (True, Action.DENY)
    assert "src/styles/theme.css" in verdict.message


def test_enforce_denies_a_broken_limit() -> None:
    verdict = play(BANNED, ENFORCE).proposed()[-1]
    assert (verdict.action, verdict.level) == (Action.DENY, "halt")
    assert "broken_constraint" in verdict.rules


def test_advise_denies_only_the_named_few() -> None:
    assert play((*AUTH, STRAY)).proposed()[-1].action is Action.QUEUE
    banned = play(BANNED).proposed()[-1]
    assert (banned.action, banned.rules[0]) == (Action.DENY, "broken_constraint")
    loosening = play(("@ fix a.py", "$ leeboard allow scope_drift --reason x")).proposed()[-1]
    assert (loosening.action, loosening.rules) == (Action.DENY, ("self_allowance",))


@pytest.mark.parametrize("lines", [(*AUTH, STRAY), BANNED, ("@ fix a.py", "$ leeboard allow x --reason y")])
def test_observe_only_records(lines: tuple[str, ...]) -> None:
    played = play(lines, OBSERVE)
    assert not played.spoken()
    assert played.session.drifted == 1
    assert played.session.spoken == played.session.denied == 0


def test_a_denied_call_moves_history_and_mode_and_touches_nothing() -> None:
    """A blocked call is not done, yet it counts."""
    store = MemoryStore()
    played = play(BANNED, ENFORCE, store)
    session = played.session
    assert (session.mode, session.escalation, session.denied) == ("DRIFTED", 1, 1)
    assert [drift.level for drift in session.history] == ["halt"]
    assert not store.rows(SESSION, ("db/schema.sql", "name:schema.sql", "db/"))
    assert store.steps(SESSION) == ()
    assert session.agent("").edits == 0


def test_a_repeat_is_denied_again_and_told_why() -> None:
    """Muting speech never lifts a denial, and a denial without a reason helps nobody."""
    store = MemoryStore()
    play((*BANNED, "edit db/schema.sql", "edit db/schema.sql"), ENFORCE, store)
    again = [tell(edit(number, "db/schema.sql")[0], store, ENFORCE) for number in (20, 21)]
    assert [(verdict.action.name, "db/schema.sql" in verdict.message) for verdict in again if verdict] == [
        ("DENY", True),
        ("DENY", True),
    ]


def test_a_repeat_of_what_can_not_be_denied_is_silent() -> None:
    played = play((BANNED[0], *(["found db/schema.sql", "$ true"] * 5)))
    assert len(played.spoken()) == 1, "a halt can not get louder"
    assert played.spoken()[0].action is Action.INJECT


def test_what_is_refused_by_itself_leaves_all_else_free() -> None:
    """Who is kept from one thing is told what to do instead, and neither to stop nor to go back to that same thing."""
    words = play(("@ Fix src/login.py. Never push.", "edit src/login.py", "$ git push")).proposed()[-1].message
    assert "Refused, and not run." in words
    assert "leave pushing to the user" in words
    assert "Stop here" not in words
    assert "Mandatory" not in words


def test_a_stop_says_what_is_louder_than_a_nudge_once() -> None:
    store = MemoryStore()
    for event in (prompt("fix auth bug"), *edit(1, "src/auth/token.ts"), *edit(2, "src/styles/theme.css")):
        tell(event, store, moment=SILENT)
    blocked = tell(Stopped(session=SESSION, already_blocked=True), store, moment=Moment(kind="stop", pause=True))
    held = tell(Stopped(session=SESSION), store)
    again = tell(Stopped(session=SESSION), store)
    assert [verdict.action.name for verdict in (blocked, held, again) if verdict] == ["ALLOW", "INJECT", "ALLOW"]


def test_each_agent_hears_its_own() -> None:
    store = MemoryStore()
    tell(prompt("fix the bug in src/auth/token.ts"), store)
    for event in (*edit(1, "src/auth/token.ts", "one"), *edit(2, "src/auth/session.ts", "two")):
        tell(event, store)
    tell(edit(3, "src/styles/theme.css", "one")[0], store)
    other = tell(edit(4, "src/auth/token.ts", "two")[1], store)
    own = tell(edit(3, "src/styles/theme.css", "one")[1], store)
    assert other is not None
    assert own is not None
    assert (other.action, own.action) == (Action.ALLOW, Action.INJECT)
    assert (own.agent, own.paths) == ("one", ("src/styles/theme.css",))


def test_the_parent_hears_what_an_ended_agent_was_still_to_hear() -> None:
    store = MemoryStore()
    tell(prompt("fix the bug in src/auth/token.ts"), store)
    for event in (*edit(1, "src/auth/token.ts", "sub"), *edit(2, "src/styles/theme.css", "sub")):
        tell(event, store, moment=SILENT)
    tell(AgentEnded(session=SESSION, agent="sub", key="agent-ended:sub"), store)
    heard = tell(TurnEnded(session=SESSION), store)
    assert heard is not None
    assert (heard.action, heard.agent, heard.paths) == (Action.INJECT, "", ("src/styles/theme.css",))


def test_in_forced_enforce_leaves_only_the_way_out() -> None:
    """AD-102: another change keeps FORCED and is refused; the proposal of the forced action does not end it."""
    store = MemoryStore()
    lines = ("@ Fix src/login.py. Don't modify the schema.", "edit src/login.py", *(["edit db/schema.sql"] * 3))
    session = play(lines, ENFORCE, store).session
    assert (session.mode, session.forced, session.escalation) == ("FORCED", "src/login.py", 3)
    refused = tell(edit(30, "src/other.py")[0], store, ENFORCE)
    assert refused is not None
    assert (refused.action, refused.level) == (Action.DENY, "halt")
    assert "Mandatory first action, and nothing before it: read src/login.py." in refused.message
    allowed, done = (tell(event, store, ENFORCE) for event in edit(31, "src/login.py"))
    assert allowed is not None
    assert allowed.action is not Action.DENY
    ended = store.session(SESSION)
    assert done is not None
    assert ended is not None
    assert (ended.mode, ended.forced, ended.escalation) == ("NORMAL", "", 0)


def test_reading_the_forced_file_ends_forced_and_looking_elsewhere_does_not() -> None:
    store = MemoryStore()
    lines = ("@ Fix src/login.py. Don't modify the schema.", "edit src/login.py", *(["edit db/schema.sql"] * 3))
    play(lines, ENFORCE, store)
    read = ToolCall(id="r1", tool="Read", action="read", paths=("src/other.py",))
    tell(ToolProposed(session=SESSION, cwd=ROOT, key="call:r1", call=read), store, ENFORCE)
    tell(ToolFinished(session=SESSION, cwd=ROOT, key="result:r1", call=read, outcome="done"), store, ENFORCE)
    assert _mode(store) == "FORCED"
    way_out = ToolCall(id="r2", tool="Read", action="read", paths=("src/login.py",))
    tell(ToolProposed(session=SESSION, cwd=ROOT, key="call:r2", call=way_out), store, ENFORCE)
    assert _mode(store) == "FORCED"
    tell(ToolFinished(session=SESSION, cwd=ROOT, key="result:r2", call=way_out, outcome="done"), store, ENFORCE)
    assert _mode(store) == "NORMAL"


def _mode(store: MemoryStore) -> str:
    session = store.session(SESSION)
    assert session is not None
    return session.mode


def test_the_trace_tells_each_deduction() -> None:
    trace = play((*AUTH, STRAY)).proposed()[-1].trace
    assert any(line.startswith("scope_drift -") for line in trace)
    assert any(line.startswith("tangent -") for line in trace)
    assert trace[-1].startswith("score ")
    assert "profile advise" in trace[-1]


def test_an_offer_is_recorded_while_it_waits_and_when_it_is_made() -> None:
    store = MemoryStore()
    tell(prompt("fix auth bug"), store)
    for event in (*edit(1, "src/auth/token.ts"), edit(2, "src/styles/theme.css")[0]):
        tell(event, store)
    assert [offer.state for offer in store.corrections(SESSION)] == ["waiting"]
    tell(edit(2, "src/styles/theme.css")[1], store)
    assert [offer.state for offer in store.corrections(SESSION)] == ["offered"]


LINES = st.sampled_from(
    [
        "edit src/auth/token.ts",
        "edit src/auth/session.ts",
        STRAY,
        FAR,
        "edit db/schema.sql",
        "& edit src/components/Button.tsx",
        "$ git push",
        "$! pytest -> E boom",
        "read src/auth/token.ts",
        "@ looks good",
        "@ now the invoice in src/billing/ too",
        "stop",
    ]
)


@settings(max_examples=60)
@given(st.lists(LINES, max_size=14), st.sampled_from(["observe", "advise", "enforce"]))
def test_any_run_gets_scores_and_words_within_bounds(lines: list[str], profile: str) -> None:
    """Whatever happens: scores 1 to 10, words that fit, nothing denied where nothing may be."""
    policy = Policy(profile="advise") if profile == "advise" else ENFORCE if profile == "enforce" else OBSERVE
    played = play(("@ fix auth bug. Don't modify the schema.", *lines), policy)
    for verdict in (told.verdict for told in played.told if told.verdict is not None):
        assert 0 <= verdict.score <= 10
        assert len(verdict.message) <= 1_200
        assert verdict.action is not Action.DENY or profile == "enforce" or "broken_constraint" in verdict.rules
        assert verdict.action is not Action.DENY or profile != "observe"
        assert not verdict.message or profile != "observe"
    assert all(1 <= drift.score <= 10 for drift in played.session.history)
    assert 0 <= played.session.escalation <= 3


@settings(max_examples=40)
@given(st.lists(LINES, max_size=12))
def test_a_turn_has_one_voice_between_pauses(lines: list[str]) -> None:
    voices = [
        (verdict.agent, verdict.turn)
        for verdict in at(play(("@ fix auth bug", *lines)), ToolFinished)
        if verdict.action is Action.INJECT
    ]
    assert len(voices) == len(set(voices))
