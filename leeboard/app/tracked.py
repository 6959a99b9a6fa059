"""The tracked surface of a project: what others did to it since it was last acknowledged.

It is acknowledged as it is when it is first looked at, and from then on by people alone (`leeboard drift accept`). What
an agent wrote itself is nothing to be told to agents; people see it in `leeboard drift status`. What somebody else did
before that is not covered up by it: who has not heard of the file yet is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from time import monotonic

import msgspec

from leeboard.errors import LeeboardError
from leeboard.io import clock
from leeboard.io.git.ask import committed
from leeboard.io.git.place import head_of
from leeboard.io.git.tree_files import DiskFiles
from leeboard.io.places import secret_key
from leeboard.model.known import Cause
from leeboard.model.text import matches
from leeboard.model.truth import ABSENT, AcknowledgedBy, Baseline, TrackedChange, TrackedFile
from leeboard.secrets.redaction import has_shape, redact_shaped
from leeboard.store.sqlite import SqliteStore
from leeboard.text.language import folders_with
from leeboard.text.words import element, on_one_line
from leeboard.truth.cause import UNKNOWN
from leeboard.truth.digests.cache import cache_place
from leeboard.truth.digests.scan import scan
from leeboard.truth.digests.tree import Digest, Tops
from leeboard.truth.state import state_of

HOOK_SECONDS = 0.5
"""How long a hook looks at the surface: what it does not reach is told at another time."""
MOST_NAMED = 8
MOST_LEFT_OUT = 200
"""Where more was not reached in time, the surface is large: it is established when the next looks have come further."""
MOST_AT_ONCE = 500
"""Changes a hook asks about who made them."""
MOST_WITH_LINES = 500
"""Files whose lines are remembered when so many are acknowledged at once: reading them takes its time."""
LARGEST_WITH_LINES = 256 << 10
_KINDS = {"new-file-detected": "new", "modified": "changed", "file-removed": "gone"}


class TrackedNews(msgspec.Struct, frozen=True, kw_only=True):
    """A change of the surface, and who made it."""

    change: TrackedChange
    author: Cause
    words: str
    """Who, in words."""
    is_over_other: bool = False
    """An agent wrote it after somebody else had changed it."""

    @property
    def kind(self) -> str:
        return _KINDS[self.change.kind]


class TrackedReport(msgspec.Struct, frozen=True, kw_only=True):
    told: tuple[TrackedNews, ...]
    files: int
    established: bool = False
    """It was looked at for the first time."""
    notes: tuple[str, ...] = ()


class Tracked:
    def __init__(self, root: str, patterns: tuple[str, ...], store: SqliteStore, key: bytes) -> None:
        self._root = root
        self._patterns = patterns
        self._store = store
        self._key = key
        self._files = DiskFiles(root)

    def look(self, budget: float | None = None, heard: Mapping[str, str] | None = None) -> TrackedReport:
        """What differs, without what was heard of. What the settings track for the first time is acknowledged as it is.

        With a budget (seconds) it may be a part only; the notes tell.
        """
        until = monotonic() + budget if budget is not None else None
        baseline = self._baseline()
        found = survey(self._root, self._patterns, baseline.files if baseline else (), budget)
        if baseline is None:
            if len(found.unreached) <= MOST_LEFT_OUT:
                self._establish(found, list(found.files))
            return TrackedReport(told=(), files=len(found.files), established=True, notes=found.notes)
        changes = changes_since(baseline, found)
        self._catch_up(baseline, found, {change.path for change in changes})
        changes = tuple(one for one in changes if not heard or heard.get(one.path) != one.sha256)
        told = tuple(self._all_told(changes, baseline, until))
        left = len(changes) - len(told)
        late = (f"not compared in time: {left} of the tracked files that differ",) if left else ()
        return TrackedReport(told=told, files=len(found.files), notes=(*found.notes, *late))

    def _catch_up(self, baseline: Baseline, found: Surveyed, known: set[str]) -> None:
        """What the settings name since then, and what could not be read then, is taken as it is."""
        waiting = unread_of(baseline)
        left = found.unread | found.unreached
        readable = frozenset(path for path in waiting if not is_within(path, left))
        fresh = [path for path in found.files if is_within(path, readable)] if readable else []
        if baseline.patterns != self._patterns:
            fresh += [path for path in found.files if path not in baseline.files and path not in known]
            self._establish(found, fresh, readable)
        elif readable:
            self._acknowledge(found, fresh, "established", [path for path in readable if path not in found.files])

    def _establish(self, found: Surveyed, paths: list[str], readable: frozenset[str] = frozenset()) -> None:
        self._acknowledge(found, paths, "established", [path for path in readable if path not in found.files])
        left = [path for path in found.unread | found.unreached if path not in found.files]
        rows = [TrackedFile(path=path, sha256="", size=0, is_binary=False) for path in left]
        self._store.acknowledge(self._root, self._patterns, rows)

    def _all_told(
        self, changes: tuple[TrackedChange, ...], baseline: Baseline, until: float | None
    ) -> Iterator[TrackedNews]:
        """As many as there is time for: each has to be read."""
        reached = changes if until is None else changes[:MOST_AT_ONCE]
        commits, outside = self._commits(reached, baseline), self._store.changed_outside(self._root)
        for change in reached:
            yield self._told(change, commits.get(change.path, ""), outside)
            if until is not None and monotonic() > until:
                return

    def tell(self, session: str, said: str = "") -> tuple[str, tuple[str, ...]]:
        """The words for an agent about what it has not heard of yet, and notes for the receipt.

        `said` is what it is told at this moment anyway.
        """
        heard = self._store.told_of_tracked(session)
        seen = self.look(HOOK_SECONDS, heard)
        others = [one for one in seen.told if one.author != "agent"]
        fresh = [*others, *(one for one in seen.told if one.is_over_other and one.change.path not in heard)]
        if fresh:
            self._store.keep_told_of_tracked(session, {one.change.path: one.change.sha256 for one in fresh})
            self._store.keep_changed_outside(self._root, [one.change.path for one in others])
        fresh = [one for one in fresh if f"\n{on_one_line(one.change.path)}: " not in said]
        if not fresh:
            return "", seen.notes
        lines = [f"{on_one_line(one.change.path)}: {one.kind}; by whom: {one.words}" for one in fresh[:MOST_NAMED]]
        more = [f"and {len(fresh) - MOST_NAMED} more"] if len(fresh) > MOST_NAMED else []
        opening = "Tracked files of this project that others than agents changed since they were last accepted:"
        body = "\n".join((opening, *lines, *more, "Read them before you rely on what you knew of them."))
        return element(body), seen.notes

    def accept(self, paths: tuple[str, ...] = ()) -> tuple[TrackedChange, ...]:
        """Acknowledge what differs, all of it or that of these paths; what was acknowledged."""
        baseline = self._baseline() or Baseline(patterns=self._patterns, files={})
        found = survey(self._root, self._patterns, baseline.files)
        changes = tuple(one for one in changes_since(baseline, found) if not paths or _is_named(one.path, paths))
        now = [one.path for one in changes if one.sha256 != ABSENT]
        gone = [one.path for one in changes if one.sha256 == ABSENT]
        if changes:
            self._acknowledge(found, now, "accepted", gone)
        return changes

    def knows(self, path: str) -> bool:
        """Whether this file, or one in this folder, was ever acknowledged and still is tracked."""
        baseline = self._baseline()
        return baseline is not None and any(_is_named(each, (path,)) for each in baseline.files)

    def _baseline(self) -> Baseline | None:
        """The baseline of what the settings name now. What they no longer name is not gone, it is nobody's matter."""
        found = self._store.baseline(self._root)
        if found is None or found.patterns == self._patterns:
            return found
        kept = {path: file for path, file in found.files.items() if matches(path, self._patterns) or not file.sha256}
        return Baseline(patterns=found.patterns, files=kept)

    def _acknowledge(
        self, found: Surveyed, paths: list[str], via: AcknowledgedBy, gone: list[str] | None = None
    ) -> None:
        with_lines = len(paths) <= MOST_WITH_LINES
        head, now = self._head(), clock.now()
        rows = [
            msgspec.structs.replace(
                self._row(path, found, with_lines=with_lines), head=head, acknowledged_at=now, acknowledged_via=via
            )
            for path in paths
        ]
        self._store.acknowledge(self._root, self._patterns, rows, gone or ())

    def _row(self, path: str, found: Surveyed, *, with_lines: bool) -> TrackedFile:
        digest = found.files[path]
        small = with_lines and self._key and not digest.is_binary and digest.bytes <= LARGEST_WITH_LINES
        text = self._files.text(path) if small else None
        state = state_of(text, self._key) if text is not None else None
        return TrackedFile(
            path=path,
            sha256=digest.sha256,
            size=digest.bytes,
            is_binary=digest.is_binary,
            lines=state.lines if state else b"",
            count=state.count if state else 0,
        )

    def _head(self) -> str:
        try:
            return head_of(self._root)
        except LeeboardError:
            return ""

    def _commits(self, changes: tuple[TrackedChange, ...], baseline: Baseline) -> dict[str, str]:
        there = tuple(change.path for change in changes if change.sha256 != ABSENT)
        since = min((file.acknowledged_at for file in baseline.files.values()), default=0.0)
        return committed(self._root, there, since) if there else {}

    def _told(self, change: TrackedChange, commit: str, outside: frozenset[str]) -> TrackedNews:
        writers = self._store.writers(self._root, change.path, self._digest(change)) if self._key else ()
        since = change.before.acknowledged_at if change.before else 0.0
        own = next((one for one in writers if one.time >= since), None)
        if own is not None:
            words, over = f"an agent of session {own.session[:8]}", change.path in outside
            words += ", after somebody else had changed it" if over else ""
            return TrackedNews(change=change, author="agent", words=words, is_over_other=over)
        if commit:
            return TrackedNews(change=change, author="git", words=f"git: it is as in commit {commit}")
        return TrackedNews(change=change, author="unknown", words=UNKNOWN)

    def _digest(self, change: TrackedChange) -> str:
        """As agents' knowledge of files has it."""
        text = self._files.text(change.path) if change.sha256 != ABSENT else None
        return state_of(text, self._key).digest if text is not None else ABSENT if change.sha256 == ABSENT else ""


