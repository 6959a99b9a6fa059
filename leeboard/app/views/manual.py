"""The pages of the documentation that lie beside the program, to be read without a network."""

from __future__ import annotations

from pathlib import Path

import msgspec

import leeboard
from leeboard.errors import ConfigError
from leeboard.model.text import near_names

_PACKAGE = Path(leeboard.__file__).parent
_PLACES = (_PACKAGE / "docs", _PACKAGE.parent / "docs")
"""In an installed package the pages lie inside of it, in a checkout beside it."""


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
    return tuple(Topic(name=name, title=_title(page)) for name, page in _pages().items())


def topic_page(asked: str) -> TopicPage:
    """The page of that name; the folder may be left out. ConfigError, with the nearest names, where there is none."""
    pages = _pages()
    wanted = asked.strip().removesuffix(".md")
    named = [name for name in (wanted, f"commands/{wanted}", f"rules/{wanted}") if name in pages]
    if not named:
        raise ConfigError(f"there is no topic {asked!r}; {_instead(wanted, tuple(pages))}")
    page = pages[named[0]]
    return TopicPage(name=named[0], title=_title(page), page=page.read_text(encoding="utf-8"))


def _instead(wanted: str, names: tuple[str, ...]) -> str:
    short = {name.rpartition("/")[2]: name for name in reversed(names)}
    near = near_names(wanted.rpartition("/")[2], short)
    alike = ", ".join(short[name] for name in near)
    return f"near it: {alike}" if near else "`leeboard docs` lists them"


def _pages() -> dict[str, Path]:
    folder = next((place for place in _PLACES if place.is_dir()), None)
    if folder is None:
        raise ConfigError(f"the pages are not there: {_PLACES[0]} is missing; install Leeboard again")
    found = sorted(folder.rglob("*.md"), key=lambda page: (len(page.relative_to(folder).parts), page))
    return {page.relative_to(folder).with_suffix("").as_posix(): page for page in found}


def _title(page: Path) -> str:
    with page.open(encoding="utf-8") as lines:
        return next((line.removeprefix("# ").strip() for line in lines if line.startswith("# ")), page.stem)
