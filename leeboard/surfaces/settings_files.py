"""The settings files of a project, read as far as they are valid."""

from __future__ import annotations

import os
from collections.abc import Mapping
from posixpath import join

from leeboard.errors import ConfigError
from leeboard.io import places
from leeboard.wire.leeboard_toml import LARGEST, Settings, merge_environment, parse_tolerantly, too_large

LONGEST_FILE = 1 << 20
_KEPT = 64
"""Settings files a resident remembers."""

Look = tuple[int, int, int]

Found = tuple[Settings, tuple[str, ...]]
"""What is valid in a file, and what is wrong with it."""

_read_before: dict[str, tuple[Look, Found]] = {}


def read_settings(root: str, env: Mapping[str, str]) -> tuple[Settings, tuple[str, ...]]:
    """The project's settings, else the user's, else the defaults; the environment over them. And what was wrong."""
    notes: list[str] = []
    settings = Settings()
    for path in _files(root):
        try:
            found = _read(path)
        except ConfigError as error:
            notes.append(str(error))
            break
        if found is not None:
            settings = found[0]
            notes.extend(found[1])
            break
    for name in ("LEEBOARD_PROFILE", "LEEBOARD_OFF"):
        try:
            settings = merge_environment(settings, {name: env.get(name, "")})
        except ConfigError as error:
            notes.append(str(error))
    return settings, tuple(notes)


def settings_file(root: str) -> str:
    """The file that counts in a project; empty where there is none."""
    for path in _files(root):
        try:
            if _read(path) is not None:
                return path
        except ConfigError:
            return path
    return ""


def _files(root: str) -> tuple[str, ...]:
    """The first that speaks of Leeboard counts."""
    return join(root, "leeboard.toml"), join(root, "pyproject.toml"), join(places.config_dir(), "leeboard.toml")


def _read(path: str) -> Found | None:
    """None where the file is not there or does not speak of Leeboard."""
    try:
        seen = os.stat(path)  # noqa: PTH116 - as above
        look = (seen.st_ino, seen.st_size, seen.st_mtime_ns)
        known = _read_before.get(path)
        if known and known[0] == look:
            return known[1]
        with open(path, "rb") as file:  # noqa: PTH123 - as above
            data = file.read(LONGEST_FILE)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: can not be read: {error}") from error
    large = seen.st_size > LARGEST
    if path.endswith("/pyproject.toml") and (b"tool.leeboard" if large else b"leeboard") not in data:
        return None
    if large:
        raise ConfigError(too_large(path, seen.st_size))
    found = parse_tolerantly(data.decode("utf-8", "replace"), path)
    while len(_read_before) >= _KEPT:
        del _read_before[next(iter(_read_before))]
    _read_before[path] = (look, found)
    return found
