"""What a session last saw of the files that must not change, kept between two hooks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from posixpath import isdir, isfile, join
from typing import Literal, NamedTuple

import msgspec

from leeboard.app.pause import pause_file
from leeboard.app.tree_watch import KeptLooks
from leeboard.clients import Scope, client_named, client_names, settings_path, signs, signs_of_all
from leeboard.clients.call import SettingsState
from leeboard.errors import ConfigError
from leeboard.io import places
from leeboard.io.file import read_regular
from leeboard.io.places import state_dir
from leeboard.io.system import expanduser
from leeboard.model.contract import Constraint
from leeboard.model.session import Session
from leeboard.model.text import digest, matches
from leeboard.secrets.redaction import has_shape
from leeboard.settings.decisions import ALLOWED, BASELINE
from leeboard.text.language import folders_with, is_test
from leeboard.trust.released import FOLDER as FILES_FOLDER
from leeboard.trust.released import LETS_GO, mark_of

# The files that a limit speaks of, as far as they can be named and looked at: a bounded walk, no process.


MOST_FILES = 400
MOST_FOLDERS = 200
MOST_ENTRIES = 5_000


Wanted = Callable[[str], bool]


class Limited(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Paths are relative to the work tree."""

    files: dict[str, GuardedFile] = msgspec.field(default_factory=dict)
    folders: dict[str, Stamp] = msgspec.field(default_factory=dict)
    """Those that may get another such file."""
    whole: bool = True
    """False where there are more than can be looked at each time."""


def find_limited(root: str, patterns: Iterable[str], wanted: Wanted) -> Limited:
    """All files that are wanted, and where the next one may appear."""
    walk = _Walk(root, wanted)
    for start in dict.fromkeys(map(_fixed, patterns)):
        walk.begin(start)
    return Limited(files=walk.files, folders=walk.folders, whole=walk.whole)


def look_again(root: str, before: Limited, wanted: Wanted) -> Limited:
    """The same object where nothing looks different."""
    files = {path: look(join(root, path), seen) for path, seen in before.files.items()}
    moved = [path for path, stamp in before.folders.items() if stamp_of(join(root, path)) != stamp]
    if not moved and all(files[path] is seen for path, seen in before.files.items()):
        return before
    walk = _Walk(root, wanted, files, dict(before.folders))
    for folder in moved:
        walk.enter(folder, new=True)
    return Limited(files=walk.files, folders=walk.folders, whole=before.whole and walk.whole)


def _fixed(pattern: str) -> str:
    """The part of a pattern that names one place."""
    parts = []
    for part in pattern.removeprefix("!").split("/"):
        if any(mark in part for mark in "*?["):
            break
        parts.append(part)
    return "/".join(part for part in parts if part not in {"", "."})


class _Walk:
    def __init__(
        self,
        root: str,
        wanted: Wanted,
        files: dict[str, GuardedFile] | None = None,
        folders: dict[str, Stamp] | None = None,
    ) -> None:
        self._root = root
        self._wanted = wanted
        self.files = files if files is not None else {}
        self.folders = folders if folders is not None else {}
        self.whole = True
        self._left = MOST_ENTRIES

    def begin(self, start: str) -> None:
        if start.startswith(("/", "~", "..")):
            return
        if isdir(join(self._root, start)):
            self.enter(start)
        elif self._wanted(start):
            self._add(start, new=False)

    def enter(self, folder: str, *, new: bool = False) -> None:
        """`new`: what is found and was not known has come since the first look."""
        if not self._may_enter(folder):
            return
        self.folders[folder] = stamp_of(join(self._root, folder))
        try:
            entries = list(os.scandir(join(self._root, folder)))
        except OSError:
            return
        self._left -= len(entries)
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in folders_with("without-limits") and path not in self.folders:
                    self.enter(path, new=new)
            elif self._wanted(path) and path not in self.files:
                self._add(path, new=new)

    def _may_enter(self, folder: str) -> bool:
        fits = folder in self.folders or (len(self.folders) < MOST_FOLDERS and self._left > 0 and not has_shape(folder))
        self.whole = self.whole and fits
        return fits

    def _add(self, path: str, *, new: bool) -> None:
        if len(self.files) >= MOST_FILES or has_shape(path):  # the look is kept, and its names with it
            self.whole = False
        else:
            self.files[path] = look(join(self._root, path), GuardedFile() if new else None)


