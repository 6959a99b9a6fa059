"""Who lets each stage of an intent through its gate: noted when the work begins, held against what is defined now."""

from __future__ import annotations

from collections.abc import Iterable

from leeboard.model.plan import Intent
from leeboard.model.studio import StageSpec

NOBODY = "auto"


def guard(spec: StageSpec) -> str:
    """`auto`: no person is asked."""
    return "+".join(kind for kind in dict.fromkeys(spec.review) if kind != NOBODY) or NOBODY


def guards(specs: Iterable[StageSpec]) -> tuple[str, ...]:
    """As `intent.md` notes them."""
    return tuple(f"{spec.name}={guard(spec)}" for spec in specs)


def noted_guard(intent: Intent, stage: str) -> str:
    return _noted(intent).get(stage, NOBODY)


def loosened(intent: Intent, specs: Iterable[StageSpec]) -> tuple[str, ...]:
    """Gates of people that are no longer what they were when the work began."""
    now = {spec.name: guard(spec) for spec in specs}
    return tuple(
        f"the gate of stage {name}: {kind} became {now.get(name, 'nothing')}"
        for name, kind in _noted(intent).items()
        if kind not in {NOBODY, now.get(name)}
    )


def _noted(intent: Intent) -> dict[str, str]:
    return {name: kind for name, _, kind in (line.rpartition("=") for line in intent.guards)}
