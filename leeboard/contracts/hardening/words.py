"""Signs of hardening where no parser helps: by the words that written lines use, comments and texts left out."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from itertools import islice

from leeboard.contracts.hardening.options import CLUES, FLAG_CLUES, OLD_CLUES, SWITCH_CLUES
from leeboard.contracts.hardening.results import ENOUGH
from leeboard.contracts.hardening.sign import BROAD, FALLBACK, GUARDRAIL, RETRY, SWALLOWED, TIMEOUT, Hardening
from leeboard.model.text import lazy

_NO_CODE = frozenset(
    "md mdx rst txt adoc html htm xhtml css scss sass less svg csv tsv json jsonc json5 lock xml po pot arb ipynb log "
    "tex map snap diff patch sum mod webmanifest plist xlf resx".split()
)
_SETTINGS = frozenset("yaml yml toml ini cfg conf properties env".split())
_PIPELINES = lazy(
    r"(?:^|/)(?:\.github|\.circleci|\.gitlab|\.azure|\.buildkite)/|(?:^|/)\.(?:gitlab-ci|travis|drone)\.yml$"
)
_SAID = lazy(r"\"(?:[^\"\\\n]|\\.){0,2000}\"|'(?:[^'\\\n]|\\.){0,2000}'|`[^`\n]{0,2000}`")
_COMMENT = lazy(
    r"(?:^|(?<=[\s;{}()]))(?:#(?!\{)|//|--(?=\s)|;;|%%)[^\n]*|/\*[^\n]{0,2000}?\*/|^\s*(?:\*|/\*)[^\n]*|<!--[^\n]*"
)
_WORDS = (
    (
        RETRY,
        r"(?<![a-z])(?:[\w]{0,20}?_)?retr(?:y|ies)(?![a-z])|(?<=[a-z])Retr(?:y|ies)(?![a-z])|\bback_?off\b|Backoff",
    ),
    (
        TIMEOUT,
        r"(?<!set)(?<!clear)(?<!Set)(?<![a-z])time_?out(?![a-z])|(?<=[a-z])(?<!set)(?<!clear)Timeout(?![a-z])|\bTimeout\b",
    ),
    (FALLBACK, r"[Ff]all_?back|\b[Gg]raceful|\b[Bb]est[_ -]?[Ee]ffort|[Gg]raceful(?:ly)?\b"),
    (GUARDRAIL, r"[Gg]uard_?rail|\b[Dd]efensive"),
    (SWALLOWED, r"\b[Ss]ilently|[Ss]wallow|\|\|\s{0,3}(?:true|:)\s*(?:$|[;)])|\btry\?\s"),
    (
        BROAD,
        r"(?i:\bexcept\s{1,3}exception\b)|^\s*except\s*:|\bcatch\s?\(|\bcatch\s?\{|\}\s*catch\s*$|\bcatch\s+_\b|\bon\s+Exception\b",
    ),
)
_SIGNS = tuple((signal, lazy(pattern, re.MULTILINE)) for signal, pattern in _WORDS)
_ANY = lazy("|".join(f"(?:{pattern})" for _, pattern in _WORDS), re.MULTILINE)
_RAISES = lazy(r"\b(?:throw|rethrow|raise|fatalError|error\()")
_NEAR = 5
_LONGEST = 2_000


def find_by_words(path: str, written: Mapping[int, str]) -> Iterator[Hardening]:
    """On the given lines of a file that can not be parsed; nothing in documents and data."""
    name = posixpath.basename(path).lower()
    extension = name.rpartition(".")[2] if "." in name else ""
    if extension in _NO_CODE or _PIPELINES.search(path):
        return
    only_keys = extension in _SETTINGS
    for line, text in written.items():
        if len(text) > _LONGEST or not _ANY.search(text):
            continue
        bare = _COMMENT.sub(" ", _SAID.sub('""', text))
        yield from _of_line(line, re.split(r"[:=]", bare, maxsplit=1)[0] if only_keys else bare, written)


def _of_line(line: int, bare: str, written: Mapping[int, str]) -> Iterator[Hardening]:
    for signal, pattern in _SIGNS:
        match = pattern.search(bare)
        if match is None:
            continue
        after = "\n".join(written.get(line + offset, "") for offset in range(_NEAR))
        if signal != BROAD or not _RAISES.search(after):
            yield Hardening(signal, (line,), match.group().strip()[:60])


# A cheap look at the written lines: whether a file can hold a sign of hardening at all, so that few are parsed.


_GATE_WORDS = (
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
    language: ((*_GATE_WORDS, *words), lazy(rf"{_ALWAYS}|{clues}")) for language, (words, clues) in _BY_LANGUAGE.items()
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