FOLDER = "guards"


class OpaqueCall(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A call that may change what nobody can name, from its proposal until it comes back."""

    id: str
    agent: str = ""
    text: str = ""
    """Redacted, and cut."""
    began: float = 0.0
    ours: bool = False
    """It runs a command that may write the project's tasks, and leaves its own trace there."""


class GuardLook(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    session: str
    root: str
    env: dict[str, str] = msgspec.field(default_factory=dict)
    """Where the client keeps its settings, as its hooks were told."""
    guard: dict[str, GuardedFile] = msgspec.field(default_factory=dict)
    limits: tuple[Constraint, ...] = ()
    limited: Limited = Limited()
    lines: tuple[OpaqueCall, ...] = ()
    behind: tuple[str, ...] = ()
    """The newest lines that sent something to the background: it may still be at work."""
    off: float = 0.0
    """Since when our hooks stand nowhere; zero while they do."""
    said: tuple[str, ...] = ()
    """What was said of looser settings."""


def limits_of(session: Session | None) -> tuple[Constraint, ...]:
    """Those whose files can be named. What binds all files but a few is left to git."""
    limits = session.contract.constraints if session else ()
    return tuple(limit for limit in limits if limit.kind == "forbid" and (limit.patterns or "tests" in limit.areas))


def speaks_of(limit: Constraint, path: str) -> bool:
    return matches(path, limit.patterns) or ("tests" in limit.areas and is_test(path))


def first_look(session: str, root: str, env: dict[str, str]) -> GuardLook:
    """Without limits: they come with the session."""
    guard = {path: look_at_guard(path, file, None, root) for path, file in guard_files(root, env).items()}
    return GuardLook(session=session, root=root, env=env, guard=guard)


def guard_now(look: GuardLook) -> dict[str, GuardedFile]:
    files = guard_files(look.root, look.env)
    return {path: look_at_guard(path, file, look.guard.get(path), look.root) for path, file in files.items()}


def limited_now(look: GuardLook) -> Limited:
    return look_again(look.root, look.limited, lambda path: any(speaks_of(limit, path) for limit in look.limits))


def under_limits(look: GuardLook, limits: tuple[Constraint, ...]) -> GuardLook:
    """The look with the files of other limits; what is known of a file by now stays known."""
    if limits == look.limits:
        return look
    starts = [pattern for limit in limits for pattern in (*limit.patterns, *("" for area in limit.areas if area))]
    found = find_limited(look.root, starts, lambda path: any(speaks_of(limit, path) for limit in limits))
    files = {path: look.limited.files.get(path, seen) for path, seen in found.files.items()}
    return msgspec.structs.replace(look, limits=limits, limited=msgspec.structs.replace(found, files=files))


def read_look(session: str) -> GuardLook | None:
    kept = _looks().peek_line(session)
    try:
        return msgspec.json.decode(kept, type=GuardLook) if kept else None
    except ValueError:
        return None


def keep_look(look: GuardLook) -> None:
    _looks().renew(look.session, msgspec.json.encode(look))


def forget_look(session: str) -> None:
    _looks().take(session)


def kept_looks() -> tuple[GuardLook, ...]:
    """The looks of all sessions that have not ended."""
    found = []
    for kept in _looks().all():
        try:
            found.append(msgspec.json.decode(kept, type=GuardLook))
        except ValueError:
            continue
    return tuple(found)


def _looks() -> KeptLooks:
    return KeptLooks(join(state_dir(), FOLDER))


# How a file looked, to be compared later: a stamp that costs one look, and a digest where the stamp is another.
#
# A time of modification can be set back, so the stamp has the inode and the time of the inode's change in it too.


MOST_BYTES = 1 << 20
"""A larger file is known by its stamp alone."""
GONE = ""

Stamp = tuple[int, int, int, int]
NO_STAMP = (0, 0, 0, 0)
Read = Callable[[bytes], str]
"""What of a file's content counts, as a digest."""


class GuardedFile(msgspec.Struct, frozen=True, array_like=True):
    stamp: Stamp = NO_STAMP
    digest: str = GONE
    """Empty for a file that is not there."""
    first: str = GONE
    """As it was at the first look: what has it again was given back."""


def stamp_of(path: str) -> Stamp:
    try:
        seen = os.stat(path)  # noqa: PTH116 - pathlib costs the hook process its import
    except (OSError, ValueError):
        return NO_STAMP
    return (seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)


def look(path: str, before: GuardedFile | None = None, read: Read = digest) -> GuardedFile:
    """The file as it is now; the same object as before where it looks the same."""
    stamp = stamp_of(path)
    if before is not None and stamp == before.stamp:
        return before
    now = _digest(path, stamp, read)
    return GuardedFile(stamp, now, now if before is None else before.first)


def _digest(path: str, stamp: Stamp, read: Read) -> str:
    if stamp == NO_STAMP:
        return GONE
    try:
        return read(read_regular(path, MOST_BYTES, follow=True))
    except OSError:
        return "~" + digest(repr(stamp))


# What the guard of a project stands on, and what of each file counts.
#
# The client writes its settings itself, whenever a person answers "always allow": only our hooks in them, their switch
# and our variables count. Of a pyproject.toml only our own table does.


Kind = Literal["client", "settings", "table", "tasks", "decisions", "trust", "pause"]
STANDS = "+"
"""Begins the digest of a client's settings in which our hooks stand."""
_SWITCHED_OFF = "-"
_MOST_RECORDS = 64
_OURS = ("LEEBOARD_", "XDG_")


class GuardFile(NamedTuple):
    """Why a file matters to the guard: whoever changes it may switch off what watches them."""

    kind: Kind
    client: str = ""
    """Whose settings file it is, by the folder in `leeboard.clients`."""


_SETTINGS, _TABLE, _TASKS, _TRUST = (GuardFile(kind) for kind in ("settings", "table", "tasks", "trust"))
_DECISIONS = GuardFile("decisions")


def guard_files(root: str, env: Mapping[str, str]) -> Mapping[str, GuardFile]:
    """Absolute paths, whether there is such a file or not."""
    return _guard_files(root, tuple(env.items()), places.config_dir(), places.state_dir(), expanduser("~"))


@lru_cache(maxsize=32)
def _guard_files(
    root: str, told: tuple[tuple[str, str], ...], config: str, state: str, _home: str
) -> Mapping[str, GuardFile]:
    """Every call that may change anything asks for the same two dozen names."""
    env = dict(told)
    found = {
        **_project_settings(root, env),
        **_client_settings(("user",), root, env),
        join(root, "leeboard.toml"): _SETTINGS,
        join(root, "pyproject.toml"): _TABLE,
        join(config, "leeboard.toml"): _SETTINGS,
        **dict.fromkeys((join(root, name) for name in (BASELINE, ALLOWED)), _DECISIONS),
        **dict.fromkeys((join(root, name, "graph.jsonl") for name in (".leeboard", ".wg", ".workgraph")), _TASKS),
        join(state, "trust"): _TRUST,
        join(state, FILES_FOLDER): _TRUST,
        pause_file(root): GuardFile("pause"),
    }
    for variable in signs_of_all("project-variable"):
        opened = env.get(variable, "")
        found |= _project_settings(opened, env) if opened and opened != root else {}
    return found


def _project_settings(folder: str, env: Mapping[str, str]) -> dict[str, GuardFile]:
    return _client_settings(("project", "local"), folder, env)


def _client_settings(scopes: tuple[Scope, ...], folder: str, env: Mapping[str, str]) -> dict[str, GuardFile]:
    wanted = ((name, settings_path(name, scope, folder, env)) for name in client_names() for scope in scopes)
    return {path: GuardFile("client", name) for name, path in wanted if path}


def look_at_guard(path: str, file: GuardFile, before: GuardedFile | None, root: str) -> GuardedFile:
    if file.kind == "client":
        return look(path, before, lambda data: _client_digest(file.client, data))
    if file.kind != "trust":
        return look(path, before, _table if file.kind == "table" else digest)
    stamp = stamp_of(path)
    if before is not None and stamp == before.stamp and not path.endswith(FILES_FOLDER):
        return before
    now = _records(path, root)
    if before is not None and (stamp, now) == (before.stamp, before.digest):
        return before
    return GuardedFile(stamp, now, now if before is None else before.first)


def stands(seen: Mapping[str, GuardedFile]) -> bool:
    """Whether our hooks stand in any of the client's settings, and none of them switches hooks off."""
    states = [one.digest[:1] for one in seen.values()]
    return STANDS in states and _SWITCHED_OFF not in states


def _records(folder: str, root: str) -> str:
    """What lies in a folder of ours about trust; of the marks only the project's own."""
    if folder.endswith(FILES_FOLDER):
        there = isdir(folder)
        return digest(repr([stamp_of(mark_of(root, what)) if there else NO_STAMP for what in LETS_GO]))
    try:
        names = sorted(os.listdir(folder))[:_MOST_RECORDS]  # noqa: PTH208 - pathlib costs the hook process its import
    except OSError:
        names = []  # no folder holds as little as an empty one
    return digest("".join(f"{name}\0{look(join(folder, name)).digest}\0" for name in names if name.endswith(".json")))


def _client_digest(client: str, data: bytes) -> str:
    try:
        state = client_named(client).settings().read_state(data.decode("utf-8", "replace"))
    except (ConfigError, ValueError, RecursionError):
        return digest("unreadable")  # the client reads nothing of it either
    env = sorted((name, repr(value)) for name, value in state.env.items() if name.startswith(_OURS))
    mark = _SWITCHED_OFF if state.switched_off else STANDS if not all(map(gone_program, state.asked_first)) else ""
    hooks = sorted((*state.hooks, *_posted(client, state)))
    return mark + digest(repr((hooks, env, state.switched_off)))


def _posted(client: str, state: SettingsState) -> Iterator[tuple[str, str]]:
    """What a person lets the client post to us is as good as its command, and counts as that: it may fall back to it.
    Anything else that is posted is another hook.
    """
    if not state.posted:
        return
    from leeboard.app.posting.hooks import all_hooks  # noqa: PLC0415 - only where hooks are posted

    ours = {hooks.posted_to.url for hooks in all_hooks()}
    for event, url in state.posted:
        is_ours = url in ours and event in signs(client, "posted-event") and state.asked_first
        yield event, state.asked_first[0] if is_ours else url


def gone_program(command: str) -> str:
    """The interpreter or the script that a line of ours names and that is not there; empty where all is."""
    import shlex  # noqa: PLC0415 - only where such a file is new or changed

    try:
        words = shlex.split(command)
    except ValueError:
        return ""  # whatever the shell makes of it
    named = (word for word in words if word == words[0] or word.endswith("/hook.py"))
    return next((word for word in named if word.startswith("/") and not isfile(word)), "")


def _table(data: bytes) -> str:
    if b"leeboard" not in data:
        return "none"
    import tomllib  # noqa: PLC0415 - only where such a file speaks of us

    from leeboard.settings.toml import is_readable  # noqa: PLC0415 - as above

    text = data.decode("utf-8", "replace")
    if not is_readable(text):
        return digest(data)
    try:
        tool = tomllib.loads(text).get("tool")
    except (ValueError, RecursionError):
        return digest(data)
    ours = tool.get("leeboard") if isinstance(tool, dict) else None
    return digest(repr(ours)) if ours is not None else "none"
