"""The settings of a project that guard the work: noted when it begins, so that nobody loosens them unnoticed.

They are the person's to change at any time. What changed is told until a person took note of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from leeboard.model.text import digest
from leeboard.plan.files.files import PlanSettings

_SWITCH = "drift_detection"
_OTHERS = (
    *("drift_ignore", "drift_seconds", "quality_gates", "gate_timeout", "review_agents"),
    *("human_write_require_rationale",),
)
_SINCE = (
    "in .haiku/settings.yml since a person last took note of it; they do so by approving a gate, or with "
    "`leeboard flow repair --apply`"
)


def guarding(settings: PlanSettings) -> tuple[str, ...]:
    """As `intent.md` notes them: whether changed files are looked for, and digests of all else that is set."""
    switch = f"{_SWITCH}={'on' if settings.drift_detection else 'off'}"
    said = {key: settings.values[key] for key in _OTHERS if settings.values.get(key) not in (None, False, [], {}, "")}
    return (switch, *(f"{key}={digest(repr(_ordered(value)))}" for key, value in said.items()))


def guarding_changes(noted: Iterable[str], now: Iterable[str]) -> tuple[str, ...]:
    """What is told of them; nothing where none were noted yet."""
    was, found = _by_key(noted), _by_key(now)
    if not was or not found:
        return ()
    changed = [key for key in (_SWITCH, *_OTHERS) if was.get(key) != found.get(key)]
    return tuple(f"{key} was {_how(key, was, found)} {_SINCE}" for key in changed)


def _how(key: str, was: dict[str, str], now: dict[str, str]) -> str:
    if key == _SWITCH:
        return f"switched {now[key]}"
    if key not in now:
        return "taken out"
    return "changed" if key in was else "set"


def _by_key(lines: Iterable[str]) -> dict[str, str]:
    return {key: value for key, _, value in (line.partition("=") for line in lines)}


def _ordered(value: Any) -> Any:
    """The order of keys says nothing."""
    if isinstance(value, dict):
        return sorted((str(key), _ordered(each)) for key, each in value.items())
    return [_ordered(each) for each in value] if isinstance(value, list) else value
