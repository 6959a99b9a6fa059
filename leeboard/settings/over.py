"""One settings file laid over another, key by key: the repository's over the user's own.

What a repository says may make the guard stricter, whoever wrote it. What loosens it, what would run and what would be
told to agents counts only where the user trusted the file. What that means for each key stands in docs/settings.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from leeboard.model.policy import Policy, globs_of_both
from leeboard.settings.settings import Settings

_STRICTER = ("observe", "advise", "enforce")
_MORE = {"interrupts.budget": "interrupt_budget", "interrupts.queued": "queue_deliveries"}
"""The larger number says more."""
_LESS = {"interrupts.cooldown_turns": "cooldown_turns", "interrupts.grace_turns": "grace_turns"}
LOOSEN, RUN, SPEAK = "loosen the guard", "run something", "speak to agents"
_RUN = "a shell command, run by `leeboard check --run-acceptance`"
_TOLD = {
    "goal.scope": "places that count as part of the work, whatever is asked for",
    "goal.constraints": "words for every agent",
    "truth.track": "files whose changes are told to every agent",
}


def laid_over(base: Settings, over: Settings, *, trusted: bool) -> Settings:
    """`base` is the user's own; not `trusted`: only as far as it tightens."""
    policy = replace(base.policy, **_numbers(base.policy, over, trusted=trusted))
    protected = (_both if trusted else globs_of_both)(base.policy.protected, over.policy.protected)
    policy = replace(policy, disabled_rules=_off(base, over, trusted=trusted), protected=protected)
    if not trusted:
        return replace(base, policy=policy)
    return replace(
        base,
        policy=policy,
        scope=_both(base.scope, over.scope),
        constraints=_both(base.constraints, over.constraints),
        contract=over.contract or base.contract,
        track=_both(base.track, over.track),
    )


def tightened(base: Settings, over: Settings) -> Settings:
    """What a team publishes over all else: as far as it tightens. Limits, and files whose changes are told, add up."""
    stricter = laid_over(base, over, trusted=False)
    said = {key: _list(over, key) if key in over.said else () for key in ("goal.constraints", "truth.track")}
    constraints = _both(base.constraints, said["goal.constraints"])
    return replace(stricter, constraints=constraints, track=globs_of_both(base.track, said["truth.track"]))


def sleeping(base: Settings, over: Settings) -> Iterator[tuple[str, str]]:
    """Each statement of a file that counts only once it is trusted, and what it does."""
    tight, trusted = laid_over(base, over, trusted=False), laid_over(base, over, trusted=True)
    off = set(trusted.policy.disabled_rules) - set(tight.policy.disabled_rules)
    for key in over.said:
        if name := _rule(key):
            yield from ((f"{key}.enabled = false", f"the rule {name} is switched off") for _ in off & {name})
        elif key == "contract":
            yield from _contract(over)
        elif key in _TOLD:
            yield from ((f"{key}: {text}", _TOLD[key]) for text in _list(over, key))
        elif (now := _value(trusted, key)) != (own := _value(tight, key)):
            yield f"{key} = {now}", f"in place of {own}"


def doing(base: Settings, over: Settings) -> str:
    """What a file would do once it is trusted, in a few words: `loosen the guard and speak to agents`."""
    found = {_kind(said, does) for said, does in sleeping(base, over)}
    return " and ".join(kind for kind in (LOOSEN, RUN, SPEAK) if kind in found)


def _kind(said: str, does: str) -> str:
    if does == _RUN:
        return RUN
    return SPEAK if said.startswith(("contract.", "goal.constraints", "truth.track")) else LOOSEN


def stated(settings: Settings) -> dict[str, Any]:
    """All that a file says, for its digest: comments, order and what else stands in it are free."""
    values: dict[str, Any] = {key: _value(settings, key) for key in settings.said if key not in _TOLD}
    values |= {key: _list(settings, key) for key in settings.said if key in _TOLD}
    values |= {key: name not in settings.policy.disabled_rules for key in settings.said if (name := _rule(key))}
    return values | ({"contract": settings.contract.table} if settings.contract else {})


def _numbers(own: Policy, over: Settings, *, trusted: bool) -> dict[str, Any]:
    theirs, said = over.policy, over.said
    found: dict[str, Any] = {}
    if "profile" in said:
        found["profile"] = theirs.profile if trusted else max(own.profile, theirs.profile, key=_STRICTER.index)
    if "idle_minutes" in said and trusted:
        found["idle_seconds"] = theirs.idle_seconds
    for table, choose in ((_MORE, max), (_LESS, min)):
        for key, field in table.items():
            if key in said:
                wanted = getattr(theirs, field)
                found[field] = wanted if trusted else choose(getattr(own, field), wanted)
    return found


def _off(base: Settings, over: Settings, *, trusted: bool) -> tuple[str, ...]:
    """A repository may switch a rule on again that the user switched off; off only where it is trusted."""
    theirs = over.policy.disabled_rules
    on = set(map(_rule, over.said)) - set(theirs)
    kept = tuple(rule for rule in base.policy.disabled_rules if rule not in on)
    return _both(kept, theirs) if trusted else kept


def _rule(key: str) -> str:
    """The rule that a key is about; empty: none."""
    return key.removeprefix("rules.") if key.startswith("rules.") else ""


def _both(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))


def _value(settings: Settings, key: str) -> str:
    if key == "profile":
        return f'"{settings.policy.profile}"'
    if key == "idle_minutes":
        return f"{settings.policy.idle_seconds / 60:g}"
    if key == "protect.files":
        return str(list(settings.policy.protected))
    field = (_MORE | _LESS).get(key)
    return str(getattr(settings.policy, field)) if field else ""


def _list(settings: Settings, key: str) -> tuple[str, ...]:
    found: dict[str, tuple[str, ...]] = {
        "goal.scope": settings.scope,
        "goal.constraints": settings.constraints,
        "truth.track": settings.track,
    }
    return found[key]


def _contract(over: Settings) -> Iterator[tuple[str, str]]:
    table = over.contract.table if over.contract else {}
    for key, value in table.items():
        for each in value if isinstance(value, list) else (value,):
            yield f"contract.{key}: {each}", _RUN if key in {"acceptance", "verify"} else "for every agent"
