"""Signs of hardening where no parser helps: by the words that written lines use, comments and texts left out."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping

from leeboard.code.hardening.signal import BROAD, FALLBACK, GUARDRAIL, RETRY, SWALLOWED, TIMEOUT, Hardening
from leeboard.model.pattern import lazy

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
