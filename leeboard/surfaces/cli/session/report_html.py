"""The report as one HTML page that needs nothing else: no script, no font, no picture from anywhere."""

from __future__ import annotations

import html
from collections import Counter

from leeboard.app.views.claims import CLAIM_HEADS, claim_cells
from leeboard.app.views.report import ReportPage
from leeboard.app.views.said import SaidView, counted_said
from leeboard.model.outcome import Judged
from leeboard.model.verdict import Verdict, class_of, letter_of, signal_classes
from leeboard.report.detections import Detections, FilesNow, told
from leeboard.rule import code_of, with_code
from leeboard.surfaces.cli.screen import printable

_STYLE = """
:root { color-scheme: light dark; --ink: #1c2733; --dim: #5d6b7a; --line: #d5dce3; --paper: #fbfcfd; --box: #f0f3f6;
  --good: #2e7d4f; --warn: #b26a00; --bad: #b3261e; --cool: #2563a8; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9ee; --dim: #9aa7b4; --line: #36424e; --paper: #151b21;
  --box: #1e262e; --good: #6fcf97; --warn: #f2b053; --bad: #ff8a80; --cool: #7ab8ff; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; border-bottom: 1px solid var(--line); }
code { font: 0.9em ui-monospace, monospace; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.2rem 1rem; }
dt { color: var(--dim); } dd { margin: 0; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: 0.8rem; }
.figures div { background: var(--box); border-radius: 6px; padding: 0.6rem 1rem; font-size: 0.9rem; }
.figures b { display: block; font-size: 1.6rem; }
.wide { overflow-x: auto; }
svg { display: block; width: 100%; min-width: 48rem; height: auto; }
.legend { display: flex; flex-wrap: wrap; gap: 0.2rem 1.2rem; list-style: none; margin: 0.5rem 0; padding: 0;
  color: var(--dim); font-size: 0.8rem; } .legend li { display: flex; align-items: center; gap: 0.4rem; }
.legend svg { width: 16px; min-width: 16px; height: 16px; }
svg text { fill: var(--dim); font: 11px system-ui, sans-serif; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: 0.3rem 1rem 0.3rem 0;
  border-bottom: 1px solid var(--line); vertical-align: top; } th { color: var(--dim); font-weight: normal; }
td:last-child, th:last-child { padding-right: 0; } .short { white-space: nowrap; }
.none { color: var(--dim); }
.words { white-space: pre-line; }
@media (max-width: 40rem) { .stacked tr:first-child { display: none; }
  .stacked tr { display: block; padding: 0.6rem 0; border-bottom: 1px solid var(--line); }
  .stacked td { display: block; border: 0; padding: 0; overflow-wrap: anywhere; }
  .stacked td.beside { display: inline-block; padding-right: 0.8rem; color: var(--dim); } }
"""


