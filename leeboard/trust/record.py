"""The trust record: what of a repository may act here. One file for each repository, in the user's state directory.

It is bound to the real path of what all work trees of the repository have in common, and read without the store. A
record that can not be read counts as no trust at all, and that is said. Nothing in a repository can lead here: a state
directory inside of one is no place for trust.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from posixpath import isfile, islink, join, lexists

import msgspec

from leeboard.errors import EffectError, LeeboardError
from leeboard.io import clock, system
from leeboard.io.file import file_lock, replace_file
from leeboard.io.places import make_private_dir, make_private_file, state_dir
from leeboard.io.system import realpath
from leeboard.trust.actor import Actor, TrustRecord, granted, revoked

PERSON, MADE_HERE = "person", "made here"
MOST_BYTES = 8 << 20
_READ = os.O_RDONLY | system.NOFOLLOW | system.NONBLOCK | system.CLOEXEC

Look = tuple[int, int, int]
_known: dict[str, tuple[Look, TrustRecord]] = {}
_KEPT = 64
_this_run: list[bool] = []


class TrustState(msgspec.Struct, frozen=True, kw_only=True):
    """What is trusted in a repository, and what kept its record from being read."""

    record: TrustRecord
    problem: str = ""


def digest_of(said: object) -> str:
    """SHA-256 of what is said, whatever the order of its keys."""
    from hashlib import sha256  # noqa: PLC0415 - loads OpenSSL, and most projects have nothing that acts

    return sha256(msgspec.json.encode(_plain(said), order="deterministic")).hexdigest()


def escaped(text: str) -> str:
    """On one line, redacted, with every character that a terminal could obey or hide spelled out."""
    from leeboard.secrets.redaction import redact  # noqa: PLC0415 - only where something acts

    told = redact(text)
    return told if told.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in told)


def repository_of(root: str) -> str:
    """The real path of what all work trees of a repository share; of the folder itself where there is none."""
    mark = join(root, ".git")
    if isfile(mark) or lexists(join(mark, "HEAD")):  # git itself is never asked
        from leeboard.io.git.place import find  # noqa: PLC0415 - only where something asks for trust

        with contextlib.suppress(LeeboardError, OSError, ValueError):
            return realpath(find(root).shared)
    return realpath(root)


def known(root: str) -> TrustState:
    """What was trusted in the repository around this work tree."""
    repository = repository_of(root)
    blank = TrustRecord(repository=repository)
    path = _file(repository)
    if _lies_within(path, root, repository):
        problem = f"{path} lies inside of the repository: nothing there can be trusted" if lexists(path) else ""
        return TrustState(record=blank, problem=problem)
    try:
        found = _read(path)
    except (OSError, ValueError, RecursionError) as error:
        said = error.strerror if isinstance(error, OSError) else "damaged"
        problem = f"the trust record {path} can not be read ({said}): nothing here is trusted"
        return TrustState(record=blank, problem=f"{problem}; `leeboard trust` asks again")
    if found is not None and found.repository != repository:
        return TrustState(
            record=blank, problem=f"the trust record {path} is of another repository: nothing here is trusted"
        )
    return TrustState(record=found or blank)


def trusts(root: str, part: str, digest: str) -> bool:
    """Whether this part, as it is now, may act in the repository around this work tree."""
    return in_whole_run() or known(root).record.trusts(part, digest)


def grant(root: str, actors: Iterable[Actor], by: str) -> None:
    """From now on these act, as they are now. EffectError where it can not be written down."""
    wanted = [actor for actor in actors if actor.digest]
    _change(root, lambda record: granted(record, wanted, by, clock.iso(clock.now())))


def revoke(root: str, parts: Iterable[str]) -> None:
    gone = tuple(parts)
    _change(root, lambda record: revoked(record, gone))


@contextlib.contextmanager
def whole_run() -> Iterator[None]:
    """For who says `--trust`: inside, everything is trusted, and nothing of it is written down."""
    _this_run.append(True)
    try:
        yield
    finally:
        _this_run.pop()


def in_whole_run() -> bool:
    return bool(_this_run)


def told_before(root: str, what: str) -> bool:
    """Whether this was said of the repository already; from now on it was. Where that can not be kept it is said."""
    path = f"{_file(repository_of(root)).removesuffix('.json')}.told"
    with contextlib.suppress(OSError, ValueError):
        if _bytes(path, MOST_BYTES).decode("utf-8", "replace") == what:
            return True
    with contextlib.suppress(OSError, LeeboardError):
        make_private_file(path)
        replace_file(path, what.encode())
    return False


def _change(root: str, change: Callable[[TrustRecord], TrustRecord]) -> None:
    """One at a time, so that of two processes at once neither loses what the other was told."""
    repository = repository_of(root)
    path = _file(repository)
    if _lies_within(path, root, repository):
        raise EffectError(f"{path} lies inside of the repository: set LEEBOARD_STATE_DIR to a folder of yours")
    try:
        make_private_dir(join(state_dir(), "trust"))
        with file_lock(f"{path}.lock"):
            made = change(known(root).record)
            if islink(path):
                os.unlink(path)  # noqa: PTH108 - pathlib costs the hook process its import
            make_private_file(path)
            replace_file(path, msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n")
    except OSError as error:
        raise EffectError(f"can not write the trust record {path}: {error}") from error


def repositories() -> tuple[str, ...]:
    """Every repository that something was trusted in, by this user; records that can not be read are left out."""
    folder, found = join(state_dir(), "trust"), list[str]()
    with contextlib.suppress(OSError):
        for name in sorted(os.listdir(folder)):  # noqa: PTH208 - pathlib costs the hook process its import
            if name.endswith(".json"):
                with contextlib.suppress(OSError, ValueError, RecursionError):
                    record = _read(join(folder, name))
                    found += [record.repository] if record is not None else []
    return tuple(found)


def _file(repository: str) -> str:
    from hashlib import sha256  # noqa: PLC0415 - as above

    name = sha256(repository.encode("utf-8", "surrogateescape")).hexdigest()[:32]
    return join(state_dir(), "trust", f"{name}.json")


def _lies_within(path: str, root: str, repository: str) -> bool:
    """Where a variable says so, which a repository may bring. A home that is itself under git is nobody else's."""
    if not os.environ.get("LEEBOARD_STATE_DIR") and not os.environ.get("XDG_STATE_HOME"):
        return False
    real = realpath(path)
    return any(real.startswith(f"{top.rstrip('/')}/") for top in (realpath(root), repository))


def _read(path: str) -> TrustRecord | None:
    """None where there is none. A resident reads it again only where it looks different."""
    try:
        seen = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    look = (seen.st_ino, seen.st_size, seen.st_mtime_ns)
    before = _known.get(path)
    if before is not None and before[0] == look:
        return before[1]
    data = _bytes(path, MOST_BYTES)
    if not data:
        return None  # somebody is about to write the first one
    record = msgspec.json.decode(data, type=TrustRecord)
    if record.version != 1:
        raise ValueError("of a version that is not known here")
    while len(_known) >= _KEPT:
        del _known[next(iter(_known))]
    _known[path] = (look, record)
    return record


def _bytes(path: str, most: int) -> bytes:
    file = os.open(path, _READ)
    try:
        seen = os.fstat(file)
        if not stat.S_ISREG(seen.st_mode) or seen.st_uid != system.user() or seen.st_size > most:
            raise ValueError("no ordinary file of this user")
        return os.read(file, seen.st_size)
    finally:
        os.close(file)


def _plain(said: object) -> object:
    return msgspec.to_builtins(said, str_keys=True)
