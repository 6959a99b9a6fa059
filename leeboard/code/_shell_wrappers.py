"""Programs that only start another one: sudo, env, timeout, npx and their like."""

from __future__ import annotations

import re

from leeboard.code._shell_options import parse
from leeboard.code._shell_scope import Follow, Run
from leeboard.model.pattern import lazy

_ASSIGNMENT = lazy(r"[A-Za-z_]\w*=", re.ASCII)

VALUED = {
    "builtin": "",
    "bunx": "",
    "busybox": "",
    "caffeinate": "-t -w",
    "chronic": "",
    "command": "",
    "coproc": "",
    "doas": "-u -C",
    "env": "-u --unset -C --chdir",
    "exec": "-a",
    "ionice": "-c -n -p --class --classdata",
    "nice": "-n --adjustment",
    "nohup": "",
    "npx": "-p --package -c --call",
    "pnpx": "-p --package",
    "setsid": "",
    "stdbuf": "-i -o -e --input --output --error",
    "sudo": "-u -g -h -p -C -D -R -T -U --user --group --host --prompt --chdir",
    "time": "-f -o --format --output",
    "timeout": "-s -k --signal --kill-after",
    "unbuffer": "",
    "uvx": "--from --with -p --python",
    "watch": "-n -d --interval",
}
"""Wrappers and the options of theirs that take a value."""

RUNS_NEXT = {
    ("bundle", "exec"): "",
    ("bun", "x"): "",
    ("hatch", "run"): "",
    ("npm", "exec"): "-p --package",
    ("pdm", "run"): "",
    ("pipenv", "run"): "",
    ("pipx", "run"): "--spec --python",
    ("pixi", "run"): "-e --environment",
    ("pnpm", "dlx"): "",
    ("pnpm", "exec"): "",
    ("poetry", "run"): "",
    ("rye", "run"): "",
    ("uv", "run"): "--with --extra --group --python -p --env-file --project --directory --package --with-requirements",
    ("yarn", "dlx"): "",
    ("yarn", "exec"): "",
}
"""Programs with a subcommand that starts the program named behind it."""


def wrapper(run: Run, args: list[str], program: str) -> None:
    parsed = parse(args, VALUED[program], in_order=True)
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
    words = parse(args[1:], RUNS_NEXT[program, args[0]], in_order=True).operands
    if words:
        run.follow.append(Follow(words))
    else:
        run.hide()
