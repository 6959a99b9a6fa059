"""A package as a file names it, and when two names are the same package."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from leeboard.model.text import lazy

Reader = Callable[[str], Iterator["Package"]]
"""What a text declares. Raises `UnreadableManifest` where it is not what its name says."""

_SEPARATORS = lazy(r"[-_.]{1,200}")
_MAJOR = lazy(r"(?:/|\.)v\d{1,6}$")
_USER = lazy(r"://[^/\s]{0,400}@")
_ANY_CASE = {"nuget", "composer", "docker", "actions", "swift", "nix", "cargo", "hex"}


class UnreadableManifest(ValueError):  # noqa: N818 - says what the text is, as the reason in a finding
    """A text that can not be read as what its name says."""


class Package(msgspec.Struct, frozen=True):
    """One entry. `version` is as it is written, empty where nothing is said."""

    ecosystem: str
    name: str
    version: str = ""
    transitive: bool = False
    """Listed only because another package needs it."""

    @property
    def key(self) -> tuple[str, str]:
        """The same for each spelling of one package."""
        return self.ecosystem, _plain(self.ecosystem, self.name)


class Packages(msgspec.Struct, frozen=True, kw_only=True):
    """The packages that one manifest or lock file names."""

    entries: tuple[Package, ...] = ()
    locked: bool = False
    """A program wrote down what it chose; what was asked for stands in another file."""
    problem: str = ""
    """Why it could not be read; then nothing is known of its entries."""


def _plain(ecosystem: str, name: str) -> str:
    if ecosystem in {"pypi", "conda"}:
        return python_name(name)
    if ecosystem == "go":
        return _MAJOR.sub("", name)
    plain = name.lower() if ecosystem in _ANY_CASE else name
    return plain.replace("_", "-") if ecosystem == "cargo" else plain


def python_name(name: str) -> str:
    """As the Python packaging rules normalise it."""
    return _SEPARATORS.sub("-", name).lower()


def without_user(address: str) -> str:
    """An address without who asks: a password may stand there."""
    return _USER.sub("://", address, count=1)


def unquoted(text: str) -> str:
    """Without the quotes around it."""
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text
