"""The hook client: asks the resident process, and judges in-process when there is none.

It runs at every tool call, so it imports nothing beyond what the interpreter has loaded by itself and `_socket`; not
even `__future__`. Where the resident listens follows `leeboard.io.places`; a test holds the two together.
"""

import posix
import sys

SECONDS = 2.0
"""How long the resident may be silent. An event that was answered before gets that answer again, so asking twice is
harmless.
"""
PROTOCOL = b"leeboard-1"
TOLD = frozenset(
    b"HOME PATH CLAUDE_PROJECT_DIR CLAUDECODE CLAUDE_CODE_SESSION_ID CLAUDE_CODE_ENTRYPOINT CODEX_SANDBOX"
    b" CODEX_SANDBOX_NETWORK_DISABLED CODEX_THREAD_ID GEMINI_CLI OPENCODE CURSOR_AGENT".split()
)
"""What else of the environment the resident has to know: above all, whether an agent's own command asks."""
LONGEST_PATH = 100
"""Bytes of a socket's path."""
LONGEST_SETTINGS = 1 << 20

Environment = dict[bytes, bytes]


def answer_hook(env: Environment) -> None:
    """The hook's JSON on stdin, the answer on stdout."""
    drop_brought(env)
    if env.get(b"LEEBOARD_OFF", b"").strip().lower() in (b"1", b"true", b"yes", b"on") and not _guards(env):
        return
    payload = _read_all()
    if not payload.strip():
        return
    alone = env.get(b"LEEBOARD_RESIDENT") == b"0"
    answer = None if alone else _ask(env, payload)
    if answer is not None:
        _write(answer)
    else:
        _judge(payload, alone=alone)


def drop_brought(env: Environment) -> None:
    """Take out what the project's own settings of the client put in: a clone does not mute, move or blind its guard."""
    folder = env.get(b"CLAUDE_PROJECT_DIR", b"")
    ours = [name for name in env if name.startswith((b"LEEBOARD_", b"XDG_"))]
    if not folder or not ours or folder == _home(env):
        return
    told = _settings(folder + b"/.claude/settings.json") + _settings(folder + b"/.claude/settings.local.json")
    for name in ours:
        if b'"%b"' % name in told:
            del env[name]


def _settings(path: bytes) -> bytes:
    """As far as it can be read at once; what is written in escapes is read too."""
    try:
        file = posix.open(path, posix.O_RDONLY | posix.O_NONBLOCK | posix.O_CLOEXEC)
    except OSError:
        return b""
    try:
        is_regular = posix.fstat(file).st_mode & 0o170000 == 0o100000
        text = posix.read(file, LONGEST_SETTINGS) if is_regular else b""
    finally:
        posix.close(file)
    return text.decode("unicode_escape", "ignore").encode("utf-8", "ignore") if b"\\u" in text else text


def _guards(env: Environment) -> bool:
    """Whether a session may run that began guarded: a variable which the client's settings set does not end that."""
    try:
        return bool(posix.listdir(_inside(state_dir(env), b"guards")))
    except OSError:
        return False


def _ask(env: Environment, payload: bytes) -> bytes | None:
    """The resident's answer; None when there is no resident, or not one of this package as it is now."""
    path = socket_path(env)
    try:
        folder = posix.stat(path[: path.rindex(b"/")], follow_symlinks=False)
        if folder.st_uid != posix.getuid() or folder.st_mode & 0o077:
            return None  # somebody else's socket
        return _exchange(path, request(env, payload))
    except OSError:
        return None


def _exchange(path: bytes, message: bytes) -> bytes | None:
    from _socket import AF_UNIX, SOCK_STREAM, socket  # noqa: PLC0415 - not needed where nobody listens

    connection = socket(AF_UNIX, SOCK_STREAM)
    received = b""
    try:
        connection.settimeout(SECONDS)
        connection.connect(path)
        connection.sendall(message)
        while part := connection.recv(65536):
            received += part
    finally:
        connection.close()
    length, ended, answer = received.partition(b"\n")
    return answer if ended and length.isdigit() and int(length) == len(answer) else None


def request(env: Environment, payload: bytes) -> bytes:
    """A line with protocol and lengths, then who asks, what of the environment counts, and the hook's JSON."""
    told = b"\0".join(
        name + b"=" + value for name, value in env.items() if name.startswith((b"LEEBOARD_", b"XDG_")) or name in TOLD
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
    short = b"/tmp/leeboard-%d" % posix.getuid()  # its owner is verified before it is used
    shared = env.get(b"XDG_RUNTIME_DIR", b"")
    folder = _given(env, b"LEEBOARD_RUNTIME_DIR")
    if not folder and shared.startswith(b"/") and posix.access(shared, posix.W_OK | posix.X_OK):
        folder = _inside(shared, b"leeboard")
    path = (folder or short) + name
    return path if len(path) <= LONGEST_PATH else short + name


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


def _judge(payload: bytes, *, alone: bool) -> None:
    """Answer here, then start the resident that will answer next time."""
    import gc  # noqa: PLC0415 - as the following ones: only paid where no resident answers
    import os  # noqa: PLC0415 - as above

    gc.disable()  # the process ends before it would collect anything worth the while
    _find_package()
    _spare_imports()
    try:
        from leeboard.surfaces import edge  # noqa: PLC0415 - as above
    except ModuleNotFoundError:
        import site  # noqa: PLC0415 - as above

        site.main()  # an installation of another shape: let the interpreter find its own packages
        from leeboard.surfaces import edge  # noqa: PLC0415 - as above
    _write(edge.answer(payload, os.environ))
    if not alone:
        from leeboard.surfaces.resident_start import start_resident  # noqa: PLC0415 - as above

        start_resident()


def _find_package() -> None:
    """-I -S leaves only the standard library on the path: add this package, and what is installed beside it."""
    prefix = sys.executable.rpartition("/")[0].rpartition("/")[0]
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    for folder in (_package().rpartition("/")[0], f"{prefix}/lib/{version}/site-packages"):
        if folder not in sys.path:
            sys.path.append(folder)


def _spare_imports() -> None:
    """Keep out what msgspec imports and no hook uses: it would take half as long as a bare interpreter's start."""
    # Where it happens to be installed, msgspec prefers it to `typing`.
    sys.modules.setdefault("typing_extensions", None)  # type: ignore[arg-type] # the mark of what is not there
    _stand_in("msgspec.inspect", {})
    _stand_in("msgspec._json_schema", {"schema": None, "schema_components": None})
    if sys.platform == "linux":
        _stand_in("platform", {"system": lambda: posix.uname().sysname})
        try:  # noqa: SIM105 - contextlib would have to be imported
            import uuid  # noqa: F401, PLC0415 - it asks `platform` for the name of the system alone
        except AttributeError:
            pass  # one that asks for more: msgspec imports it again, with all that it needs
        del sys.modules["platform"]


def _stand_in(name: str, attributes: dict[str, object]) -> None:
    module = type(sys)(name)
    module.__dict__.update(attributes)
    sys.modules[name] = module


def _package() -> str:
    return __file__.rpartition("/")[0].rpartition("/")[0]


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
    from leeboard.surfaces import misses  # noqa: PLC0415 - only where something went wrong

    where = misses.hook_folder("", posix.getpid())
    misses.note_miss(state_dir(env).decode("utf-8", "surrogateescape"), "hook", failure, where)
