"""What a tool takes: its schema as clients are shown it, and the same schema held against what they send."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

LONGEST_TEXT = 4 * 1024 * 1024
"""Characters of a file's text."""
_DEEPEST = 8
_TYPES = {"string": str, "integer": int, "boolean": bool, "array": list, "object": dict}


class Tool:
    """A tool as it is listed."""

    def __init__(self, name: str, description: str, fields: Mapping[str, dict[str, Any]], *, reads: bool) -> None:
        self.name = name
        self.description = description
        self.fields = {field: _shown(schema) for field, schema in fields.items()}
        self.identifiers = tuple(field for field, schema in fields.items() if schema.get("identifier"))
        self.required = tuple(field for field, schema in fields.items() if schema.get("needed"))
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


def writer(name: str, description: str, /, **fields: dict[str, Any]) -> Tool:
    return Tool(name, description, fields, reads=False)


def reader(name: str, description: str, /, **fields: dict[str, Any]) -> Tool:
    return Tool(name, description, fields, reads=True)


def identifier(description: str) -> dict[str, Any]:
    """The name of an intent, a stage, a unit or a file: never a path."""
    return {"type": "string", "description": description, "minLength": 1, "maxLength": 128, "identifier": True}


def text(description: str, longest: int = 4096) -> dict[str, Any]:
    return {"type": "string", "description": description, "maxLength": longest}


def content(description: str) -> dict[str, Any]:
    return text(description, LONGEST_TEXT)


def choice(description: str, *values: str) -> dict[str, Any]:
    return {"type": "string", "description": description, "enum": list(values)}


def flag(description: str) -> dict[str, Any]:
    return {"type": "boolean", "description": description}


def texts(description: str, most: int = 100) -> dict[str, Any]:
    return {
        "type": "array",
        "description": description,
        "items": {"type": "string", "maxLength": 1024},
        "maxItems": most,
    }


def records(description: str, most: int, /, **fields: dict[str, Any]) -> dict[str, Any]:
    """Several objects of one shape."""
    required = [field for field, schema in fields.items() if schema.get("needed")]
    shape = {"type": "object", "properties": {field: _shown(schema) for field, schema in fields.items()}}
    items = {**shape, "required": required, "additionalProperties": False}
    return {"type": "array", "description": description, "items": items, "maxItems": most}


def needed(schema: dict[str, Any]) -> dict[str, Any]:
    return schema | {"needed": True}


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
    """Of an object whose fields are known. A field that is null is a field that is left out."""
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


def _shown(schema: dict[str, Any]) -> dict[str, Any]:
    """Without the marks that are ours."""
    return {key: value for key, value in schema.items() if key not in {"identifier", "needed"}}
