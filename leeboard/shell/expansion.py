"""What bash makes of `$name`, `$(...)`, `{a,b}` and double quotes, as far as it can be told without running it.

A word is a plain string. What can not be told beforehand (an unset variable, a substitution, a glob) stands
in it as UNKNOWN, the home directory as HOME; both are control characters that a readable source never holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from leeboard.model.text import lazy

UNKNOWN = "\0"
HOME = "\1"
OPEN, CLOSE, COMMA = "\2", "\3", "\4"
HERE = "\5"
"""Starts the target of a `<` that was a here-document or here-string."""
KEPT = "\6"
"""Stands around the number of a text that was taken out of the source before parsing."""
BETWEEN = "\7"
"""Stands between the words that one expansion gives: those of an array, those a function is handed."""
MARKS = lazy("[\0-\7]")
TEMPORARY = "/tmp/x"  # noqa: S108 - stands for what mktemp would make, and is never opened

Lookup = Callable[[str], str | None]

_NAME = lazy(r"[A-Za-z_]\w*", re.ASCII)
_BRACED = lazy(r"\{([A-Za-z_]\w*|[0-9@*])\}", re.ASCII)
_ALL_OF = lazy(r"\{([A-Za-z_]\w*)\[([@*]|\d{1,4})\]\}", re.ASCII)
_OTHERWISE = lazy(r"\{([A-Za-z_]\w*|[0-9@*])(:?[-=+])", re.ASCII)
_DOUBLE_PLAIN = lazy(r"[^\\$`]+")
_GROUP = lazy(f"{OPEN}([^{OPEN}{CLOSE}]*){CLOSE}")
_ANSI = lazy(r"\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)", re.DOTALL)
_ANSI_NAMES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "v": "\v"}
_CLOSERS = {"(": ")", "{": "}"}
_MADE = lazy(r"\$\(mktemp(?: -[dqu]{1,3}){0,3}\)")
_TURNING = lazy(r"[\\'\"`(){}]")
_MAX_BRACE_WORDS = 64


class NotSimpleError(Exception):
    """The text is no single simple command, or is not finished."""


def closing(text: str, start: int) -> int:
    """The index after the closer of the bracket, quote or backtick at `start`, or -1."""
    stack: list[str] = []
    at = start
    while turn := _TURNING.search(text, at):
        at = turn.end()
        char, inside = turn[0], stack[-1] if stack else ""
        if char == "\\":
            at += 1
        elif char == inside:
            stack.pop()
            if not stack:
                return at
        elif char == "'" and inside != '"':
            at = text.find("'", at) + 1
            if not at:
                return -1
        elif char in '"`':
            stack.append(char)
        elif char in _CLOSERS and (inside != '"' or text[at - 2] == "$"):
            stack.append(_CLOSERS[char])
    return -1


def expand(inside: str, lookup: Lookup) -> str:
    """The value of text between double quotes."""
    pieces: list[str] = []
    at = 0
    while at < len(inside):
        if plain := _DOUBLE_PLAIN.match(inside, at):
            pieces.append(plain[0])
            at = plain.end()
        elif inside[at] == "\\":
            pieces.append(_escaped(inside[at + 1 : at + 2]))
            at += 2
        elif inside[at] == "$":
            value, at = dollar(inside, at, lookup)
            pieces.append(value)
        else:
            pieces.append(UNKNOWN)
            at = closing(inside, at)
            if at < 0:
                raise NotSimpleError
    return "".join(pieces)


def _escaped(char: str) -> str:
    if char == "\n":
        return ""
    return char if char and char in '"\\$`' else "\\" + char


def dollar(text: str, at: int, lookup: Lookup) -> tuple[str, int]:
    """The value of the expansion at `at` and the index behind it."""
    following = text[at + 1 : at + 2]
    if text.startswith("$(pwd)", at):
        return lookup("PWD") or UNKNOWN, at + 6
    if made := _MADE.match(text, at):
        return TEMPORARY, made.end()
    if name := _NAME.match(text, at + 1) or _BRACED.match(text, at + 1):
        found = lookup(name[name.lastindex or 0])
        return (UNKNOWN if found is None else found), name.end()
    if following in _CLOSERS:
        end = closing(text, at + 1)
        if end < 0:
            raise NotSimpleError
        return _from_braces(text, at + 1, lookup), end
    if following and following in "0123456789@*#?$!-":
        given = lookup(following)
        return (UNKNOWN if given is None else given), at + 2
    return "$", at + 1


def _from_braces(text: str, at: int, lookup: Lookup) -> str:
    """`${names[@]}` and `${names[0]}`, and `${name:-other}` where the line itself gave the name a value."""
    if element := _ALL_OF.match(text, at):
        found = lookup(f"{element[1]}[@]")
        if found is None or not element[2].isdecimal():
            return UNKNOWN if found is None else found
        words = found.split(BETWEEN)
        return words[int(element[2])] if int(element[2]) < len(words) else ""
    otherwise = _OTHERWISE.match(text, at)
    found = lookup(otherwise[1]) if otherwise is not None else None
    return found if found and otherwise is not None and otherwise[2][-1] != "+" else UNKNOWN


def ansi(inside: str) -> str:
    """The value of text between `$'` and `'`."""
    return MARKS.sub(" ", _ANSI.sub(_ansi_character, inside))


def _ansi_character(found: re.Match[str]) -> str:
    code = found[1]
    if code[0] == "x" and len(code) > 1:
        return chr(int(code[1:], 16))
    if code[0] in "01234567":
        return chr(int(code, 8))
    return _ANSI_NAMES.get(code, code)


def alternatives(word: str) -> list[str]:
    """The words a word with braces stands for."""
    if OPEN not in word:
        return [literal_braces(word)]
    done: list[str] = []
    todo = [word]
    while todo:
        current = todo.pop()
        group = _GROUP.search(current)
        if group is None:
            done.append(literal_braces(current))
        else:
            todo.extend(current[: group.start()] + part + current[group.end() :] for part in _parts(group[1])[::-1])
        if len(done) + len(todo) > _MAX_BRACE_WORDS:
            return [UNKNOWN]
    return list(dict.fromkeys(done))


def _parts(inside: str) -> list[str]:
    if COMMA in inside:
        return inside.split(COMMA)
    return [UNKNOWN] if ".." in inside else ["{" + inside + "}"]


def literal_braces(word: str) -> str:
    return word.replace(OPEN, "{").replace(CLOSE, "}").replace(COMMA, ",")


def as_source(text: str) -> str:
    """Text that was expanded once, as source again: what was unknown becomes a variable nobody set."""
    return text.replace(UNKNOWN, "${LEEBOARD_UNKNOWN}").replace(HOME, "${HOME}")
