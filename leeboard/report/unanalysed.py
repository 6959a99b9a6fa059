"""Why the rules could not judge a file that was written, or not all of it. What is no code needs no parser."""

from __future__ import annotations

import posixpath

from leeboard.code.language import is_generated, language_of

_NO_CODE = frozenset(
    """
    md mdx markdown rst adoc txt text log csv tsv toml ini cfg conf properties env xml svg css scss sass less styl lock
    pem crt key patch diff example sample template tmpl j2 po pot arb plist in dockerignore gitignore editorconfig
    """.split()
)
"""Endings of prose, data and settings: secrets are looked for in any text, and nothing else would be."""
_MACROS = frozenset(("c", "cpp"))
"""Where a grammar without the preprocessor stumbles over code that compiles."""
_MOSTLY = 0.2


def why_not_analysed(path: str, text: str) -> str:
    """Empty where all of it was understood."""
    if is_generated(path, text):
        return ""
    language = language_of(path, text)
    if not language:
        unknown = f"its language is not supported (.{_ending(path)}); only secrets were looked for"
        return unknown if is_code(path) else ""
    from leeboard.code.syntax import parse  # noqa: PLC0415 - the parser, for who asks for a report

    tree = parse(text, language)
    if tree is None:
        return "too large or too deeply nested for the parser; only secrets were looked for"
    broken = sum(end - start + 1 for start, end in tree.errors)
    if not broken or (language in _MACROS and broken < _MOSTLY * (text.count("\n") + 1)):
        return ""
    return f"does not parse as {language} (line {tree.errors[0][0]}); what lies there was not judged"


def is_code(path: str) -> bool:
    """Whether a file in no language that is known looks like code by its name."""
    ending = _ending(path)
    return bool(ending) and ending.isalpha() and ending not in _NO_CODE


def _ending(path: str) -> str:
    name = posixpath.basename(path).lower()
    return name.rpartition(".")[2] if "." in name[1:] else ""
