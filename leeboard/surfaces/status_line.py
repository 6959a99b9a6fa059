"""The script behind the client's status line: `python -I -S status_line.py`, the client's JSON on stdin, one line out.

A client runs it several times a second, so it imports nothing of ours: SQLite reads the client's JSON as well as
the store, which it opens for reading and never waits for. It never fails loudly: where nothing is known it says so.
Where the state lies follows `leeboard.io.places`; a test holds the two together.
"""

import sys
from time import time

try:
    import posix
except ImportError:  # Windows: there `os` offers the same, but for what is asked for by name below
    posix = __import__("os")

_AT_ONCE = getattr(posix, "O_NONBLOCK", 0) | getattr(posix, "O_CLOEXEC", 0) | getattr(posix, "O_BINARY", 0)
TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection

MOST_BYTES = 1 << 20
_TOLD = (
    "SELECT json_extract(?1, '$.session_id'),"
    " coalesce(json_extract(?1, '$.workspace.project_dir'), json_extract(?1, '$.cwd')),"
    " json_extract(?1, '$.transcript_path')"
)
_SESSION = (
    "SELECT session_id, CAST(data AS TEXT), project FROM session_hot WHERE session_id = ?1"
    " OR (project = ?2 AND NOT EXISTS (SELECT 1 FROM session_hot WHERE session_id = ?1)) ORDER BY updated DESC LIMIT 1"
)
_HEARD = "SELECT ts FROM receipts WHERE session = ? AND event != 'cli' ORDER BY id DESC LIMIT 1"
_STATE = (
    "SELECT json_extract(?1, '$.mode'), json_extract(?1, '$.last_score'), json_extract(?1, '$.spoken'),"
    " json_extract(?1, '$.denied'), (SELECT coalesce(sum(json_array_length(value, '$.pending')"
    " + json_array_length(value, '$.waiting')), 0) FROM json_each(?1, '$.agents'))"
)
_RESULTS = (
    "SELECT json_extract(value, '$.tool_use_id'), coalesce(strftime('%s', json_extract(?1, '$.timestamp')), 0)"
    " FROM json_each(?1, '$.message.content')"
    " WHERE json_extract(value, '$.type') = 'tool_result' AND coalesce(json_extract(value, '$.is_error'), 0) = 0"
)
_IS_HEARD = (
    "SELECT count(*) FROM (SELECT call, ts FROM receipts WHERE session = ?1 ORDER BY id DESC LIMIT 2000)"
    " WHERE call IN (?2, ?3) OR ts > ?4"
)
_PAUSE = "SELECT json_extract(?1, '$.reason'), coalesce(json_extract(?1, '$.until'), 0)"
_TAIL = 256 << 10
"""Bytes at the end of the client's transcript in which the newest results are looked for."""
_UNITS = (("d", 86_400), ("h", 3_600), ("min", 60))


def state_dir(env: dict[bytes, bytes]) -> str:
    given = env.get(b"LEEBOARD_STATE_DIR", b"").decode("utf-8", "surrogateescape")
    if given:
        from posixpath import abspath, expanduser  # noqa: PLC0415 - for who moved it

        return abspath(expanduser(given))
    shared = env.get(b"XDG_STATE_HOME", b"").decode("utf-8", "surrogateescape")
    home = env.get(b"HOME", b"").decode("utf-8", "surrogateescape").rstrip("/")
    return (shared.rstrip("/") if shared.startswith("/") else home + "/.local/state") + "/leeboard"


def facts(payload: str, env: dict[bytes, bytes]) -> dict[str, object]:
    """What is known of the session that the client shows, else of the newest of its project."""
    if env.get(b"LEEBOARD_OFF", b"").strip().lower() in (b"1", b"true", b"yes", b"on"):
        return {"state": "off"}
    from _sqlite3 import connect  # noqa: PLC0415 - sqlite3 itself imports what is not needed here

    place = state_dir(env) + "/leeboard.db"
    quoted = place.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    store = connect(f"file:{quoted}?mode=ro", timeout=0.0, uri=True)
    session, project, transcript = store.execute(_TOLD, (payload,)).fetchone()
    found = store.execute(_SESSION, (session or "", project or "")).fetchone()
    heard = store.execute(_HEARD, (found[0],)).fetchone() if found else None
    if heard is None:
        return {"state": "silent"}
    names = ("mode", "score", "said", "refused", "waiting")
    known = dict(zip(names, store.execute(_STATE, (found[1],)).fetchone(), strict=True))
    known["unheard"] = _last_two_unheard(store, session or "", transcript) if session == found[0] else False
    pause = _paused(store, env, found[2])
    return {"state": "alive", "session": found[0], "seconds": max(0, int(time() - heard[0])), **known, **pause}


