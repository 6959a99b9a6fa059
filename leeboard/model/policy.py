"""The judge's numbers. Profiles change what may be done with a verdict, never how an action is scored."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

import msgspec
from msgspec.structs import replace

Profile = Literal["observe", "advise", "enforce"]


class Policy(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    profile: Profile = "advise"
    """observe: only recorded. advise: spoken, and the named few are denied: secrets, certain injections, what the user
    ruled out, loosening the guard, harm to a workflow, what can not be taken back. enforce: low scores and detours in
    FORCED as well."""
    speak_below: int = 8
    deny_below: int = 5
    drifted_below: int = 5
    escalation_max: int = 3
    nudge_room: int = 300
    correction_room: int = 1_200
    idle_seconds: int = 3_600
    """A session without a sign of life for this long counts as abandoned."""
    interrupt_budget: int = 3
    """Interrupts of the classes A to D that may fire in a session; B1 and B2 fire beyond it."""
    cooldown_turns: int = 2
    grace_turns: int = 3
    """Classes C and D stay silent in the first turns."""
    queue_deliveries: int = 3
    """Queued signals that are spoken in a session, one at a pause; the rest stands in the report."""
    disabled_rules: tuple[str, ...] = ()
    protected: tuple[str, ...] = ()
    """Globs of files that no agent changes."""


# What a session began under. Settings that get looser while it runs do not count in it; stricter ones do at once.


_PROFILES: tuple[Profile, ...] = ("observe", "advise", "enforce")
_STRICTER: dict[str, Callable[[int, int], int]] = {
    "speak_below": max,
    "deny_below": max,
    "drifted_below": max,
    "escalation_max": min,
    "interrupt_budget": max,
    "cooldown_turns": min,
    "grace_turns": min,
    "queue_deliveries": max,
}
"""By the name of a number of the policy: which of two says more."""


class Pin(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Only a session that is guarded has one."""

    policy: Policy
    at: float = 0.0
    """Since when it holds: what a person released later does not concern it."""


def stricter(pin: Pin, policy: Policy) -> Pin:
    """The pin with all that is stricter by now."""
    numbers = {name: choose(getattr(pin.policy, name), getattr(policy, name)) for name, choose in _STRICTER.items()}
    held = replace(
        policy,
        profile=max(pin.policy.profile, policy.profile, key=_PROFILES.index),
        disabled_rules=tuple(rule for rule in pin.policy.disabled_rules if rule in policy.disabled_rules),
        protected=tuple(dict.fromkeys((*pin.policy.protected, *policy.protected))),
        **numbers,
    )
    return pin if held == pin.policy else replace(pin, policy=held)


def loosened(pin: Pin, policy: Policy, *, enabled: bool) -> tuple[str, ...]:
    """What would be looser than the pin, in words; empty where nothing is."""
    return tuple(_loosened(pin, policy, enabled=enabled))


def _loosened(pin: Pin, policy: Policy, *, enabled: bool) -> Iterator[str]:
    if not enabled:
        yield "Leeboard would be off"
    if _PROFILES.index(policy.profile) < _PROFILES.index(pin.policy.profile):
        yield f"the profile {pin.policy.profile} would become {policy.profile}"
    off = [rule for rule in policy.disabled_rules if rule not in pin.policy.disabled_rules]
    if off:
        yield f"{', '.join(off)} would be off"
    bare = [glob for glob in pin.policy.protected if glob not in policy.protected]
    if bare:
        yield f"{', '.join(bare)} would not be protected any more"
    for name, choose in _STRICTER.items():
        was, found = getattr(pin.policy, name), getattr(policy, name)
        if was != found and choose(was, found) == was:
            yield f"{name} {was} would become {found}"
