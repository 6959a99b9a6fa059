"""What the submodules of a work tree name as programs, for who has git look inside of them.

Git hands our settings on to the process that looks into a submodule, but a submodule has a configuration of its own. In
most work trees there is none, which is seen in the bytes of the index.
"""

from __future__ import annotations

import os
from posixpath import join, lexists

from leeboard.errors import EffectError
from leeboard.io import child
from leeboard.io._git_folder import folder_of
from leeboard.io._git_settings import Settings, environment, named_programs, started
from leeboard.io.child import Bounds
from leeboard.io.opened import read_regular

SECONDS = 10.0
DEEPEST = 5
MOST_INDEX = 256 << 20
_MODE = b"\x00\x00\xe0\x00"
"""Of an entry that is a submodule. The bytes may mean something else; then there is a question for nothing."""
_LISTED = b"160000 "


def programs_inside(root: str, depth: int = 0) -> Settings:
    """What overrules them. EffectError where they can not be told: git is not to look inside then."""
    if not _may_have(root):
        return ()
    if depth == DEEPEST:
        raise EffectError(f"{root} has submodules in submodules deeper than {DEEPEST}. Name a folder further inside.")
    found: list[tuple[str, str]] = []
    for path in _submodules(root):
        if lexists(join(path, ".git")):
            try:
                found += named_programs(path, environment(path))
            except OSError as error:
                raise EffectError(f"the settings of the submodule {path} can not be read: {error}") from error
            found += programs_inside(path, depth + 1)
    return tuple(found)


def _may_have(root: str) -> bool:
    folder = folder_of(root)
    try:
        index = read_regular(join(folder, "index"), MOST_INDEX) if folder else b""
    except FileNotFoundError:
        return False
    except OSError:
        return True
    # An index in two parts has the name of the other one behind its entries; as a word of a path it asks for nothing.
    return _MODE in index or b"link" in index


def _submodules(root: str) -> list[str]:
    try:
        ran = child.run(*started(root, ("ls-files", "-s", "-z")), Bounds(SECONDS))
    except (OSError, ValueError) as error:
        raise EffectError(f"git can not be asked in {root}: {error}") from error
    if ran.code != 0:
        words = ran.err.decode("utf-8", "replace").strip()
        raise EffectError(f"git ls-files failed in {root}: {words or 'it did not end in time'}")
    entries = (entry.partition(b"\t")[2] for entry in ran.out.split(b"\0") if entry.startswith(_LISTED))
    return [join(root, os.fsdecode(path)) for path in dict.fromkeys(entries)]
