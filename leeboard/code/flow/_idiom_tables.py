"""Guards and cleaners for the forms which `_idiom` gives to calls, the same for every language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from leeboard.code.flow.table import Cleaner, Guard, Kind, Sink

LINES: frozenset[Kind] = frozenset({"log", "header"})
MARKUP: frozenset[Kind] = frozenset({"html"})
BUT_PATH: frozenset[Kind] = frozenset(
    {"sql", "command", "code", "html", "ldap", "xpath", "log", "header", "nosql", "template"}
)
PLACES: frozenset[Kind] = frozenset({"path", "url", "redirect"})

CLEANERS = (
    Cleaner(callee="path.base", kinds=frozenset({"path"})),
    Cleaner(callee="schema.validated"),
    Cleaner(callee="text.as_shell_word", kinds=frozenset({"command"})),
    Cleaner(callee="text.as_file_name", kinds=frozenset({"path", "upload"})),
    Cleaner(callee="text.as_sql_word", kinds=frozenset({"sql"})),
    Cleaner(callee="text.as_filter_value", kinds=frozenset({"ldap", "xpath"})),
    Cleaner(callee="text.without_newlines", kinds=LINES),
    Cleaner(callee="text.without_markup", kinds=MARKUP),
    Cleaner(callee="text.without_special"),
    Cleaner(callee="text.without_special_but_path", kinds=BUT_PATH),
)
GUARDS = (
    Guard(callee="text.starts_with", argument=0, kinds=PLACES),
    Guard(callee="regex.test", argument=1, pattern=0),
    Guard(callee="regex.match", argument=1, pattern=0),
    Guard(callee="regex.test_whole", argument=1),
    Guard(callee="type.is_number", argument=0),
    Guard(callee="type.is_text", argument=0, kinds=frozenset({"nosql"})),
    Guard(callee="*.startswith", kinds=PLACES),
    Guard(callee="*.endswith", kinds=frozenset({"url", "redirect"})),
)

SHELL = r"(?:^|[\s'\"/])(?:sh|bash|zsh|dash|ksh|ash|cmd|cmd\.exe|powershell|pwsh)(?=['\"\s]|$)"
"""The text of an argument that is a shell."""

CALLERS: dict[Kind, float] = {
    "path": 0.6, "html": 0.6, "url": 0.6,
    "redirect": 0.6, "header": 0.6, "format": 0.65, "prototype": 0.6, "xxe": 0.6, "code": 0.65,
}  # fmt: skip
"""How sure a flow from a parameter of any function is, where a text of a caller reaches the sink as it is."""

FIXES: dict[Kind, str] = {
    "sql": "Bind it as a parameter of a prepared statement.",
    "command": "Run the program without a shell, with a list of arguments.",
    "code": "Parse it, or map allowed names to functions.",
    "html": "Escape it, or render it with an autoescaping template.",
    "xpath": "Bind it as a variable, or allow only plain words.",
    "ldap": "Escape it for LDAP filters.",
    "xxe": "Switch doctypes and external entities off.",
    "log": "Strip line breaks first.",
    "nosql": "Cast it to a string, and never build $where from it.",
    "regex": "Escape it for regular expressions.",
    "deserialise": "Use JSON, or a loader that builds plain data only.",
    "upload": "Store it under a name of your own.",
    "tempfile": "Create it with a function that opens it at once, such as mkstemp.",
}
"""What to do instead, in words that fit any language."""


def told(sinks: Iterable[Sink], callers: Mapping[Kind, float] = CALLERS) -> tuple[Sink, ...]:
    """The sinks with the sureness for callers' values and the advice that all these languages share."""
    return tuple(
        msgspec.structs.replace(
            sink,
            parameter=sink.parameter or callers.get(sink.kind, 0.0),
            note=sink.note or FIXES.get(sink.kind, ""),
        )
        for sink in sinks
    )
