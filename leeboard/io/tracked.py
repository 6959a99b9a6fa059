"""The files of a tracked surface as they are now, found by globs and digested within a time limit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from leeboard.code.redaction import has_shape, redact_shaped
from leeboard.io.digests.cache import cache_place
from leeboard.io.digests.found import Digest
from leeboard.io.digests.scan import scan
from leeboard.io.digests.tops import Tops
from leeboard.io.secret_key import secret_key
from leeboard.model.folder import folders_with
from leeboard.model.glob import matches
from leeboard.model.tracked import Baseline, TrackedChange, TrackedFile
from leeboard.model.truth import ABSENT

NOT_LOOKED_INTO = (
    *(".DS_Store", "*~", ".#*", "*.swp", "*.swo", "4913"),
    *sorted(folders_with("untracked")),
)
"""Names of version control, editors and what programs make: at any depth below what a glob names outright."""


_MOST_UNREAD = 3
"""Of them are named."""


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
    from leeboard.code.secret.find import keyed_digest  # noqa: PLC0415 - hardly anybody names a file like that

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
