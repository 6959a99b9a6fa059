"""Where points, boxes and bars lie."""

from __future__ import annotations

from leeboard.app.views.plan import view_stage
from leeboard.model.plan import Plan, StageState, StageView
from leeboard.model.session import Drift
from leeboard.model.studio import StageSpec
from leeboard.model.unit import Unit
from leeboard.surfaces.web.drawing import bars, plan_graph, score_chart, spark
from tests.shown_plan import plan_of


def test_a_score_over_time_marks_what_was_said() -> None:
    assert score_chart([]) is None
    chart = score_chart([Drift(10, "none", 1.0), Drift(0, "none", 2.0), Drift(3, "halt", 3.0)])
    assert chart is not None
    assert (chart.checks, chart.worst, [point.level for point in chart.points]) == (2, 3, ["halt"])
    assert chart.points[0].y > 50
    assert len(chart.line.split()) == 2


def test_small_pictures_of_nothing_are_empty() -> None:
    assert spark((10,)) == ""
    assert spark((10, 1)) == "0.0,1.0 72.0,15.0"
    assert bars((0, 0)) == ()
    assert bars(()) == ()
    assert bars((1, 2))[1][3] == 18


def test_units_stand_in_waves_and_edges_lead_to_what_waits() -> None:
    units = (
        Unit(id="unit-01-a", stage="s", status="completed"),
        Unit(id="unit-02-b", stage="s"),
        Unit(id="unit-03-c", stage="s", depends_on=("unit-01-a", "unit-02-b")),
    )
    stage = StageView(spec=StageSpec(name="s"), state=StageState(stage="s"), units=units)
    plan = Plan(intent=plan_of("execute").intent, stages=(stage,))
    graph = plan_graph(view_stage(plan, stage))
    assert graph is not None
    assert [(box.unit, box.x > 0) for box in graph.boxes] == [
        ("unit-01-a", False),
        ("unit-02-b", False),
        ("unit-03-c", True),
    ]
    assert [edge.done for edge in graph.edges] == [True, False]
    assert plan_graph(view_stage(plan, StageView(spec=StageSpec(name="x"), state=StageState(stage="x")))) is None


def test_one_check_is_a_point_since_no_line_shows_it() -> None:
    alone = score_chart([Drift(9, "none", 1.0)])
    assert alone is not None
    assert alone.only is not None
    assert alone.only.score == 9
    two = score_chart([Drift(9, "none", 1.0), Drift(9, "none", 2.0)])
    assert two is not None
    assert two.only is None
