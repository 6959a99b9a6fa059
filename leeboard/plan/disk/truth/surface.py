"""The tracked surface of an intent as it lies on the disk, and the files that the truth is kept in: one scan of all.

Only what is asked for is made of it: a surface of 100,000 files that is as it was costs its scan and a fingerprint.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Collection, Iterable, Mapping
from difflib import unified_diff
from functools import cached_property
from hashlib import sha256
from itertools import islice
from posixpath import basename, dirname

from leeboard.errors import LeeboardError
from leeboard.io import system
from leeboard.io.clock import monotonic
from leeboard.model.truth import ABSENT, INTENT_SCOPE, BaselineEntry, SurfaceFile
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.trusted import settings_text
from leeboard.plan.files.files import PlanSettings, parse_settings
from leeboard.plan.surface import (
    ALIAS,
    IGNORED,
    KNOWLEDGE,
    STAGE_FOLDERS,
    alias,
    canonical,
    spelled,
    tracked,
    unspelled,
)
from leeboard.secrets.redaction import redact
from leeboard.truth.digests.cache import cache_place
from leeboard.truth.digests.scan import scan
from leeboard.truth.digests.tree import Digest, Scan, Tops
from leeboard.truth.digests.watch import Watch


class Surface:
    """Paths are canonical, and spelled for JSON."""

    def __init__(self, found: Scan, scopes: tuple[str, ...], ignore: tuple[str, ...], kept: Collection[str]) -> None:
        self._scan = found
        self._closer: Scan | None = None
        """A second scan, of single files that the time ran out before."""
        self._closer_tops: Collection[str] = ()
        self._stages = [scope for scope in scopes if scope != INTENT_SCOPE]
        self._ignore = ignore
        self._kept = kept
        self._shas: dict[str, dict[str, str]] = {}
        self._places: dict[str, str] = {}
        """Where a path really lies, when not where it says."""

    @property
    def size(self) -> int:
        return len(self._scan.files) - len(self.kept)

    @cached_property
    def kept(self) -> Mapping[str, str]:
        """Digests of the files that the truth is kept in; empty for what can not be read."""
        found = {path: sha for path, sha in self._scan.shas(*self._kept).items() if path in self._kept}
        return found | {path: "" for path in self._kept if path in self._scan.unread}

    @property
    def unread(self) -> dict[str, str]:
        found = self._scan.unread | (self._closer.unread if self._closer else {})
        return {spelled(place): why for place, why in found.items() if place not in self._kept}

    @property
    def unseen(self) -> tuple[str, ...]:
        """Files, and folders with all that lies in them, that the time ran out before."""
        looked_at = self._closer.files if self._closer else ()
        return tuple(
            sorted(spelled(each) for each in self._scan.unseen if each not in self._kept and each not in looked_at)
        )

    @property
    def ran_out(self) -> bool:
        return self._scan.ran_out

    def fingerprint(self, scope: str) -> str:
        """Equal for equal files; empty while not all of them were seen."""
        return self._scan.fingerprint(*_tops(scope))

    def shas(self, scope: str) -> dict[str, str]:
        """Path to digest of all files of a scope; those that the project ignores by their path are among them."""
        found = self._shas.get(scope)
        if found is None:
            found = {}
            for top in _tops(scope):
                key = self._keyed if top.endswith(f"/{ALIAS}") else _own_key
                seen = self._scan.shas(top) | self._seen_closer(top)
                found |= {key(place, found): sha for place, sha in seen.items()}
            self._shas[scope] = found
        return found

    def file(self, scope: str, path: str) -> SurfaceFile | None:
        """A tracked file as it lies there; None where the path is not tracked."""
        if path not in self.shas(scope):
            return None
        place = self._places.get(path) or path
        digest = self._scan.files.get(unspelled(place))
        if digest is None and self._closer is not None:
            digest = self._closer.files.get(unspelled(place))
        home = tracked(unspelled(place), self._stages, self._ignore)
        return None if digest is None or home is None else _file(path, place, digest, home)

    def files(self, scope: str) -> dict[str, SurfaceFile]:
        """The tracked files of a scope, by path."""
        found = ((path, self.file(scope, path)) for path in self.shas(scope))
        return {path: file for path, file in found if file is not None}

    def is_gone(self, path: str) -> bool:
        """Whether a tracked path without a file is really gone: nothing on the way was left out."""
        ways = {unspelled(path), alias(unspelled(path))}
        return all(map(self._knows, ways)) and tracked(unspelled(path), self._stages, self._ignore) is not None

    def look_closer(self, below: str, paths: Collection[str]) -> None:
        """At these files, however long it takes: somebody waits to hear of them."""
        ways = {way for path in paths for way in (unspelled(path), alias(unspelled(path)))}
        self._closer_tops = {way for way in ways if not _is_below(way.rpartition("/")[0], ways)}
        tops = Tops(names=tuple(sorted(self._closer_tops)), below=below)
        self._closer = scan(tops, cache_place(f"{below}\0shown"))
        self._shas.clear()

    def _seen_closer(self, top: str) -> dict[str, str]:
        if self._closer is None:
            return {}
        files = self._closer.files.items()
        return {place: digest.sha256 for place, digest in files if f"{place}/".startswith(f"{top}/")}

    def _knows(self, way: str) -> bool:
        if self._closer is None or self._scan.knows(way):
            return self._scan.knows(way)
        return _is_below(way, self._closer_tops) and self._closer.knows(way)

    def _keyed(self, place: str, taken: Mapping[str, str]) -> str:
        """The canonical path; a second file of that name keeps its own."""
        own = spelled(place)
        path = spelled(canonical(place))
        key = own if path in taken else path
        if key != own:
            self._places[key] = own
        return key


def read_surface(
    folder: PlanFolder,
    slug: str,
    scopes: tuple[str, ...],
    ignore: tuple[str, ...] = (),
    kept: Collection[str] = (),
    seconds: float | None = None,
) -> Surface:
    """The files of these scopes, with the digests of those in `kept`. No link is followed.

    What could not be looked at in so many seconds is said to be so, and is neither changed nor gone.
    """
    below = folder.spelled(layout.intent_folder(slug))
    names = tuple(glob for glob in ignore if "/" not in glob.rstrip("/"))
    tops = Tops(
        names=(*(top for scope in scopes for top in _tops(scope)), *kept),
        below=below,
        ignore=(*IGNORED, *(name.rstrip("/") for name in names)),
    )
    found = scan(tops, cache_place(below), budget=seconds, watch=WATCHES.of(below) if kept else None)
    return Surface(found, scopes, ignore, kept)


def _is_below(path: str, folders: Collection[str]) -> bool:
    """Whether it is one of them, or lies in one."""
    while path and path not in folders:
        path = path.rpartition("/")[0]
    return bool(path)


def _tops(scope: str) -> tuple[str, ...]:
    """The canonical folder before its alias."""
    return tuple(f"stages/{scope}/{name}" for name in STAGE_FOLDERS) if scope else (KNOWLEDGE,)


def _own_key(place: str, _taken: Mapping[str, str]) -> str:
    return spelled(place)


def _file(path: str, place: str, digest: Digest, home: tuple[str | None, object]) -> SurfaceFile:
    return SurfaceFile(
        path=path,
        place=place,
        sha256=digest.sha256,
        bytes=digest.bytes,
        mtime_ns=digest.mtime_ns,
        is_binary=digest.is_binary,
        stage=home[0],
        tracking_class="knowledge" if home[1] == "knowledge" else "stage-output",
    )


# Watches on the surfaces of intents, in a process that lives on. In every other process there are none.


MOST = 8
"""Intents that are watched at once: the one that was asked for longest ago makes room."""


class Watches:
    def __init__(self) -> None:
        self._kept: dict[str, Watch] | None = None

    def begin(self) -> None:
        """This process lives on: from now on it is told what changes, and need not look at everything each time."""
        if self._kept is None:
            self._kept = {}

    def of(self, place: str) -> Watch | None:
        """For whoever holds the lock of the intent whose folder this is: a watch is for one at a time."""
        if self._kept is None:
            return None
        watch = self._kept.pop(place, None) or Watch(Tops(names=()))
        self._kept[place] = watch
        if len(self._kept) > MOST:
            self._kept.pop(next(iter(self._kept))).close()
        return watch

    def end(self) -> None:
        for watch in (self._kept or {}).values():
            watch.close()
        self._kept = None


WATCHES = Watches()


# `baseline-content/{sha256}`: acknowledged texts, to compare with. Of text that is short, and in which no secret is.
#
# A snapshot is named by its digest and checked when it is read, so a torn one is as good as none.


LONGEST = 256 << 10
"""Bytes of a text that is kept or compared."""
_MOST_FILES, _MOST_SECONDS = 5000, 2.0
"""The most that one baseline copies: a mass of files is acknowledged without a copy of each."""


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
        text = text_of(folder, layout.below(slug, place), sha, LONGEST)
        if text is not None:
            return text
    return None


def _has_secret(text: str, path: str) -> bool:
    from leeboard.secrets.redaction import find_secrets  # noqa: PLC0415 - only where something is kept

    return bool(find_secrets(text, path))


def _write(folder: PlanFolder, place: str, name: str, data: bytes) -> None:
    """Not flushed to the disk: what is torn is found out by its digest, and there may be thousands."""
    spare = f".{name}.tmp"
    with contextlib.suppress(OSError), folder.opened(place, make=True) as inside:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | system.NOFOLLOW | system.CLOEXEC
        file = os.open(spare, flags, 0o644, dir_fd=inside)
        with open(file, "wb") as opened:  # noqa: PTH123 - a descriptor, not a path
            opened.write(data)
        os.replace(spare, name, src_dir_fd=inside, dst_dir_fd=inside)


def _place(slug: str, scope: str) -> str:
    return layout.below(slug, layout.content_folder(scope))


# What changed in a text, as people read it: bounded, and without any secret.


MOST_LINES, MOST_CHARACTERS = 200, 64 << 10
_LONGEST_LINE = 1000
_MOST_PAIRS = 200_000
"""The most pairs of lines that are compared; above it the old text is shown as replaced by the new one."""


def unified(before: str, after: str, path: str) -> str:
    """The difference of two texts; `before` is empty for a new file."""
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


# What the project says of looking at tracked files.


MOST_BYTES = 1 << 30
"""The largest baseline or assessment that is read: of 100,000 files it has some forty million."""
IGNORE = "drift_ignore"
SECONDS = 30.0
"""That looking at the tracked files may take, where `drift_seconds` of the project's settings does not say."""


