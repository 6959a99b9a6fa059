"""Scripts that a line runs and the session itself wrote: read as if they stood in the line.

Those of the project are not: they take what they are told to, and much of it only when they are asked.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from shlex import join

from leeboard.model.touch import ShellEffects, Started
from leeboard.shell.expansion import UNKNOWN
from leeboard.shell.losses.loss import LossGround
from leeboard.shell.options import PROGRAMS, parse
from leeboard.shell.programs.wrappers import is_python
from leeboard.shell.reach.globs import whole

_MOST = 3
_LONGEST = 65_536
_SOURCES = frozenset({".", "source"})


def run_scripts(line: ShellEffects, ground: LossGround) -> Iterator[str]:
    """Each as a line for a shell."""
    for each in line.started[:_MOST]:
        name, path = _script(each)
        if not path or UNKNOWN in path or each.folder is None:
            continue
        place = whole(path, posixpath.join(ground.cwd, each.folder))
        text = "\n".join(ground.unsaved.names_in(place) or ()) if ground.made(place) else ""
        if text and len(text) <= _LONGEST:
            yield join([name, "-c", text]) if is_python(name) else text


def _script(started: Started) -> tuple[str, str]:
    """The program that reads it, and the file; empty where none is run."""
    first, *given = started.words
    name = posixpath.basename(first)
    if name in PROGRAMS.shells or name in _SOURCES or is_python(name):
        parsed = parse(given, "-o -O --rcfile --init-file -W -X", in_order=True)
        reads = not parsed.has("-c", "-m", "-n", "-s")
        return name, parsed.operands[0] if parsed.operands and reads else ""
    if "/" not in first or started.role == "runner":
        return "", ""
    return ("python3" if first.endswith(".py") else "sh"), first
