"""The hook client: asks the resident process, and judges in-process when there is none.

It runs at every tool call, so it imports nothing beyond what the interpreter has loaded by itself and `_socket`; not
even `__future__`. Where the resident listens follows `leeboard.io.places`; a test holds the two together.
"""

import sys
from time import monotonic, sleep, time

try:
    import posix
except ImportError:  # Windows: there `os` offers the same, but for what is asked for by name below
    posix = __import__("os")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket

SECONDS = 2.0
"""How long the resident may be silent, in all. An event that was answered before gets that answer again, so asking
twice is harmless.
"""
SILENT_SECONDS, SILENT_MOST = 30.0, 480.0
"""How long a resident that was silent is not asked again: twice as long each time, up to so much."""
LOOK_SECONDS = 0.25
"""How often a client that waits for the resident looks whether somebody stopped it."""
TURN_SECONDS = 5.0
"""How long one of many hooks that find no resident waits for it, or for its turn to judge by itself, in all."""
DEADLINE = 8.0
"""In how many seconds a hook is to be answered, whatever it meets: its client waits for ten."""
LARGE = 8 << 20
"""Bytes of a payload that is judged here: others would wait for the resident meanwhile."""
PROTOCOL = b"leeboard-1"
LONGEST_PATH = 100
"""Bytes of a socket's path."""
LONGEST_SETTINGS = 1 << 20
"""Bytes of a client's settings that are read. A project's file that is longer counts as setting all that is ours."""

Environment = dict[bytes, bytes]
_AT_ONCE = getattr(posix, "O_NONBLOCK", 0) | getattr(posix, "O_CLOEXEC", 0) | getattr(posix, "O_BINARY", 0)
_NO_LINK, _HAS_USERS = getattr(posix, "O_NOFOLLOW", 0), hasattr(posix, "getuid")


def answer_hook(env: Environment) -> None:
    """The hook's JSON on stdin, the answer on stdout."""
    drop_brought(env)
    name_client(env, sys.argv)
    if env.get(b"LEEBOARD_OFF", b"").strip().lower() in (b"1", b"true", b"yes", b"on") and not _guards(env):
        return
    payload = _read_all()
    began = monotonic()
    if not payload.strip():
        return
    alone = env.get(b"LEEBOARD_RESIDENT") == b"0"
    answer = None
    if not alone and len(payload) <= LARGE:
        path = socket_path(env)
        answer = _ask(path, env, payload, SECONDS)
        if answer is None:
            answer = _in_turn(path, env, payload, began + TURN_SECONDS)
    if answer is not None:
        _write(answer)
    else:
        _judge(payload, began + DEADLINE, alone=alone)


def drop_brought(env: Environment) -> None:
    """Take out what the project's own settings of the client put in: a clone does not mute, move or blind its guard."""
    ours = [name for name in env if name.startswith((b"LEEBOARD_", b"XDG_"))]
    for signs in _client_signs() if ours else ():
        folder = env.get(signs.get(b"project-variable", [b""])[0], b"")
        if not folder or folder == _home(env):
            continue
        files = signs.get(b"project-settings", []) + signs.get(b"local-settings", [])
        texts = [_settings(folder + b"/" + name) for name in files]
        untold = max(map(len, texts), default=0) >= LONGEST_SETTINGS
        for name in ours:
            if untold or any(b'"%b"' % name in text for text in texts):
                env.pop(name, None)


def name_client(env: Environment, words: list[str]) -> None:
    """Tell the resident which client the hook's line names. No variable of somebody else's does."""
    env.pop(b"LEEBOARD_CLIENT", None)
    if words[1:2] == ["--client"] and len(words) > 2:
        env[b"LEEBOARD_CLIENT"] = words[2].encode("utf-8", "surrogateescape")


def told_names() -> set[bytes]:
    """What else of the environment the resident has to know: above all, whether an agent's own command asks."""
    named = [signs.get(sign, []) for signs in _client_signs() for sign in (b"mark", b"project-variable")]
    return {b"HOME", b"PATH"}.union(*named)


def _client_signs() -> list[dict[bytes, list[bytes]]]:
    """What each client is known by, as `leeboard.clients` reads it too, and what those are that it does not know."""
    if not _signs_read:
        folder = _package() + "/clients/"
        files = [folder + name + "/client.txt" for name in posix.listdir(folder) if name.isidentifier()]
        for file in [*files, folder + "other_agents.txt"]:
            signs: dict[bytes, list[bytes]] = {}
            for line in _settings(file.encode("utf-8", "surrogateescape")).splitlines():
                sign, _, value = line.partition(b": ")
                signs.setdefault(sign, []).append(value.strip())
            _signs_read.append(signs)
    return _signs_read


