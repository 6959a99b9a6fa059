"""What is done about an error: handed on, dropped, noted, or replaced by a value. Read from code without literals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from leeboard.code.words import split_name
from leeboard.model.pattern import lazy

Outcome = Literal["passed on", "swallowed", "default", "handled"]

_PASSES_ON = lazy(
    r"\b(?:raise|throw|rethrow|panic!?|abort|exit|_exit|quick_exit|die|reject|fail|bail!?|exitProcess|terminate|Fatal\w{0,3}"
    r"|completeExceptionally|resumeWithException|(?:Try)?SetException|set_exception|onError|raise_for_status|unreachable!?"
    r"|rethrow_exception|halt|failure|skipTest)\b|\b(?:next|cb|callback|done)\s{0,3}\(\s{0,3}[A-Za-z_$]"
    r"|(?<![.\w>:])error\("
)
_NOTES = frozenset(
    "log logger logging console print println printf fprintf puts pp echo warn warning warnings debug info trace "
    "traceback stderr stdout cerr cout clog eprintln eprint sentry capture stacktrace slog klog timber nlog write "
    "tracing dbg logf".split()
)
_HEAD = lazy(r"(?:await\s+|return\s+(?=\w*(?:log|console|print)))?([$@\w.>:\-?!]{1,120})")
_NOTHING = lazy(
    r"(?:pass|\.\.\.|continue|break|next|return|nil|null|None|undefined|Unit|\(\)|\{\s*\}|[\"'`\s]+|return@\w+)"
)
_LITERAL = (
    r"(?:None|null|nil|undefined|true|false|True|False|NULL|nullptr|-?\d[\w.]{0,20}|[rbfuLR$@]{0,2}[\"'`]{1,3}\s*[\"'`]{1,3}"
    r"|&?\[\s*\]|\{\s*\}|\(\s*\)|(?:set|dict|list|tuple|array|String|str|vec!|vector)(?:\(\s*\)|\[\s*\])|default(?:\(\w{0,40}\))?"
    r"|new\s+[\w.<>, ]{1,80}(?:\(\s*\)|\[0\]|\{\s*\})"
    r"|[\w.]{0,40}(?:empty|Empty|EMPTY|none|None)\w{0,20}(?:<[\w, ]{0,40}>)?(?:\(\s*\))?"
    r"|(?:[\w.]{0,40}[_.])?(?:DEFAULT|default|fallback|FALLBACK)\w{0,40}|(?:List|Set|Map)\.of\(\)|\w{1,40}::(?:new|default)\(\)"
    r"|(?:\[\]|map\[\w{1,40}\])\*?[\w.]{1,60}\{\s*\}|[A-Z][\w.]{0,60}\{\s*\}|std::(?:nullopt|string\(\)|vector<[\w:]{1,40}>(?:\{\}|\(\))))"
)
_IS_LITERAL = lazy(rf"{_LITERAL}(?:\s*,\s*{_LITERAL}){{0,4}}")
_ASSIGNS = lazy(
    rf"(?:(?:const|let|var|val|auto|self\.|this\.|\$)\s*)?[\w.$>\-\[\]\"' ]{{1,80}}?\s*(?::=|=)\s*{_LITERAL}"
)
_OR_ELSE = lazy(r"\?\?|\|\||\bor\b|getOrDefault|get_or_default|unwrap_or|\?:")
_LAST_COUNTS = frozenset({"ruby", "kotlin", "rust"})
"""Where the last expression of a branch is its value."""
_MOST = 400
_LONGEST = 20_000


def outcome_of(code: str, language: str) -> Outcome:
    """What a handler's body does, from its code without the braces around it."""
    code = code[:_LONGEST]
    if _PASSES_ON.search(code):
        return "passed on"
    rest = [one for one in statements(code) if not is_note(one)]
    if all(_NOTHING.fullmatch(one) for one in rest):
        is_value = bool(rest) and language in _LAST_COUNTS and rest[-1] in {"nil", "null", "None"}
        return "default" if is_value else "swallowed"
    kept = [one for one in rest if not _NOTHING.fullmatch(one)]
    return "default" if all(_is_default(one, language) for one in kept) else "handled"


def is_note(statement: str) -> bool:
    """A line for a log or the terminal, and nothing else."""
    head = _HEAD.match(statement)
    if head is None or "=" in statement[: head.end() + 2].replace("==", "")[head.end() :]:
        return False
    return bool(_NOTES.intersection(split_name(head[1])))


def _is_default(statement: str, language: str) -> bool:
    if statement.startswith("return"):
        value = statement.removeprefix("return").strip().rstrip(";").strip()
        if value.startswith("(") and value.endswith(")") and len(value) > len("()"):
            value = value[1:-1].strip()
        return bool(_IS_LITERAL.fullmatch(value) or _OR_ELSE.search(value))
    if _ASSIGNS.fullmatch(statement):
        return True
    return language in _LAST_COUNTS and bool(_IS_LITERAL.fullmatch(statement))


def statements(code: str) -> list[str]:
    """The statements of a body, as far as their brackets tell."""
    return [part for part in (" ".join(one.split()).strip("; ") for one in _pieces(code)) if part][:_MOST]


def _pieces(code: str) -> Iterator[str]:
    depth, start = 0, 0
    for at, mark in enumerate(code):
        if mark in "([{":
            depth += 1
        elif mark in ")]}":
            depth -= 1
        elif mark in "\n;" and depth <= 0 and not code[at + 1 : at + 200].lstrip().startswith((".", "?.", "->")):
            yield code[start:at]
            start = at + 1
    yield code[start:]
