"""What the shell does itself: moving about, setting names, running text as code."""

from __future__ import annotations

import re

from leeboard.code._shell_expansion import HOME, UNKNOWN, as_source
from leeboard.code._shell_options import parse
from leeboard.code._shell_scope import Follow, Run
from leeboard.model.pattern import lazy

_ASSIGNMENT = lazy(r"([A-Za-z_]\w*)(\+?)=(.*)", re.ASCII | re.DOTALL)
_NAME = lazy(r"[A-Za-z_]\w*", re.ASCII)


def cd(run: Run, args: list[str]) -> None:
    operands = parse(args).operands
    target = operands[0] if operands else HOME
    run.scope.directory = None if target == "-" else run.scope.path(target)


def pushd(run: Run, args: list[str]) -> None:
    operands = parse(args).operands
    run.scope.stack.append(run.scope.directory)
    if not operands or operands[0].startswith("+"):
        run.scope.directory = None
    else:
        cd(run, operands)


def popd(run: Run, args: list[str]) -> None:
    known = run.scope.stack and not args
    run.scope.directory = run.scope.stack.pop() if known else None


def declare(run: Run, args: list[str]) -> None:
    for word in parse(args).operands:
        if found := _ASSIGNMENT.fullmatch(word):
            run.scope.variables[found[1]] = UNKNOWN if found[2] else found[3]


def unset(run: Run, args: list[str]) -> None:
    for word in args:
        run.scope.variables[word] = UNKNOWN
        run.scope.functions.pop(word, None)


def forget(run: Run, args: list[str]) -> None:
    """`read`, `mapfile`, `getopts`, `let`: any name among the words may have another value now."""
    for word in args:
        for name in _NAME.findall(word):
            run.scope.variables[name] = UNKNOWN


def printf(run: Run, args: list[str]) -> None:
    if args[:1] == ["-v"]:
        forget(run, args[1:2])


def evaluate(run: Run, args: list[str]) -> None:
    run.follow.append(Follow(code=as_source(" ".join(args)), same_shell=True))


def source(run: Run, args: list[str]) -> None:
    """Activating a virtual environment only sets variables; any other script may do anything."""
    if not args or not args[0].endswith("bin/activate"):
        run.hide()


def trap(run: Run, args: list[str]) -> None:
    """The code runs when the line is done, wherever that is then."""
    if len(args) > 1 and args[0] not in {"-", "-l", "-p"}:
        run.effects.deferred[args[0]] = None