def _is_named(path: str, names: tuple[str, ...]) -> bool:
    return any(path == name or path.startswith(f"{name.rstrip('/')}/") for name in names)


# The files of a tracked surface as they are now, found by globs and digested within a time limit.


NOT_LOOKED_INTO = (
    *(".DS_Store", "*~", ".#*", "*.swp", "*.swo", "4913"),
    *sorted(folders_with("untracked")),
)
"""Names of version control, editors and what programs make: at any depth below what a glob names outright."""


_MOST_UNREAD = 3
"""How many of them are named."""


class Surveyed(msgspec.Struct, frozen=True, kw_only=True):
    files: Mapping[str, Digest]
    """By path, relative to the root."""
    unsure: frozenset[str]
    """Paths that were not found though they may be there: unreadable, or not reached in time."""
    unread: frozenset[str] = frozenset()
    """Files, and folders with all that lies in them, that are there and could not be read."""
    unreached: frozenset[str] = frozenset()
    """The same, for want of time."""
    notes: tuple[str, ...] = ()


def survey(root: str, patterns: tuple[str, ...], known: Iterable[str] = (), budget: float | None = None) -> Surveyed:
    """`known` are paths that were there before: of them it is said whether they are really gone."""
    tops = Tops(names=tops_of(patterns), below=root, ignore=NOT_LOOKED_INTO)
    found = scan(tops, cache_place(f"tracked {root}"), budget=budget)
    files = {}
    for place in found.files:
        path = place.removeprefix("./")
        if matches(path, patterns):
            files[_kept_name(path)] = found.files[place]
    unsure = frozenset(path for path in known if path not in files and not _is_gone(found.knows, path, tops.names))
    unread = {path.removeprefix("./"): why for path, why in found.unread.items()}
    return Surveyed(
        files=files,
        unsure=unsure,
        unread=frozenset(map(_kept_name, unread)),
        unreached=frozenset(_kept_name(path.removeprefix("./")) for path in found.unseen),
        notes=tuple(map(redact_shaped, _notes(sorted(found.unseen), unread))),
    )


