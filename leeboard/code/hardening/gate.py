"""A cheap look at the written lines: whether a file can hold a sign of hardening at all, so that few are parsed."""

from __future__ import annotations

import re
from itertools import islice

from leeboard.code.hardening.flags import FLAG_CLUES, OLD_CLUES, SWITCH_CLUES
from leeboard.code.hardening.guards import ENOUGH
from leeboard.code.hardening.options import CLUES
from leeboard.model.pattern import lazy

_WORDS = (
    *CLUES,
    *FLAG_CLUES,
    *OLD_CLUES,
    *SWITCH_CLUES,
    *("attempt", "tries", "sleep", "delay", "tenacity", "stamina", "resilience4j", "failsafe", "cockatiel", "backon"),
    *("tryhard", "polly"),
)
_SWITCHED = r"(?:environ|getenv|process\.env|env::var|\benv\b|lookupenv|environmentvariable|_env\b)"
_ALWAYS = (
    r"retr(?:y|ies)|back_?off|time_?out|fall_?back|feature_?(?:flag|toggle|gate|switch|enabled|is)|is_?feature|flipper"
    r"|launchdarkly|unleash|ldclient|_is_active|kill_?switch|legacy|(?:use|support|keep|force|enable)_?(?:new|old)"
    rf"|{_SWITCHED}[^\n]{{0,20}}(?:enable|disable|use|feature|flag|ff|toggle|skip|allow|legacy)|(?<![a-z])(?:attempts?|tries)\b"
    r"|sleep|\bdelay\b|tenacity|stamina|resilience4j|failsafe|cockatiel|backon|tryhard|polly"
)
_WORLD = r"(?:io|sql|os|request|http|network|connection|socket|timeout|database|db|api|client|runtime|url|transport)"
_PYTHON = (
    r"except\s*[:*]|suppress\(|in range\([^\n]{0,80}\n\s{0,80}try\b|except\b[^\n]{0,200}?"
    rf"(?:\bexception|baseexception|{_WORLD}\w{{0,20}}(?:error|exc)|operational|service|remote|web)"
)
_BY_LANGUAGE = {
    "python": (
        ("except", "suppress("),
        _PYTHON,
    ),
    **dict.fromkeys(("javascript", "typescript", "tsx", "java", "csharp", "cpp"), (("catch",), r"\bcatch\b")),
    "php": (("catch", "@"), r"\bcatch\b|@\\?[a-z_]\w{0,60}\s?\("),
    "kotlin": (("catch", "getor"), r"\bcatch\b|getor(?:null\(\)|default|else)"),
    "ruby": (("rescue",), r"\brescue\b"),
    "go": (
        ("recover()", "_ =", "_ :=", "_=", "nil {", "nil{"),
        r"recover\(\)|\b_\s{0,3}:?=|!=\s{0,3}nil\s{0,3}\{\s{0,200}(?!\s|return[^\n]{0,200}err|panic)",
    ),
    "rust": (
        ("let _", ".ok()", "unwrap_or", "catch_unwind", "err("),
        r"let\s+_\s|\.ok\(\)|unwrap_or|catch_unwind|\berr\(",
    ),
    "c": ((), r"(?!)"),
}
_GATES = {
    language: ((*_WORDS, *words), lazy(rf"{_ALWAYS}|{clues}")) for language, (words, clues) in _BY_LANGUAGE.items()
}
_GUARD = lazy(
    r"^[ \t]{0,80}(?:if|unless)\b[^\n]{0,160}?"
    r"(?:\bnot\s(?:is|callable|hasattr)|\bis\snone|null|[=\s.]nil|undefined|\(\s?!|!is|typeof|instanceof"
    r"|is_a\?|kind_of|respond_to|[a-z]\s?not\s)"
    r"[^\n]{0,160}(?:\n\s{0,80})?\{?\s{0,80}\b(?:raise|return|throw|panic|fail)\b"
    r"|^[ \t]{0,80}(?:raise|return|fail)\b[^\n]{0,160}?\b(?:if|unless)\b[^\n]{0,80}?(?:nil|is_a\?|kind_of|respond_to|!)"
    r"|requirenonnull|notnull\(|throwifnull|assert isinstance",
    re.MULTILINE,
)


def is_worth_a_look(written: str, language: str) -> bool:
    """Whether these lines of code may hold a sign; no where the language is none that can be parsed."""
    if language not in _GATES:
        return False
    words, gate = _GATES[language]
    lowered = written.lower()
    if any(word in lowered for word in words) and gate.search(lowered):
        return True
    return len(list(islice(_GUARD.finditer(lowered), ENOUGH))) == ENOUGH


def may_harden(written: str, language: str) -> bool:
    """Whether a file with these new lines has to be read at all; yes where nobody knows its language yet."""
    return not is_parsed(language) or is_worth_a_look(written, language)


def is_parsed(language: str) -> bool:
    """Whether signs are told by syntax in this language."""
    return language in _GATES
