"""Whether folders are as they are remembered: the whole of a scan when nothing has changed.

A worker process runs this too, so nothing slow is imported.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

from leeboard.truth.digests.folder import Descent
from leeboard.truth.digests.identity import ROW, Sight

Known = tuple[bytes, bytes, bytes, bytes]
"""Path, identity, names and identities of the names: the first fields of a `folder.Folder`."""


def stale(descent: Descent, folders: Sequence[Known], sight: Sight, deadline: float) -> list[int]:
    """The numbers of those that are not as remembered, or were not looked at in time.

    Time is that of the monotonic clock, which is the same in every process.
    """
    found: list[int] = []
    for number, folder in enumerate(folders):
        if monotonic() > deadline or not _is_same(descent, folder, sight):
            found.append(number)
    return found


def _is_same(descent: Descent, folder: Known, sight: Sight) -> bool:
    path, identity, names, stats = folder
    if not identity:
        return False
    try:
        opened = descent.open(path)
        if ROW.pack(*sight.opened(opened)[0]) != identity:
            return False
    except OSError:
        return False
    return not names or sight.identities(opened, names.split(b"\0")) == stats
