"""Markdown with YAML between two lines of `---` at its top: taken apart, read, and put together again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from leeboard.errors import WireError
from leeboard.model.pattern import lazy
from leeboard.plan.files.splice import set_values
from leeboard.plan.files.values import entry_lines
from leeboard.plan.files.yaml import LONGEST, compose, read_simple

_OPEN = lazy(r"\ufeff?---[ \t]*\r?\n")
_CLOSE = lazy(r"(?m:^)---[ \t]*(?:\r?\n|\Z)")


class PlanPage(msgspec.Struct, frozen=True, kw_only=True):
    """A file as far as it could be read."""

    fields: dict[str, Any] = msgspec.field(default_factory=dict)
    body: str = ""
    problem: str = ""
    has_frontmatter: bool = True


def read_page(text: str) -> PlanPage:
    """Never raises: what is wrong stands in `problem`."""
    try:
        parts = _split(text)
    except WireError as error:
        return PlanPage(problem=f"frontmatter: {error}", body=text)
    if parts is None:
        return PlanPage(body=text, has_frontmatter=False)
    head, inner, _, body = parts
    try:
        return PlanPage(fields=read_mapping(inner, head.count("\n") + 1), body=body)
    except WireError as error:
        return PlanPage(problem=f"frontmatter: {error}", body=body)


def read_mapping(text: str, first_line: int = 1) -> dict[str, Any]:
    """Raises WireError where it is none."""
    simple = read_simple(text) if len(text) <= LONGEST else None
    return compose(text, first_line).values() if simple is None else simple


def set_fields(text: str, fields: Mapping[str, Any]) -> str:
    """The text with these fields. Raises WireError where its frontmatter can not be read or changed in part."""
    parts = _split(text)
    if parts is None:
        return new_page(fields, text)
    head, inner, close, body = parts
    return head + set_values(inner, fields) + close + body


def new_page(fields: Mapping[str, Any], body: str) -> str:
    """Empty fields are written too: who reads the file sees what may stand there."""
    lines = [line for key, value in fields.items() for line in entry_lines(key, value, 0)]
    lead = "\n" if body and not body.startswith(("\n", "\r")) else ""
    tail = "" if not body or body.endswith("\n") else "\n"
    return "\n".join(["---", *lines, "---", ""]) + lead + body + tail


def _split(text: str) -> tuple[str, str, str, str] | None:
    """The opening line, what is between, the closing line, the body; None without an opening line."""
    opened = _OPEN.match(text)
    if opened is None:
        return None
    closed = _CLOSE.search(text, opened.end())
    if closed is None:
        raise WireError("never closed: end it with a line of ---")
    return text[: opened.end()], text[opened.end() : closed.start()], closed[0], text[closed.end() :]
