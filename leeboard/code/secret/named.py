"""What a person orders to be exposed: "hardcode <key> in src/config.py" names the secret and the file, only those."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.code.secret.find import find_secrets
from leeboard.model.pattern import lazy

Exposure = tuple[str, tuple[str, ...]]
"""A secret as the person wrote it, and the paths it may stand in."""

_CLAUSE = lazy(r"(?<=[.!?;])\s+(?=[A-Z`\"'])|\n{2,}|(?<!:)\n|;\s|,?\s+(?:but|aber|mais|pero)\s+")
_ORDER = lazy(
    r"(?i)\b(?:hard-?coded?|put|write|add|set|use|paste|insert|store|save|place|include|embed|keep|commit|"
    r"leave|drop|stick|copy|"
    r"schreib\w*|setz\w*|trag\w*|mets|écris|escribe|pon)\b"
)
_DENIAL = lazy(
    r"(?i)\b(?:don'?t|do\s+not|never|not|no|without|avoid|instead\s+of|rather\s+than|stop|remove|delete|"
    r"nicht|kein\w*|niemals|nunca|jamais|ne)\b"
)
_PATH = lazy(
    r"(?<![\w:/@.])[\w.\-]{0,60}(?:/[\w.\-]{1,60}){0,10}\.[A-Za-z][A-Za-z0-9]{0,9}(?![\w/@])|"
    r"(?<![\w/.])(?:Dockerfile|Makefile|\.env(?:\.\w{1,20})?)(?!\w)"
)
_TOLD = lazy(
    r"""(?i)\b(?:password|passwd|pwd|token|secret|(?:api[ _\-]?)?key)\s{1,3}(?:to|as|is|=|"""
    r""":)\s{0,3}["'`]?(?P<value>[^\s"'`,;]{5,200})"""
)
_LEAST = 0.5


def exposures_named(prompt: str) -> tuple[Exposure, ...]:
    """Each secret the words hold in a clause that orders to put it into a file it names. A denial orders nothing."""
    found: dict[str, tuple[str, ...]] = {}
    for clause in _CLAUSE.split(prompt[:20_000]):
        if not clause or not _ORDER.search(clause) or _DENIAL.search(clause):
            continue
        secrets = dict.fromkeys(_secrets(clause))
        bare = clause
        for value in secrets:
            bare = bare.replace(value, " ")
        paths = tuple(dict.fromkeys(match.group().removeprefix("./") for match in _PATH.finditer(bare)))
        for value in secrets if paths else ():
            found[value] = tuple(dict.fromkeys((*found.get(value, ()), *paths)))
    return tuple(found.items())


def _secrets(clause: str) -> Iterator[str]:
    for secret in find_secrets(clause, "prompt.txt"):
        if secret.confidence > _LEAST and secret.note != "placeholder":
            yield secret.value
    for match in _TOLD.finditer(clause):
        value = match["value"].rstrip(".!?")
        if any(map(str.isdigit, value)) and "." not in value:
            yield value
