from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.policy import Pin, Policy, loosened, stricter
from leeboard.model.text import matches

POLICIES = st.builds(
    Policy,
    profile=st.sampled_from(["observe", "advise", "enforce"]),
    interrupt_budget=st.integers(0, 9),
    cooldown_turns=st.integers(0, 9),
    grace_turns=st.integers(0, 9),
    disabled_rules=st.lists(st.sampled_from(["tangent", "circling", "scope_drift"]), unique=True).map(tuple),
)


@given(POLICIES, POLICIES)
def test_what_is_held_is_never_looser_than_either(began: Policy, now: Policy) -> None:
    held = stricter(Pin(policy=began), now)
    assert loosened(Pin(policy=began), held.policy, enabled=True) == ()
    assert loosened(Pin(policy=now), held.policy, enabled=True) == ()
    assert stricter(held, began) == held


GLOBS = st.lists(st.sampled_from(["a/**", "a/x", "**", "!a/**", "!a/x", "!**", "b"]), max_size=5).map(tuple)


@given(GLOBS, GLOBS)
def test_what_either_protects_stays_protected(began: tuple[str, ...], now: tuple[str, ...]) -> None:
    """Whatever `!` stands in the other list, and in whatever order."""
    held = stricter(Pin(policy=Policy(protected=began)), Policy(protected=now))
    for path in ("a/x", "a/y", "b", "c"):
        assert matches(path, held.policy.protected) >= (matches(path, began) or matches(path, now))
    again = stricter(held, Policy(protected=now))
    assert stricter(again, Policy(protected=now)) == again, "it does not grow with every hook"


@pytest.mark.parametrize("now", [("a/**", "!**"), ("!**", "a/**", "!a/x")])
def test_a_glob_that_takes_protection_away_is_said(now: tuple[str, ...]) -> None:
    told = loosened(Pin(policy=Policy(protected=("!**", "a/**"))), Policy(protected=now), enabled=True)
    assert told == (f"{now[-1]} would leave files without protection",)


@pytest.mark.parametrize(
    ("now", "told"),
    [
        (Policy(profile="observe"), "the profile advise would become observe"),
        (Policy(disabled_rules=("tangent",)), "tangent would be off"),
        (Policy(interrupt_budget=0), "interrupt_budget 3 would become 0"),
    ],
)
def test_what_gets_looser_is_said_in_words(now: Policy, told: str) -> None:
    assert loosened(Pin(policy=Policy()), now, enabled=True) == (told,)
    assert loosened(Pin(policy=Policy()), Policy(), enabled=False) == ("Leeboard would be off",)