_signs_read: list[dict[bytes, list[bytes]]] = []


def _settings(path: bytes) -> bytes:
    """As far as it can be read at once; what is written in escapes is read too."""
    try:
        file = posix.open(path, posix.O_RDONLY | _AT_ONCE)
    except OSError:
        return b""
    try:
        is_regular = posix.fstat(file).st_mode & 0o170000 == 0o100000
        text = posix.read(file, LONGEST_SETTINGS) if is_regular else b""
    finally:
        posix.close(file)
    if b"\\u" not in text or len(text) == LONGEST_SETTINGS:
        return text
    return text.decode("unicode_escape", "ignore").encode("utf-8", "ignore")


def _guards(env: Environment) -> bool:
    """Whether a session may run that began guarded: a variable which the client's settings set does not end that."""
    try:
        return bool(posix.listdir(_inside(state_dir(env), b"guards")))
    except OSError:
        return False


def _ask(path: bytes, env: Environment, payload: bytes, seconds: float) -> bytes | None:
    """The resident's answer; None when there is no resident, or not one of this package as it is now, or it is silent
    and was so a moment ago.
    """
    if not _is_ours(path):
        return None
    began, silent = time(), _silent_for(path)
    if silent is not None and silent > 0:
        return None
    try:
        answer = _exchange(path, request(env, payload), seconds)
    except (TimeoutError, BlockingIOError):
        _note_silence(path, began)
        return None
    except OSError:
        return None
    if silent is not None and answer is not None:
        _forget_silence(path)
    return answer


def _is_ours(path: bytes) -> bool:
    """Whether the folder of the socket is there, and nobody else can have put it there."""
    try:
        folder = posix.stat(path[: path.rindex(b"/")], follow_symlinks=False)
    except OSError:
        return False
    return not _HAS_USERS or (folder.st_uid == posix.getuid() and not folder.st_mode & 0o077)


def _silent_for(path: bytes) -> float | None:
    """Seconds for which the resident is not to be asked, by the mark that somebody left who asked in vain; None where
    nobody did. Each one made the mark a byte longer.
    """
    try:
        mark = posix.stat(path + b".silent", follow_symlinks=False)
    except OSError:
        return None
    wait: float = min(SILENT_SECONDS * 2 ** min(mark.st_size - 1, 9), SILENT_MOST)
    return wait - (time() - mark.st_mtime)


def _note_silence(path: bytes, began: float) -> None:
    """Unless it has begun to answer somebody meanwhile: then it is only busy."""
    try:
        if posix.stat(path + b".lock").st_mtime >= began:
            return
        flags = posix.O_WRONLY | posix.O_CREAT | posix.O_APPEND | _NO_LINK
        mark = posix.open(path + b".silent", flags, 0o600)
        posix.utime(mark)  # where the disk has no room for the byte
        posix.write(mark, b".")
    except OSError:
        return


def _forget_silence(path: bytes) -> None:
    try:
        posix.unlink(path + b".silent")
    except OSError:
        return


def _in_turn(path: bytes, env: Environment, payload: bytes, end: float) -> bytes | None:
    """Of hundreds of hooks that find no resident as many judge by themselves as there are processors; the others wait
    in the order they came, and the first of them sees whether a place is free or the resident is there by now. None
    for who is to judge by itself.
    """
    if not _is_ours(path) and not _made(path):
        return None
    few = range(2, max(posix.cpu_count() or 1, 2) + 2)
    if _has_place(path, few):
        return None
    if _has_place(path, range(1)):
        _start_at_once()
    try:
        if not _is_first(end):
            return None
        while (left := end - monotonic()) > 0:
            answer = _ask(path, env, payload, min(left, SECONDS))
            if answer is not None or _has_place(path, few):
                return answer
            sleep(0.02)
        return None
    finally:
        _let_next()


def _is_first(end: float) -> bool:
    """Wait for those who came before; False once the time is up. The system wakes one of them at a time."""
    from fcntl import LOCK_EX, lockf  # noqa: PLC0415 - only where many hooks come at once

    alarm = sys.modules["_signal"]  # loaded by the interpreter itself; `signal` over it brings `enum` along

    def stop(*_: object) -> None:
        raise TimeoutError

    alarm.signal(alarm.SIGALRM, stop)
    try:
        alarm.setitimer(alarm.ITIMER_REAL, max(end - monotonic(), 0.001))
        lockf(_places, LOCK_EX, 1, 1)
        alarm.setitimer(alarm.ITIMER_REAL, 0)
    except OSError:
        return False
    return True


def _let_next() -> None:
    from fcntl import LOCK_UN, lockf  # noqa: PLC0415 - as above

    try:
        lockf(_places, LOCK_UN, 1, 1)
    except OSError:
        return


