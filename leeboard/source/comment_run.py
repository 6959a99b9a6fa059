"""Long runs of comment lines, blanked before the text is parsed.

Behind each statement the grammar of Python looks ahead over all comments and continued blank lines to the next
statement, and does so again for each of them: thirty thousand lines of padding took longer than a hook may take. Every
character keeps its place, so that lines and offsets are those of the text.
"""

from __future__ import annotations

from leeboard.model.text import lazy

_RUN = lazy(r"(?m:^)(?:[ \t\f\r]*+(?:#[^\n]*+|\\\r?)?+\n)++")
_SHOWN = lazy(r"[^\n]")
_BEARABLE = 500_000
"""Lines times characters of a run, which is what it costs: three hundred lines of a licence are within."""
_FEWEST = 50
_SEARCHED = frozenset({"python"})


def without_long_runs(text: str, language: str) -> str:
    """The text with each run that would be slow as blank lines; unchanged where there is none, as nearly always."""
    if language not in _SEARCHED or text.count("#") + text.count("\\\n") + text.count("\\\r") < _FEWEST:
        return text
    pieces: list[str] = []
    at = 0
    for run in _RUN.finditer(text):
        first, end = run.span()
        if text.count("\n", first, end) * (end - first) > _BEARABLE:
            pieces += text[at:first], _SHOWN.sub(" ", run.group())
            at = end
    return "".join([*pieces, text[at:]]) if pieces else text
