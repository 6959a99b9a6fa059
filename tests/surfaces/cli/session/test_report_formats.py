from __future__ import annotations

from leeboard.app.views.report import Kept, page_of
from leeboard.model.contract import Constraint, Contract
from leeboard.model.outcome import Offer, Step
from leeboard.model.policy import Policy
from leeboard.model.session import Drift, Session
from leeboard.model.verdict import Action, Correction, Verdict
from leeboard.surfaces.cli.session.report import markdown, page_object

SESSION = Session(
    id="s",
    contract=Contract(objective="fix | auth\nnow", constraints=(Constraint(text="DO NOT push", kind="forbid"),)),
    history=(Drift(10, "none", 0.0), Drift(5, "correct", 0.0)),
    scored=2,
    drifted=1,
    above_nudge=1,
    last_score=5,
    escalation=1,
)
CORRECTION = Correction(
    id="c1", agent="", turn=1, level="correct", score=5, text="x", rules=("scope_drift",), paths=("a|b.css",)
)
KEPT = Kept(
    steps=(
        Step(id="1", session_id="s", action_type="edit", files=("a.py",), drift_score=10),
        Step(id="2", session_id="s", action_type="write", files=("b.css", "a.py"), drift_score=5),
        Step(id="3", session_id="s", action_type="read", files=("only_read.py",)),
    ),
    verdicts=(
        Verdict(id="v1", session="s", agent="", turn=1, action=Action.QUEUE, event="ToolProposed", score=5),
        Verdict(
            id="v2",
            session="s",
            agent="",
            turn=1,
            action=Action.INJECT,
            event="ToolFinished",
            score=5,
            level="correct",
            rules=("scope_drift",),
            paths=("a|b.css",),
            message="x",
        ),
        Verdict(
            id="v4",
            session="s",
            agent="",
            turn=2,
            action=Action.QUEUE,
            event="FilesChanged",
            score=4,
            paths=("gen.py", "b.css"),
        ),
        Verdict(id="v3", session="s", agent="", turn=2, action=Action.ALLOW, event="ToolProposed", score=10),
    ),
    offers=(Offer(CORRECTION, "offered"),),
)
PAGE = page_of(SESSION, KEPT, Policy())


def test_the_object_has_summary_and_tags() -> None:
    """AD-23, AD-25."""
    found = page_object(PAGE)
    assert found["drift_events"] == 1
    assert found["final_score"] == 5
    assert found["tags"] == ["needs-review", "had-drift"]
    assert [drift["score"] for drift in found["history"]] == [10, 5]  # type: ignore[attr-defined] # a list, as built


def test_markdown_keeps_its_tables_whole() -> None:
    text = markdown(PAGE)
    assert "- Goal: fix | auth now\n" in text
    assert "| v2 | 1 | correct | told | scope_drift LB-S001 | a\\|b.css | x |" in text
    assert "- Tags: needs-review, had-drift" in text
    empty = markdown(page_of(Session(id="e"), Kept(), Policy()))
    assert "No action was scored." in empty
    assert "## Files" not in empty
