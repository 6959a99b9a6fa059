"""Which branch or commit a name means."""

from __future__ import annotations

from leeboard.errors import ConfigError
from leeboard.io.git.place import SECONDS, GitPlace
from leeboard.io.git.run import ask_one
from leeboard.model.text import lazy

_NAMED_REF = lazy(r"(?P<name>(?!-)(?:(?!@\{)[^\s~^:?*\[\\\x00-\x1f]){1,250})(?P<rest>(?:[~^]|@\{).{0,100})?")
_OF_GIT = lazy(r"(?:[A-Z]{1,20}_){0,3}HEAD")
"""`HEAD`, `FETCH_HEAD`: git's own, and no branch of that name."""
_ID = lazy(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_FORMAT = "--format=%(refname) %(objectname) %(symref)"


def meant_ref(place: GitPlace, wanted: str) -> str:
    """With the full name of the branch in it, where it names one. Git takes a tag of the same name first, and whoever
    sends a change may send a tag, or call its branch `origin/main`: neither is what it is to be compared with.
    """
    found = _NAMED_REF.fullmatch(wanted)
    if found is None or _ID.fullmatch(wanted) or _OF_GIT.fullmatch(found["name"]):
        return wanted
    name, rest = found["name"], found["rest"] or ""
    if name.startswith("refs/"):
        if name in {ref for ref, _commit, _target in refs_of(place, (name,))}:
            return wanted
        raise ValueError(f"there is no {name}")  # git would look for it among the tags
    branches = (f"refs/remotes/{name}", f"refs/remotes/{name}/HEAD", f"refs/heads/{name}")
    tag, copies = f"refs/tags/{name}", f"refs/remotes/*/{name}"
    there = [ref for ref, _commit, _target in refs_of(place, (*branches, tag, copies))]
    if branch := next((ref for ref in branches if ref in there), ""):
        return f"{branch}{rest}"
    others = [ref for ref in there if ref != tag and ref.split("/", 3)[-1] == name]
    if tag in there and others:
        raise ConfigError(f"{wanted!r} may be {' or '.join((tag, *others))}: name one of them in full.")
    return wanted


def refs_of(place: GitPlace, patterns: tuple[str, ...]) -> list[tuple[str, str, str]]:
    """Names, commits and, of those that point to another, its name; by name."""
    lines = ask_one(place.root, ("for-each-ref", _FORMAT, *patterns), SECONDS).splitlines()
    parts = (line.split(" ") for line in lines)
    return [(name, commit, target[0] if target else "") for name, commit, *target in parts]
