"""Where things live. Directories are the user's alone (0700), files too (0600).

| what | given by | else |
|---|---|---|
| state | `LEEBOARD_STATE_DIR` | `$XDG_STATE_HOME/leeboard`, `~/.local/state/leeboard` |
| settings | `LEEBOARD_CONFIG_DIR` | `$XDG_CONFIG_HOME/leeboard`, `~/.config/leeboard` |
| cache | `LEEBOARD_CACHE_DIR` | `$XDG_CACHE_HOME/leeboard`, `~/.cache/leeboard` |
| sockets | `LEEBOARD_RUNTIME_DIR` | `$XDG_RUNTIME_DIR/leeboard`, `/tmp/leeboard-<uid>` |

On Windows, `~` is `%USERPROFILE%` and sockets are files that name a port, in `run` below the state.
Read by every hook call, so it gets by without pathlib.
"""

from __future__ import annotations

import os
import stat
from functools import lru_cache
from posixpath import dirname, exists, isfile, join, lexists

from leeboard.errors import EffectError
from leeboard.io import system
from leeboard.io.system import abspath, expanduser, realpath
from leeboard.model.workspace import is_whole

SOCKET_PATH_LIMIT = 100
"""Bytes. The smallest limit of the systems we run on is 104, its ending included."""


def state_dir() -> str:
    return _given("LEEBOARD_STATE_DIR") or join(_xdg("XDG_STATE_HOME", "~/.local/state"), "leeboard")


def config_dir() -> str:
    return _given("LEEBOARD_CONFIG_DIR") or join(_xdg("XDG_CONFIG_HOME", "~/.config"), "leeboard")


def cache_dir() -> str:
    """What may be thrown away at any time."""
    return _given("LEEBOARD_CACHE_DIR") or join(_xdg("XDG_CACHE_HOME", "~/.cache"), "leeboard")


def runtime_dir() -> str:
    """Made when it is missing. EffectError when it is not ours: a socket there could be somebody else's."""
    return _own(_runtime())


def spare_dirs(*, make: bool = False) -> list[str]:
    """Where small files may lie that have to be found without the store, the better place first; `make` those that are
    missing, as far as they can be. One that somebody else could write to is none.
    """
    beside = _runtime()
    better, other = _spare_places(state_dir(), beside)
    try:
        if make:
            _own(beside)
        seen = os.lstat(beside)
    except (OSError, EffectError):
        return [better]
    closed = stat.S_ISDIR(seen.st_mode) and system.is_private(seen)
    return [better, other] if closed else [better]


@lru_cache(maxsize=16)
def _spare_places(state: str, beside: str) -> tuple[str, str]:
    from leeboard.model.text import digest  # noqa: PLC0415 - not needed to open a store

    return join(state, "spare"), join(beside, f"{digest(join(state, 'leeboard.db'), 6)}.spare")


def database() -> str:
    return join(state_dir(), "leeboard.db")


def kept_dir() -> str:
    """Where copies of work lie that is in no commit."""
    return join(state_dir(), "kept")


def socket_path() -> str:
    """The socket of the resident process: one for each database, short enough for every system."""
    from zlib import crc32  # noqa: PLC0415 - only for who listens at the socket or starts that

    return _short_enough(f"{crc32(os.fsencode(database())):08x}.sock")


def page_socket_path() -> str:
    """The same for whoever serves the page."""
    from zlib import crc32  # noqa: PLC0415 - as above

    return _short_enough(f"{crc32(os.fsencode(database())):08x}.page.sock")


def _short_enough(name: str) -> str:
    path = join(runtime_dir(), name)
    return path if len(os.fsencode(path)) <= SOCKET_PATH_LIMIT else join(_own(_short_dir()), name)


def project_root(cwd: str) -> str:
    """The top of the git work tree around `cwd`, else `cwd` itself. Symbolic links stay as they are spelled."""
    start = abspath(cwd) if cwd else ""
    folder = start
    while folder:
        mark = join(folder, ".git")
        if isfile(mark) or lexists(join(mark, "HEAD")):
            return folder
        parent = dirname(folder)
        folder = parent if parent != folder else ""
    return start


def current_project() -> str:
    """The project that a command runs in."""
    return project_root(os.getcwd())  # noqa: PTH109 - hooks get by without pathlib