def _kept_name(path: str) -> str:
    """A file that is named after a key is known again by a keyed digest of its name: that it changed is still told."""
    if not has_shape(path):
        return path
    from leeboard.secrets.detection import keyed_digest  # noqa: PLC0415 - hardly anybody names a file like that

    return f"{redact_shaped(path)} ({keyed_digest(path, secret_key())})"


def _notes(unreached: list[str], unread: Mapping[str, str]) -> Iterator[str]:
    if unreached:
        more = f" and {len(unreached) - 1} more" if len(unreached) > 1 else ""
        yield f"not looked at in time: {unreached[0].removeprefix('./')}{more}"
    for path, why in sorted(unread.items())[:_MOST_UNREAD]:
        yield f"{path}: not compared: {why}"
    if len(unread) > _MOST_UNREAD:
        yield f"and {len(unread) - _MOST_UNREAD} more that could not be read"


def _is_gone(knows: Callable[[str], bool], path: str, tops: tuple[str, ...]) -> bool:
    return knows(f"./{path}" if tops == (".",) else path)


def tops_of(patterns: tuple[str, ...]) -> tuple[str, ...]:
    """The folders the globs can lead to, none within another."""
    fixed = {_fixed(pattern) for pattern in patterns if not pattern.startswith("!")}
    return tuple(sorted(top for top in fixed if not any(_is_below(top, other) for other in fixed)))


