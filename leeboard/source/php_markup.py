"""A page of PHP as the statements it runs: the grammar knows PHP alone, and takes the markup around it for code.

What stands outside of the tags is blanked, and so are the tags. Every character keeps its place, so that lines and
offsets are those of the page.
"""

from __future__ import annotations

import re

from leeboard.model.text import lazy

_OPEN = lazy(r"<\?(?:php\b|=|(?!xml\b)(?=[\s$]))", re.IGNORECASE)
_INSIDE = lazy(
    r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|/\*.*?\*/|(?://|\#(?!\[)).*?(?=\?>|\n|\Z)|"""
    r"""<<<\s?["']?(?P<word>\w+)["']?\n.*?\n\s*(?P=word)\b|(?P<close>\?>)""",
    re.DOTALL,
)
_MARKUP = lazy(r"[^\n]")
_PRINTED = "_e("
"""Takes the place of `<?=`, which prints: the call of that name does so too."""


def statements_of(page: str) -> str:
    """The page with nothing but its statements, in the same places; unchanged where it is nothing else."""
    first = _OPEN.search(page)
    if first is None or (not page[: first.start()].strip() and not _goes_on(page, first.end())):
        return page
    pieces = [_blank(page[: first.start()]), first.group()]
    at, opened = first.end(), False
    while (closed := _closing(page, at)) is not None:
        code = page[at : closed.start()]
        pieces.append(_without_end(code) if opened else code)
        pieces.append(");" if opened else "; " if _is_open(code) else "  ")
        found = _OPEN.search(page, closed.end())
        if found is None:
            pieces.append(_blank(page[closed.end() :]))
            return "".join(pieces)
        pieces.append(_blank(page[closed.end() : found.start()]))
        opened = found.group() == "<?="
        pieces.append(_PRINTED if opened else " " * len(found.group()))
        at = found.end()
    return "".join([*pieces, page[at:]])


def _goes_on(page: str, at: int) -> bool:
    """Whether anything stands behind the first closing tag."""
    closed = _closing(page, at)
    return closed is not None and bool(page[closed.end() :].strip())


def _closing(page: str, at: int) -> re.Match[str] | None:
    """The next closing tag that is no part of a string or a comment."""
    if "?>" not in page[at:]:
        return None
    return next((found for found in _INSIDE.finditer(page, at) if found["close"]), None)


def _is_open(code: str) -> bool:
    """Whether the statement ends with the tag alone."""
    return not code.rstrip().endswith((":", "{", "}", ";"))


def _without_end(code: str) -> str:
    bare = code.rstrip()
    return f"{bare[:-1]} {code[len(bare) :]}" if bare.endswith(";") else code


def _blank(markup: str) -> str:
    return _MARKUP.sub(" ", markup)
