"""The table [team]: the PostgreSQL database that a team shares, and which projects are copied into it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from leeboard.model.text import in_short, lazy

TEAM_KEYS = ("url", "projects", "policy_keys")
POLICY_KEY = r"^(?:ssh-ed25519|sk-ssh-ed25519@openssh\.com) [A-Za-z0-9+/]{60,400}={0,2}(?: [^\n\"]{0,200})?$"
"""A public key as `ssh-keygen` writes it into a .pub file, of the one kind that is taken."""
URL_START = "^postgres(?:ql)?://"
NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$"
"""What a project may be called in the team's database."""
_NAME, _URL, _KEY = lazy(NAME), lazy(URL_START), lazy(POLICY_KEY)
_PASSWORD = lazy(r"(?i)^[^/]*//[^/@]*:[^@]*@|[?&]password=")


class TeamSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Copies go there in the background, and nothing waits for it."""

    url: str
    """As PostgreSQL's own programs take it, without a password: that stands in `~/.pgpass`."""
    projects: dict[str, str] = {}
    """The name of each project that is copied, and its folder; `~` is the user's home."""
    policy_keys: tuple[str, ...] = ()
    """Public keys whose signature makes a policy the team's; without any, none is taken."""


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
    given = table.get("policy_keys", [])
    keys = tuple(given) if isinstance(given, list) and "policy_keys" not in faults else ()
    return TeamSettings(url=str(table["url"]), projects=projects, policy_keys=keys), tuple(faults.items())


def _faults(table: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    url = table.get("url", "postgresql://")
    if not isinstance(url, str) or not _URL.match(url):
        yield "url", f"must be an address that begins with postgresql://, not {in_short(url)}"
    elif _PASSWORD.search(url):
        yield "url", "must not hold a password: put it into ~/.pgpass, which PostgreSQL reads by itself"
    keys = table.get("policy_keys", [])
    if not isinstance(keys, list) or not all(isinstance(key, str) and _KEY.match(key) for key in keys):
        yield "policy_keys", "must be a list of Ed25519 public keys, each as a .pub file has it: ssh-ed25519 AAAA..."
    projects = table.get("projects", {})
    if not isinstance(projects, dict):
        yield "projects", f"must be a table of names and folders, not {in_short(projects)}"
        return
    for name, place in projects.items():
        if not _NAME.match(name):
            yield f"projects.{name}", "is no name: letters, digits, dots, dashes and underscores, at most 100"
        elif not isinstance(place, str) or not place.startswith(("/", "~")):
            yield f"projects.{name}", f"must be a whole path or one below ~/, not {in_short(place)}"
