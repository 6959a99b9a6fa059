from __future__ import annotations

from leeboard.app.views.report import Kept, page_of
from leeboard.model.contract import Constraint, Contract
from leeboard.model.outcome import Offer, Step
from leeboard.model.policy import Policy
from leeboard.model.session import Drift, Session
from leeboard.model.verdict import Action, Correction, Verdict

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
        Verdict(id="v2", session="s", agent="", turn=1, action=Action.INJECT, event="ToolFinished", score=5),
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


def test_files_are_those_that_were_changed_with_their_worst_score() -> None:
    rows = {row.path: (row.actions, row.times, row.worst) for row in PAGE.files}
    assert rows == {
        "a.py": (("edit", "write"), 2, 5),
        "b.css": (("write", "script"), 2, 4),
        "gen.py": (("script",), 1, 4),
    }


def test_each_drift_is_counted_once() -> None:
    assert [verdict.id for verdict in PAGE.drifts] == ["v1", "v4"]
