"""`baseline-content/{sha256}`: acknowledged texts, to compare with. Of text that is short, and in which no secret is.

A snapshot is named by its digest and checked when it is read, so a torn one is as good as none.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterable
from difflib import unified_diff
from hashlib import sha256
from itertools import islice

from leeboard.errors import LeeboardError
from leeboard.io.clock import monotonic
from leeboard.model.truth import BaselineEntry
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.truth import places
from leeboard.plan.disk.truth.one_file import text_of
from leeboard.plan.surface import alias, unspelled
from leeboard.secrets.redaction import redact

LONGEST = 256 << 10
"""Bytes of a text that is kept or compared."""
_MOST_FILES, _MOST_SECONDS = 5000, 2.0
"""Of one baseline: a mass of files is acknowledged without a copy of each."""


def keep(folder: PlanFolder, slug: str, scope: str, entries: Iterable[BaselineEntry]) -> None:
    """The texts of these entries, as far as they lie on the disk like that now."""
    until = monotonic() + _MOST_SECONDS
    known = set(folder.names(_place(slug, scope)))
    wanted = (entry for entry in entries if not entry.is_binary and 0 < entry.bytes <= LONGEST)
    for count, entry in enumerate(each for each in wanted if each.sha256 not in known):
        if count >= _MOST_FILES or monotonic() > until:
            return
        text = _text(folder, slug, entry.path, entry.sha256)
        if text is not None and not _has_secret(text, entry.path):
            _write(folder, _place(slug, scope), entry.sha256, text.encode())
            known.add(entry.sha256)


def kept(folder: PlanFolder, slug: str, scope: str, sha: str) -> str | None:
    """The text with this digest; None where there is none."""
    try:
        data = folder.read(f"{_place(slug, scope)}/{sha}", LONGEST)
    except LeeboardError:
        return None
    if data is None or sha256(data).hexdigest() != sha:
        return None
    return data.decode("utf-8", "replace")


def prune(folder: PlanFolder, slug: str, scope: str, named: Collection[str]) -> None:
    """Take away what no entry names any more."""
    place = _place(slug, scope)
    gone = [name for name in folder.names(place) if name not in named]
    if gone:
        with contextlib.suppress(OSError), folder.opened(place) as inside:
            for name in gone:
                os.unlink(name, dir_fd=inside)


def _text(folder: PlanFolder, slug: str, path: str, sha: str) -> str | None:
    """A canonical path may really lie under the other name of the folder."""
    for place in dict.fromkeys((unspelled(path), alias(unspelled(path)))):
        text = text_of(folder, places.below(slug, place), sha, LONGEST)
        if text is not None:
            return text
    return None


def _has_secret(text: str, path: str) -> bool:
    from leeboard.secrets.find import find_secrets  # noqa: PLC0415 - only where something is kept

    return bool(find_secrets(text, path))


def _write(folder: PlanFolder, place: str, name: str, data: bytes) -> None:
    """Not flushed to the disk: what is torn is found out by its digest, and there may be thousands."""
    spare = f".{name}.tmp"
    with contextlib.suppress(OSError), folder.opened(place, make=True) as inside:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
        file = os.open(spare, flags, 0o644, dir_fd=inside)
        with open(file, "wb") as opened:  # noqa: PTH123 - a descriptor, not a path
            opened.write(data)
        os.replace(spare, name, src_dir_fd=inside, dst_dir_fd=inside)


def _place(slug: str, scope: str) -> str:
    return places.below(slug, places.content_folder(scope))


# What changed in a text, as people read it: bounded, and without any secret.


MOST_LINES, MOST_CHARACTERS = 200, 64 << 10
_LONGEST_LINE = 1000
_MOST_PAIRS = 200_000
"""Of lines that are compared with each other; above it the old text is shown as replaced by the new one."""


def unified(before: str, after: str, path: str) -> str:
    """Of two texts; `before` is empty for a new file."""
    old, new = before.splitlines(), after.splitlines()
    start, end = _common(old, new)
    if (len(old) - start - end) * (len(new) - start - end) > _MOST_PAIRS:
        lines = _replaced(old, new, start, end)
    else:
        lines = list(islice(unified_diff(old, new, f"a/{path}", f"b/{path}", lineterm=""), MOST_LINES + 1))
    shown = [line[:_LONGEST_LINE] for line in lines[:MOST_LINES]]
    if len(lines) > MOST_LINES:
        shown.append(f"[cut after {MOST_LINES} lines: read the file]")
    return redact("\n".join(shown) + "\n")[:MOST_CHARACTERS]


def _common(old: list[str], new: list[str]) -> tuple[int, int]:
    """Lines that are the same at the beginning, and at the end."""
    most = min(len(old), len(new))
    start = next((at for at in range(most) if old[at] != new[at]), most)
    end = next((at for at in range(most - start) if old[-1 - at] != new[-1 - at]), most - start)
    return start, end


def _replaced(old: list[str], new: list[str], start: int, end: int) -> list[str]:
    gone, come = old[start : len(old) - end], new[start : len(new) - end]
    head = f"@@ -{start + 1},{len(gone)} +{start + 1},{len(come)} @@ [replaced as a whole]"
    each = MOST_LINES // 2
    return [head, *(f"-{line}" for line in gone[:each]), *(f"+{line}" for line in come[: each + 1])]
