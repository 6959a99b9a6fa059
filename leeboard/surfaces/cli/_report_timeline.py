"""The session drawn: scores over turns, corrections as ticks, the signals of each class in a lane of their own."""

from __future__ import annotations

from html import escape

from leeboard.model.outcome import Judged
from leeboard.model.verdict import Action, Verdict
from leeboard.surfaces.cli._report_page import Page

WIDTH, LEFT, RIGHT = 900, 90, 20
SCORE_TOP, SCORE_HEIGHT = 20, 120
LANE_TOP, LANE_HEIGHT = 165, 26
MOST_POINTS = 2_000

_COLOURS = {"fired": "var(--bad)", "delivered": "var(--warn)", "waiting": "var(--warn)", "logged": "var(--dim)"}
_SPEAKING = {Action.INJECT, Action.ASK, Action.DENY}


def timeline(page: Page) -> str:
    """An SVG picture. A session of one turn has a timeline, too."""
    turns = max(1, page.session.turns, *(judged.turn for judged in page.judged), *(v.turn for v in page.verdicts))
    height = LANE_TOP + 4 * LANE_HEIGHT + 24
    parts = [*_axes(turns), *_scores(page.verdicts, turns), *_spoken(page.verdicts, turns), *_lanes(page.judged, turns)]
    label = f"Scores and signals over {turns} turns"
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img" aria-label="{label}">'
        + "".join(parts)
        + "</svg>"
    )


def _x(turn: int, turns: int) -> float:
    return round(LEFT + (WIDTH - LEFT - RIGHT) * (max(turn, 0) / turns), 1)


def _y(score: int) -> float:
    return round(SCORE_TOP + SCORE_HEIGHT * (10 - score) / 9, 1)


def _axes(turns: int) -> list[str]:
    parts = []
    for score in (10, 8, 5, 1):
        parts.append(f'<text x="{LEFT - 8}" y="{_y(score) + 4}" text-anchor="end">{score}</text>')
        parts.append(_line(LEFT, _y(score), WIDTH - RIGHT, "var(--line)"))
    step = max(1, turns // 10)
    bottom = LANE_TOP + 4 * LANE_HEIGHT + 16
    parts += [
        f'<text x="{_x(turn, turns)}" y="{bottom}" text-anchor="middle">{turn}</text>'
        for turn in range(0, turns + 1, step)
    ]
    parts.append(f'<text x="4" y="{_y(10) + 4}">score</text>')
    return parts


def _line(left: float, y: float, right: float, colour: str) -> str:
    return f'<line x1="{left}" y1="{y}" x2="{right}" y2="{y}" stroke="{colour}" stroke-width="1"/>'


def _scores(verdicts: tuple[Verdict, ...], turns: int) -> list[str]:
    scored = [verdict for verdict in verdicts if verdict.score and verdict.event in {"ToolProposed", "FilesChanged"}]
    points = [(_x(verdict.turn, turns), _y(verdict.score)) for verdict in scored[:MOST_POINTS]]
    if not points:
        return []
    path = " ".join(f"{x},{y}" for x, y in points)
    line = f'<polyline points="{path}" fill="none" stroke="var(--cool)" stroke-width="1.5"/>'
    return [line, *(f'<circle cx="{x}" cy="{y}" r="2" fill="var(--cool)"/>' for x, y in points)]


def _spoken(verdicts: tuple[Verdict, ...], turns: int) -> list[str]:
    """A tick wherever something was said to the agent."""
    said = [verdict for verdict in verdicts if verdict.action in _SPEAKING][:MOST_POINTS]
    return [
        f'<line x1="{_x(v.turn, turns)}" y1="{SCORE_TOP}" x2="{_x(v.turn, turns)}" y2="{SCORE_TOP + SCORE_HEIGHT}" '
        f'stroke="var(--warn)" stroke-dasharray="3 3"><title>turn {v.turn}: {v.action.name}</title></line>'
        for v in said
    ]


def _lanes(judged: tuple[Judged, ...], turns: int) -> list[str]:
    parts = []
    for number, letter in enumerate("ABCD"):
        y = LANE_TOP + number * LANE_HEIGHT
        parts.append(f'<text x="4" y="{y + 4}">CLASS-{letter}</text>')
        parts.append(_line(LEFT, y, WIDTH - RIGHT, "var(--line)"))
        parts += [_mark(one, turns, y) for one in judged[:MOST_POINTS] if one.subclass[:1] == letter]
    return parts


def _mark(one: Judged, turns: int, y: float) -> str:
    colour = _COLOURS.get(one.state, "var(--good)")
    radius = 7 if one.state == "fired" else 5 if one.state in {"delivered", "waiting"} else 3
    told = escape(f"turn {one.turn}: {one.subclass} {one.state}, urgency {one.urgency}: {one.message}")
    return f'<circle cx="{_x(one.turn, turns)}" cy="{y}" r="{radius}" fill="{colour}"><title>{told}</title></circle>'
