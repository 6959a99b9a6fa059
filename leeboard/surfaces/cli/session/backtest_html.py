"""A run over recorded sessions as one HTML page that needs nothing else: no script, no font, no picture."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.app.backtest.heard import Remark
from leeboard.app.backtest.page import BacktestPage
from leeboard.rule import with_code
from leeboard.surfaces.cli.session.backtest_view import HEADS, action_of, facts_of, figures_of
from leeboard.surfaces.cli.session.report_html import escape
from leeboard.text.words import counted

_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; } td, th { text-align: left; padding: 0.3rem 1rem 0.3rem 0; }
tr { border-bottom: 1px solid color-mix(in srgb, CanvasText 20%, Canvas); }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.1rem 1rem; } dd { margin: 0; }
dt, .dim { color: color-mix(in srgb, CanvasText 65%, Canvas); }
article { border-left: 4px solid color-mix(in srgb, CanvasText 25%, Canvas); padding-left: 1rem; margin: 1.5rem 0; }
article.yes { border-color: #2e8b57; } article.no { border-color: #c0392b; } article.unsure { border-color: #c98a00; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 0.6rem 1rem; border-radius: 6px;
  background: color-mix(in srgb, CanvasText 7%, Canvas); }
code, pre { font: 0.9em ui-monospace, monospace; } .wide { overflow-x: auto; }
"""


def html_page(page: BacktestPage) -> str:
    """Everything in it is escaped: texts come from transcripts."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Leeboard over recorded sessions</title><style>{_STYLE}</style></head>\n<body>\n"
        + "\n".join(_body(page))
        + "\n</body></html>\n"
    )


def _body(page: BacktestPage) -> Iterator[str]:
    yield "<h1>What Leeboard would have said</h1>"
    yield _list(facts_of(page))
    yield _table(page)
    below = _below(page)
    for tally in page.tally.rules:
        if theirs := below.get(tally.rule):
            yield f'<h2 id="{escape(tally.rule)}">{escape(with_code(tally.rule))}</h2>'
            yield from (_article(remark, page.opinions.get(remark.id) or "") for remark in theirs)
    if page.passed_over:
        rows = "".join(f"<li><code>{escape(one.path)}</code>: {escape(one.problem)}</li>" for one in page.passed_over)
        files = counted(len(page.passed_over), "file")
        yield f"<h2>Passed over</h2><details><summary>{files}</summary><ul>{rows}</ul></details>"


def _below(page: BacktestPage) -> dict[str, list[Remark]]:
    """The messages by the rule they stand below: the first of those that have a part in it."""
    found: dict[str, list[Remark]] = {}
    for remark in page.remarks:
        found.setdefault(remark.rules[0], []).append(remark)
    return found


def _rule_name(rule: str, *, linked: bool) -> str:
    name = escape(with_code(rule))
    return f'<a href="#{escape(rule)}">{name}</a>' if linked else name


def _table(page: BacktestPage) -> str:
    if not page.tally.rules:
        return "<p>Nothing would have been said.</p>"
    head = "".join(f"<th>{name.lower()}</th>" for name in HEADS)
    below = _below(page)
    rows = [(_rule_name(one.rule, linked=one.rule in below), one) for one in page.tally.rules]
    lines = "".join(
        f"<tr><td>{name}</td>" + "".join(f'<td class="number">{figure}</td>' for figure in figures_of(one)) + "</tr>"
        for name, one in (*rows, ("all", page.tally.all))
    )
    return f'<div class="wide"><table><tr>{head}</tr>{lines}</table></div>'


def _article(remark: Remark, opinion: str) -> str:
    facts = [
        ("session", f"{remark.session} ({remark.file}), turn {remark.turn}"),
        ("goal", remark.goal or "not stated"),
    ]
    facts += [("about", ", ".join(remark.paths[:6]))] if remark.paths else []
    facts += [("right?", opinion)] if opinion else []
    return (
        f'<article class="{escape(opinion)}"><p><code>{escape(remark.id)}</code> {escape(action_of(remark))}</p>'
        f"{_list(facts)}<pre>{escape(remark.message)}</pre></article>"
    )


def _list(rows: list[tuple[str, str]]) -> str:
    return "<dl>" + "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in rows) + "</dl>"