def _last_two_unheard(store: "Connection", session: str, transcript: object) -> bool:
    """Whether no receipt names the last two calls that the client wrote a result of, and none came after them: then it
    runs no hooks.
    """
    data, whole = _end_of(transcript, _TAIL)
    calls: list[tuple[str, float]] = []
    for told in reversed(data.split(b"\n")[0 if whole else 1 : -1]):
        if len(calls) < 2 and b'"tool_result"' in told:
            found = store.execute(_RESULTS, (told.decode("utf-8", "replace"),))
            calls += [(str(call), float(when)) for call, when in found]
    if len(calls) < 2:
        return False
    (newest, when), (before, _) = calls[:2]
    heard: int = store.execute(_IS_HEARD, (session, newest, before, when)).fetchone()[0]
    return heard == 0


def _paused(store: "Connection", env: dict[bytes, bytes], project: str) -> dict[str, object]:
    """The reason of a pause, as `leeboard.app.pause` keeps it."""
    from _blake2 import blake2b  # noqa: PLC0415 - only where there is a session to show

    name = blake2b(project.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
    kept, _ = _end_of(f"{state_dir(env)}/paused/{name}.json", _TAIL)
    told = store.execute(_PAUSE, (kept.decode("utf-8", "replace"),)).fetchone() if kept else None
    return {"paused": told[0]} if told and not 0 < float(told[1]) <= time() else {}


def _end_of(path: object, most: int) -> tuple[bytes, bool]:
    """The end of a regular file, and whether that is all of it; nothing where there is none."""
    if not isinstance(path, str) or (not path.startswith("/") and path[1:2] != ":"):
        return b"", True
    try:
        file = posix.open(path, posix.O_RDONLY | _AT_ONCE)
    except (OSError, ValueError):
        return b"", True
    try:
        seen = posix.fstat(file)
        start = max(0, seen.st_size - most)
        if seen.st_mode & 0o170000 != 0o100000:
            return b"", True
        posix.lseek(file, start, 0)
        return posix.read(file, most), start == 0
    except OSError:
        return b"", True
    finally:
        posix.close(file)


def line(known: dict[str, object]) -> str:
    if known["state"] == "off":
        return "leeboard off"
    if known["state"] != "alive":
        return "leeboard: not heard here yet"
    since = f"{_span(int(str(known['seconds'])))} ago"
    parts = [f"leeboard {since}", str(known["mode"])]
    if known["unheard"]:
        return f"leeboard NOT HEARD: hooks do not run, the last one was {since} · `leeboard doctor`"
    if "paused" in known:
        parts = ["leeboard PAUSED: " + " ".join(str(known["paused"]).split())[:60], f"heard {since}"]
    parts.append(f"{known['score']}/10" if known["score"] else "nothing scored")
    said = f"{known['said']} said"
    parts += [f"{said}, {known['refused']} refused" if known["refused"] else said] if known["said"] else []
    parts += [f"{known['waiting']} waiting"] if known["waiting"] else []
    return " · ".join(parts)


def _span(seconds: int) -> str:
    for unit, size in _UNITS:
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"


def told(payload: str, env: dict[bytes, bytes]) -> dict[str, object]:
    """The facts, or that nothing is known: a store that is busy, damaged or of another version is no reason to fail."""
    from _sqlite3 import Error  # noqa: PLC0415 - as below

    try:
        return facts(payload, env)
    except (Error, OSError, ValueError, TypeError, LookupError) as failure:
        return {"state": "silent", "why": type(failure).__name__}


def main() -> None:
    payload = sys.stdin.buffer.read(MOST_BYTES).decode("utf-8", "replace")
    sys.stdout.buffer.write(line(told(payload or "{}", environment())).encode() + b"\n")


def environment() -> dict[bytes, bytes]:
    return {_bytes(name): _bytes(value) for name, value in posix.environ.items()}


def _bytes(text: "str | bytes") -> bytes:
    """Windows has its variables as texts."""
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")


if __name__ == "__main__":
    main()
