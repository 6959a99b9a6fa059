"""Names that promise hardening where they are defined, set or called: retries, timeouts, fallbacks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from leeboard.contracts.hardening.sign import FALLBACK, FLAG, RETRY, TIMEOUT, WORDS, Hardening, HardeningSource
from leeboard.model.text import lazy
from leeboard.text.words import split_name

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
