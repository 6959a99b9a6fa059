"""The environment of hooks that a client posts: what its commands would be told, read from the client's own process.

A command brings its environment along, a post does not. What counts of it was there when the client was started, or
stands in the user's own settings of it; what a project's settings set counts for nothing either way.
"""

from __future__ import annotations

import os

from leeboard.clients import FIRST, client_named, first_sign, settings_path, signs_of_all
from leeboard.errors import LeeboardError
from leeboard.io.file import read_regular
from leeboard.io.parents import Ancestor

_LONGEST = 1 << 20
_PREFIXES = ("LEEBOARD_", "XDG_")
_ALWAYS = ("HOME", "PATH")


def environment_of(process: int) -> dict[str, str]:
    """As the hook client would tell it of a command that this process runs."""
    names = frozenset((*_ALWAYS, *signs_of_all("mark"), *signs_of_all("project-variable")))
    given = dict(Ancestor(pid=process, name="").env)
    env = {name: value for name, value in given.items() if name.startswith(_PREFIXES) or name in names}
    env.update({name: value for name, value in _of_user(given).items() if name.startswith(_PREFIXES) or name in names})
    env.pop("LEEBOARD_CLIENT", None)
    if folder := _folder(process):
        env[first_sign(FIRST, "project-variable")] = folder
    return env


def _of_user(env: dict[str, str]) -> dict[str, str]:
    """What the user's settings of the client set for all that it runs."""
    variable, home = first_sign(FIRST, "home-variable"), first_sign(FIRST, "home")
    place = env.get(variable) or home.replace("~", env.get("HOME", "~"), 1)
    try:
        text = read_regular(settings_path(FIRST, "user", "", {variable: place}), _LONGEST, follow=True).decode()
        told = client_named(FIRST).settings().read_state(text).env
    except (OSError, ValueError, RecursionError, LeeboardError):
        return {}
    return {name: value for name, value in told.items() if isinstance(value, str)}


def _folder(process: int) -> str:
    """Where the client was started, which is what it calls its project."""
    try:
        return os.readlink(f"/proc/{process}/cwd")  # noqa: PTH115 - a process that answers hooks gets by without pathlib
    except OSError:
        return ""
