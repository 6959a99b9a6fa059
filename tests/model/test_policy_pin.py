from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.policy import Pin, Policy, loosened, stricter

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
