"""Scripts that stand in a page: read as the file they could be, with every line where it was."""

from __future__ import annotations

import re
from itertools import pairwise

from leeboard.model.text import lazy
from leeboard.security.taint.flow import find_flows
from leeboard.security.taint.state import Flow
from leeboard.security.taint.table_file import may_flow
from leeboard.source.syntax import parse

_SCRIPT = lazy(r"<script(?P<said>(?:\s[^<>]{0,2000})?)>(?P<body>.*?)</script\s*>", re.IGNORECASE | re.DOTALL)
_OTHER_KIND = lazy(
    r"\btype\s*=(?!\s*(?:[\"']{2}|[\"']?(?:module|text/babel|(?:text|application)/(?:x-)?(?:java|ecma)script)\b))",
    re.IGNORECASE,
)
_TYPED = lazy(r"\blang\s*=\s*[\"']?tsx?\b", re.IGNORECASE)
_COMMENT = lazy(r"<!--.*?(?:-->|$)", re.DOTALL)
_FILLED_IN = lazy(r"\{\{.*?\}\}|<%[=-].*?%>|<\?=.*?\?>", re.DOTALL)
_STATEMENT = lazy(r"\{%.*?%\}|\{#.*?#\}|<%.*?%>|<\?.*?\?>", re.DOTALL)
"""What a template engine does there: no part of the script a browser gets."""


def script_flows(text: str) -> tuple[Flow, ...]:
    """What flows in the scripts of a page, all of them taken together, as a browser does."""
    found = [
        script for script in _SCRIPT.finditer(_COMMENT.sub(_blank, text)) if not _OTHER_KIND.search(script["said"])
    ]
    if not any(script["body"].strip() for script in found):
        return ()
    scripts = _alone(text, [script.span("body") for script in found])
    language = "typescript" if any(_TYPED.search(script["said"]) for script in found) else "javascript"
    if not may_flow(scripts, language):
        return ()
    tree = parse(scripts, language)
    return find_flows(tree) if tree is not None else ()


def _alone(text: str, spans: list[tuple[int, int]]) -> str:
    """The text without all that lies outside of the spans, but for the line breaks."""
    edges = [0, *(place for span in spans for place in span), len(text)]
    parts = [text[first:last] for first, last in pairwise(edges)]
    return "".join(_as_code(part) if number % 2 else _blanked(part) + ";" for number, part in enumerate(parts))


def _as_code(script: str) -> str:
    return _STATEMENT.sub(_blank, _FILLED_IN.sub(lambda found: "0" + _blank(found), script))


def _blank(found: re.Match[str]) -> str:
    return _blanked(found[0])


def _blanked(text: str) -> str:
    """Nothing but its line breaks, and as long: places in it stay the same."""
    return "\n".join([" " * len(line) for line in text.split("\n")])
