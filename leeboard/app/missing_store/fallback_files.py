"""Small files that have to be there when the store is not: in the state directory, else beside the resident's socket.

A full disk, a read-only one and a folder without permissions leave at least one of the two places, as a rule. Nothing
here waits for anybody, and nothing raises because of a disk: what can not be kept is not kept.
"""

from __future__ import annotations

import os
from posixpath import join

import msgspec

from leeboard.io import clock, places, system
from leeboard.model.contract import Allowance
from leeboard.model.session import SHAPE, Session
from leeboard.model.text import digest

LONGEST = 64 << 20
"""Bytes of one file that are read: a store that is away for hours leaves thousands of lines."""
_TRIES = 3
"""Whoever adds a line may meet who takes the file in this moment: the next one is a new file."""
LATE = "late.jsonl"
"""What was answered without the store."""
LEFT_SECONDS = 10.0
"""After this long nobody is at work any more on a file that was taken."""
_NEW = os.O_WRONLY | os.O_CREAT | system.CLOEXEC | system.NOFOLLOW
_READ = os.O_RDONLY | system.CLOEXEC | system.NOFOLLOW | system.NONBLOCK


def find(name: str) -> list[str]:
    """The files of that name, newest first."""
    paths = (f"{folder}/{name}" for folder in places.spare_dirs())
    found = [(seen, path) for path in paths if (seen := _changed(path))]
    return [path for _, path in sorted(found, reverse=True)]


def read(name: str) -> bytes:
    """The newest; empty where there is none."""
    return next((data for path in find(name) if (data := _content(path))), b"")


def write(name: str, data: bytes) -> bool:
    """Put it in its place, whole or not at all; False where nothing can be written anywhere."""
    return any(_written(path, data) for path in _places(name))


def append(name: str, line: bytes) -> bool:
    """Add a line; False where nothing can be written anywhere."""
    return any(_appended(path, line) for path in _places(name) for _ in range(_TRIES))


def lines(name: str) -> list[bytes]:
    """All that was added and not taken yet."""
    return [line for path in find(name) for line in _content(path).splitlines()]


def take(name: str) -> list[str]:
    """Set what was added so far aside, for this process alone; the paths, to be read and then removed.

    With what somebody took before who did not live to remove it.
    """
    left: list[str] = []
    for path in find(name):
        own = f"{path}.{os.getpid()}-{clock.monotonic():.9f}"  # what was taken before may still be there
        try:
            os.rename(path, own)  # noqa: PTH104 - pathlib costs the hook process its import
            os.utime(own)  # its age counts from here
        except OSError:
            continue
        left.append(own)
    return [*left, *(path for path in _named(f"{name}.") if clock.now() - _changed(path) > LEFT_SECONDS)]


def give_back(name: str, taken: str) -> None:
    """It could not be used: it is there again for who comes next, with what was added meanwhile."""
    path = taken[: taken.rindex(name) + len(name)]
    try:
        os.link(taken, path)
    except FileExistsError:
        if not all(_appended(path, line) for line in _content(taken).splitlines()):
            return  # it is found by its age
    except OSError:
        return
    discard(taken)


def taken_lines(path: str) -> list[bytes] | None:
    """What stands in a file that was taken; None while somebody is still adding to it."""
    try:
        file = os.open(path, _READ)
    except OSError:
        return []
    try:
        system.lock(file)
        return _read_whole(file).splitlines()
    except OSError:
        return None
    finally:
        os.close(file)


def mark(name: str) -> bool | None:
    """Make an empty file: a full disk has room for that. False where it is there already, None where it can not be."""
    if find(name):
        return False
    for path in _places(name):
        try:
            places.make_private_dir(path.rpartition("/")[0])
            os.close(os.open(path, _NEW | os.O_EXCL, 0o600))
        except FileExistsError:
            return False
        except (OSError, ValueError):
            continue
        return True
    return None


def touch(name: str) -> None:
    for path in find(name):
        try:
            os.utime(path)
        except OSError:
            continue


def age(name: str) -> float | None:
    """Seconds since it was changed; None where there is none."""
    found = find(name)
    return age_of(found[0]) if found else None


def age_of(path: str) -> float:
    """Seconds since a file was changed; as good as endless where there is none."""
    return max(0.0, clock.now() - _changed(path))


def remove(name: str) -> None:
    for path in find(name):
        discard(path)


def discard(path: str) -> None:
    try:
        os.unlink(path)  # noqa: PTH108 - as above
    except OSError:
        return


def prune(ending: str, most: int, seconds: float) -> None:
    """Forget the files with that ending that are older, and all but the newest so many."""
    aged = sorted((clock.now() - _changed(path), path) for path in _named(ending=ending))
    for position, (old, path) in enumerate(aged):
        if position >= most or old > seconds:
            discard(path)


def _places(name: str) -> list[str]:
    """The files that may stand in for the store, in folders that are made where they are missing."""
    return [join(folder, name) for folder in places.spare_dirs(make=True)]


def _named(start: str = "", ending: str = "") -> list[str]:
    found: list[str] = []
    for folder in places.spare_dirs():
        try:
            names = os.listdir(folder)  # noqa: PTH208 - as above
        except (OSError, ValueError):
            continue
        found += [join(folder, name) for name in names if name.startswith(start) and name.endswith(ending)]
    return found


