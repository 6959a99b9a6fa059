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
    """The pin, tightened to what the policy says now: nothing that a session began with is loosened while it runs."""
    numbers = {name: choose(getattr(pin.policy, name), getattr(policy, name)) for name, choose in _STRICTER.items()}
    held = replace(
        policy,
        profile=max(pin.policy.profile, policy.profile, key=_PROFILES.index),
        disabled_rules=tuple(rule for rule in pin.policy.disabled_rules if rule in policy.disabled_rules),
        protected=globs_of_both(pin.policy.protected, policy.protected),
        **numbers,
    )
    return pin if held == pin.policy else replace(pin, policy=held)


def globs_of_both(held: tuple[str, ...], added: tuple[str, ...]) -> tuple[str, ...]:
    """Globs that give what either list gives by itself: a `!` of the one takes nothing that the other gave.

    Where both have such globs, those of `added` are dropped, which gives more rather than less.
    """
    if any(map(_takes, added)) and not any(map(_takes, held)):
        return _behind(added, held)
    rest = added[len(held) :] if added[: len(held)] == held else added
    return _behind(held, tuple(glob for glob in rest if not _takes(glob)))


def _behind(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    """A glob of the second list is said again where a `!` behind it in the first may have taken its files away."""
    last = max((at for at, glob in enumerate(first) if _takes(glob)), default=-1)
    return (*first, *dict.fromkeys(glob for glob in second if glob not in first[last + 1 :]))


def _takes(glob: str) -> bool:
    return glob.startswith("!")


def _bares(taking: str, before: tuple[str, ...], now: tuple[str, ...]) -> bool:
    """Whether a `!` stands behind globs now that it did not stand behind before."""
    earlier = before[: before.index(taking)] if taking in before else ()
    return any(glob in before and glob not in earlier for glob in now[: now.index(taking)] if not _takes(glob))


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
    bare = [glob for glob in pin.policy.protected if glob not in policy.protected and not _takes(glob)]
    if bare:
        yield f"{', '.join(bare)} would not be protected any more"
    taken = [glob for glob in policy.protected if _takes(glob) and _bares(glob, pin.policy.protected, policy.protected)]
    if taken:
        yield f"{', '.join(taken)} would leave files without protection"
    for name, choose in _STRICTER.items():
        was, found = getattr(pin.policy, name), getattr(policy, name)
        if was != found and choose(was, found) == was:
            yield f"{name} {was} would become {found}"