def _start_at_once() -> None:
    """One of those who wait starts the resident: who judges first would do so only afterwards."""
    _find_package()
    from leeboard.app.indexing import start_resident  # noqa: PLC0415 - only where many hooks come at once
    from leeboard.errors import LeeboardError  # noqa: PLC0415 - only where many hooks come at once

    try:
        start_resident()
    except (LeeboardError, OSError):
        return


def _made(path: bytes) -> bool:
    """Whether the folder of the socket could be made, by us or a sibling."""
    try:
        posix.mkdir(path[: path.rindex(b"/")], 0o700)
    except OSError:
        return _is_ours(path)
    return True


def _has_place(path: bytes, numbers: range) -> bool:
    """Whether one of these places was free. It is kept to the end of the process; True where there are none."""
    try:
        from fcntl import LOCK_EX, LOCK_NB, lockf  # noqa: PLC0415 - only where no resident answers
    except ImportError:
        return True
    global _places  # noqa: PLW0603 - one file for as long as the process lives: closing it gives the place away
    try:
        if _places < 0:
            _places = posix.open(path + b".places", posix.O_RDWR | posix.O_CREAT | _NO_LINK, 0o600)
        for number in numbers:
            try:
                lockf(_places, LOCK_EX | LOCK_NB, 1, number)
            except (BlockingIOError, PermissionError):
                continue
            return True
    except OSError:
        return True
    return False


_places = -1


def _exchange(path: bytes, message: bytes, seconds: float) -> bytes | None:
    import _socket  # noqa: PLC0415 - not needed where nobody listens

    loopback = not hasattr(_socket, "AF_UNIX")
    connection = _socket.socket(_socket.AF_INET if loopback else _socket.AF_UNIX, _socket.SOCK_STREAM)
    received, end = b"", monotonic() + seconds
    try:
        connection.settimeout(seconds)
        if loopback:
            _connect_to_port(connection, _settings(path), end)
        else:
            connection.connect(path)
        connection.sendall(message)
        while part := _received(connection, end):
            received += part
    finally:
        connection.close()
    length, ended, answer = received.partition(b"\n")
    return answer if ended and length.isdigit() and int(length) == len(answer) else None


def _connect_to_port(connection: "socket", named: bytes, end: float) -> None:
    """`leeboard.io.channel` wrote down where it listens, and what both sides have to know."""
    _find_package()
    from leeboard.io.handshake import meet_server  # noqa: PLC0415 - only where there are no Unix sockets

    port, _, token = named.strip().partition(b" ")
    if not token or not port.isdigit() or len(port) > 5 or int(port) > 0xFFFF:
        raise ConnectionRefusedError
    connection.connect(("127.0.0.1", int(port)))
    meet_server(connection, token, end, posix.urandom)


def _received(connection: "socket", end: float) -> bytes:
    while True:
        left = end - monotonic()
        connection.settimeout(max(min(left, LOOK_SECONDS), 0.001))
        try:
            return connection.recv(65536)
        except TimeoutError:
            if _end_stopped(connection):
                raise ConnectionResetError from None
            if left <= LOOK_SECONDS:
                raise


def _end_stopped(connection: "socket") -> bool:
    """Whether somebody has stopped the resident. It would hold its lock for good, and the database's perhaps: it is
    ended, and the next one begins. Or it is gone, and only a stopped helper holds its socket.
    """
    try:
        from _socket import SO_PEERCRED, SOL_SOCKET  # noqa: PLC0415 - only where it is silent

        process = int.from_bytes(connection.getsockopt(SOL_SOCKET, SO_PEERCRED, 12)[:4], sys.byteorder)
        posix.kill(process if process > 1 else posix.getpid(), 0)
        file = posix.open(f"/proc/{process}/stat", posix.O_RDONLY | posix.O_CLOEXEC)
        state = posix.read(file, 4096).rpartition(b") ")[2][:1]
        posix.close(file)
        if process > 1 and state == b"T":
            posix.kill(process, 9)
            return True
    except (ImportError, OSError) as error:
        return isinstance(error, ProcessLookupError)
    return False


def request(env: Environment, payload: bytes) -> bytes:
    """A line with protocol and lengths, then who asks, what of the environment counts, and the hook's JSON."""
    names = told_names()
    told = b"\0".join(
        name + b"=" + value for name, value in env.items() if name.startswith((b"LEEBOARD_", b"XDG_")) or name in names
    )
    who = fingerprint()
    return b"%b %d %d %d\n%b%b%b" % (PROTOCOL, len(who), len(told), len(payload), who, told, payload)


def fingerprint() -> bytes:
    """Changes when another package, or this one in another version, asks."""
    init = _package() + "/__init__.py"
    seen = posix.stat(init)
    return f"{init} {seen.st_ino} {seen.st_size} {seen.st_mtime_ns}".encode("utf-8", "surrogateescape")


