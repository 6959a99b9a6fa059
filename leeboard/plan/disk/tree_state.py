"""A name for what a work tree holds, the plan's own files aside: two looks with one name saw the same tree.

Committing what lies there changes nothing. Git itself names the tree, from a copy of its index and with a place of its
own for objects, so that nothing is left in the repository.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from hashlib import file_digest, sha256
from posixpath import exists, join

import msgspec

from leeboard.io.file import open_regular
from leeboard.io.git.place import find
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.layout import HOME
from leeboard.plan.disk.repository import Repository
from leeboard.plan.disk.trusted import settings_text
from leeboard.plan.files.files import parse_settings
from leeboard.plan.surface import IGNORED, tops, tracked
from leeboard.text.language import folders_with
from leeboard.truth.digests.cache import cache_place
from leeboard.truth.digests.scan import scan
from leeboard.truth.digests.tree import Tops

MOST_FILES = 20_000
UNSEEN = folders_with("outside-plan") | {HOME}


class TreeState(msgspec.Struct, frozen=True, kw_only=True):
    digest: str
    tracked: str
    """The digest of what git keeps, without the files it does not know: running a test may leave some."""


def state_of(root: str, *, git: bool) -> TreeState:
    """Without git it goes by sizes and times of modification."""
    if not git:
        return TreeState(digest=_digest(_walked(root)), tracked="")
    repository = Repository(find(root))
    changed = repository.run("status", "--porcelain", "-z", "--no-renames", "--untracked-files=normal").split(b"\0")
    if repository.head and not any(_counts(record) for record in changed):
        digest = _named(repository, "HEAD")
        return TreeState(digest=digest, tracked=digest)
    with tempfile.TemporaryDirectory() as folder:
        return _aside(repository, folder)


def kept_state(root: str) -> str:
    """A name for what git keeps of a work tree, with its changes, and without the files it does not know."""
    return state_of(root, git=True).tracked


def content_name(files: Iterable[tuple[str, str]]) -> str:
    """A name for what these files hold, each given as what it is called and where it lies; one that is gone counts."""
    return _digest(part for name, place in files for part in (os.fsencode(name), *_content(place)))[:16]


def _content(place: str) -> Iterable[bytes]:
    try:
        found = os.lstat(place)
        if stat.S_ISLNK(found.st_mode):
            return (b"link", os.fsencode(os.readlink(place)))  # noqa: PTH115 - as below
        if not stat.S_ISREG(found.st_mode):
            return (b"other",)
        with open(open_regular(place), "rb") as file:  # noqa: PTH123 - a descriptor, not a path
            return (b"runs" if found.st_mode & 0o100 else b"file", file_digest(file, "sha256").digest())
    except OSError:
        return (b"gone",)


def _counts(record: bytes) -> bool:
    return len(record) > 3 and record[3:].split(b"/")[0] != HOME.encode()


def _aside(repository: Repository, folder: str) -> TreeState:
    """As git would commit it: first what it knows, then everything."""
    objects = join(folder, "objects")
    os.mkdir(objects)  # noqa: PTH102 - pathlib costs the hook process its import
    settings = {
        "GIT_INDEX_FILE": join(folder, "index"),
        "GIT_OBJECT_DIRECTORY": objects,
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": os.path.abspath(join(repository.place.shared, "objects")),  # noqa: PTH100 - as above
    }
    index = join(repository.place.folder, "index")
    if exists(index):
        # With its time: a file that was changed in the very moment the index was written is looked into by that alone.
        shutil.copy2(index, settings["GIT_INDEX_FILE"])
    found = []
    for which in ("--update", "--all"):
        repository.run("add", which, "--ignore-errors", settings=settings)
        tree = repository.run("write-tree", settings=settings).decode("ascii").strip()
        found.append(_named(repository, tree, settings))
    return TreeState(digest=found[1], tracked=found[0])


def _named(repository: Repository, tree: str, settings: dict[str, str] | None = None) -> str:
    top = repository.run("ls-tree", "-z", "--full-tree", tree, settings=settings)
    return _digest(line for line in top.split(b"\0") if line and not line.endswith(f"\t{HOME}".encode()))


def _walked(root: str) -> Iterable[bytes]:
    for place in files_below(root):
        try:
            found = os.lstat(place)
        except OSError:
            continue
        yield f"{place}\0{found.st_size} {found.st_mtime_ns}".encode("utf-8", "surrogateescape")


def files_below(top: str) -> Iterator[str]:
    """In an order that stays the same, without what tools leave behind, and not without end."""
    seen = 0
    for folder, folders, files in os.walk(top):
        folders[:] = sorted(name for name in folders if name not in UNSEEN)
        for name in sorted(files):
            seen += 1
            if seen > MOST_FILES:
                return
            yield join(folder, name)


def _digest(parts: Iterable[bytes]) -> str:
    digest = sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()


# A name for the tracked files of an intent in one work tree: two looks with one name saw the same files.
#
# The work of many a stage lies there: an approval counts for it, and so does the result of a quality gate.


def surface_state(folder: PlanFolder, slug: str, stages: Sequence[str], *, knowledge: bool = True) -> str:
    """With the memory of the scans that look for drift: they leave out the same names. Without `knowledge` that of the
    intent is left out, which grows with each word of a person.
    """
    wanted = tops(stages) if knowledge else tops(stages)[1:]
    below, ignore = folder.spelled(layout.intent_folder(slug)), _ignored(folder)
    names = tuple(glob.rstrip("/") for glob in ignore if "/" not in glob.rstrip("/"))
    found = scan(Tops(names=wanted, below=below, ignore=(*IGNORED, *names)), cache_place(below))
    if len(names) == len(ignore):
        return found.fingerprint(*wanted)
    # What is ignored by its path was looked at too: it has to be left out file by file.
    seen = ((place, sha) for place, sha in found.shas(*wanted).items() if tracked(place, stages, ignore) is not None)
    return repr(sorted(seen))


def _ignored(folder: PlanFolder) -> tuple[str, ...]:
    globs = parse_settings(settings_text(folder)).values.get("drift_ignore")
    return tuple(each for each in globs if isinstance(each, str)) if isinstance(globs, list) else ()
