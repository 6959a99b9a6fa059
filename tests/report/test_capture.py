"""What a session amounts to: its record, and the row of each action."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from leeboard.analysis.analyse import analyse
from leeboard.model.event import ToolCall, ToolFinished
from leeboard.model.outcome import Step
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, Goal, OpenCall, Session
from leeboard.model.verdict import Action, Verdict, type_of
from leeboard.model.workspace import Workspace
from leeboard.report.capture import capture, needs_review, step_of
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import play
from leeboard.testing.scenario_lines import SESSION

POLICY = Policy()
CLEAN = Session(id="s", root="/repo", goals=(Goal(text="fix it", exchange=1),), scored=3, turns=4, last_score=10)


def rows(*lines: str) -> tuple[Step, ...]:
    store = MemoryStore()
    play(lines, store=store)
    return store.steps(SESSION)


@pytest.mark.parametrize(
    ("session", "tags"),
    [
        (CLEAN, ()),
        (replace(CLEAN, scored=0, last_score=0), ()),
        (replace(CLEAN, drifted=1), ("had-drift",)),
        (replace(CLEAN, drifted=1, last_score=7), ("needs-review", "had-drift")),
        (replace(CLEAN, drifted=1, above_nudge=1), ("needs-review", "had-drift")),
        (replace(CLEAN, drifted=3, escalation=1), ("needs-review", "had-drift")),
        (replace(CLEAN, drifted=3, halts=1), ("needs-review", "had-drift")),
    ],
)
def test_tags(session: Session, tags: tuple[str, ...]) -> None:
    """AD-22, AD-25: unresolved, louder than a nudge or a halt needs a review; a recovered nudge does not."""
    kept = capture(session, POLICY)
    assert kept.tags == tags
    assert kept.needs_review is needs_review(session, POLICY) is ("needs-review" in tags)


def test_the_summary_equals_a_count_by_hand() -> None:
    """AD-23: of the scores below 8."""
    store = MemoryStore()
    lines = ("@ fix auth bug", "edit src/auth/token.ts", "edit src/styles/theme.css", "edit src/auth/token.ts", "stop")
    session = play(lines, store=store).session
    (kept,) = store.captures("/repo")
    assert kept.drift_events == sum(drift.score < 8 for drift in session.history) == 1
    assert kept.final_score == session.last_score >= 8
    assert (kept.goal, kept.status, kept.project_path) == ("fix auth bug", "active", "/repo")
    assert kept.tags == ("needs-review", "had-drift")


def test_a_halt_adds_a_warning_to_the_trace() -> None:
    """AD-26: anywhere in the session."""
    halted = capture(replace(CLEAN, drifted=3, halts=2), POLICY)
    assert "WARNING: the work was brought to a halt 2 times" in halted.reasoning_trace
    assert halted.had_halt
    quiet = capture(replace(CLEAN, drifted=3), POLICY)
    assert "halt" not in quiet.reasoning_trace
    assert not quiet.had_halt


def test_the_trace_says_whether_drift_is_resolved() -> None:
    assert "Drift is resolved" in capture(replace(CLEAN, drifted=1), POLICY).reasoning_trace
    assert "Drift is unresolved" in capture(replace(CLEAN, drifted=1, last_score=6), POLICY).reasoning_trace
    assert "Drift" not in capture(CLEAN, POLICY).reasoning_trace


def test_a_score_is_final_once_the_session_is_over() -> None:
    drifted = replace(CLEAN, drifted=1, last_score=6)
    assert "score so far 6" in capture(replace(drifted, status="active"), POLICY).reasoning_trace
    assert "final score 6" in capture(replace(drifted, status="completed"), POLICY).reasoning_trace


def test_each_kind_of_action_has_its_row() -> None:
    """AD-28, AD-87, AD-88, AD-89: type, files, folders; a command for shell lines alone."""
    steps = rows(
        "@ fix src/auth/token.ts and setup.py",
        "read src/auth/token.ts",
        "grep verify -> src/auth/token.ts:1: verify",
        "edit src/auth/token.ts",
        "write setup.py | x",
        "$ sed -i s/a/b/ src/auth/token.ts",
    )
    assert [(step.action_type, step.files, step.folders, step.command) for step in steps] == [
        ("read", ("src/auth/token.ts",), ("src/auth/",), None),
        ("read", (), (), None),
        ("edit", ("src/auth/token.ts",), ("src/auth/",), None),
        ("write", ("setup.py",), (), None),
        ("bash", ("src/auth/token.ts",), ("src/auth/",), "sed -i s/a/b/ src/auth/token.ts"),
    ]
    assert len({step.id for step in steps}) == 5
    assert {step.session_id for step in steps} == {SESSION}


def test_what_the_agent_said_is_the_reason() -> None:
    """AD-90."""
    first, second = rows("@ fix src/a.py", "edit src/a.py", "~ Now the second place.", "edit src/a.py | y => z")
    assert first.reasoning is None
    assert second.reasoning == "Now the second place."


def test_score_type_and_correction_of_a_step_off_course() -> None:
    """AD-91, AD-92, AD-93, AD-95, AD-96."""
    good, stray = rows("@ fix auth bug", "edit src/auth/token.ts", "edit src/styles/theme.css")
    assert (good.drift_score, good.drift_type, good.correction_given, good.is_validated) == (10, "none", None, True)
    assert (stray.drift_score, stray.drift_type, stray.is_validated) == (4, "major", False)
    assert stray.correction_given is not None
    assert "src/styles/theme.css" in stray.correction_given
    assert "auth" in stray.keywords


@pytest.mark.parametrize(("score", "validated"), [(10, True), (5, True), (4, False), (1, False)])
def test_a_step_is_validated_by_the_score_of_its_proposal(score: int, *, validated: bool) -> None:
    """AD-95."""
    call = ToolCall(id="t", tool="Edit", action="edit", paths=("a.py",))
    agent = AgentState(open_calls=(OpenCall(id="t", action="edit", turn=1, score=score),))
    event = ToolFinished(session="s", call=call, outcome="done", time=7.25)
    verdict = Verdict(id="v", session="s", agent="", turn=1, action=Action.ALLOW, event="ToolFinished")
    (step,) = step_of(agent, analyse(event, Workspace("/repo")), verdict, ("auth",))
    assert (step.drift_score, step.is_validated, step.timestamp) == (score, validated, 7_250)
    assert step.drift_type == type_of(score)


@pytest.mark.parametrize(
    ("lines", "validated"), [(("edit src/billing/invoice.ts",), True), (("edit src/styles/theme.css",), False)]
)
def test_validated_from_5_up(lines: tuple[str, ...], *, validated: bool) -> None:
    """AD-95."""
    step = rows("@ fix auth bug", "edit src/auth/token.ts", *lines)[-1]
    assert (step.drift_score >= 5) is step.is_validated is validated


def test_the_first_change_of_a_file_on_course_is_a_key_decision() -> None:
    """AD-94."""
    steps = rows(
        "@ fix auth bug", "read src/auth/token.ts", "edit src/auth/token.ts", "edit src/auth/token.ts | a => b", STRAY
    )
    assert [step.is_key_decision for step in steps] == [False, True, False, False]


STRAY = "edit src/styles/theme.css"


def test_what_was_denied_was_no_step_and_what_failed_is_one() -> None:
    store = MemoryStore()
    play(("@ Fix src/a.py. Don't modify the schema.", "edit db/schema.sql"), Policy(profile="enforce"), store)
    assert store.steps(SESSION) == ()
    (failed,) = rows("@ fix src/a.py", "$! pytest src/a.py -> E boom")
    assert (failed.action_type, failed.is_key_decision) == ("bash", False)


def test_one_is_counted_as_one() -> None:
    assert capture(replace(CLEAN, scored=1, turns=1), Policy()).reasoning_trace.startswith("1 turn, 1 action scored, ")
    assert capture(CLEAN, Policy()).reasoning_trace.startswith("4 turns, 3 actions scored, ")