def _is_below(path: str, other: str) -> bool:
    return path != other and (other == "." or path.startswith(f"{other}/"))


def _fixed(pattern: str) -> str:
    """What stands before the first part with a special sign."""
    parts: list[str] = []
    for part in pattern.removeprefix("./").strip("/").split("/"):
        if any(sign in part for sign in "*?["):
            break
        parts.append(part)
    return "/".join(parts) or "."


def changes_since(baseline: Baseline, found: Surveyed) -> tuple[TrackedChange, ...]:
    """What differs, in the order of paths."""
    changes = [_now(path, digest, baseline.files.get(path)) for path, digest in _different(baseline, found)]
    gone = (file for path, file in baseline.files.items() if path not in found.files and path not in found.unsure)
    changes += [TrackedChange(path=file.path, before=file, sha256=ABSENT) for file in gone if file.sha256]
    return tuple(sorted(changes, key=lambda change: change.path))


def _different(baseline: Baseline, found: Surveyed) -> Iterable[tuple[str, Digest]]:
    waiting = unread_of(baseline)
    for path, digest in found.files.items():
        before = baseline.files.get(path)
        is_new = before is None and matches(path, baseline.patterns) and not is_within(path, waiting)
        if is_new or (before is not None and before.sha256 not in {"", digest.sha256}):
            yield path, digest


def unread_of(baseline: Baseline) -> frozenset[str]:
    """What could not be read when the rest was acknowledged."""
    return frozenset(path for path, file in baseline.files.items() if not file.sha256)


def is_within(path: str, places: frozenset[str]) -> bool:
    """Whether the path is one of them or lies in one."""
    while places and path:
        if path in places:
            return True
        path = path.rpartition("/")[0]
    return "." in places


def _now(path: str, digest: Digest, before: TrackedFile | None) -> TrackedChange:
    return TrackedChange(path=path, before=before, sha256=digest.sha256, size=digest.bytes, is_binary=digest.is_binary)
