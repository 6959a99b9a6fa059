"""The settings files of a client that can hold our hooks, and putting them in and out."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from shlex import quote

import msgspec

import leeboard
from leeboard.app.install.kept_file import put_back, read_bytes, read_record, unchanged, write_kept, write_whole
from leeboard.app.posting.hooks import all_hooks
from leeboard.clients import FIRST, SCOPES, Scope, Sign, client_named, client_names, first_sign, settings_path, signs
from leeboard.clients.call import ClientSettings, PostedTo, SettingsState
from leeboard.errors import ConfigError
from leeboard.io.process import search_path

SETTINGS_SIGNS: tuple[Sign, ...] = ("user-settings", "project-settings", "local-settings")


class SettingsPlace(msgspec.Struct, frozen=True):
    """One settings file of a client."""

    scope: Scope
    path: str
    client: str = FIRST

    @property
    def format(self) -> ClientSettings:
        """The reader and writer for the settings of this client."""
        return client_named(self.client).settings()


class FileEdit(msgspec.Struct, frozen=True, kw_only=True):
    """What a command does to a file; None stands for no file."""

    path: str
    before: bytes | None
    after: bytes | None

    @property
    def changes(self) -> bool:
        return self.before != self.after


def place(scope: Scope, root: str, client: str = FIRST) -> SettingsPlace:
    """Where a client keeps the settings of a scope; ConfigError where it has none of that scope."""
    path = settings_path(client, scope, root, os.environ)
    if not path:
        there = " or ".join(f"--{at.scope}" for at in places(root, client)) or "another client"
        raise ConfigError(f"{first_sign(client, 'title')} has no settings file for --{scope}; choose {there}")
    return SettingsPlace(scope, path, client)


def places(root: str, client: str = FIRST) -> tuple[SettingsPlace, ...]:
    """Most particular first. In the home directory two of them can be the same file."""
    found = ((scope, settings_path(client, scope, root, os.environ)) for scope in SCOPES)
    return tuple({path: SettingsPlace(scope, path, client) for scope, path in found if path}.values())


def found_clients(root: str) -> tuple[str, ...]:
    """The clients that are used here, by their programs on PATH and their folders."""
    path = search_path(os.environ.get("PATH", os.defpath), root)
    return tuple(name for name in client_names() if _is_here(name, root, path))


def _is_here(client: str, root: str, path: str) -> bool:
    program, home = first_sign(client, "program"), first_sign(client, "home")
    given = os.environ.get(first_sign(client, "home-variable") or "", "")
    folders = (given or os.path.expanduser(home), *(os.path.dirname(at.path) for at in places(root, client)))  # noqa: PTH111, PTH120 - names
    return bool(program and shutil.which(program, path=path)) or any(map(os.path.isdir, folders))


def written_places(root: str, client: str) -> tuple[SettingsPlace, ...]:
    """Those of them that `init` wrote to."""
    return tuple(at for at in places(root, client) if read_record(at.path) is not None)


def client_of(path: str) -> str:
    """Whose settings file it is, by its name; the first client's where that says nothing."""
    tails = ((name, tail) for name in client_names() for sign in SETTINGS_SIGNS for tail in signs(name, sign))
    return next((name for name, tail in tails if path.endswith(f"/{tail}")), FIRST)


def hook_command(python: str, hook_py: str, client: str = "") -> str:
    """The line a client runs through /bin/sh. It ends with 0 even where interpreter or script are gone: python gives 2
    for a missing script, which would refuse every call of the agent. `client` is empty for the first there was.
    """
    named = f" --client {quote(client)}" if client else ""
    return f"{quote(python)} -I -S {quote(hook_py)}{named} 2>/dev/null || :"


def powershell_command(python: str, hook_py: str, client: str = "") -> str:
    """The same line for PowerShell, in which a quote inside of quotes is written twice."""
    named = f" --client '{client}'" if client else ""
    words = [word.replace("'", "''") for word in (python, hook_py)]
    return f"& '{words[0]}' -I -S '{words[1]}'{named} 2>$null; exit 0"


def our_command(client: str = FIRST, platform: str = sys.platform) -> str:
    """The line that runs our hook: this very interpreter, so that neither PATH nor a version manager matter.

    On Windows the first client runs it in the shell that git brings along, to which a backslash is none of a name.
    """
    script = str(Path(leeboard.__file__).absolute().parent / "surfaces" / "hook.py")
    named = "" if client == FIRST else client
    if platform != "win32":
        return hook_command(sys.executable, script, named)
    if client != FIRST:
        return powershell_command(sys.executable, script, named)
    return hook_command(sys.executable.replace("\\", "/"), script.replace("\\", "/"))


def require_lasting(prefix: str = sys.prefix) -> None:
    """ConfigError where this installation lies in a cache: a hook line would name what is cleared away some day."""
    folders = Path(prefix).absolute().parents
    cache = next((folder for folder in folders if (folder / "CACHEDIR.TAG").exists() or folder.name in _CACHES), None)
    if cache is not None:
        raise ConfigError(
            f"this leeboard runs from a cache ({cache}): once that is cleared, no hook would answer, and nobody "
            "would say so. Install it to stay (`uv tool install leeboard`, `pipx install leeboard`), then run "
            "`leeboard init`"
        )


