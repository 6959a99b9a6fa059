"""What of a value counts at a sink: the program of a command, the address of a request, the fields of a record."""

from __future__ import annotations

import msgspec

from leeboard.model.text import lazy
from leeboard.security.taint.table import Sink
from leeboard.security.taint.use import Use
from leeboard.security.taint.values import CLEAN, Key, Val

_SHELLS = lazy(r"(?:^|/)(?:ba|z|da|k)?sh$|^cmd(?:\.exe)?$|powershell", 2)
_STATEMENT_KEYS: tuple[Key, ...] = ("text", "sql", 0)
"""Where a statement stands that is given with its parameters: `{text, values}`, `[sql, *values]`."""
_ADDRESS_KEYS = frozenset({"url", "uri", "href", "host", "hostname", "baseURL", "base_url", "origin"})
_RECORD_KEYS = ("data", "$set", "values")
_ALL_THAT_WAS_SENT = lazy(
    r"(?:^|[.>])(?:body|rawBody|data|json|all|except|input|form|formData|POST|post|get_json|parseBody|params|permit|to_unsafe_h|"
    r"getParameterMap)(?:\(\))?(?:\.(?:dict|to_dict)\(\))?$"
)


def part_that_counts(sink: Sink, value: Val, use: Use) -> Val:
    if sink.kind == "command":
        return _command_of(value, use)
    if sink.kind == "fields" and (value is not use.receiver or value.args):
        return _sent_whole(value.args[0] if value is use.receiver else value)  # `new User(body)` is made of it
    if sink.kind == "sql" and value.shape in {"dict", "list"}:
        return next((value.items[key] for key in _STATEMENT_KEYS if key in value.items), value)
    return _address_of(value) if sink.kind == "url" and value.items else value


def _address_of(value: Val) -> Val:
    """What of the options of a request says where it goes: its headers and its body do not."""
    items = {key: item for key, item in value.items.items() if key in _ADDRESS_KEYS or isinstance(key, int)}
    return msgspec.structs.replace(value, items=items)


def _sent_whole(value: Val) -> Val:
    """What of a record's fields is a request's body as it came; harmless where each field stands in the source."""
    for key in _RECORD_KEYS:
        value = value.items.get(key, value)
    if value.shape == "dict" and value.rest is not None:
        value = value.rest
    return value if _ALL_THAT_WAS_SENT.search(value.path) else Val(text=CLEAN)


def _command_of(value: Val, use: Use) -> Val:
    """What of a list of arguments is a command: the program, or the line given to a shell."""
    if value.shape != "list":
        return value
    if len(use.args) > 1 and value is use.args[1]:
        if _is_true(use.keywords.get("shell")):
            return next((item for item in value.items.values() if item.is_foreign), value.rest or Val(text=CLEAN))
        return _line_for(use.args[0], value.items.get(0), value.items.get(1))
    if use.args and value is use.keywords.get("args") and value is not use.args[0]:
        return _line_for(use.args[0], value.items.get(0), value.items.get(1))
    shell = use.keywords.get("shell")
    first = value.items.get(0) or value.rest or Val(text=CLEAN)
    if shell is not None and shell.const is not False:
        return first
    return first if first.is_foreign else _line_for(first, value.items.get(1), value.items.get(2))


def _is_true(option: Val | None) -> bool:
    """Node puts the arguments behind the program, and gives the line to a shell."""
    return option is not None and option.const is True


def _line_for(program: Val, flag: Val | None, line: Val | None) -> Val:
    """What a shell is told to run; nothing where the program is none."""
    is_shell = _SHELLS.search(program.text.rstrip(CLEAN)) is not None
    told = flag is not None and flag.text.rstrip(CLEAN) in {"-c", "-lc", "/c", "/C", "-Command"}
    return line if line is not None and is_shell and told else Val(text=CLEAN)
