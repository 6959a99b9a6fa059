"""The pages of the documentation that lie beside the program, to be read without a network."""

from __future__ import annotations

import zlib
from pathlib import Path

import msgspec

import leeboard
from leeboard.errors import ConfigError
from leeboard.model.text import near_names

_PACKAGE = Path(leeboard.__file__).parent
_PACKED, _BESIDE = _PACKAGE / "docs.json.z", _PACKAGE.parent / "docs"
"""In an installed package the pages lie packed inside of it, in a checkout beside it."""


class Topic(msgspec.Struct, frozen=True, kw_only=True):
    kind: str = "topic"
    name: str
    """As it is asked for: `settings`, `commands/scan`, `rules/credential`."""
    title: str


class TopicPage(Topic, frozen=True, kw_only=True):
    page: str
    """Markdown."""


def topics() -> tuple[Topic, ...]:
    """All of them, general ones first."""
    return tuple(Topic(name=name, title=_title(name, page)) for name, page in _pages().items())


def topic_page(asked: str) -> TopicPage:
    """The page of that name; the folder may be left out. ConfigError, with the nearest names, where there is none."""
    pages = _pages()
    wanted = asked.strip().removesuffix(".md")
    ways = (wanted, f"commands/{wanted}", f"rules/{wanted}", f"{wanted}/README")
    named = [name for name in ways if name in pages]
    if not named:
        raise ConfigError(f"there is no topic {asked!r}; {_instead(wanted, tuple(pages))}")
    page = pages[named[0]]
    return TopicPage(name=named[0], title=_title(named[0], page), page=page)


def _instead(wanted: str, names: tuple[str, ...]) -> str:
    short = {name.rpartition("/")[2]: name for name in reversed(names)}
    near = near_names(wanted.rpartition("/")[2], short)
    alike = ", ".join(short[name] for name in near)
    return f"near it: {alike}" if near else "`leeboard docs` lists them"


def _pages() -> dict[str, str]:
    """Their texts by their names."""
    if _PACKED.is_file():
        found = _unpacked()
    elif _BESIDE.is_dir():
        pages = _BESIDE.rglob("*.md")
        found = {page.relative_to(_BESIDE).as_posix(): page.read_text(encoding="utf-8") for page in pages}
    else:
        raise ConfigError(f"the pages are not there: {_PACKED} is missing; install Leeboard again")
    ordered = sorted(found, key=lambda name: (name.count("/"), name))
    return {name.removesuffix(".md"): found[name] for name in ordered}


def _unpacked() -> dict[str, str]:
    try:
        return msgspec.json.decode(zlib.decompress(_PACKED.read_bytes()), type=dict[str, str])
    except (zlib.error, OSError, msgspec.MsgspecError) as error:
        raise ConfigError(f"the pages can not be read from {_PACKED}: {error}; install Leeboard again") from error


def _title(name: str, page: str) -> str:
    titles = (line.removeprefix("# ").strip() for line in page.splitlines() if line.startswith("# "))
    return next(titles, name.rpartition("/")[2])
