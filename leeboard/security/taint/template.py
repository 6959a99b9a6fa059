"""Templates: a value of the request that is written into a page as it is.

A template is read by patterns and not parsed: what an engine writes without escaping, and whether the same file shows
that the request brings it. Where it does not, the value comes from code in another file, and nobody can say more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from leeboard.data import load

if TYPE_CHECKING:
    from leeboard.security.taint.state import Flow

_TYPED = 0.6
"""The same for a text that somebody typed."""
UNPROVEN = 0.5
"""How sure it is that a stranger chose what is written as it is, where the file does not show who did."""
_FIX = "Let the template escape it, or clean it with a sanitiser made for HTML."
_NAME = re.compile(r"[A-Za-z_]\w*")
_GIVEN = (
    r"(?:\.value)?(?:\s*:\s*[\w<>\[\]| ]{1,40})?\s*(?:=(?![=>~])|\(\s*\)\s*\{\s*return\b)"
    r"(?P<made>(?:(?!<%)(?:\$\{[^{}\n]{0,80}\}|[^\n;}]|(?<=[(?:+,])\n|\n(?=[ \t]*[?:+.]))){1,400})"
)
"""`q = ...`, `q.value = ...`, `q: string = ...` and `q() { return ... }`; lines that end or begin with a sign go on."""
_LARGEST = 400_000
_MOST = 100


class TemplateEngine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    endings: tuple[str, ...]
    raw: tuple[str, ...]
    request: str
    assigned: bool = False
    filled: str = ""
    inside: str = ""
    within: str = ""
    until: str = ""


class _Templates(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    comments: tuple[str, ...]
    cleaned: str
    typed: str
    makes_tags: str
    escapes_first: str
    engines: tuple[TemplateEngine, ...]


@cache
def _table() -> _Templates:
    return load("security/templates", _Templates)


@cache
def _endings() -> tuple[str, ...]:
    return tuple({ending for engine in _table().engines for ending in engine.endings})


def template_of(path: str) -> str:
    """The ending by which a file is known as a template; empty for any other."""
    lowered = path.lower()
    return max((ending for ending in _endings() if lowered.endswith(ending)), key=len, default="")


def template_flows(text: str, ending: str) -> tuple[Flow, ...]:
    """What is written as it is, by line."""
    if len(text) > _LARGEST:
        return ()
    found: dict[int, Flow] = {}
    for engine in _table().engines:
        if ending in engine.endings and any(re.search(raw, text) for raw in engine.raw):
            for flow in _of_engine(engine, _without_comments(text)):
                known = found.get(flow.sink_line)
                if known is None or known.confidence < flow.confidence:
                    found[flow.sink_line] = flow
    return tuple(found[line] for line in sorted(found))[:_MOST]


def _without_comments(text: str) -> str:
    """Every line stays where it was."""
    pattern = "|".join(_table().comments)
    return re.sub(pattern, lambda comment: "\n" * comment[0].count("\n"), text, flags=re.DOTALL)


def _of_engine(engine: TemplateEngine, text: str) -> Iterator[Flow]:
    parts = list(_parts(engine, text)) if engine.within else [(0, len(text))]
    for raw in engine.raw if parts else ():
        for place in re.finditer(raw, text):
            before = text[max(0, place.start() - _NEAR) : place.start()]
            is_written = any(first <= place.start() < last for first, last in parts)
            if is_written and not (engine.inside and re.search(engine.inside, before)):
                yield from _judged(engine, text, place)


def _parts(engine: TemplateEngine, text: str) -> Iterator[tuple[int, int]]:
    """From each beginning to the next end; one that lies inside of another adds nothing."""
    last = 0
    for begin in re.finditer(engine.within, text):
        if begin.start() >= last:
            last = text.find(engine.until, begin.end())
            if last < 0:
                return
            yield begin.end(), last


_NEAR = 400


def _judged(engine: TemplateEngine, text: str, place: re.Match[str]) -> Iterator[Flow]:
    value, line = place["value"].strip(), _line(text, place.start())
    if re.search(_table().cleaned, value) or _is_text(value):
        return
    written = text[place.start() : place.start("value")].strip(" =\"'({") or "template"
    if re.search(engine.request, value):
        yield _flow(written, line, line, value, proven=True)
        return
    made = _made(engine, text, value) if engine.assigned else None
    if made is None:
        flow = _flow(written, line, line, value, proven=False)
        yield replace(flow, confidence=_TYPED) if _is_typed(text, value) else flow
    elif not re.search(_table().cleaned, made["made"]):
        yield _flow(written, line, _line(text, made.start("made")), made["made"].strip(), proven=True)


def _is_typed(text: str, value: str) -> bool:
    """Whether what is written was a text by itself, into which tags are put where it is shown."""
    if re.search(_table().typed, value):
        return True
    called = _CALLED.match(value)
    made = re.search(rf"\b(?:const|let|function)\s+{re.escape(called[1])}\b", text) if called is not None else None
    body = text[made.start() : made.start() + _NEAR] if made is not None else ""
    return bool(re.search(_table().makes_tags, body)) and not re.search(_table().escapes_first, body)


def _is_text(value: str) -> bool:
    return value[:1] in "\"'" and value.count(value[:1]) == 2 and value.endswith(value[:1]) and "{" not in value


def _made(engine: TemplateEngine, text: str, value: str, *, again: bool = True) -> re.Match[str] | None:
    """Where the file gives one of the names in the value what the request brings, over one more name at most."""
    for name in dict.fromkeys(_NAME.findall(value)):
        given = [made for made in re.finditer(rf"\b{name}\b{_GIVEN}", text) if not _LITERAL.match(made["made"])]
        if any(re.search(_table().cleaned, made["made"]) and name in _NAME.findall(made["made"]) for made in given):
            continue  # it is escaped under its own name
        for made in given:
            sent = re.search(engine.request, made["made"])
            if sent is not None and not _is_looked_up(made["made"][: sent.start()]):
                return made
            said = _COUNTED.sub("", made["made"])
            if again and _keeps_text(said) and not re.search(_table().cleaned, said):
                before = _made(engine, text, said, again=False)
                if before is not None:
                    return before
        declared = re.search(engine.filled.replace("<name>", name), text) if engine.filled else None
        if declared is not None:
            return declared
    return None


_LITERAL = re.compile(r"\s*(['\"])[^'\"\n]*\1\s*(?:$|[^+.&?|%\s])")
"""A text by itself: a constant, or an attribute of markup, which makes no name what stands behind it."""
_CALLED = re.compile(r"([\w$]+)\s*(?:<[\w<>\[\], ]{0,60}>)?\(")
_KEEPS_TEXT = frozenset(
    (
        "String $derived computed ref shallowRef unref decodeURIComponent decodeURI unescape atob URLSearchParams "
        "marked parse"
    ).split()
)
"""Calls that give back the text they are given, or hold it."""


_COUNTED = re.compile(r"[\w$.]+\.length\b")
"""How many there are says nothing of what stands beside it."""


def _keeps_text(made: str) -> bool:
    """Whether nothing is called in it but what gives back the text that it is given."""
    return all(name[1] in _KEEPS_TEXT for name in _CALLED.finditer(made))


def _is_looked_up(before: str) -> bool:
    """Whether what follows is given to a call that answers with something else: `useFetch(route.query.id)`."""
    calls = ((name[1], before[name.start() :]) for name in _CALLED.finditer(before))
    return any(name not in _KEEPS_TEXT and rest.count("(") > rest.count(")") for name, rest in calls)


def _flow(written: str, line: int, source_line: int, source: str, *, proven: bool) -> Flow:
    # Whether a file is a template is asked of every file.
    from leeboard.security.taint.state import Flow  # noqa: PLC0415 - where one was found
    from leeboard.security.taint.table import HARM, confidence_of  # noqa: PLC0415 - as above

    return Flow(
        kind="html",
        confidence=confidence_of("html", "request") if proven else UNPROVEN,
        trust="request" if proven else None,
        source=source[:60] if proven else f"`{source[:60]}`",
        source_line=source_line,
        sink=written[:40],
        sink_line=line,
        function="<module>",
        steps=tuple(sorted({source_line, line})),
        way=(source_line, line) if source_line != line else (line,),
        advice=_FIX if proven else HARM["html"].fix,
    )


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1
