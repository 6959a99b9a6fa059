"""What the findings about one action amount to."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from leeboard.judge.conclude import denies
from leeboard.judge.score import assess, confidence_in, standing
from leeboard.model.contract import Allowance, Contract
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, Goal, Session
from leeboard.model.verdict import LEVELS, Evidence, Finding

SURE = Session(id="s", goals=(Goal(text="g", exchange=1, scope=("src/",)),), contract=Contract(scope=("src/",)))
UNSURE = Session(id="s", goals=(Goal(text="g", exchange=1),))
AGENT = AgentState()


def one(delta: int, subject: str = "x.css", rule: str = "scope_drift", cap: int = 10, remedy: str = "") -> Finding:
    return Finding(rule=rule, subject=subject, evidence=(Evidence(f"{subject} is off", delta),), cap=cap, remedy=remedy)


finding = st.builds(
    one,
    st.integers(-9, 0),
    st.sampled_from(["a.py", "b.py"]),
    st.sampled_from(["scope_drift", "tangent", "broken_constraint"]),
    st.sampled_from([10, 10, 2]),
    st.sampled_from(["", "undo it"]),
)
sessions = st.builds(
    lambda goal, count, uncorrected: Session(id="s", goals=(goal,), escalation=count, uncorrected=uncorrected),
    st.sampled_from([*SURE.goals, *UNSURE.goals]),
    st.integers(0, 3),
    st.integers(0, 4),
)


def test_confidence_is_high_once_it_is_known_where_the_work_lies() -> None:
    assert confidence_in(SURE, AGENT) == "high"
    assert confidence_in(UNSURE, AgentState(edits=1)) == "high"
    assert confidence_in(UNSURE, AGENT) == "low"
    assert confidence_in(Session(id="s"), AGENT) == "low"
    assert confidence_in(SURE, AgentState(remembers=False)) == "low"


def test_low_confidence_is_never_louder_than_a_nudge() -> None:
    """AD-31: without a scope there is no penalty worth a correction."""
    unsure = assess((one(-9),), UNSURE, AGENT)
    assert (unsure.score, unsure.level, unsure.confidence) == (5, "nudge", "low")


def test_an_explicit_limit_counts_in_full_at_low_confidence() -> None:
    broken = assess((one(-8, rule="broken_constraint", cap=2),), UNSURE, AGENT)
    assert (broken.score, broken.type, broken.level, broken.confidence) == (2, "critical", "halt", "high")


def test_the_diagnostic_names_file_and_rule_worst_first() -> None:
    """AD-37."""
    found = assess((one(-2, "a.css"), one(-5, "b.css", "tangent"), one(0, "c.css")), SURE, AGENT)
    assert found.diagnostic == "tangent: b.css is off; scope_drift: a.css is off"


def test_every_score_that_shows_steps_has_some() -> None:
    """AD-38: from 7 down."""
    for delta in range(-9, -2):
        assert assess((one(delta),), SURE, AGENT).recovery == ("return to the goal in src/",)
    assert assess((one(-2),), SURE, AGENT).recovery == ()


def test_the_way_back_leads_to_the_newest_good_place() -> None:
    found = assess((one(-5, remedy="undo x.css"),), SURE, AgentState(last_good="src/auth/token.ts"))
    assert found.recovery == ("undo x.css", "return to the goal in src/auth/token.ts")
    assert assess((one(-5),), UNSURE, AgentState(edits=1)).recovery == ("return to the goal",)


def test_a_person_may_let_a_finding_stand() -> None:
    found = (one(-5, "src/a.css"), one(-5, "src/b.css"), one(-2, "src/a.css", "tangent"))
    assert standing(found, (Allowance(id="1", rule="scope_drift", path="src/a.css"),)) == found[1:]
    assert standing(found, (Allowance(id="1", path="src/"),)) == ()
    assert standing(found, (Allowance(id="1", path="a.css"),)) == found[1:2]
    assert standing(found, (Allowance(id="1", rule="tangent"),)) == found[:2]
    assert standing(found, (Allowance(id="1", fingerprint="scope_drift:src/b.css"),)) == (found[0], found[2])
    assert standing(found, ()) == found


@given(st.lists(finding, max_size=6), sessions, st.randoms(use_true_random=False))
def test_the_order_of_findings_changes_nothing(found: list[Finding], session: Session, dice: st.DataObject) -> None:
    shuffled = list(found)
    dice.shuffle(shuffled)  # type: ignore[attr-defined] # hypothesis' randoms are random.Random
    one_way, other = assess(tuple(found), session, AGENT), assess(tuple(shuffled), session, AGENT)
    assert (one_way.score, one_way.level, one_way.diagnostic) == (other.score, other.level, other.diagnostic)


@given(st.lists(finding, max_size=6), finding, sessions)
def test_an_added_finding_never_softens_the_answer(found: list[Finding], more: Finding, session: Session) -> None:
    before, after = assess(tuple(found), session, AGENT), assess((*found, more), session, AGENT)
    assert after.score <= before.score
    assert LEVELS.index(after.level) >= LEVELS.index(before.level)
    enforce = Policy(profile="enforce")
    refused = [denies(one_of, enforce, named_few=False, forced_other=False) for one_of in (before, after)]
    assert refused[1] or not refused[0]
