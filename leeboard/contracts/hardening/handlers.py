"""Handlers that take every error, drop it, or put a value in its place: try and catch in all their spellings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from leeboard.contracts.hardening.sign import BROAD, DEFAULT, SWALLOWED, WORDS, Hardening, HardeningSource, body_of
from leeboard.model.text import lazy
from leeboard.text.words import split_name

if TYPE_CHECKING:
    from ast_grep_py import SgNode


_NAME = lazy(r"[A-Za-z_][\w]*")
_ANY_ERROR = frozenset({"Exception", "BaseException", "StandardError", "Throwable", "RuntimeException", "exception"})
_OUTSIDE_WORLD = lazy(
    r"(?:IO|SQL|OS|Request|Requests|HTTP|Http|Network|Connection|Socket|Timeout|Database|DB|API|Api|Client|Runtime|URL"
    r"|SQLAlchemy|Transport|Operational|Web|PDO|Service|EnvironmentError|Remote)\w{0,20}(?:Error|Exception)$|^PDOException$"
    r"|^ActiveRecordError$|^RequestException$|^SystemCallError$"
)
"""Errors that mean something is really wrong; to drop one is not to handle an expected case."""
_UNTYPED = frozenset({"javascript", "typescript", "tsx"})
_NARROWS = lazy(
    r"\binstanceof\b|\.(?:code|name|status|statusCode|errno|type|kind|cause)\b|\bis[A-Z]\w*(?:Error|Exception)\b|isAxiosError"
)
_FUNCTION = frozenset({"arrow_function", "function_expression", "function"})
_SUPPRESSED = lazy(r"\bsuppress\(\s{0,20}(?:Base)?Exception\b")
_KOTLIN_RESULT = lazy(
    r"(?:\brunCatching\b[^\n]{0,300}|^[ \t]{0,80})\}\s{0,80}\.(?:getOrNull\(\)|getOrDefault\(|getOrElse\b)",
    re.MULTILINE,
)
_PHP_SILENCED = lazy(r"(?<![\w@$*\\])@\\?[a-z_]\w{0,60}\s?\(")
_KOTLIN_DROPPED = lazy(
    r"^[ \t]{0,80}runCatching\s?\{[^\n{}]{0,300}\}[ \t]{0,20}$|\.onFailure\s?\{\s{0,80}\}", re.MULTILINE
)
_PHP_RESCUED = lazy(r"(?<![\w>:$\\])rescue\(\s{0,80}(?:static\s)?(?:fn|function)\b")
_IGNORED = lazy(r"\bignore_errors\s?=\s?True\b")
_LATER_DEFAULT = lazy(
    r"\.(?:onErrorReturn|onErrorReturnItem|onErrorComplete)\(|\.exceptionally\(\s{0,80}\(?\w{1,40}\)?\s?->\s?"
    r"(?:null|true|false|\d|\"|(?:Optional|List|Map|Set|Collections)\.)"
    r"|\.onErrorResume\([^\n]{0,120}?->\s?(?:Mono|Flux|Observable|Maybe|Single)\.(?:empty|just|never)\("
    r"|\bTry\.(?:of|call|ofCallable|ofSupplier)\([^\n]{0,300}?\)\s{0,80}\.(?:getOrElse|getOrNull|toOption|toJavaOptional)\("
)
"""A future or a stream that has a value in the place of its error."""
_LATER = (_LATER_DEFAULT, DEFAULT, "a default for an error that comes later")
_IN_TEXT = {
    "python": ((_SUPPRESSED, SWALLOWED, "suppress(Exception)"), (_IGNORED, SWALLOWED, "ignore_errors=True")),
    "kotlin": (
        (_KOTLIN_RESULT, DEFAULT, "runCatching with a default"),
        (_KOTLIN_DROPPED, SWALLOWED, "runCatching, nothing done about it"),
        _LATER,
    ),
    "java": (_LATER,),
    "php": ((_PHP_SILENCED, SWALLOWED, "@ before a call"), (_PHP_RESCUED, DEFAULT, "rescue()")),
}


def find_handlers(source: HardeningSource, retried: frozenset[int]) -> Iterator[Hardening]:
    """Finds the signs in every handler of the file; those on lines of a loop that tries again are a part of it."""
    for node in source.handlers if source.language != "rust" else ():
        if source.line_of(node) not in retried:
            yield from _judged(node, source)
    for call in source.calls:
        yield from _rejected(call, source)
    for pattern, signal, what in _IN_TEXT.get(source.language, ()):
        for match in pattern.finditer(source.code):
            yield Hardening(signal, (source.line_at(match.end() - 1),), what)


def _judged(node: SgNode, source: HardeningSource) -> Iterator[Hardening]:
    if node.kind() == "rescue_modifier":
        yield Hardening(DEFAULT, (source.line_of(node),), "rescue modifier")
        return
    head, body = _parts(node, source)
    outcome = outcome_of(body, source.language)
    if outcome == "passed on":
        return
    caught = _caught(node, head, source.language)
    is_broad = not caught or not _ANY_ERROR.isdisjoint(caught)
    if source.language in _UNTYPED:
        is_broad = True
        if outcome == "handled" and _makes_use_of(head, body):
            return
    if _is_filtered(node):
        return
    lines = tuple(source.lines_of(node))
    if is_broad:
        yield Hardening(BROAD, lines[:1], _flat(head))
    if is_broad or (outcome != "handled" and any(_OUTSIDE_WORLD.search(name) for name in caught)):
        yield from _of_outcome(outcome, lines, _flat(head))


def _of_outcome(outcome: Outcome, lines: tuple[int, ...], what: str) -> Iterator[Hardening]:
    if outcome == "swallowed":
        yield Hardening(SWALLOWED, lines, f"{what}, nothing done about it")
    elif outcome == "default":
        yield Hardening(DEFAULT, lines, f"{what}, a default instead")


def _parts(node: SgNode, source: HardeningSource) -> tuple[str, str]:
    """The head of a handler and the code in it."""
    body = body_of(node)
    whole, start = source.code_of(node), node.range().start.index
    if body is None:
        opened = whole.find("{")
        return (whole[:opened], whole[opened:].strip("{} \n")) if opened >= 0 else (whole, "")
    first = body.range().start.index - start
    inner = source.code_of(body).strip()
    if inner.startswith("{") and inner.endswith("}"):
        inner = inner[1:-1]
    return whole[:first].rstrip(" \t\n{"), inner


def _caught(node: SgNode, head: str, language: str) -> tuple[str, ...]:
    """The last parts of the names of what is caught; empty where it is everything."""
    if language in _UNTYPED:
        return ()
    if language == "ruby":
        named = [child for child in node.children() if child.kind() == "exceptions"]
        return tuple(part.rpartition("::")[2].strip() for one in named for part in one.text().split(","))
    if language == "cpp" and "..." in head:
        return ()
    types = head.removeprefix("except").partition(" as ")[0] if language == "python" else _typed(head, language)
    names = [_NAME.findall(part) for part in re.split(r"[,|()]", types)]
    return tuple(parts[-1] for parts in names if parts)


def _typed(head: str, language: str) -> str:
    inner = head.partition("(")[2].rpartition(")")[0]
    if language == "kotlin":
        return inner.partition(":")[2]
    if language == "cpp":
        return inner.partition("&")[0].replace("const", " ")
    alternatives = inner.replace("final ", " ").split("|")
    return "|".join(one.split()[0] for one in alternatives if one.split())


def _is_filtered(node: SgNode) -> bool:
    """`catch (Exception e) when (...)` takes some errors only."""
    return any(child.kind() == "catch_filter_clause" for child in node.children())


def _makes_use_of(head: str, body: str) -> bool:
    """In a language without typed handlers: the error is looked at, or told to somebody who is no log."""
    if _NARROWS.search(body):
        return True
    names = _NAME.findall(head.partition("(")[2].partition(":")[0]) or _NAME.findall(head.partition("=>")[0])
    used = " ".join(one for one in statements(body) if not is_note(one))
    return any(re.search(rf"(?<![\w.$]){re.escape(name)}(?![\w$])", used) for name in names[:3])


def _rejected(call: SgNode, source: HardeningSource) -> Iterator[Hardening]:
    """`promise.catch(() => null)`."""
    callee, given = call.field("function"), call.field("arguments")
    if callee is None or given is None or callee.kind() != "member_expression":
        return
    end = source.span(callee)[1]
    handler = next(iter(given.named_children()), None)
    lines = tuple(range(source.line_at(end - 1), source.lines_of(given)[-1] + 1))
    if handler is None or handler.kind() not in _FUNCTION:
        name = source.code_of(handler) if handler is not None else ""
        if name.startswith("console."):
            yield Hardening(SWALLOWED, lines, f".catch({name})")
        return
    body = handler.field("body")
    outcome = _of_function(body, source) if body is not None else "handled"
    yield from _of_outcome(outcome, lines, ".catch(...)")


def _of_function(body: SgNode, source: HardeningSource) -> Outcome:
    code = source.code_of(body)
    if body.kind() == "statement_block":
        return outcome_of(code.strip()[1:-1], source.language)
    return outcome_of(f"return {code.strip('()')}" if not code.startswith("console") else code, source.language)


def _flat(head: str) -> str:
    return " ".join(head.split()).strip("{}: ")[:60]


# What is done about an error: handed on, dropped, noted, or replaced by a value. Read from code without literals.


Outcome = Literal["passed on", "swallowed", "default", "handled"]

_PASSES_ON = lazy(
    r"\b(?:raise|throw|rethrow|panic!?|abort|exit|_exit|quick_exit|die|reject|fail|bail!?|exitProcess|terminate|Fatal\w{0,3}"
    r"|completeExceptionally|resumeWithException|(?:Try)?SetException|set_exception|onError|raise_for_status|unreachable!?"
    r"|rethrow_exception|halt|failure|skipTest)\b|\b(?:next|cb|callback|done)\s{0,3}\(\s{0,3}[A-Za-z_$]"
    r"|(?<![.\w>:])error\("
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
    return bool(WORDS.notes.intersection(split_name(head[1])))


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
