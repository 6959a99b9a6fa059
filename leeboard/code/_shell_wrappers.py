"""Programs that only start another one: sudo, env, timeout, npx and their like."""

from __future__ import annotations

import re

from leeboard.code._shell_options import parse
from leeboard.code._shell_scope import Follow, Run
from leeboard.code._shell_table import PROGRAMS
from leeboard.model.pattern import lazy

_ASSIGNMENT = lazy(r"[A-Za-z_]\w*=", re.ASCII)


def wrapper(run: Run, args: list[str], program: str) -> None:
    parsed = parse(args, PROGRAMS.wrappers[program], in_order=True)
    words = parsed.operands
    if program == "command" and parsed.has("-v", "-V"):
        return
    if program in {"sudo", "doas", "env"}:
        while words and _ASSIGNMENT.match(words[0]):
            words = words[1:]
    elif program == "timeout":
        words = words[1:]
    if program == "time":
        run.write(*parsed.values("-o", "--output"))
    if parsed.has("-c", "--call", "-S", "--split-string", "--chdir", "-D", "-C") and program in {"npx", "env", "sudo"}:
        run.hide()
    if words:
        run.follow.append(Follow(words))
    elif program in {"sudo", "doas", "npx", "bunx", "uvx", "pnpx"} and not parsed.has("-v", "-l", "-k", "--version"):
        run.hide()


def runs_next(run: Run, args: list[str], program: str) -> None:
    words = parse(args[1:], PROGRAMS.runs_next[program][args[0]], in_order=True).operands
    if words:
        run.follow.append(Follow(words))
    else:
        run.hide()