def html_page(page: ReportPage) -> str:
    """Everything in it is escaped: texts come from transcripts."""
    session, found = page.session, page.detections
    body = "\n".join(
        (
            f"<h1>Session {escape(session.id)}</h1>",
            _facts(page),
            f'<h2>Timeline</h2><div class="wide">{timeline(page)}</div>{legend()}',
            _said(page),
            _files(page),
            "<h2>Findings</h2>",
            _figures(found),
            _signals("Said at once", found.fired, found.now),
            _signals("Waiting for a pause", found.queued, found.now),
            _list("Patterns", found.observations),
            _list("For the next session", found.recommendations),
            f"<h2>What it did to the code</h2><p>{escape(found.health)}</p>",
            _not_analysed(found.now),
            _claims(page),
        )
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Session {escape(session.id)}</title><style>{_STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def _facts(page: ReportPage) -> str:
    session, record = page.session, page.capture
    rows = [
        ("Goal", session.contract.objective or "not stated"),
        ("Project", session.root),
        ("Status", f"{session.status}, mode {session.mode}"),
        (page.score_name, page.final_score),
        ("Said", counted_said(page.said)),
        *([("Paused", page.paused)] if page.paused else []),
        ("Tags", ", ".join(record.tags) or "none"),
    ]
    return "<dl>" + "".join(f"<dt>{name}</dt><dd>{escape(value)}</dd>" for name, value in rows) + "</dl>"


def _figures(found: Detections) -> str:
    rows = [
        ("turns", str(found.turns)),
        (f"said at once, {found.limit}", str(len(found.fired))),
        ("waiting for a pause", str(len(found.queued))),
        ("noted and not said", str(len(found.logged))),
    ]
    return '<div class="figures">' + "".join(f"<div><b>{value}</b>{name}</div>" for name, value in rows) + "</div>"


def _signals(title: str, judged: tuple[Judged, ...], now: FilesNow) -> str:
    if not judged:
        return f'<h2>{title}</h2><p class="none">none</p>'
    rows = "".join(
        f'<tr><td class="beside">{one.turn}</td>'
        f'<td class="beside">{escape(class_of(letter_of(one.subclass)).title)}</td>'
        f'<td class="beside">{code_of(one.rule)}</td>'
        f'<td class="short beside">{escape(one.urgency)}</td><td>{escape(told(one, now))}</td>'
        f'<td class="short"><code>{escape(one.id)}</code></td></tr>'
        for one in judged
    )
    head = "<tr><th>turn</th><th>class</th><th>rule</th><th>urgency</th><th>message</th><th>id</th></tr>"
    return f'<h2>{title}</h2><div class="wide"><table class="stacked">{head}{rows}</table></div>'


def _said(page: ReportPage) -> str:
    if not page.said:
        return '<h2>What was said</h2><p class="none">nothing</p>'
    rows = "".join(
        f'<tr><td class="beside">{one.turn}</td><td class="short beside">{one.level}</td>'
        f'<td class="short beside">{one.how}</td>'
        f"<td>{escape(', '.join(map(with_code, one.rules)))}</td>"
        f'<td class="words">{escape(one.words)}</td>'
        f'<td class="short"><code>{escape(one.id)}</code></td></tr>'
        for one in page.said
    )
    head = "<tr><th>turn</th><th>level</th><th>how</th><th>rule</th><th>words</th><th>id</th></tr>"
    return f'<h2>What was said</h2><div class="wide"><table class="stacked">{head}{rows}</table></div>'


def _list(title: str, items: tuple[str, ...]) -> str:
    if not items:
        return f'<h2>{title}</h2><p class="none">none</p>'
    return f"<h2>{title}</h2><ul>" + "".join(f"<li>{escape(item)}</li>" for item in items) + "</ul>"


def _claims(page: ReportPage) -> str:
    """What the agent said of its own work, and what shows it."""
    if not page.claims:
        return ""
    head = "".join(f"<th>{name}</th>" for name in CLAIM_HEADS)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>" for cells in claim_cells(page.claims)
    )
    return f'<h2>Claims and what shows them</h2><div class="wide"><table><tr>{head}</tr>{rows}</table></div>'


def _not_analysed(now: FilesNow) -> str:
    if not now.not_analysed:
        return ""
    return _list("Written but not analysed", tuple(f"{path}: {reason}" for path, reason in now.not_analysed))


def _files(page: ReportPage) -> str:
    if not page.files:
        return ""
    rows = "".join(
        f"<tr><td><code>{escape(row.path)}</code></td><td>{', '.join(row.actions)}</td><td>{row.times}</td>"
        f"<td>{row.told_worst}</td></tr>"
        for row in page.files[:200]
    )
    head = "<tr><th>file</th><th>actions</th><th>times</th><th>worst score</th></tr>"
    return f'<h2>Files</h2><div class="wide"><table>{head}{rows}</table></div>'


# The session drawn: scores over turns, a tick wherever something was said, the signals of each class in a lane.
#
# One circle is one signal; what happened in the same turn stands side by side.


WIDTH, LEFT, RIGHT = 900, 90, 20
SCORE_TOP, SCORE_HEIGHT = 20, 120
LANE_TOP, LANE_HEIGHT = 170, 28
BESIDE = 9
"""Between two signals of one turn and class."""
MOST_POINTS = 2_000

_COLOURS = {"fired": "var(--bad)", "delivered": "var(--warn)", "waiting": "var(--warn)", "logged": "var(--dim)"}
_LEGEND = (
    ("fired", "said", 7),
    ("waiting", "waiting, or said at a pause", 5),
    ("logged", "noted and not said", 3),
    ("self-corrected", "corrected by the agent, or dropped", 3),
)
"""State, what it is called, its radius."""
_RADIUS = {state: radius for state, _, radius in _LEGEND} | {"delivered": 5}


def escape(text: str) -> str:
    """For a page: a mark of direction would turn it around as it does a terminal."""
    return html.escape(printable(text))


def timeline(page: ReportPage) -> str:
    """An SVG picture. A session of one turn has a timeline, too."""
    turns = max(1, page.session.turns, *(judged.turn for judged in page.judged), *(v.turn for v in page.verdicts))
    lanes = sorted({*signal_classes().classes, *(letter_of(judged.subclass) for judged in page.judged)} - {""})
    axis_top = LANE_TOP + len(lanes) * LANE_HEIGHT
    height = axis_top + 12
    parts = [
        *_axes(turns, axis_top),
        *_spoken(page.said, turns),
        *_scores(page.verdicts, turns),
        *_lanes(page.judged, turns, lanes),
    ]
    label = f"Scores and findings over {turns} turns"
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img" aria-label="{label}">'
        + "".join(parts)
        + "</svg>"
    )


def legend() -> str:
    """What the marks of the timeline mean: beneath it and not in it, so that it breaks its lines where it has to."""
    marks = [(_swatch(state, radius), name) for state, name, radius in _LEGEND]
    tick = '<line x1="8" y1="1" x2="8" y2="15" stroke="var(--warn)" stroke-dasharray="3 3"/>'
    marks += [(_cross(8, 8), "call refused"), (tick, "said to the agent")]
    items = (f'<li><svg viewBox="0 0 16 16" aria-hidden="true">{mark}</svg>{name}</li>' for mark, name in marks)
    return f'<ul class="legend">{"".join(items)}</ul>'


