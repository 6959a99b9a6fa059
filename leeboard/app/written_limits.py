"""The limits that a project has written down for agents, read where a session begins.

Nobody has to trust them: they only tighten. A link is not followed, and what can not be read says nothing.
"""

from __future__ import annotations

from posixpath import join

from leeboard.io.file import read_start
from leeboard.model.contract import Constraint
from leeboard.speech.limits.written import LONGEST, project_limits


def read_written_limits(root: str, names: tuple[str, ...]) -> tuple[Constraint, ...]:
    """Each once, with the file and line it stands in; files that say the same are one."""
    found: dict[str, Constraint] = {}
    for name in names:
        for limit in project_limits(_text(join(root, name)), name):
            found.setdefault(limit.text, limit)
    return tuple(found.values())


def _text(path: str) -> str:
    try:
        return read_start(path, LONGEST).decode("utf-8", "replace")
    except OSError:
        return ""
