"""The table [team]: the PostgreSQL database that a team shares, and which projects are copied into it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from leeboard.model.text import in_short, lazy

TEAM_KEYS = ("url", "projects")
URL_START = "^postgres(?:ql)?://"
NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$"
"""What a project may be called in the team's database."""
_NAME, _URL = lazy(NAME), lazy(URL_START)
_PASSWORD = lazy(r"(?i)^[^/]*//[^/@]*:[^@]*@|[?&]password=")


class TeamSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Copies go there in the background, and nothing waits for it."""

    url: str
    """As PostgreSQL's own programs take it, without a password: that stands in `~/.pgpass`."""
    projects: dict[str, str] = {}
    """The name of each project that is copied, and its folder; `~` is the user's home."""


def team_of(table: Mapping[str, object]) -> tuple[TeamSettings | None, tuple[tuple[str, str], ...]]:
    """The settings, None where the table names no database; and each key that is at fault, with what it should be."""
    faults = dict(_faults(table))
    if "url" not in table:
        faults["url"] = "is needed, else nothing is copied"
    if "url" in faults:
        return None, tuple(faults.items())
    listed = table.get("projects", {})
    projects = {
        name: place
        for name, place in (listed.items() if isinstance(listed, dict) else ())
        if f"projects.{name}" not in faults
    }
    return TeamSettings(url=str(table["url"]), projects=projects), tuple(faults.items())


def _faults(table: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    url = table.get("url", "postgresql://")
    if not isinstance(url, str) or not _URL.match(url):
        yield "url", f"must be an address that begins with postgresql://, not {in_short(url)}"
    elif _PASSWORD.search(url):
        yield "url", "must not hold a password: put it into ~/.pgpass, which PostgreSQL reads by itself"
    projects = table.get("projects", {})
    if not isinstance(projects, dict):
        yield "projects", f"must be a table of names and folders, not {in_short(projects)}"
        return
    for name, place in projects.items():
        if not _NAME.match(name):
            yield f"projects.{name}", "is no name: letters, digits, dots, dashes and underscores, at most 100"
        elif not isinstance(place, str) or not place.startswith(("/", "~")):
            yield f"projects.{name}", f"must be a whole path or one below ~/, not {in_short(place)}"
