"""The forms hardening takes: names that promise it, switches and old ways kept, errors dropped, clusters of guards."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from leeboard.contracts.hardening.handlers import Outcome, outcome_of, statements
from leeboard.contracts.hardening.sign import (
    BROAD,
    DEFAULT,
    FALLBACK,
    FLAG,
    GUARDS,
    RETRY,
    SWALLOWED,
    TIMEOUT,
    WORDS,
    Hardening,
    HardeningSource,
    body_of,
)
from leeboard.model.text import lazy
from leeboard.text.words import split_name

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from leeboard.source.syntax import Definition

_NAMED = lazy(r"[A-Za-z_$][\w$]{0,60}", re.ASCII)
_CLUE = lazy(r"retr(?:y|ies)|back_?off|time_?out|fall_?back", re.IGNORECASE)
CLUES = ("retry", "retries", "backoff", "back_off", "timeout", "time_out", "fallback", "fall_back")
_WORDS = {
    **dict.fromkeys(("retry", "retries", "retrying", "retryable", "backoff"), RETRY),
    **dict.fromkeys(("timeout", "timeouts"), TIMEOUT),
    **dict.fromkeys(("fallback", "fallbacks"), FALLBACK),
}
_SPLIT_WORDS = {("back", "off"): RETRY, ("time", "out"): TIMEOUT, ("fall", "back"): FALLBACK}
_TIMERS = frozenset({"setTimeout", "clearTimeout"})
_NO_USE_BEFORE = lazy(
    r"(?:\b(?:raise|throw|new|except|catch|instanceof|class|struct|interface|enum|type|case|import|from|use|using|package"
    r"|namespace|goto|is|as)\s+[\w.:\\]*|[\w)\]]\s*(?:==|!=|<=|>=)\s*[\w.]*)$"
)
_SET = lazy(r"\s{0,3}(?::\s{0,3}[A-Z\w][\w.\[\]<>|, ?]{0,50}?)?\s{0,3}(?::=|=(?![=>~]))\s{0,20}(?P<value>[^\n]{0,60})")
_PAIR = lazy(r"\s{0,3}(?::(?![:=])|=>)\s{0,10}(?P<value>[^\n]{0,60})")
_CALLED = lazy(r"\s{0,1}(?:<[\w, ]{1,40}>)?\(\s{0,20}(?P<value>[^\n]{0,40})")
_OFF = lazy(r"(?:None|null|nil|undefined|False|false|0|0\.0|-1)\s*(?:[,;)}\]\n]|$)")
_A_TIMER = lazy(r"(?:await\s+)?(?:window\.|globalThis\.|self\.)?set(?:Timeout|Interval)\b|useRef|useState|require\s?\(")
_A_VALUE = lazy(
    r"[\d\"'`\[{(\-]|[\w.:$]{1,60}\s{0,3}(?:\(|[*+/])|[a-z_$][\w.$]{0,60}\s{0,3}(?:[,})\]]|$)|[A-Z][A-Z0-9_]{2,60}\b"
)
_A_TYPE = lazy(
    r"(?:number|string|boolean|bool|unknown|any|int|float|double|long|u?int\d{1,2}|u\d{1,3}|i\d{1,3}|f\d{2}|usize|never|void|str)\b"
)
_ECMA = frozenset({"javascript", "typescript", "tsx"})
_KEYS = lazy(
    r"[\"'](?P<key>(?:\w{1,20}_)?(?:timeout|retries|retry|max_retries|backoff)(?:_\w{1,20})?)[\"']\s{0,3}(?P<mark>=>|:)",
    re.IGNORECASE,
)
_WITH_PAIRS = _ECMA | {"go", "ruby", "csharp", "rust", "php", "kotlin"}


def find_options(source: HardeningSource) -> Iterator[Hardening]:
    """Every place where such a name is given a value or called."""
    lowered = source.code.lower()
    named = _CLUE.finditer(source.code) if any(clue in lowered for clue in CLUES) else ()
    for clue in named:
        start, end = _whole(source.code, clue.start())
        name = source.code[start:end]
        signal = "" if name in _TIMERS and source.language in _ECMA else _signal_of(name)
        if signal and _is_use(source, start, end, name):
            yield Hardening(signal, (source.line_at(start),), name[:60])
    for key in _KEYS.finditer(source.text):
        value = source.text[key.end() : key.end() + 80].lstrip()
        if (
            source.code.startswith(key["mark"], key.start("mark"))
            and not _OFF.match(value)
            and value[:1] not in {"'", '"'}
        ):
            signal = TIMEOUT if "timeout" in key["key"].lower() else RETRY
            yield Hardening(signal, (source.line_at(key.start()),), key["key"])


def _whole(code: str, at: int) -> tuple[int, int]:
    """The whole name that holds this place."""
    start = at
    while start > 0 and at - start < 60 and (code[start - 1].isalnum() or code[start - 1] in "_$"):
        start -= 1
    found = _NAMED.match(code, start)
    return start, found.end() if found else at


def _signal_of(name: str) -> str:
    words = split_name(name)
    if not words or WORDS.other_meanings.intersection(words):
        return ""
    found = [_WORDS[word] for word in words if word in _WORDS]
    found += [_SPLIT_WORDS[pair] for pair in pairwise(words) if pair in _SPLIT_WORDS]
    return found[0] if found else ""


def _is_use(source: HardeningSource, start: int, end: int, name: str) -> bool:
    before, after = source.code[max(0, start - 80) : start].rpartition("\n")[2], source.code[end : end + 140]
    if _NO_USE_BEFORE.search(before):
        return False
    if called := _CALLED.match(after):
        return not _OFF.match(called["value"])
    if given := _SET.match(after):
        value = given["value"]
        return not (_OFF.match(value) or _A_TIMER.match(value) or _is_attribute(source, after) or _is_word(value, name))
    pair = _PAIR.match(after) if source.language in _WITH_PAIRS else None
    if pair is None or _OFF.match(pair["value"]) or _A_TYPE.match(pair["value"]):
        return False
    return bool(_A_VALUE.match(pair["value"])) and not (name == "fallback" and source.language in _ECMA)


def _is_word(value: str, name: str) -> bool:
    """`TIMEOUT = "timeout"` names a thing; how long or how often is a number."""
    return value[:1] in {'"', "'", "`"} and _signal_of(name) != FALLBACK


def _is_attribute(source: HardeningSource, after: str) -> bool:
    """`<Suspense fallback={...}>` only says what is shown meanwhile."""
    return source.language in _ECMA and after.startswith(("={", '="'))


# Branches that keep an old way alive or wait for a switch: feature flags, legacy modes, toggles of the environment.


_FLAGS = lazy(
    r"feature_?(?:flags?|toggles?|gates?|switch(?:es)?)|is_?feature_?(?:enabled|active|on)|feature_?(?:is_?)?enabled"
    r"|\bFlipper[.\[]|launchdarkly|\bunleash\b|\bldclient\b|(?:flag|switch)_is_active|kill_?switch",
    re.IGNORECASE,
)
_OLD_WAY = lazy(
    r"\b(?:if|elif|elsif|unless|when)\b[^\n]{0,120}?(?:(?<![A-Za-z])(?:[a-z]+_){0,3}(?:legacy|use_(?:new|old)_\w)"
    r"|(?:[a-z]Legacy|(?:use|enable|force|keep|support)(?:Old|New))[A-Z]?\w{0,30})(?![^\n]{0,60}\bimport\b)"
)
_SWITCH = lazy(
    r"(?:\benviron\b|\bgetenv\b|\bprocess\.env\b|\benv::var|\bENV\b|GetEnvironmentVariable|\bGetenv\b|\bLookupEnv\b|\$_ENV)"
    r"(?:\.get|\.fetch)?[.\[(]{1,2}\s{0,3}[\"']?(?P<name>[A-Z][A-Z0-9_]{2,60})"
)
FLAG_CLUES = (
    *(f"feature{joint}{what}" for joint in ("", "_") for what in ("flag", "toggle", "gate", "switch", "enabled", "is")),
    *(
        "isfeature",
        "is_feature",
        "flipper",
        "launchdarkly",
        "unleash",
        "ldclient",
        "_is_active",
        "killswitch",
        "kill_switch",
    ),
)
SWITCH_CLUES = ("environ", "getenv", ".env", "env::var", "env[", "env.fetch", "lookupenv", "_env")
OLD_CLUES = (
    "legacy",
    "use_new",
    "use_old",
    *(f"{verb}{age}" for verb in ("use", "enable", "force", "keep", "support") for age in ("new", "old")),
)

_BROUGHT_IN = lazy(r"[ \t]{0,40}(?:import|from|package|using|use|namespace|require)\b")


def find_flags(source: HardeningSource) -> Iterator[Hardening]:
    """Each place where such a switch is named or asked."""
    lowered = source.code.lower()
    for pattern, clues in ((_FLAGS, FLAG_CLUES), (_OLD_WAY, OLD_CLUES)):
        # A look for words costs a hundredth of the pattern, and hardly any file has one.
        for match in pattern.finditer(source.code) if any(clue in lowered for clue in clues) else ():
            if _BROUGHT_IN.match(source.code, source.starts[source.line_at(match.start()) - 1]):
                continue
            shown = " ".join(match.group().split())[:60]
            yield Hardening(FLAG, (source.line_at(match.start()),), shown)
    for match in _SWITCH.finditer(source.text) if any(clue in lowered for clue in SWITCH_CLUES) else ():
        is_code = source.code[match.start()] == source.text[match.start()]
        if is_code and WORDS.switches.intersection(match["name"].split("_")):
            yield Hardening(FLAG, (source.line_at(match.start()),), match["name"])


# Errors that are values: Go's `err` and Rust's `Result`, dropped or replaced by a default.


_FAILED = lazy(r"\b(err\w{0,20})\s{0,3}!=\s{0,3}nil\s*$")
_RECOVERED = lazy(r"(?<![\w.])recover\(\)")
_GO_IGNORED = lazy(
    r"^[ \t]{0,80}(?:_\s{0,3}=\s{0,3}(?![\w.]{0,60}\.(?:Close|Write\w{0,10}|Fprint\w{0,4}|Flush|Sync)\()"
    r"(?=[\w.]{1,80}\()"
    r"|\w{1,60},\s{0,3}_\s{0,3}:?=\s{0,3}(?:json|strconv|os\.(?!LookupEnv)|io|ioutil|http|url|time|xml|yaml|hex|base64)\b[\w.]{1,40}\()",
    re.MULTILINE,
)
_BOOL_RESULT = lazy(r"\)\s{0,3}bool\s{0,3}\{?\s*$")
_NAMED_ERROR = lazy(r"\w\s{1,3}error\s{0,3}\)\s*$")
_RUST_IGNORED = lazy(r"\blet\s{1,3}_\s{0,3}=\s{0,3}[\w&.:<>]{1,120}\(|\.ok\(\)\s{0,3};")
_RUST_DEFAULT = lazy(
    r"\.unwrap_or_else\(\s{0,3}\|\s{0,3}_?\w{1,20}\s{0,3}\||(?:\.await|\.ok\(\)|\.parse(?:::<[\w:<>]{1,40}>)?\(\)"
    rf"|(?:{'|'.join(WORDS.rust_failing)})"
    r"(?:::<[\w:<>]{1,40}>)?\([^()\n]{0,120}\))\s{0,80}\.(?:unwrap_or|unwrap_or_default|unwrap_or_else|map_or|map_or_else)\("
    # A value that may be missing is no failure: what asks for one is named so.
    rf"|\b(?!(?:{'|'.join(WORDS.rust_optional)})\b)"
    r"[a-z_]\w{0,60}(?:::<[\w:<>]{1,40}>)?\([^()\n]{0,120}\)\s{0,80}\.(?:unwrap_or_default|unwrap_or_else\(\s{0,3}Default::default)\b"
)
_UNWOUND = lazy(r"\bcatch_unwind\b")
_ERR_ARM = lazy(r"\s*Err\(\s*(_|_?\w+)\s*\)\s*=>\s*")


def find_results(source: HardeningSource, retried: frozenset[int]) -> Iterator[Hardening]:
    """In Go and Rust; nothing in other languages."""
    if source.language == "go":
        yield from _go(source, retried)
    elif source.language == "rust":
        yield from _rust(source, retried)


def _go(source: HardeningSource, retried: frozenset[int]) -> Iterator[Hardening]:
    for node in source.decisions:
        if source.line_of(node) not in retried:
            yield from _unanswered(node, source)
    for match in _RECOVERED.finditer(source.code):
        if "panic(" not in source.code[match.end() : match.end() + 400]:
            yield Hardening(BROAD, (source.line_at(match.start()),), "recover()")
    for match in _GO_IGNORED.finditer(source.code):
        yield Hardening(SWALLOWED, (source.line_at(match.end() - 1),), "an error assigned to _")


def _unanswered(node: SgNode, source: HardeningSource) -> Iterator[Hardening]:
    """`if err != nil { return nil }`: the branch neither returns the error nor tells anybody but a log."""
    condition, body = node.field("condition"), body_of(node)
    failed = _FAILED.search(source.code_of(condition)) if condition is not None else None
    if failed is None or body is None:
        return
    inside = source.code_of(body).strip()[1:-1]
    returned = " ".join(line for line in inside.split("\n") if line.strip().startswith("return"))
    if re.search(r"[eE]rr", returned):
        return
    outcome = outcome_of(inside, "go")
    if returned.strip().rstrip(";") == "return" and _names_its_error(node, source):
        return
    if outcome == "default" and returned.strip().rstrip(";") == "return false" and _is_predicate(node, source):
        return
    yield from _signalled(outcome, tuple(source.lines_of(node)), f"if {failed[1]} != nil")


def _is_predicate(node: SgNode, source: HardeningSource) -> bool:
    return bool(_BOOL_RESULT.search(_signature(node, source)))


def _names_its_error(node: SgNode, source: HardeningSource) -> bool:
    """A bare `return` gives back the results that have names."""
    return bool(_NAMED_ERROR.search(_signature(node, source)))


def _signature(node: SgNode, source: HardeningSource) -> str:
    definition = source.tree.definition_at(source.line_of(node))
    return source.code_of(definition.node).partition("{\n")[0] if definition is not None else ""


def _signalled(outcome: Outcome, lines: tuple[int, ...], what: str) -> Iterator[Hardening]:
    if outcome == "default":
        yield Hardening(DEFAULT, lines, f"{what}, a default instead")
    elif outcome == "swallowed":
        yield Hardening(SWALLOWED, lines, f"{what}, nothing done about it")


def _rust(source: HardeningSource, retried: frozenset[int]) -> Iterator[Hardening]:
    for pattern, signal, what in (
        (_RUST_IGNORED, SWALLOWED, "a result that is dropped"),
        (_RUST_DEFAULT, DEFAULT, "a default for an error"),
        (_UNWOUND, BROAD, "catch_unwind"),
    ):
        for match in pattern.finditer(source.code):
            if not source.code.startswith("use ", source.starts[source.line_at(match.start()) - 1]):
                yield Hardening(signal, (source.line_at(match.end() - 1),), what)
    for node in source.decisions:
        yield from _only_noted(node, source, retried)
    for arm in source.handlers:
        code = source.code_of(arm)
        head = _ERR_ARM.match(code)
        if head is None or source.line_of(arm) in retried:
            continue
        body = code[head.end() :].strip().rstrip(",").strip()
        if body.startswith("{") and body.endswith("}"):
            body = body[1:-1]
        if not re.search(rf"\bErr\b|\b{re.escape(head[1])}\b(?=\.into\(\))", body):
            yield from _signalled(outcome_of(body, "rust"), tuple(source.lines_of(arm)), f"Err({head[1]})")


def _only_noted(node: SgNode, source: HardeningSource, retried: frozenset[int]) -> Iterator[Hardening]:
    """`if let Err(e) = f() { log }`, and the program goes on."""
    condition, body = node.field("condition"), node.field("consequence")
    if condition is None or body is None or node.field("alternative") is not None:
        return
    asked = source.code_of(condition)
    if asked.startswith("let Err(") and source.line_of(node) not in retried:
        inside = source.code_of(body).strip()[1:-1]
        if outcome_of(inside, "rust") == "swallowed" and not re.search(r"\breturn\b|\bErr\b", inside):
            yield Hardening(SWALLOWED, tuple(source.lines_of(node)), "if let Err, nothing done about it")


# Clusters of guards: one function that asks three times or more what it was given before it does its work.


ENOUGH = 3

_NULL = r"(?:None|null|nil|undefined|nullptr|NULL)"
_MISSING = lazy(
    rf"\bis\s+{_NULL}\b|(?<!!)===?\s*{_NULL}\b|\b{_NULL}\s*===?(?!=)|\.nil\?|\bis_null\s?\(|!\s*isset\b|\bis\s+null\b"
    r"|^\(?\s*!\s*\$?[A-Za-z_][\w.]*\s*\)?$"
)
"""Nothing was given."""
_TYPED = r"(?:isinstance|issubclass|callable|hasattr|is_(?:string|array|int|numeric)|(?:Array|Number)\.is\w+|isNaN)"
_WRONG = lazy(
    rf"(?:!|\bnot\s)\s*\(?\s*{_TYPED}\b|typeof\s+[\w.]+\s*!==?|!\s*\([\w.]+\s+(?:instanceof|is)\b|!is\b|\bis\s+not\s+(?!{_NULL}\b)"
    r"|!\s*[\w.@]+\.(?:is_a|kind_of|respond_to)\?"
)
"""It is not of the kind that is needed."""
_TYPE_TEST = lazy(rf"{_TYPED}\b|\b(?:typeof|instanceof)\b|\.(?:is_a|kind_of|respond_to)\?")
_BOTH = lazy(r"&&|\band\b")
_LEAVES = lazy(r"(?:raise|throw|return|fail|panic)\b")
_RAISES = lazy(r"(?:raise|throw|fail|panic)\b")
_IN_TEXT = lazy(
    r"\b(?:requireNonNull|requireNotNull|checkNotNull|ThrowIfNull(?:OrEmpty|OrWhiteSpace)?|assert isinstance)"
    r"\s{0,3}\(\s{0,3}(?P<name>[A-Za-z_]\w{0,60})"
)
_NAME = lazy(r"(?<![.\w>:])\$?[A-Za-z_]\w*")
_ERRORS = lazy(r"\berr\w{0,20}\s{0,3}!=")


def find_guards(source: HardeningSource) -> Iterator[Hardening]:
    """One sign for each function that has enough of them."""
    found: dict[int, list[int]] = defaultdict(list)
    for node in source.decisions:
        definition = _guarded(node, source)
        if definition is not None:
            found[definition.start].append(source.line_of(node))
    for match in _IN_TEXT.finditer(source.code):
        line = source.line_at(match.start())
        definition = source.tree.definition_at(line)
        if definition is not None and match["name"] in definition.params:
            found[definition.start].append(line)
    for lines in found.values():
        if len(set(lines)) >= ENOUGH:
            yield Hardening(GUARDS, tuple(sorted(set(lines))), f"{len(set(lines))} guards in one function")


def _guarded(node: SgNode, source: HardeningSource) -> Definition | None:
    """The function whose parameter is asked for, where the branch does nothing but leave it."""
    condition = node.field("condition")
    asked = source.code_of(condition) if condition is not None else ""
    left = _left_with(node, source) if asked and not _BOTH.search(asked) and not _ERRORS.search(asked) else ""
    if not left or not _is_guard(asked.strip(), left, is_negated="unless" in node.kind()):
        return None
    definition = source.tree.definition_at(source.line_of(node))
    if definition is None or definition.kind == "class":
        return None
    params = {name.lstrip("$*&") for name in definition.params} - {"self", "cls", "this"}
    return definition if params.intersection(name.lstrip("$") for name in _NAME.findall(asked)) else None


def _is_guard(asked: str, left: str, *, is_negated: bool) -> bool:
    """To return early for a kind is to choose; to leave because something is missing or of no kind is to guard."""
    if _RAISES.match(left):
        return bool(_MISSING.search(asked) or _WRONG.search(asked) or _TYPE_TEST.search(asked))
    return bool(_TYPE_TEST.search(asked) if is_negated else _MISSING.search(asked) or _WRONG.search(asked))


def _left_with(node: SgNode, source: HardeningSource) -> str:
    """The one statement of the branch, where it leaves the function."""
    if "modifier" in node.kind():
        code = source.code_of(node)
        return code if _LEAVES.match(code) else ""
    body = node.field("consequence") or body_of(node)
    if body is None or node.field("alternative") is not None:
        return ""
    done = statements(re.sub(r"^(?:\{|then)|\}$", "", source.code_of(body).strip()))
    return done[0] if len(done) == 1 and _LEAVES.match(done[0]) else ""
