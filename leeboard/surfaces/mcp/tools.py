"""The tools as clients are shown them, read from their table, and their schemas held against what clients send.

The table is read as plain JSON: who only wants the list of the tools should not wait for a library.
"""

from __future__ import annotations

import json

import leeboard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

_TABLE = "data/compiled/mcp.tools.json"
_LONGEST = {"text": 4096, "content": 4 * 1024 * 1024}
"""Characters of an agent's words, and of a file."""
_LONGEST_ENTRY, _LONGEST_NAME = 1024, 128
_MOST_ENTRIES = 100
_DEEPEST = 8
_TYPES = {"string": str, "integer": int, "boolean": bool, "array": list, "object": dict}


class Tool:
    """A tool as it is listed. `takes` are rows of the table: of each field its kind, and what it is about."""

    def __init__(self, name: str, about: str, takes: Mapping[str, Mapping[str, Any]], *, reads: bool = False) -> None:
        self.name = name
        self.description = about
        self.fields = {field: _schema(row) for field, row in takes.items()}
        self.identifiers = tuple(field for field, row in takes.items() if row["kind"] == "identifier")
        self.required = tuple(field for field, row in takes.items() if row.get("needed"))
        self.reads = reads
        """Changes nothing."""

    @property
    def schema(self) -> dict[str, Any]:
        needed = {"required": list(self.required)} if self.required else {}
        return {"type": "object", "properties": self.fields, **needed, "additionalProperties": False}

    @property
    def listed(self) -> dict[str, Any]:
        hints = {"readOnlyHint": self.reads, "openWorldHint": False}
        return {"name": self.name, "description": self.description, "inputSchema": self.schema, "annotations": hints}


def tools() -> tuple[Tool, ...]:
    """All there are, in the order in which they are listed."""
    data: bytes = leeboard.__spec__.loader.get_data(f"{leeboard.__path__[0]}/{_TABLE}")  # type: ignore[union-attr]  # a package's loader reads its files
    table = json.loads(data)
    shared = table["fields"]
    return tuple(
        Tool(
            row["name"],
            row["about"],
            {field: shared[each["like"]] if "like" in each else each for field, each in row.get("takes", {}).items()},
            reads=row.get("reads", False),
        )
        for row in table["tools"]
    )


def _schema(row: Mapping[str, Any]) -> dict[str, Any]:
    """A field's row as the JSON schema that clients know."""
    kind, about = row["kind"], {"description": row["about"]}
    if kind in {"texts", "records"}:
        entry = _record(row["fields"]) if kind == "records" else {"type": "string", "maxLength": _LONGEST_ENTRY}
        return {"type": "array", **about, "items": entry, "maxItems": row.get("most", _MOST_ENTRIES)}
    if kind == "choice":
        return {"type": "string", **about, "enum": row["values"]}
    if kind in {"flag", "any"}:
        return {"type": "boolean", **about} if kind == "flag" else about
    if kind == "number":
        return {"type": "integer", **about, "minimum": 1}
    if kind == "identifier":
        return {"type": "string", **about, "minLength": 1, "maxLength": _LONGEST_NAME}
    return {"type": "string", **about, "maxLength": row.get("longest", _LONGEST[kind])}


def _record(fields: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {field: _schema(row) for field, row in fields.items()},
        "required": [field for field, row in fields.items() if row.get("needed")],
        "additionalProperties": False,
    }


def problems(tool: Tool, arguments: Mapping[str, Any], is_safe: Callable[[str], bool]) -> tuple[str, ...]:
    """Why these arguments are not taken, one sentence each. None of them repeats a value at length."""
    return tuple(_problems(tool, arguments, is_safe))


def _problems(tool: Tool, arguments: Mapping[str, Any], is_safe: Callable[[str], bool]) -> Iterator[str]:
    known = ", ".join(tool.fields) or "none"
    yield from (f"{name[:64]!r} is no argument (there are: {known})" for name in arguments if name not in tool.fields)
    yield from (f"{name} is missing" for name in tool.required if name not in arguments)
    for name, schema in tool.fields.items():
        if name not in arguments:
            continue
        wrong = _wrong(arguments[name], schema)
        if not wrong and name in tool.identifiers and not is_safe(arguments[name]):
            wrong = "is no plain name: no slashes, no leading dot, no spaces around, no control characters"
        if wrong:
            yield f"{name} {wrong}"


def _wrong(value: Any, schema: Mapping[str, Any], depth: int = 0) -> str:
    kind = _TYPES.get(schema.get("type", ""))
    if kind is not None and (not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool)):
        return f"is not of the type {schema['type']}"
    if isinstance(value, str):
        return _wrong_text(value, schema)
    if isinstance(value, list | dict):
        return _wrong_parts(value, schema, depth)
    return ""


def _wrong_parts(value: list[Any] | dict[str, Any], schema: Mapping[str, Any], depth: int) -> str:
    if depth == _DEEPEST:
        return "is nested too deeply"
    if len(value) > schema.get("maxItems", len(value)):
        return f"has more than {schema['maxItems']} entries"
    if isinstance(value, dict) and "properties" in schema:
        return _wrong_fields(value, schema, depth)
    parts = value if isinstance(value, list) else [*value, *value.values()]
    items = schema.get("items", {})
    return next((f"holds an entry that {wrong}" for part in parts if (wrong := _wrong(part, items, depth + 1))), "")


def _wrong_fields(value: dict[str, Any], schema: Mapping[str, Any], depth: int) -> str:
    """What is wrong with an object whose fields are known. A field that is null is a field that is left out."""
    known = schema["properties"]
    if unknown := next((name for name in value if name not in known), None):
        return f"has the field {str(unknown)[:64]!r} (there are: {', '.join(known)})"
    if missing := next((name for name in schema.get("required", ()) if value.get(name) is None), None):
        return f"lacks {missing}"
    given = {name: field for name, field in value.items() if field is not None}
    wrong = ((name, _wrong(field, known[name], depth + 1)) for name, field in given.items())
    return next((f"has a {name} that {what}" for name, what in wrong if what), "")


def _wrong_text(value: str, schema: Mapping[str, Any]) -> str:
    if "enum" in schema and value not in schema["enum"]:
        return f"is none of {', '.join(schema['enum'])}"
    if len(value) > schema.get("maxLength", len(value)):
        return f"is longer than {schema['maxLength']} characters"
    if len(value) < schema.get("minLength", 0):
        return "is empty"
    if "\0" in value:
        return "holds a NUL character"
    try:
        value.encode()
    except UnicodeEncodeError:
        return "holds half a character (a lone surrogate)"
    return ""
