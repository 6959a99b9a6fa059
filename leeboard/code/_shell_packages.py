"""Package managers and build drivers: what fetches, what runs project code, what only looks."""

from __future__ import annotations

from leeboard.code._shell_scope import Run
from leeboard.code._shell_table import PROGRAMS

_FETCHES_BY_DEFAULT = "install add remove update upgrade uninstall sync lock i ci require get download search"

_SAME_AS = {"pnpm": "npm", "yarn": "npm", "pip3": "pip"}


def package(run: Run, args: list[str], program: str) -> None:
    name = first_operand(args)
    alike = _SAME_AS.get(program, program)
    bare_yarn = program == "yarn" and not name
    if bare_yarn or name in PROGRAMS.fetches.get(alike, _FETCHES_BY_DEFAULT).split():
        run.effects.network = True
    if not _looks(program, name, args):
        run.hide()


def _looks(program: str, name: str, args: list[str]) -> bool:
    if name in {"run", "run-script"} and program in {"npm", "yarn", "pnpm", "bun"}:
        script = first_operand(args[args.index(name) + 1 :])
        return script == "test" or script.startswith("test:")
    if name == "pip" and program == "uv":
        return first_operand(args[args.index(name) + 1 :]) in PROGRAMS.looks["pip"].split()
    if not name:
        return program != "yarn" and bool(args)
    return name in PROGRAMS.looks[program].split() and _UPDATING.isdisjoint(args)


_UPDATING = frozenset({"--fix", "fix", "-u", "--update-snapshots", "--updateSnapshot", "-fix"})


def first_operand(args: list[str]) -> str:
    return next((word for word in args if word and not word.startswith(("-", "+"))), "")


def gh(run: Run, args: list[str]) -> None:
    """What GitHub's client does stays on the server, but for what it brings into the work tree."""
    run.effects.network = True
    if {"checkout", "clone", "download", "sync", "fork", "develop"} & set(args[:2]):
        run.hide()