PRIVATE = 0o600
_CACHES = frozenset({".cache", "Caches"})


def text_at(path: str) -> str:
    """The settings there, empty when there are none; ConfigError when they are not UTF-8."""
    try:
        return (read_bytes(path) or b"").decode()
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8 text; correct the file and run the command again") from error


def standing(at: SettingsPlace) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The events at which our hook stands there, and the command lines; ConfigError naming the file. A hook that is
    posted counts where the address is that of a listener of ours.
    """
    text = text_at(at.path)
    with naming(at.path):
        state = at.format.read_state(text)
    events = (event for event, _ in (*state.hooks, *posted_at(at, state)))
    return tuple(dict.fromkeys(events)), tuple(dict.fromkeys(command for _, command in state.hooks))


def posted_at(at: SettingsPlace, state: SettingsState) -> tuple[tuple[str, str], ...]:
    """Those events that are posted to us. What a repository's settings call so is somebody else's."""
    kept = kept_posts(at) if state.posted else None
    return tuple(one for one in state.posted if kept is not None and one[1] == kept.url)


def kept_posts(at: SettingsPlace) -> PostedTo | None:
    """Where the hooks in this file are posted to, as a person has asked for it; None where they run their command."""
    kept = next((hooks for hooks in all_hooks() if hooks.settings == at.path and not hooks.given_up), None)
    return kept.posted_to if kept else None


def runs_plugin(at: SettingsPlace) -> bool:
    """Whether the user lets our plugin run by this file; ConfigError naming it. A project's file does not count."""
    text = text_at(at.path)
    with naming(at.path):
        return at.scope == "user" and at.format.read_state(text).plugin


def variables_at(at: SettingsPlace) -> Mapping[str, object]:
    """The variables that the file sets for its client; ConfigError naming the file."""
    text = text_at(at.path)
    with naming(at.path):
        return at.format.read_state(text).env


def plan_install(
    at: SettingsPlace, command: str, *, status_line: bool = False, posted_to: PostedTo | None = None
) -> FileEdit:
    """`status_line`: with our status line; one of ours that stands there stays. `posted_to`: what can be posted is."""
    text = text_at(at.path)
    with naming(at.path):
        after = at.format.install(text, command, posted_to)
        if at.client == FIRST and (status_line or at.format.status_line_of(text)[1]):
            after = at.format.with_status_line(after, line_command())
    return FileEdit(path=at.path, before=read_bytes(at.path), after=after.encode())


def line_command() -> str:
    """The line that the client runs for its status line."""
    script = Path(leeboard.__file__).absolute().parent / "surfaces" / "status_line.py"
    return f"{quote(sys.executable)} -I -S {quote(str(script))} 2>/dev/null || :"


def others_status_line(root: str) -> str:
    """The settings file in which the user has a status line of their own; empty where they have none."""
    for at in places(root):
        with naming(at.path):
            command, ours = at.format.status_line_of(text_at(at.path))
        if command and not ours:
            return at.path
    return ""


def own_status_lines(root: str) -> tuple[tuple[str, str], ...]:
    """The settings files with our status line, and its command."""
    found = ((at.path, at.format.status_line_of(text_at(at.path))) for at in places(root))
    return tuple((path, command) for path, (command, ours) in found if ours)


def install(change: FileEdit, client: str = FIRST) -> None:
    """Carry it out, keeping what stood there before any hook of ours did."""
    record = read_record(change.path)
    if record is not None and unchanged(record):
        original = record.original
    elif change.before is None:
        original = None
    else:
        original = client_named(client).settings().remove(change.before.decode()).encode()
        if not original and record is not None and record.original is None:
            original = None
    after = change.after or b""
    write_kept(change.path, after, original, PRIVATE if _has_token(change.path, after) else None)


def hide_token(at: SettingsPlace) -> None:
    """Where a token of ours stands in the file, nobody else may read it."""
    if _has_token(at.path, read_bytes(at.path) or b""):
        Path(at.path).chmod(PRIVATE)


def _has_token(path: str, content: bytes) -> bool:
    return any(hooks.settings == path and hooks.token.encode() in content for hooks in all_hooks())


def plan_remove(at: SettingsPlace) -> FileEdit:
    """Without our hooks: exactly as it was when nobody changed it since, else with everything that is not ours."""
    before, record = read_bytes(at.path), read_record(at.path)
    if before is None or (record is not None and unchanged(record)):
        return FileEdit(path=at.path, before=before, after=record.original if record and before is not None else None)
    text = text_at(at.path)
    with naming(at.path):
        after = at.format.remove(text).encode()
    gone = not after and record is not None and record.original is None
    return FileEdit(path=at.path, before=before, after=None if gone else after)


def remove(change: FileEdit) -> None:
    if not put_back(change.path, change.after) and change.changes:
        write_whole(change.path, change.after or b"")


def short_path(path: str) -> str:
    """Relative to where the person stands, or to their home, where that is shorter."""
    spelled = Path(path)
    if spelled.is_relative_to(Path.cwd()):
        return str(spelled.relative_to(Path.cwd()))
    home = Path("~").expanduser()
    return f"~/{spelled.relative_to(home)}" if spelled.is_relative_to(home) else path


@contextmanager
def naming(path: str) -> Iterator[None]:
    """Puts the file's name before what its parser complains about."""
    try:
        yield
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error
