"""The settings files of Claude Code that can hold our hooks, and putting them in and out."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import Literal

import msgspec

import leeboard
from leeboard.app.install.kept_file import put_back, read_bytes, read_record, unchanged, write_kept, write_whole
from leeboard.clients import hook_settings
from leeboard.errors import ConfigError

Scope = Literal["local", "project", "user"]
SCOPES: tuple[Scope, ...] = ("local", "project", "user")


class SettingsPlace(msgspec.Struct, frozen=True):
    """One settings file."""

    scope: Scope
    path: str


class FileEdit(msgspec.Struct, frozen=True, kw_only=True):
    """What a command does to a file; None stands for no file."""

    path: str
    before: bytes | None
    after: bytes | None

    @property
    def changes(self) -> bool:
        return self.before != self.after


def place(scope: Scope, root: str) -> SettingsPlace:
    if scope == "user":
        home = os.environ.get("CLAUDE_CONFIG_DIR") or str(Path("~/.claude").expanduser())
        return SettingsPlace(scope, str(Path(home) / "settings.json"))
    name = "settings.json" if scope == "project" else "settings.local.json"
    return SettingsPlace(scope, str(Path(root) / ".claude" / name))


def places(root: str) -> tuple[SettingsPlace, ...]:
    """Most particular first. In the home directory two of them can be the same file."""
    found = (place(scope, root) for scope in SCOPES)
    return tuple({one.path: one for one in found}.values())


def hook_command(python: str, hook_py: str) -> str:
    """The line a client runs through /bin/sh. It ends with 0 even where interpreter or script are gone: python gives 2
    for a missing script, which would refuse every call of the agent.
    """
    return f"{quote(python)} -I -S {quote(hook_py)} 2>/dev/null || :"


def our_command() -> str:
    """The line that runs our hook: this very interpreter, so that neither PATH nor a version manager matter."""
    script = Path(leeboard.__file__).absolute().parent / "surfaces" / "hook.py"
    return hook_command(sys.executable, str(script))


def text_at(path: str) -> str:
    """The settings there, empty when there are none; ConfigError when they are not UTF-8."""
    try:
        return (read_bytes(path) or b"").decode()
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8 text; correct the file and run the command again") from error


def standing(at: SettingsPlace) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The events at which our hook stands there, and the command lines; ConfigError naming the file."""
    text = text_at(at.path)
    with naming(at.path):
        return hook_settings.installed(text), hook_settings.installed_commands(text)


def plan_install(at: SettingsPlace, command: str) -> FileEdit:
    text = text_at(at.path)
    with naming(at.path):
        after = hook_settings.install(text, command)
    return FileEdit(path=at.path, before=read_bytes(at.path), after=after.encode())


def install(change: FileEdit) -> None:
    """Carry it out, keeping what stood there before any hook of ours did."""
    record = read_record(change.path)
    if record is not None and unchanged(record):
        original = record.original
    elif change.before is None:
        original = None
    else:
        original = hook_settings.remove(change.before.decode()).encode()
        if not original and record is not None and record.original is None:
            original = None
    write_kept(change.path, change.after or b"", original)


def plan_remove(at: SettingsPlace) -> FileEdit:
    """Without our hooks: exactly as it was when nobody changed it since, else with everything that is not ours."""
    before, record = read_bytes(at.path), read_record(at.path)
    if before is None or (record is not None and unchanged(record)):
        return FileEdit(path=at.path, before=before, after=record.original if record and before is not None else None)
    text = text_at(at.path)
    with naming(at.path):
        after = hook_settings.remove(text).encode()
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