def transcript_of(session_id: str, cwd: str) -> str:
    """Where the client keeps a session's transcript, for a hook that does not say so; empty when it is not there.

    The folder is named after the real path of the work tree, each character but letters and digits made a dash, and
    cut with a hash where that gets long: so the folder of this name first, then whichever holds the session.
    """
    if not session_id or "/" in session_id or session_id.startswith("."):
        return ""
    top = join(_given("CLAUDE_CONFIG_DIR") or expanduser("~/.claude"), "projects")
    named = "".join(char if char.isascii() and char.isalnum() else "-" for char in realpath(cwd))
    try:
        folders = [named, *sorted(os.listdir(top))]  # noqa: PTH208 - pathlib costs the hook process its import
    except OSError:
        return ""
    files = (join(top, folder, f"{session_id}.jsonl") for folder in folders)
    return next((file for file in files if isfile(file)), "")


def make_private_dir(path: str) -> None:
    """Make it and what is missing above it. One that exists is left as it is."""
    if path and not exists(path):
        make_private_dir(dirname(path))
        try:
            os.mkdir(path, 0o700)  # noqa: PTH102 - pathlib costs every hook call its import
        except FileExistsError:
            return


def make_private_file(path: str) -> None:
    """Make an empty file that nobody else may read, unless it is there."""
    make_private_dir(dirname(path))
    if not exists(path):
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


def _own(path: str) -> str:
    try:
        make_private_dir(path)
        seen = os.lstat(path)
        if not stat.S_ISDIR(seen.st_mode) or seen.st_uid != system.user():
            raise EffectError(f"{path} is not a directory of this user: remove it, or set LEEBOARD_RUNTIME_DIR")
        if not system.is_private(seen):
            os.chmod(path, 0o700)  # noqa: PTH101 - as above
    except OSError as error:
        raise EffectError(f"can not use {path}: {error.strerror}: set LEEBOARD_RUNTIME_DIR") from error
    return path


def _runtime() -> str:
    given = _given("LEEBOARD_RUNTIME_DIR")
    shared = os.environ.get("XDG_RUNTIME_DIR", "")
    if not given and is_whole(shared) and os.access(shared, os.W_OK | os.X_OK):
        given = join(shared, "leeboard")
    return given or _short_dir()


def _short_dir() -> str:
    if not system.HAS_USERS:
        return join(state_dir(), "run")  # below the user's own folder; there is no limit to the name of a port's file
    return f"/tmp/leeboard-{system.user()}"  # noqa: S108 - verified to be ours before it is used


def _given(name: str) -> str:
    value = os.environ.get(name, "")
    plain = value.startswith("/") and not value.endswith("/") and "//" not in value and "/." not in value
    return value if plain or not value else abspath(_expanded(value))  # a hook asks a dozen times


def _xdg(name: str, default: str) -> str:
    value = os.environ.get(name, "")
    return value if is_whole(value) else _expanded(default)


def _expanded(path: str) -> str:
    return expanduser(path) if system.HAS_USERS or path[:2] != "~/" else system.home(os.environ) + path[1:]


# The key that digests of secrets are made with: 32 random bytes of this user, made once, readable by nobody else.


LENGTH = 32


def secret_key() -> bytes:
    """Empty where the key can neither be read nor made: then no digest is kept that somebody could try values on."""
    path = f"{state_dir()}/secret.key"
    try:
        found = _read(path)
        if len(found) == LENGTH:
            return found
        return _made(path)
    except OSError:
        return b""


def _read(path: str) -> bytes:
    try:
        file = os.open(path, os.O_RDONLY | system.CLOEXEC)
    except FileNotFoundError:
        return b""
    try:
        return os.read(file, LENGTH + 1)
    finally:
        os.close(file)


def _made(path: str) -> bytes:
    """Written aside and linked into place: of two processes at once the first one's key is everybody's."""
    own = f"{path}.{os.getpid()}"
    make_private_file(own)
    with open(own, "wb") as file:  # noqa: PTH123 - pathlib costs the hook process its import
        file.write(os.urandom(LENGTH))
    try:
        os.link(own, path)
    except FileExistsError:
        if len(_read(path)) != LENGTH:
            os.replace(own, path)  # noqa: PTH105 - as above
            return _read(path)
    os.unlink(own)  # noqa: PTH108 - as above
    return _read(path)
