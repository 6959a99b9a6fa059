"""Files of a plan that git does not see because a line such as `build/` was meant for something else.

Stages are called what people call them, and folders of the plan `artifacts` or `outputs`: a line of a `.gitignore` that
means the output of a build fits those names too. Such files are taken in all the same. What a line of the plan's own
hides stays hidden, and so does what would be hidden in a stage of any other name: logs, caches, secrets, and whatever
is of this machine alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from posixpath import basename, dirname

from leeboard.io.plan import layout
from leeboard.io.plan.repository import GitRefusedError, Repository, names_in

_LISTED = ("ls-files", "--others", "--ignored", "--exclude-standard", "-z", "--")
_ASKED = ("check-ignore", "--no-index", "--verbose", "-z", "--stdin")
_AS_GIVEN = {"GIT_LITERAL_PATHSPECS": "0"}
"""This command knows no literal ones; it takes names as they are, and ours begin with a dot."""
_ANY_NAME = "0-any-name"
_FOLDERS = frozenset({"artifacts", "outputs", "knowledge", "discovery", "units", "feedback", "features"})
"""The plan gives them these names."""
INTENTS, STUDIOS = f"{layout.HOME}/intents", f"{layout.HOME}/studios"


def hidden(repository: Repository, below: str, at: str = "") -> tuple[str, ...]:
    """Files that git neither knows nor wants to see. `at` is another work tree to look in."""
    return names_in(repository.run(*_LISTED, below, at=at))


def swallowed(repository: Repository, names: Iterable[str], at: str = "") -> tuple[str, ...]:
    """Those of them that are hidden by mistake. Repositories inside are never taken, nor what has rules of its own."""
    found = [name for name in names if not name.endswith("/") and not layout.is_transient(name)]
    ruled = tuple(f"{dirname(name)}/" for name in found if basename(name) == ".gitignore")
    found = [name for name in found if not name.startswith(ruled or ("\0",))]
    meant = _rules(repository, found, at)
    anyway = _rules(repository, dict.fromkeys(map(_elsewhere, found)), at)
    return tuple(name for name in found if layout.HOME not in meant.get(name, "") and _elsewhere(name) not in anyway)


def take(repository: Repository, names: Iterable[str], at: str = "", settings: Mapping[str, str] | None = None) -> None:
    """Into the index, whatever git was told of them. A file that can not be read is left out."""
    found = tuple(names)
    if not found:
        return
    given = _bytes("".join(f"{name}\0" for name in found))
    try:
        repository.run("update-index", "--add", "--remove", "-z", "--stdin", at=at, given=given, settings=settings)
    except GitRefusedError as error:
        if ".lock'" in error.words:
            raise
        for name in found if len(found) > 1 else ():
            take(repository, (name,), at, settings)


def _rules(repository: Repository, names: Iterable[str], at: str) -> dict[str, str]:
    """Name to the line that hides it."""
    given = "".join(f"{name}\0" for name in names)
    if not given:
        return {}
    try:
        printed = repository.run(*_ASKED, at=at, given=_bytes(given), settings=_AS_GIVEN)
    except GitRefusedError as error:
        if error.code == 1:  # none of them is hidden
            return {}
        raise
    fields = printed.decode("utf-8", "surrogateescape").split("\0")
    quads = zip(fields[2::4], fields[3::4], strict=False)
    return {name: rule for rule, name in quads if not rule.startswith("!")}


def _elsewhere(name: str) -> str:
    """What it would be called in a stage, and a folder, of no particular name."""
    parts = name.split("/")
    if len(parts) > 5 and parts[3] == "stages":
        parts[4] = _ANY_NAME
        if len(parts) > 6 and parts[5] in _FOLDERS:
            parts[5] = _ANY_NAME
    elif len(parts) > 4 and parts[3] in _FOLDERS:
        parts[3] = _ANY_NAME
    return "/".join(parts)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
