"""Where secrets go that should stay: environment files handed to git, and keys that a person orders into a file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from leeboard.model.text import lazy
from leeboard.secrets.detection import is_real, keyed_digest
from leeboard.secrets.redaction import find_secrets
from leeboard.text.language import is_env_file, is_sample

if TYPE_CHECKING:
    from leeboard.model.lookup import Files
    from leeboard.model.workspace import Workspace


# Environment files: where secrets belong as long as git does not take them.


_STEP = lazy(r"&&|\|\||[;\n|]")
_WORD = lazy(r"""(?:[^\s"']|"[^"]{0,400}"|'[^']{0,400}'){1,400}""")
_GIT = lazy(
    r"(?:\A|\s)git(?:\s+-[cC]\s+\S+|\s+--?[\w\-]+(?:=\S+)?){0,4}\s+(?P<verb>add|commit|"
    r"stage)\b(?P<rest>[^\r\n]{0,4000})"
)
_ALL = frozenset({".", "-A", "--all", "*", ":/", "./"})
_FORCED = frozenset({"-f", "--force"})


def needs_ignoring(path: str, files: Files) -> bool:
    """Whether git would take it. A sample is meant to be taken; where nobody knows, nothing is said."""
    return is_env_file(path) and not is_sample(path) and files.ignored(path) is False


def committed_env_files(command: str, files: Files) -> Iterator[str]:
    """The environment files with secrets that this line hands to git: named, forced, or swept up with all the rest."""
    if ".env" not in command and "git" not in command:
        return
    for step in _STEP.split(command[:20_000]):
        match = _GIT.search(step)
        if match is None:
            continue
        words = [word.strip("\"'") for word in _WORD.findall(match["rest"])]
        forced = bool(_FORCED.intersection(words)) and match["verb"] != "commit"
        for path in _taken(words, files, sweeps=match["verb"] != "commit"):
            if (
                is_env_file(path)
                and not is_sample(path)
                and (forced or files.ignored(path) is not True)
                and _holds(path, files)
            ):
                yield path


def _taken(words: list[str], files: Files, *, sweeps: bool) -> Iterator[str]:
    yield from (word.removeprefix("./") for word in words if not word.startswith("-"))
    if sweeps and _ALL.intersection(words) and files.text(".env") is not None and files.ignored(".env") is False:
        yield ".env"


def _holds(path: str, files: Files) -> bool:
    """Where it can not be read it is taken to hold what such files are for."""
    text = files.text(path)
    return text is None or any(is_real(secret) for secret in find_secrets(text, path))


# Exposures the user's own words order: this secret into that file, and no other.


RULE = "credential"

_ORDER = lazy(r"\b(?:hard-?code|put|paste|write|add|insert|keep|commit|embed|inline|set|use|leave)\b", re.IGNORECASE)


def lifted_by(prompt: str, workspace: Workspace, key: bytes) -> tuple[str, ...]:
    """Fingerprints of the findings that are the user's own wish. Nothing of the secret can be told from them."""
    if not key or not _ORDER.search(prompt):
        return ()

    return tuple(
        f"{RULE}:{workspace.spell(path)}:{keyed_digest(value, key)}"
        for value, paths in exposures_named(prompt)
        for path in paths
    )


# What a person orders to be exposed: "hardcode <key> in src/config.py" names the secret and the file, only those.


Exposure = tuple[str, tuple[str, ...]]
"""A secret as the person wrote it, and the paths it may stand in."""

_CLAUSE = lazy(r"(?<=[.!?;])\s+(?=[A-Z`\"'])|\n{2,}|(?<!:)\n|;\s|,?\s+(?:but|aber|mais|pero)\s+")
_EXPOSURE_ORDER = lazy(
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
        if not clause or not _EXPOSURE_ORDER.search(clause) or _DENIAL.search(clause):
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