def _changed(path: str) -> float:
    """When the file was last written; zero where it is not there."""
    try:
        return os.lstat(path).st_mtime
    except (OSError, ValueError):
        return 0.0


def _content(path: str) -> bytes:
    try:
        file = os.open(path, _READ)
    except (OSError, ValueError):
        return b""
    try:
        return _read_whole(file)
    except OSError:
        return b""
    finally:
        os.close(file)


def _read_whole(file: int) -> bytes:
    return os.read(file, min(os.fstat(file).st_size, LONGEST))


def _written(path: str, data: bytes) -> bool:
    beside = f"{path}.{os.getpid()}.tmp"
    try:
        places.make_private_dir(path.rpartition("/")[0])
        file = os.open(beside, _NEW | os.O_TRUNC, 0o600)
        try:
            whole = os.write(file, data) == len(data)
        finally:
            os.close(file)
        if whole:
            os.replace(beside, path)  # noqa: PTH105 - as above
            return True
    except (OSError, ValueError):
        whole = False
    discard(beside)
    return whole


def _appended(path: str, line: bytes) -> bool:
    """The lock lets whoever takes the file wait for the line; it is never waited for here."""
    try:
        places.make_private_dir(path.rpartition("/")[0])
        file = os.open(path, _NEW | os.O_APPEND, 0o600)
        try:
            system.lock(file, shared=True)
            stands = os.path.samestat(os.lstat(path), os.fstat(file))
            return stands and os.write(file, line + b"\n") == len(line) + 1
        finally:
            os.close(file)
    except (OSError, ValueError):
        return False


# Whether the store could be used lately, remembered where no store is needed: said once, and not waited for again.
#
# A lock that somebody holds is no damage yet: it is told of only when it lasts.


PATIENCE = 4.0
"""Seconds a hook waits for a store that others use."""
HASTE = 0.05
"""As long, while it was in vain a moment ago."""
RECENT = 30.0
LASTS = 10.0
"""Seconds after which a store that is only busy is told of like a broken one."""
AGAIN = 86_400.0
"""It is told of once more after so long."""
_LATELY, _BEGAN, _TOLD = "trouble.lately", "trouble.began", "trouble.told"


def last_met() -> float | None:
    """Seconds since the store could not be used; None where it has been used since."""
    return age(_LATELY)


def patience(since: float | None) -> float:
    """How long the store may be waited for, so long after it could not be used. One that others have written to since
    then is only busy.
    """
    if since is None or since > RECENT or _trouble_written() < since:
        return PATIENCE
    return HASTE


def _trouble_written() -> float:
    """Seconds since the database was written to."""
    path = places.database()
    return min(age_of(f"{path}-wal"), age_of(path))


def is_news(*, busy: bool, asked: bool) -> bool:
    """The store can not be used: note it. True where a person is to be told now, which is once.

    `asked`: it is a moment at which a person is there; where nothing can be noted, it is told at those alone.
    """
    for name in (_LATELY, _BEGAN):
        mark(name)
    touch(_LATELY)
    told = age(_TOLD)
    if told is not None and told < AGAIN:
        return False
    if busy and (age(_BEGAN) or 0.0) < LASTS:
        return False
    if told is not None:
        touch(_TOLD)
        return True
    fresh = mark(_TOLD)
    return asked if fresh is None else fresh


def is_over() -> None:
    """Forget the outage: the store works again, and the next failure is a new one."""
    for name in (_LATELY, _BEGAN, _TOLD):
        remove(name)


# What a session was promised and told not to do, as the store last knew it: for the hooks that find no store.
#
# It is written anew when it has changed and at no other time. The store's own texts are redacted, and so is this.


KEPT, KEPT_SECONDS = 100, 30 * 86_400.0
"""Copies, and how long one is kept that is not renewed."""
_ENDING = ".session"


class LastCopy(msgspec.Struct, frozen=True, kw_only=True):
    session: Session
    allowances: tuple[Allowance, ...] = ()


def keep_copy(session: Session, allowances: tuple[Allowance, ...]) -> None:
    """Costs a look at the old one where nothing has changed."""
    data = msgspec.json.encode(LastCopy(session=_promised(session), allowances=allowances))
    name = _name(session.id)
    if read(name) != data:
        write(name, data)


def read_copy(session_id: str) -> LastCopy | None:
    """None where there is none that this version can read."""
    try:
        copy = msgspec.json.decode(read(_name(session_id)), type=LastCopy)
    except (msgspec.MsgspecError, ValueError):
        return None
    return copy if copy.session.id == session_id and copy.session.shape <= SHAPE else None


def copy_files(session_id: str) -> list[str]:
    """Where copies of a session lie."""
    return find(_name(session_id))


def forget_old_copies() -> None:
    prune(_ENDING, KEPT, KEPT_SECONDS)


def _promised(session: Session) -> Session:
    """All that a limit is judged by, and nothing that moves with every event."""
    return Session(
        id=session.id,
        root=session.root,
        live=session.live,
        goals=session.goals,
        contract=session.contract,
        given_scope=session.given_scope,
        lifted=session.lifted,
        pin=session.pin,
    )


def _name(session_id: str) -> str:
    return digest(session_id, 12) + _ENDING
