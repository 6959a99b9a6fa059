"""The report as one HTML page that needs nothing else: no script, no font, no picture from anywhere."""

from __future__ import annotations

from leeboard.model.outcome import Judged
from leeboard.report.detections import Detections, FilesNow, told
from leeboard.rule import code_of
from leeboard.surfaces.cli._report_page import Page
from leeboard.surfaces.cli._report_timeline import escape, timeline

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
svg text { fill: var(--dim); font: 11px system-ui, sans-serif; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: 0.3rem 1rem 0.3rem 0;
  border-bottom: 1px solid var(--line); vertical-align: top; } th { color: var(--dim); font-weight: normal; }
td:last-child, th:last-child { padding-right: 0; } .short { white-space: nowrap; }
.none { color: var(--dim); }
"""


def html_page(page: Page) -> str:
    """Everything in it is escaped: texts come from transcripts."""
    session, found = page.session, page.detections
    body = "\n".join(
        (
            f"<h1>Session {escape(session.id)}</h1>",
            _facts(page),
            "<h2>SCAFFOLD-WATCH SESSION REPORT</h2>",
            _figures(found),
            f'<h2>Timeline</h2><div class="wide">{timeline(page)}</div>',
            _signals("Interrupts fired this session", found.fired, found.now),
            _signals("Queued signals (not fired)", found.queued, found.now),
            _list("Pattern observations", found.observations),
            _list("Recommendations for next session", found.recommendations),
            f"<h2>Codebase health delta</h2><p>{escape(found.health)}</p>",
            _not_analysed(found.now),
            _files(page),
        )
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Session {escape(session.id)}</title><style>{_STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def _facts(page: Page) -> str:
    session, record = page.session, page.capture
    rows = [
        ("Goal", session.contract.objective or "not stated"),
        ("Project", session.root),
        ("Status", f"{session.status}, mode {session.mode}"),
        ("Final score", f"{record.final_score}/10, {page.off_course}"),
        ("Tags", ", ".join(record.tags) or "none"),
    ]
    return "<dl>" + "".join(f"<dt>{name}</dt><dd>{escape(value)}</dd>" for name, value in rows) + "</dl>"


def _figures(found: Detections) -> str:
    rows = [
        ("Session turns observed", str(found.turns)),
        ("Interrupts fired", f"{len(found.fired)}/{found.budget}"),
        ("Interrupts queued (not sent)", str(len(found.queued))),
        ("Signals logged (below threshold)", str(len(found.logged))),
    ]
    return '<div class="figures">' + "".join(f"<div><b>{value}</b>{name}</div>" for name, value in rows) + "</div>"


def _signals(title: str, judged: tuple[Judged, ...], now: FilesNow) -> str:
    if not judged:
        return f'<h2>{title}</h2><p class="none">none</p>'
    rows = "".join(
        f"<tr><td>{one.turn}</td><td>{one.subclass}</td><td>{code_of(one.rule)}</td>"
        f'<td class="short">{escape(one.urgency)}</td><td>{escape(told(one, now))}</td>'
        f'<td class="short"><code>{escape(one.id)}</code></td></tr>'
        for one in judged
    )
    head = "<tr><th>turn</th><th>class</th><th>rule</th><th>urgency</th><th>message</th><th>id</th></tr>"
    return f'<h2>{title}</h2><div class="wide"><table>{head}{rows}</table></div>'


def _list(title: str, items: tuple[str, ...]) -> str:
    if not items:
        return f'<h2>{title}</h2><p class="none">none</p>'
    return f"<h2>{title}</h2><ul>" + "".join(f"<li>{escape(item)}</li>" for item in items) + "</ul>"


def _not_analysed(now: FilesNow) -> str:
    if not now.not_analysed:
        return ""
    return _list("Written but not analysed", tuple(f"{path}: {reason}" for path, reason in now.not_analysed))


def _files(page: Page) -> str:
    if not page.files:
        return ""
    rows = "".join(
        f"<tr><td><code>{escape(row.path)}</code></td><td>{', '.join(row.actions)}</td><td>{row.times}</td>"
        f"<td>{row.worst}/10</td></tr>"
        for row in page.files[:200]
    )
    head = "<tr><th>file</th><th>actions</th><th>times</th><th>worst score</th></tr>"
    return f'<h2>Files</h2><div class="wide"><table>{head}{rows}</table></div>'
