"""A value in a TOML text, set in its place: comments, order, spacing and every other value stay as somebody wrote them.

Only keys above the first table are set, to what our own files need: a text, a number, yes or no, a list of texts.
Whether the rest still means the same is asked of the parser before the new text is handed out.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Sequence

import msgspec

from leeboard.errors import WireError
from leeboard.model.text import lazy

Value = str | int | Sequence[str]
_PART = lazy(
    r'''(?P<text>"""(?:\\.|[^\\])*?""""{0,2}|\'\'\'.*?\'\'\''{0,2}|"(?:\\.|[^"\\])*"|'[^']*')'''
    r"""|(?P<comment>\#[^\n]*)|(?P<open>[\[{])|(?P<close>[\]}])|(?P<newline>\n)|[ \t\r]+|[^"'#\[\]{}=\s]+|.""",
    re.DOTALL,
)


class _Setting(msgspec.Struct):
    """`key = value` above the first table: where it begins, where its value does, and where that ends."""

    start: int
    value: int
    end: int


def toml_of(value: Value) -> str:
    """A list stands with one item on a line, so that a change of one is a change of one line."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, int):
        return str(value).lower()
    return "".join(("[\n", *(f"  {toml_of(item)},\n" for item in value), "]"))


def with_value(text: str, key: str, value: Value) -> str:
    """The text with this key set. WireError where it is no TOML, or has the key in another form than `key = value`."""
    before = _loaded(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    written = toml_of(value).replace("\n", newline)
    setting = next((one for one in _settings(text) if _loaded(text[one.start : one.end]).keys() == {key}), None)
    if setting is not None:
        changed = text[: setting.value] + written + text[setting.end :]
    else:
        changed = _added(text, f"{key} = {written}{newline}", newline)
    after = _loaded(changed)
    found = after.pop(key, None)
    before.pop(key, None)
    if found != (list(value) if not isinstance(value, (str, int)) else value) or repr(after) != repr(before):
        raise WireError(f"{key} is written in a way that can not be changed in its place")
    return changed


def _loaded(text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise WireError(f"not valid TOML: {error}") from error


def _added(text: str, line: str, newline: str) -> str:
    """Behind the last setting above the first table."""
    at = _first_table(text)
    head, tables = text[:at], text[at:]
    gap = newline if head and not head.endswith("\n") else ""
    return head + gap + line + (newline if tables else "") + tables


def _first_table(text: str) -> int:
    end = 0
    for setting in _settings(text):
        end = setting.end
    for found in _PART.finditer(text, end):
        if found["open"]:
            return found.start()
    return len(text)


def _settings(text: str) -> Iterator[_Setting]:
    """Of a text that is known to be TOML."""
    depth, setting = 0, None
    for found in _PART.finditer(text):
        depth += bool(found["open"]) - bool(found["close"])
        if found["newline"] and not depth and setting is not None:
            yield setting
            setting = None
        elif found["comment"] or found[0].isspace():
            continue
        elif setting is None:
            if found["open"]:
                return
            setting = _Setting(found.start(), -1, found.end())
        else:
            if setting.value < 0 and text[setting.start : found.start()].rstrip().endswith("="):
                setting.value = found.start()
            setting.end = found.end()
    if setting is not None:
        yield setting
