"""Pictures as figures: where the points of a score, the boxes of a plan and the bars of a trend lie.

Templates write them as inline SVG. Everything that a picture says is said in words beside it.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from leeboard.app.views.plan import ShownStage
from leeboard.model.session import Drift

WIDTH, HEIGHT = 720, 132
_LEFT, _RIGHT, _TOP, _BOTTOM = 24, 8, 8, 20
SCORES = 10
BOX, ROW, GAP, EDGE = 190, 46, 14, 46
"""A unit's box: width, height, space below, space to the next wave."""


class ScorePoint(msgspec.Struct, frozen=True):
    x: float
    y: float
    score: int
    level: str
    time: float


class ScoreChart(msgspec.Struct, frozen=True, kw_only=True):
    width: int
    height: int
    line: str
    only: ScorePoint | None
    """Where there is one check, which no line can show."""
    points: tuple[ScorePoint, ...]
    """Those at which something was said."""
    grid: tuple[tuple[int, float], ...]
    worst: int
    first: float
    last: float
    checks: int


def score_chart(history: Sequence[Drift]) -> ScoreChart | None:
    """The scores of the checks as points of a curve; None where nothing was scored."""
    checks = [check for check in history if check.score > 0]
    if not checks:
        return None
    step = (WIDTH - _LEFT - _RIGHT) / max(1, len(checks) - 1)
    placed = [
        ScorePoint(round(_LEFT + at * step, 1), _height(check.score), check.score, check.level, check.timestamp)
        for at, check in enumerate(checks)
    ]
    return ScoreChart(
        width=WIDTH,
        height=HEIGHT,
        line=" ".join(f"{point.x},{point.y}" for point in placed),
        only=placed[0] if len(placed) == 1 and placed[0].level == "none" else None,
        points=tuple(point for point in placed if point.level != "none"),
        grid=tuple((score, _height(score)) for score in (2, 5, 8, 10)),
        worst=min(check.score for check in checks),
        first=checks[0].timestamp,
        last=checks[-1].timestamp,
        checks=len(checks),
    )


def _height(score: int) -> float:
    return round(_TOP + (SCORES - score) * (HEIGHT - _TOP - _BOTTOM) / (SCORES - 1), 1)


def spark(scores: Sequence[int], width: int = 72, height: int = 16) -> str:
    """The points of a small line; empty for fewer than two."""
    if len(scores) < 2:
        return ""
    step = width / (len(scores) - 1)
    return " ".join(f"{at * step:.1f},{1 + (10 - score) * (height - 2) / 9:.1f}" for at, score in enumerate(scores))


def bars(values: Sequence[int], width: int = 120, height: int = 18) -> tuple[tuple[float, float, float, float], ...]:
    """Left, top, width and height of each."""
    most = max(values, default=0)
    if not most:
        return ()
    step = width / len(values)
    return tuple(
        (
            round(at * step, 1),
            round(height - value * height / most, 1),
            round(min(12.0, max(1.0, step - 1)), 1),
            round(value * height / most, 1),
        )
        for at, value in enumerate(values)
    )


class UnitBox(msgspec.Struct, frozen=True, kw_only=True):
    unit: str
    title: str
    status: str
    state: str
    x: int
    y: int


class UnitEdge(msgspec.Struct, frozen=True, kw_only=True):
    path: str
    done: bool


class PlanGraph(msgspec.Struct, frozen=True, kw_only=True):
    width: int
    height: int
    boxes: tuple[UnitBox, ...]
    edges: tuple[UnitEdge, ...]
    waves: tuple[tuple[int, int], ...]
    """Number and left edge of each."""


def plan_graph(stage: ShownStage) -> PlanGraph | None:
    """The units of a stage, a column for each wave, and a line for each thing one waits for."""
    if not stage.units:
        return None
    boxes = {
        unit.unit: UnitBox(
            unit=unit.unit,
            title=unit.title,
            status=unit.status,
            state=unit.state,
            x=column * (BOX + EDGE),
            y=22 + row * (ROW + GAP),
        )
        for column, wave in enumerate(stage.waves)
        for row, unit in enumerate(wave)
    }
    edges = (
        UnitEdge(path=_edge(boxes[name], boxes[unit.unit]), done=boxes[name].status == "completed")
        for unit in stage.units
        for name in unit.depends_on
        if name in boxes
    )
    rows = max(len(wave) for wave in stage.waves)
    return PlanGraph(
        width=len(stage.waves) * (BOX + EDGE) - EDGE,
        height=22 + rows * (ROW + GAP) - GAP + 1,
        boxes=tuple(boxes.values()),
        edges=tuple(edges),
        waves=tuple((number, number * (BOX + EDGE)) for number in range(len(stage.waves))),
    )


def _edge(before: UnitBox, after: UnitBox) -> str:
    """Straight along its row, and over to the other one in the gap before it."""
    x1, y1, x2, y2 = before.x + BOX, before.y + ROW // 2, after.x, after.y + ROW // 2
    turn = max(x1, x2 - EDGE)
    return f"M{x1},{y1} H{turn} C{turn + EDGE // 2},{y1} {x2 - EDGE // 2},{y2} {x2},{y2}"