def socket_path(env: Environment) -> bytes:
    name = b"/%08x.sock" % _crc32(state_dir(env) + b"/leeboard.db")
    short = b"/tmp/leeboard-%d" % posix.getuid() if _HAS_USERS else _inside(state_dir(env), b"run")  # `_is_ours` looks
    shared = env.get(b"XDG_RUNTIME_DIR", b"")
    folder = _given(env, b"LEEBOARD_RUNTIME_DIR")
    if not folder and shared.startswith(b"/") and posix.access(shared, posix.W_OK | posix.X_OK):
        folder = _inside(shared, b"leeboard")
    path = (folder or short) + name
    return path if len(path) <= LONGEST_PATH or not _HAS_USERS else short + name


def state_dir(env: Environment) -> bytes:
    given = _given(env, b"LEEBOARD_STATE_DIR")
    if given:
        return given
    shared = env.get(b"XDG_STATE_HOME", b"")
    return _inside(shared if shared.startswith(b"/") else _home(env) + b"/.local/state", b"leeboard")


def _given(env: Environment, name: bytes) -> bytes:
    value = env.get(name, b"")
    plain = value.startswith(b"/") and not (value + b"/").count(b"//") and b"/." not in value
    if plain or not value:
        return value
    from posixpath import abspath, expanduser  # noqa: PLC0415 - only for paths that are not plain already

    return abspath(expanduser(value))


def _home(env: Environment) -> bytes:
    if b"HOME" in env:
        return env[b"HOME"].rstrip(b"/")
    if not _HAS_USERS:
        return env.get(b"USERPROFILE", b"").replace(b"\\", b"/").rstrip(b"/")
    from posixpath import expanduser  # noqa: PLC0415 - only where there is no HOME

    return expanduser(b"~")


def _inside(folder: bytes, name: bytes) -> bytes:
    return folder + name if folder.endswith(b"/") else folder + b"/" + name


def _crc32(data: bytes) -> int:
    """As in zlib, whose import takes longer than this."""
    rest = 0xFFFFFFFF
    for byte in data:
        rest ^= byte
        for _ in range(8):
            rest = rest >> 1 ^ (0xEDB88320 & -(rest & 1))
    return rest ^ 0xFFFFFFFF


def _judge(payload: bytes, end: float, *, alone: bool) -> None:
    """Answer here, then start the resident that will answer next time."""
    import gc  # noqa: PLC0415 - as the following ones: only paid where no resident answers
    import os  # noqa: PLC0415 - as above

    gc.disable()  # the process ends before it would collect anything worth the while
    _find_package()
    from leeboard.surfaces.quick_imports import import_quickly, spare_imports  # noqa: PLC0415 - as above

    spare_imports()
    import_quickly(_package())
    try:
        from leeboard.surfaces import edge  # noqa: PLC0415 - as above
    except ModuleNotFoundError:
        import site  # noqa: PLC0415 - as above

        site.main()  # an installation of another shape: let the interpreter find its own packages
        from leeboard.surfaces import edge  # noqa: PLC0415 - as above
    from leeboard.surfaces.kept_patterns import KeptPatterns, patterns_file  # noqa: PLC0415 - as above

    patterns = KeptPatterns(patterns_file(_package()))
    patterns.use()
    _write(edge.answer(payload, os.environ, end))
    patterns.save()
    if not alone:
        from leeboard.app.indexing import start_resident  # noqa: PLC0415 - as above

        start_resident()


def _find_package() -> None:
    """-I -S leaves only the standard library on the path: add this package, and what is installed beside it."""
    prefix = _slashed(sys.executable).rpartition("/")[0].rpartition("/")[0]
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    library = f"lib/{version}" if sys.platform != "win32" else "Lib"
    for folder in (_package().rpartition("/")[0], f"{prefix}/{library}/site-packages"):
        if folder not in sys.path:
            sys.path.append(folder)


def _package() -> str:
    return _slashed(__file__).rpartition("/")[0].rpartition("/")[0]


def _slashed(path: str) -> str:
    return path.replace("\\", "/") if sys.platform == "win32" else path


def _read_all() -> bytes:
    parts = []
    while part := posix.read(0, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def _write(answer: bytes) -> None:
    while answer:
        answer = answer[posix.write(1, answer) :]


def note_miss(env: Environment, failure: BaseException) -> None:
    """Keep what went wrong where `doctor` finds it."""
    _find_package()
    from leeboard.app import misses  # noqa: PLC0415 - only where something went wrong

    where = misses.hook_folder("", posix.getpid())
    misses.note_miss(state_dir(env).decode("utf-8", "surrogateescape"), "hook", failure, where)