def _swatch(state: str, radius: int) -> str:
    """A square, so that a circle is always a signal."""
    corner = f'x="{8 - radius}" y="{8 - radius}" width="{2 * radius}" height="{2 * radius}"'
    return f'<rect {corner} rx="{radius}" fill="{_colour(state)}"/>'


def _x(turn: int, turns: int) -> float:
    """The last turn ends before the edge: what stands beside it needs room."""
    return round(LEFT + _slot(turns) * max(turn, 0), 1)


def _slot(turns: int) -> float:
    return (WIDTH - LEFT - RIGHT) / (turns + 1)


def _y(score: int) -> float:
    return round(SCORE_TOP + SCORE_HEIGHT * (10 - score) / 9, 1)


def _axes(turns: int, top: int) -> list[str]:
    parts = []
    for score in (10, 8, 5, 1):
        parts.append(f'<text x="{LEFT - 8}" y="{_y(score) + 4}" text-anchor="end">{score}</text>')
        parts.append(_line(LEFT, _y(score), WIDTH - RIGHT, "var(--line)"))
    step = max(1, turns // 10)
    parts += [
        f'<text x="{_x(turn, turns)}" y="{top}" text-anchor="middle">{turn}</text>'
        for turn in range(0, turns + 1, step)
    ]
    return [*parts, f'<text x="4" y="{_y(10) + 4}">score</text>', f'<text x="4" y="{top}">turn</text>']


def _line(left: float, y: float, right: float, colour: str) -> str:
    return f'<line x1="{left}" y1="{y}" x2="{right}" y2="{y}" stroke="{colour}" stroke-width="1"/>'


def _scores(verdicts: tuple[Verdict, ...], turns: int) -> list[str]:
    scored = [verdict for verdict in verdicts if verdict.score and verdict.event in {"ToolProposed", "FilesChanged"}]
    points = [(_x(verdict.turn, turns), _y(verdict.score)) for verdict in scored[:MOST_POINTS]]
    if not points:
        return []
    path = " ".join(f"{x},{y}" for x, y in points)
    line = f'<polyline points="{path}" fill="none" stroke="var(--cool)" stroke-width="1.5"/>'
    dots = (f'<rect x="{x - 2:.1f}" y="{y - 2:.1f}" width="4" height="4" fill="var(--cool)"/>' for x, y in points)
    return [line, *dots]


def _spoken(said: tuple[SaidView, ...], turns: int) -> list[str]:
    """A tick wherever something was said to the agent, and a cross where a call was refused."""
    parts: list[str] = []
    crosses: Counter[int] = Counter()
    for one in said[:MOST_POINTS]:
        x, told = _x(one.turn, turns), escape(f"turn {one.turn}: {one.how}, {', '.join(map(with_code, one.rules))}")
        if one.how == "refused":
            parts.append(_cross(x + BESIDE * crosses[one.turn], SCORE_TOP - 10, told))
            crosses[one.turn] += 1
            continue
        parts.append(
            f'<line x1="{x}" y1="{SCORE_TOP}" x2="{x}" y2="{SCORE_TOP + SCORE_HEIGHT}" '
            f'stroke="var(--warn)" stroke-dasharray="3 3"><title>{told}</title></line>'
        )
    return parts


def _cross(x: float, y: float, told: str = "") -> str:
    way = f"M{x - 4:.1f} {y - 4:.1f} l8 8 m0 -8 l-8 8"
    return f'<path d="{way}" stroke="var(--bad)" stroke-width="2" fill="none"><title>{told}</title></path>'


def _lanes(judged: tuple[Judged, ...], turns: int, lanes: list[str]) -> list[str]:
    parts = []
    for number, letter in enumerate(lanes):
        y = LANE_TOP + number * LANE_HEIGHT
        parts.append(f'<text x="4" y="{y + 4}">{escape(class_of(letter).title or letter)}</text>')
        parts.append(_line(LEFT, y, WIDTH - RIGHT, "var(--line)"))
        parts += _marks([one for one in judged if letter_of(one.subclass) == letter][:MOST_POINTS], turns, y)
    return parts


def _marks(judged: list[Judged], turns: int, y: float) -> list[str]:
    """Those of one turn side by side, closer the more there are."""
    of_turn = Counter(one.turn for one in judged)
    drawn: Counter[int] = Counter()
    parts = []
    for one in judged:
        step = min(BESIDE, _slot(turns) / of_turn[one.turn])
        aside = step * (drawn[one.turn] - (of_turn[one.turn] - 1) / 2)
        drawn[one.turn] += 1
        parts.append(_mark(one, round(_x(one.turn, turns) + aside, 1), y))
    return parts


def _mark(one: Judged, x: float, y: float) -> str:
    told = escape(f"turn {one.turn}: {code_of(one.rule)} {one.state}: {one.message}")
    return (
        f'<circle cx="{x}" cy="{y}" r="{_RADIUS.get(one.state, 3)}" fill="{_colour(one.state)}" stroke="var(--paper)">'
        f"<title>{told}</title></circle>"
    )


def _colour(state: str) -> str:
    return _COLOURS.get(state, "var(--good)")
