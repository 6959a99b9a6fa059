from __future__ import annotations

from typing import Any

import pytest

from leeboard.model.plan import Intent
from leeboard.plan.machine.policy import guard, guards, loosened, noted_guard
from tests.plan.plan_world import stage_spec

BEGUN = Intent(slug="x", guards=("shape=auto", "build=ask", "ship=external+ask"))


@pytest.mark.parametrize(
    ("review", "kind"),
    [((), "auto"), (("auto",), "auto"), (("auto", "ask"), "ask"), (("external", "ask", "ask"), "external+ask")],
)
def test_who_lets_a_stage_through(review: Any, kind: str) -> None:
    assert guard(stage_spec(review=review)) == kind


@pytest.mark.parametrize(
    ("shape", "build", "ship", "told"),
    [
        (("auto",), ("ask",), ("external", "ask"), ()),
        (("ask",), ("ask",), ("external", "ask"), ()),
        (None, ("ask",), ("external", "ask"), ()),
        (("auto",), ("auto",), ("external", "ask"), ("the gate of stage build: ask became auto",)),
        (("auto",), ("await",), ("external", "ask"), ("the gate of stage build: ask became await",)),
        (("auto",), ("ask",), None, ("the gate of stage ship: external+ask became nothing",)),
    ],
)
def test_a_gate_of_a_person_stays_one(shape: Any, build: Any, ship: Any, told: tuple[str, ...]) -> None:
    """SH-36."""
    given = {"shape": shape, "build": build, "ship": ship}
    specs = [stage_spec(name, review=review) for name, review in given.items() if review is not None]
    assert loosened(BEGUN, specs) == told
    assert loosened(Intent(slug="x"), specs) == ()


def test_they_are_noted_as_they_are_read() -> None:
    noted = Intent(slug="x", guards=guards([stage_spec(), stage_spec("ship", review=("auto",))]))
    assert noted.guards == ("build=ask", "ship=auto")
    assert [noted_guard(noted, name) for name in ("build", "ship", "other")] == ["ask", "auto", "auto"]
