"""Which files a person means by a few paths: what git would keep, else whatever lies there."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

import msgspec

from leeboard.errors import EffectError
from leeboard.io.git import ask
from leeboard.io.git.folder import folder_of, text_of
from leeboard.io.git.place import find, is_own
from leeboard.io.git.run import run_one
from leeboard.io.places import project_root
from leeboard.text.language import folders_with

_NEVER = folders_with("unscanned")
_GIT_SECONDS = 60.0
_ALL_OF_IT = "What git ignores is scanned too, and all of it is judged as committed code."


class Target(msgspec.Struct, frozen=True):
    """One file to look at."""

    shown: str
    """As the person would write it."""
    root: str
    """The work tree it belongs to; outside of any the current folder, else the folder that was given."""
    name: str
    """Relative to the root: how rules and allowances know it."""


def find_targets(given: Iterable[str], *, ignored_too: bool = False) -> tuple[tuple[Target, ...], tuple[str, ...]]:
    """Files by their paths, each once, sorted; and the paths that lead nowhere."""
    found: dict[str, Target] = {}
    missing: list[str] = []
    for path in given:
        if not os.path.exists(path):  # noqa: PTH110 - names that are no valid text pass through, here and below
            missing.append(path)
        for target in _below(path, ignored_too=ignored_too):
            found.setdefault(os.path.join(target.root, target.name), target)  # noqa: PTH118 - as above
    return tuple(sorted(found.values(), key=lambda it: (it.shown, it.root))), tuple(missing)


def _below(path: str, *, ignored_too: bool) -> Iterator[Target]:
    if os.path.isfile(path):  # noqa: PTH113 - as above
        real = os.path.realpath(path)
        root = root_of(os.path.dirname(real))  # noqa: PTH120 - as above
        yield Target(os.path.normpath(path), root, os.path.relpath(real, root))
    elif os.path.isdir(path):  # noqa: PTH112 - as above
        folder = os.path.realpath(path)
        root = root_of(folder)
        # A folder that git ignores as a whole and a person names all the same is meant.
        names, closed = (None, True) if ignored_too else _kept_by_git(folder)
        for name in names or _walked(folder):
            place = os.path.join(folder, name)  # noqa: PTH118 - as above
            is_file = os.path.isfile(place) and not os.path.islink(place)  # noqa: PTH113, PTH114 - as above
            if is_file or (names and _is_another_tree(root, place)):
                shown = os.path.normpath(os.path.join(path, name))  # noqa: PTH118 - as above
                yield Target(shown, root, os.path.relpath(place, root))
        for place in _closed(folder) if closed or not names else ():
            shown = os.path.normpath(os.path.join(path, os.path.relpath(place, folder)))  # noqa: PTH118 - as above
            yield Target(shown, root, os.path.relpath(place, root))
    elif os.path.exists(path):  # noqa: PTH110 - as above
        root = root_of(os.path.dirname(os.path.realpath(path)))  # noqa: PTH120 - as above
        yield Target(os.path.normpath(path), root, os.path.relpath(path, root))


def _is_another_tree(root: str, place: str) -> bool:
    """A repository in this one, known to git or not, with something in it: told as not analysed. A second work tree of
    this one has branches of its own, and is scanned where it is named.
    """
    if os.path.islink(place) or not os.path.isdir(place) or not os.listdir(place):  # noqa: PTH112, PTH114, PTH208 - as above
        return False
    try:
        return not is_own(find(root), os.path.relpath(place, root))
    except EffectError:
        return True


def _closed(folder: str) -> Iterator[str]:
    """Folders that nobody may look into: each is told as not analysed, as a file would be."""
    failed: list[OSError] = []
    for _top, folders, _files in os.walk(folder, onerror=failed.append):
        folders[:] = sorted(name for name in folders if name not in _NEVER)
    yield from (os.fsdecode(one.filename) for one in failed if isinstance(one, PermissionError) and one.filename)


def root_of(folder: str) -> str:
    """What the names in a folder are relative to. Outside of git that is where the person stands, if the folder lies
    below: `tests/` says something of a file, and has to stay in its name.
    """
    tree = project_root(folder)
    if tree != folder or os.path.lexists(os.path.join(tree, ".git")):  # noqa: PTH118 - as above
        return tree
    here = os.path.realpath(os.getcwd())  # noqa: PTH109 - as above
    return here if folder.startswith(os.path.join(here, "")) else folder  # noqa: PTH118 - as above


def _kept_by_git(folder: str) -> tuple[list[str] | None, bool]:
    """Tracked files and new ones that are not ignored, None where git can not tell; and whether it complained, as of a
    folder that it could not open.
    """
    done = ask.ended(folder, ("ls-files", "-co", "--exclude-standard", "-z"), _GIT_SECONDS)
    if done is None or done.code != 0:
        return None, True
    return sorted({os.fsdecode(name) for name in done.out.split(b"\0") if name}), bool(done.err.strip())


def why_unlisted(root: str) -> str:
    """What is to be said of a work tree whose repository git does not read; empty where it does, or there is none."""
    if not os.path.lexists(os.path.join(root, ".git")):  # noqa: PTH118 - as above
        return ""
    folder = folder_of(root)
    if not folder or not text_of(os.path.join(folder, "HEAD")):  # noqa: PTH118 - as above
        # Git is not asked: where HEAD is a pipe, it would wait for ever.
        return f"{root}/.git can not be read as a repository. {_ALL_OF_IT}"
    try:
        run_one(root, ("ls-files", "-z", "--", ".git"), _GIT_SECONDS)  # reads the index, and finds nothing
    except EffectError as error:
        return f"{error} {_ALL_OF_IT}"
    return ""


def _walked(folder: str) -> Iterator[str]:
    """Links are not followed: what they lead to lies somewhere else, or is found there."""
    for top, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _NEVER)
        yield from (os.path.relpath(os.path.join(top, name), folder) for name in sorted(files))  # noqa: PTH118 - as above
