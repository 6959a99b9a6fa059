from __future__ import annotations

import pytest

from leeboard.model.text import matches
from leeboard.settings.over import laid_over, sleeping, stated, tightened
from leeboard.settings.settings import Settings
from leeboard.settings.toml import parse


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


@pytest.mark.parametrize("theirs", ['["!**"]', '["b", "!**"]', '["!secret/x.txt", "b"]', '["!**", "!secret/**"]'])
def test_what_only_tightens_takes_no_protection_away(theirs: str) -> None:
    """Neither a repository nobody trusted nor a team's policy; both are told what sleeps."""
    own, over = file('protect.files = ["secret/**"]'), file(f"protect.files = {theirs}")
    for layered in (laid_over(own, over, trusted=False), tightened(own, over)):
        assert matches("secret/x.txt", layered.policy.protected)
    assert [said.partition(" ")[0] for said, _ in sleeping(own, over)] == ["protect.files"]


def test_a_policy_of_a_team_does_not_end_what_is_tracked() -> None:
    own, over = file('truth.track = ["docs/**"]'), file('truth.track = ["!docs/**"]')
    assert matches("docs/a.md", tightened(own, over).track)


def test_a_policy_protects_what_a_trusted_repository_left_out() -> None:
    own = laid_over(file('protect.files = ["a/**"]'), file('protect.files = ["!a/**"]'), trusted=True)
    assert not matches("a/x", own.policy.protected)
    assert matches("a/x", tightened(own, file('protect.files = ["a/**"]')).policy.protected)


def test_exceptions_hold_within_their_own_list() -> None:
    over = file('protect.files = ["locks/**", "!locks/dev"]')
    protected = laid_over(file('protect.files = ["a"]'), over, trusted=False).policy.protected
    assert [matches(path, protected) for path in ("a", "locks/x", "locks/dev")] == [True, True, False]
