"""Figures over many sessions."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from leeboard.app.backtest.heard import Heard, Remark
from leeboard.app.backtest.tally import RuleTally, own_opinions, tally_of, worst_opinion


def remark(id_: str, session: str, *rules: str, action: str = "INJECT") -> Remark:
    return Remark(
        id=id_,
        session=session,
        file=session,
        turn=1,
        tool_use_id="",
        action=action,
        rules=rules,
        score=0,
        level="none",
        paths=(),
        goal="",
        message="m",
    )


def heard(session: str, *remarks: Remark, by: str = "the defaults") -> Heard:
    return Heard(
        session=session, file=session, ended=0.0, turns=2, scored=3, skipped_lines=0, judged_by=by, remarks=remarks
    )


SESSIONS = (
    heard("s1", remark("m1", "s1", "circling"), remark("m2", "s1", "circling", "tangent")),
    heard("s2", remark("m3", "s2", "credential", action="DENY"), by="x.toml"),
    heard("s3"),
)


def test_each_rule_counts_what_it_said_and_all_counts_each_message_once() -> None:
    found = tally_of(SESSIONS, own_opinions({}))
    assert [(one.rule, one.said, one.refused, one.sessions) for one in found.rules] == [
        ("circling", 2, 0, 1),
        ("credential", 1, 1, 1),
        ("tangent", 1, 0, 1),
    ]
    assert (found.all.said, found.all.refused, found.all.sessions) == (3, 1, 2)
    assert (found.sessions, found.spoken_to, found.turns, found.scored) == (3, 2, 6, 9)
    assert found.share_spoken_to == 2 / 3
    assert found.judged_by == (("the defaults", 2), ("x.toml", 1))


def test_opinions_give_the_share_that_was_right() -> None:
    found = tally_of(SESSIONS, own_opinions({"m1": "yes", "m2": "no", "m3": "unsure"}))
    by_rule = {one.rule: one for one in found.rules}
    assert by_rule["circling"].precision == 0.5
    assert by_rule["tangent"].precision == 0.0
    assert by_rule["credential"].precision is None
    assert (found.all.yes, found.all.no, found.all.unsure) == (1, 1, 1)


def test_of_several_rules_the_worst_opinion_is_the_messages() -> None:
    both = remark("m", "s", "a", "b")
    assert worst_opinion(both, lambda _, rule: "yes" if rule == "a" else "no") == "no"
    assert worst_opinion(both, lambda _, rule: "yes" if rule == "a" else None) == "yes"
    assert worst_opinion(both, lambda _remark, _rule: None) is None


def test_nothing_at_all_is_no_division_by_zero() -> None:
    found = tally_of((), own_opinions({}))
    assert (found.share_spoken_to, found.all.precision, found.all.between) == (0.0, None, None)


def test_the_interval_is_wilsons() -> None:
    found = RuleTally(rule="r", said=9, refused=0, asked=0, sessions=9, yes=8, no=1).between
    assert found is not None
    assert [round(end, 3) for end in found] == [0.565, 0.980]


@given(yes=st.integers(0, 500), no=st.integers(0, 500))
def test_the_share_lies_in_its_interval(yes: int, no: int) -> None:
    tally = RuleTally(rule="r", said=yes + no, refused=0, asked=0, sessions=1, yes=yes, no=no)
    if tally.precision is not None and tally.between is not None:
        low, high = tally.between
        assert 0 <= low <= tally.precision + 1e-9
        assert tally.precision - 1e-9 <= high <= 1