def drift_settings(folder: PlanFolder) -> PlanSettings:
    """The project's settings for tracked files. What can not be read switches nothing off."""
    text = settings_text(folder)
    return parse_settings(text) if text else PlanSettings()


def ignored_globs(found: PlanSettings) -> tuple[str, ...]:
    """Globs of files that the project does not want to hear of."""
    globs = found.values.get(IGNORE)
    return tuple(each for each in globs if isinstance(each, str)) if isinstance(globs, list) else ()


# One file of an intent as it is now: its digest and its text. No link is followed on the way or at the end.


_PIECE = 1 << 20
_READ = os.O_RDONLY | system.NOFOLLOW | system.NONBLOCK | system.CLOEXEC


def digest_of(folder: PlanFolder, path: str) -> str | None:
    """SHA-256 of what lies there, of a link's own text; `absent` for nothing, None for what can not be read."""
    try:
        with folder.opened(dirname(path)) as around:
            seen = os.stat(basename(path), dir_fd=around, follow_symlinks=False)
            if stat.S_ISLNK(seen.st_mode):
                return sha256(os.fsencode(os.readlink(basename(path), dir_fd=around))).hexdigest()
            if not stat.S_ISREG(seen.st_mode):
                return None
            file = os.open(basename(path), _READ, dir_fd=around)
    except (FileNotFoundError, NotADirectoryError):
        return ABSENT
    except (OSError, ValueError):
        return None
    return _hashed(file)


def _hashed(file: int) -> str | None:
    digest = sha256()
    try:
        while piece := os.read(file, _PIECE):
            digest.update(piece)
    except OSError:
        return None
    finally:
        os.close(file)
    return digest.hexdigest()


def text_of(folder: PlanFolder, path: str, sha: str, most: int) -> str | None:
    """The text whose digest this is; None for a link, what is too large, no UTF-8, or another content by now."""
    try:
        with folder.opened(dirname(path)) as around:
            file = os.open(basename(path), _READ, dir_fd=around)
        with open(file, "rb") as opened:  # noqa: PTH123 - a descriptor, not a path
            if not stat.S_ISREG(os.fstat(file).st_mode):
                return None
            data = opened.read(most + 1)
    except (OSError, ValueError):
        return None
    if len(data) > most or b"\0" in data or sha256(data).hexdigest() != sha:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None
