"""Area tags: what kind of work a word or a path stands for."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from functools import cache, lru_cache

import msgspec

from leeboard.data import load
from leeboard.model.pattern import lazy
from leeboard.text.names import split_words


class _Areas(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    vague: frozenset[str]
    """Words with another common meaning: they add an area to others, and make none by themselves."""
    manifests: frozenset[str]
    not_code: tuple[str, ...]
    words: dict[str, tuple[str, ...]]
    extensions: dict[str, tuple[str, ...]]


@cache
def _areas() -> _Areas:
    return load("speech/areas", _Areas)


@cache
def _by_word() -> dict[str, str]:
    return {word: area for area, words in _areas().words.items() for word in words}


@cache
def _by_extension() -> dict[str, str]:
    return {extension: area for area, extensions in _areas().extensions.items() for extension in extensions}


_UI_SUFFIXES = (".tsx", ".jsx", ".vue", ".svelte", ".astro", ".xaml", ".storyboard", ".html")
_TEST_NAME = lazy(
    r"(?:^|/)(?:__tests__|__mocks__|__snapshots__|e2e|testing|testdata|fixtures|cypress)/|(?:^|"
    r"[/_.\-])tests?(?:[_.\-/]|$)"
    r"|[a-z0-9]Tests?\.|(?:^|/)conftest\.py$"
)
_SPEC_NAME = lazy(r"(?:^|/)specs?/|[_.\-]specs?\.|(?:^|/)spec_|[a-z0-9]Spec\.")
SUPPORT = frozenset({"deps", "docs", "tests", "build", "i18n", "assets"})
"""Areas that any change may bring along: by themselves they are never a tangent."""
_KIND = {"style": "looks", "ui": "looks", "backend": "service", "data": "service"}
"""Areas that go together: what is styled is shown, what is served is stored."""


def areas_of_words(words: Iterable[str]) -> tuple[str, ...]:
    """Tags of the human's words, in the order they come."""
    by_word, vague = _by_word(), _areas().vague
    known = [word for word in words if word in by_word]
    return () if all(word in vague for word in known) else tuple(dict.fromkeys(by_word[word] for word in known))


@lru_cache(maxsize=4_096)
def areas_of_path(path: str) -> tuple[str, ...]:
    """Tags of a path: by name, extension and the words of its folders."""
    name = posixpath.basename(path).lower()
    found: dict[str, None] = {}
    if name in _areas().manifests:
        found["deps"] = None
    if is_test(path):
        found["tests"] = None
    extension = name.rpartition(".")[2]
    if extension in _by_extension():
        found[_by_extension()[extension]] = None
    if name.endswith(_UI_SUFFIXES):
        found["ui"] = None
    if path.startswith(".github/") or name in {"makefile", "dockerfile", ".gitlab-ci.yml", "jenkinsfile"}:
        found["build"] = None
    for word in split_words(path.rpartition(".")[0] or path):
        if word in _by_word():
            found[_by_word()[word]] = None
    return tuple(found)


def unrelated_area(path: str, areas: Iterable[str]) -> str:
    """The path's area when both sides are known and are different kinds of work; support work never is."""
    wanted = {_KIND.get(area, area) for area in areas if area not in SUPPORT}
    own = [area for area in areas_of_path(path) if area not in SUPPORT]
    if not wanted or not own or wanted & {_KIND.get(area, area) for area in own}:
        return ""
    return own[0]


@lru_cache(maxsize=4_096)
def is_test(path: str) -> bool:
    """Told by its name. `spec` also means a specification, which is no code."""
    if _TEST_NAME.search(path):
        return True
    return bool(_SPEC_NAME.search(path)) and not path.endswith(_areas().not_code)


def is_manifest(path: str) -> bool:
    """A file that names packages or pins them: any change may bring it along."""
    return posixpath.basename(path).lower() in _areas().manifests
