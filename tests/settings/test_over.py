from __future__ import annotations

import pytest

from leeboard.settings.over import laid_over, sleeping, stated
from leeboard.settings.toml import Settings, parse


def file(text: str) -> Settings:
    return parse(text, "leeboard.toml")


@pytest.mark.parametrize(
    ("own", "theirs", "tight", "trusted"),
    [
        ("enforce", "observe", "enforce", "observe"),
        ("observe", "enforce", "enforce", "enforce"),
        ("advise", "advise", "advise", "advise"),
    ],
)
def test_the_stricter_profile_counts(own: str, theirs: str, tight: str, trusted: str) -> None:
    base, over = file(f'profile = "{own}"'), file(f'profile = "{theirs}"')
    assert laid_over(base, over, trusted=False).policy.profile == tight
    assert laid_over(base, over, trusted=True).policy.profile == trusted
    assert bool(list(sleeping(base, over))) == (tight != trusted)


@pytest.mark.parametrize(
    ("line", "field", "tight"),
    [
        ("interrupts.budget = 0", "interrupt_budget", 3),
        ("interrupts.budget = 9", "interrupt_budget", 9),
        ("interrupts.queued = 0", "queue_deliveries", 3),
        ("interrupts.cooldown_turns = 0", "cooldown_turns", 0),
        ("interrupts.cooldown_turns = 9", "cooldown_turns", 2),
        ("interrupts.grace_turns = 9", "grace_turns", 3),
        ("idle_minutes = 5", "idle_seconds", 3600),
    ],
)
def test_numbers_only_tighten(line: str, field: str, tight: int) -> None:
    assert getattr(laid_over(Settings(), file(line), trusted=False).policy, field) == tight


def test_a_rule_is_switched_on_by_anybody_and_off_by_who_is_trusted() -> None:
    base = file("rules.circling.enabled = false")
    over = file("rules.circling.enabled = true\nrules.tangent.enabled = false")
    assert laid_over(base, over, trusted=False).policy.disabled_rules == ()
    assert laid_over(base, over, trusted=True).policy.disabled_rules == ("tangent",)
    assert [said for said, _ in sleeping(base, over)] == ["rules.tangent.enabled = false"]


def test_words_and_lists_sleep() -> None:
    over = file('goal.scope = ["a"]\ngoal.constraints = ["b"]\ntruth.track = ["c"]\ncontract.acceptance = ["d"]')
    base = file('goal.scope = ["own"]')
    assert laid_over(base, over, trusted=False).scope == ("own",)
    both = laid_over(base, over, trusted=True)
    assert (both.scope, both.constraints, both.track) == (("own", "a"), ("b",), ("c",))
    assert both.contract is not None
    assert [said for said, _ in sleeping(base, over)] == [
        *("goal.scope: a", "goal.constraints: b", "truth.track: c", "contract.acceptance: d"),
    ]


def test_comments_and_order_are_free() -> None:
    first, second = file('profile = "observe"\nidle_minutes = 5'), file('# x\nidle_minutes = 5\nprofile = "observe"')
    assert stated(first) == stated(second) != stated(file('profile = "observe"'))


def test_a_repository_may_protect_files_and_never_bares_one() -> None:
    """It only tightens, so that it counts before anybody trusted it."""
    own, over = file('protect.files = ["a"]'), file('protect.files = ["b"]')
    for trusted in (False, True):
        assert laid_over(own, over, trusted=trusted).policy.protected == ("a", "b")
    assert list(sleeping(own, over)) == []
