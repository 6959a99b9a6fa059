"""What a studio and its stages say of themselves."""

from __future__ import annotations

import pytest

from leeboard.model.studio import Hat, StageSpec, Studio, Template

BUILD = StageSpec(name="build", hats=(Hat(name="builder"),))


def test_where_an_artifact_lies() -> None:
    template = Template(name="notes", kind="output", location=".haiku/intents/{intent-slug}/knowledge/NOTES.md")
    assert template.place("shop") == ".haiku/intents/shop/knowledge/NOTES.md"


def test_a_stage_is_found_by_its_name() -> None:
    studio = Studio(slug="small", name="Small", stages=(BUILD,))
    assert studio.stage("build") is BUILD
    assert studio.stage("ship") is None


def test_all_that_is_wrong_is_told_with_where() -> None:
    stage = StageSpec(name="ship", problems=("no hats",))
    studio = Studio(slug="small", name="Small", stages=(BUILD, stage), problems=("no aliases",))
    assert studio.complaints == ("studio small: no aliases", "stage ship: no hats")


@pytest.mark.parametrize(
    ("stages", "problems", "why"),
    [
        ((BUILD,), (), ""),
        ((), (), "the studio small names no stages in its STUDIO.md"),
        ((), ("line 2: no list",), "the studio small names no stages in its STUDIO.md (line 2: no list)"),
        ((BUILD, StageSpec(name="ship")), (), "stage ship of the studio small names no hats"),
        (
            (StageSpec(name="ship", problems=("line 3: no list",)),),
            (),
            "stage ship of the studio small names no hats (line 3: no list)",
        ),
    ],
)
def test_why_nothing_can_be_worked_on(stages: tuple[StageSpec, ...], problems: tuple[str, ...], why: str) -> None:
    assert Studio(slug="small", name="Small", stages=stages, problems=problems).unusable == why
