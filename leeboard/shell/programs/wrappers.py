"""What runs something else: wrappers such as sudo and timeout, the shell's own builtins, and interpreters."""

from __future__ import annotations

import re

from leeboard.model.text import lazy
from leeboard.shell.expansion import HOME, UNKNOWN, as_source
from leeboard.shell.options import PROGRAMS, parse
from leeboard.shell.programs.readers import rewrite, separate
from leeboard.shell.scope import Follow, Run

_MOST_HANDED = 12
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
    if parsed.has("-c", "--call", "-S", "--split-string") and program in {"npx", "env", "sudo"}:
        run.hide()
    folders = parsed.values("--chdir", {"env": "-C", "sudo": "-D"}.get(program, "--chdir"))
    if words:
        run.follow.append(Follow(words, folder="".join(folders[-1:])))
    elif program in {"sudo", "doas", "npx", "bunx", "uvx", "pnpx"} and not parsed.has("-v", "-l", "-k", "--version"):
        run.hide()


def runs_next(run: Run, args: list[str], program: str) -> None:
    words = parse(args[1:], PROGRAMS.runs_next[program][args[0]], in_order=True).operands
    if words:
        run.follow.append(Follow(words))
    else:
        run.hide()


# What the shell does itself: moving about, setting names, running text as code.


_ASSIGNED = lazy(r"([A-Za-z_]\w*)(\+?)=(.*)", re.ASCII | re.DOTALL)
_NAME = lazy(r"[A-Za-z_]\w*", re.ASCII)
READ_VALUES = "-a -d -i -n -N -p -t -u"
GIVEN = (*map(str, range(1, 11)), "@", "*")
"""What a function, or the shell itself, is handed."""


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
        if found := _ASSIGNED.fullmatch(word):
            run.scope.assign(found[1], UNKNOWN if found[2] else found[3])
            run.effects.keeping.add(run.effects.statement)


def unset(run: Run, args: list[str]) -> None:
    for word in args:
        run.scope.forget(word)
        run.scope.functions.pop(word, None)


def forget(run: Run, args: list[str]) -> None:
    """`mapfile`, `getopts`, `let`: any name among the words may have another value now."""
    run.effects.keeping.add(run.effects.statement)
    for word in args:
        for name in _NAME.findall(word):
            run.scope.forget(name)


def read(run: Run, args: list[str]) -> None:
    """What stands in the line itself is told: `read name <<< text`."""
    names = parse(args, READ_VALUES).operands
    forget(run, args)
    if run.stdin is None or not names or "-a" in args:
        return
    line = run.stdin.partition("\n")[0].strip()
    sign = run.variables.get("IFS", run.scope.variables.get("IFS"))
    parts = line.split(sign or None, len(names) - 1) if sign != "" else [line]
    for name, part in zip(names, parts, strict=False):
        run.scope.assign(name, part.strip())


def set_given(run: Run, args: list[str]) -> None:
    """`set -- a b` gives the shell words of its own; `set -e` does not."""
    if "--" in args:
        run.scope.give(args[args.index("--") + 1 :])
    elif args and not args[0].startswith(("-", "+")):
        run.scope.give(args)


def shift(run: Run, _args: list[str]) -> None:
    for name in GIVEN:
        run.scope.variables.pop(name, None)


def printf(run: Run, args: list[str]) -> None:
    if args[:1] == ["-v"]:
        forget(run, args[1:2])


def evaluate(run: Run, args: list[str]) -> None:
    run.follow.append(Follow(code=as_source(" ".join(args)), same_shell=True))


def source(run: Run, args: list[str]) -> None:
    """Activating a virtual environment only sets variables; any other script may do anything."""
    if args and args[0] == "/dev/stdin" and run.stdin is not None:
        run.follow.append(Follow(code=as_source(run.stdin), same_shell=True))
    elif not args or not args[0].endswith("bin/activate"):
        run.hide()


def trap(run: Run, args: list[str]) -> None:
    """The code runs when the line is done, wherever that is then."""
    if len(args) > 1 and args[0] not in {"-", "-l", "-p"}:
        run.effects.deferred[args[0]] = None


# Interpreters: what they are handed literally is read, a script in a file stays opaque.


SHELLS = PROGRAMS.shells
_PYTHON = lazy(r"(?:python|pypy)[0-9.]*")
_CODE_OPTIONS = ("-e", "-p", "-pe", "-r", "--eval", "--print")
_JS_DATA = lazy(r"""require\(\s*(['"])(?:[^'"]*\.json|(?:node:)?(?:path|util|url|os|assert|semver))\1\s*\)""")
_JS_READS = lazy(
    r"""(?:require\(\s{0,9}(['"])(?:node:)?fs\1\s{0,9}\)|\bfs)\.(?:readFileSync|existsSync|readdirSync|statSync)\b"""
    r"""|\b(?:const|let|var)\s{1,9}fs\s{0,9}=\s{0,9}require\(\s{0,9}(['"])(?:node:)?fs\2\s{0,9}\)"""
)
_ACTS = lazy(
    r"\b(?:require|import|eval|Function|fs|child_process|Bun|Deno|binding|constructor|File|IO|FileUtils|Dir|system"
    r"|exec|spawn|open|load|unlink|rename|file_put_contents|fopen|os|io|do|tell)\b|`"
)


def is_python(program: str) -> bool:
    return _PYTHON.fullmatch(program) is not None


def python(run: Run, args: list[str]) -> None:
    parsed = parse(args, "-c -m -W -X", in_order=True)
    if parsed.has("-V", "--version", "-h", "--help", "-VV"):
        return
    if parsed.has("-c"):
        python_code(run, parsed.values("-c")[0])
    elif parsed.has("-m"):
        at = args.index("-m") if "-m" in args else -1
        module(run, parsed.values("-m")[0], args[at + 2 :] if at >= 0 else parsed.operands)
    elif parsed.operands[:1] in ([], ["-"], ["/dev/stdin"]):
        handed_in(run, "python")
        if run.stdin is not None:
            python_code(run, run.stdin)
    else:
        run.hide()


def handed_in(run: Run, name: str) -> None:
    """Code comes through standard input: opaque unless it stands in the line itself."""
    if run.piped or run.stdin is not None:
        run.effects.interpreters[name] = None
    if run.stdin is None:
        run.hide()


def module(run: Run, name: str, args: list[str]) -> None:
    if name in PROGRAMS.quiet_modules:
        run.effects.network = run.effects.network or name == "http.server"
        if name == "json.tool":
            operands = parse(args, "--indent").operands
            run.read(*operands[:1])
            run.write(*operands[1:2])
    else:
        run.follow.append(Follow([name, *args]))


def python_code(run: Run, code: str) -> None:
    from leeboard.shell.programs.python import examine  # noqa: PLC0415 - Python's parser, for lines that hold some

    run.effects.interpreters["python"] = None
    found = examine(code)
    run.effects.opaque = run.effects.opaque or found.opaque
    run.effects.network = run.effects.network or found.network
    for kind, path in found.touches:
        run.touch(kind, path)
    looked_at = {path for kind, path in found.touches if kind == "read"}
    run.replace(*(path for path in found.replaced if path not in looked_at))
    run.move_away(*found.moved)
    run.follow.extend(Follow(code=as_source(line)) for line in found.lines)
    run.follow.extend(Follow(list(words)) for words in found.commands)


def shell(run: Run, args: list[str], program: str) -> None:
    parsed = parse(args, "-o -O --rcfile --init-file", in_order=True)
    if parsed.has("--version", "--help"):
        return
    if parsed.has("-c"):
        run.effects.interpreters[program] = None
        code = parsed.operands[0] if parsed.operands else ""
        run.follow.append(Follow(code=as_source(code), given=parsed.operands[1:]))
    elif parsed.operands[:1] in ([], ["-"], ["/dev/stdin"]) or parsed.has("-s"):
        handed_in(run, program)
        if run.stdin is not None:
            run.follow.append(Follow(code=as_source(run.stdin)))
    elif not parsed.has("-n"):
        run.hide()


def carried(run: Run, args: list[str]) -> None:
    """`su`, `script` and their like: a shell of their own, and the code for it."""
    for code in parse(args, "-c --command -s --shell -g --group -G -u --user -T -I -O -B -E -w --timeout").values(
        "-c", "--command"
    ):
        run.follow.append(Follow(code=as_source(code)))
    run.hide()


def parallel(run: Run, args: list[str]) -> None:
    """What stands behind `:::` is handed to the words before it, one by one."""
    run.hide()
    if ":::" not in args:
        return
    words, given = args[: args.index(":::")], args[args.index(":::") + 1 :]
    words = parse(words, "-j --jobs -P -n -N -d --delay --joblog --tmpdir", in_order=True).operands
    for word in given[:_MOST_HANDED] if words else ():
        filled = [one.replace("{}", word) for one in words]
        run.follow.append(Follow(filled if filled != words else [*words, word]))


def other(run: Run, args: list[str], program: str) -> None:
    name = {"nodejs": "node"}.get(program, program)
    if name == "ruby":
        in_place = parse(separate(args, "i", "eIr"), "-e -I -r", in_order=True)
        rewrite(run, in_place.operands if in_place.has("--in-place") else [], "".join(in_place.values("--in-place")))
    if args in (["-v"], ["--version"], ["-V"], ["--help"], ["-h"]):
        return
    codes = [args[at + 1] for at, word in enumerate(args[:-1]) if word in _CODE_OPTIONS]
    if not codes and args[:1] == ["eval"]:
        codes = args[1:2]
    if not codes:
        if not args or args == ["-"]:
            handed_in(run, name)
        run.hide()
        return
    run.effects.interpreters[name] = None
    if any(UNKNOWN in code or _ACTS.search(_JS_READS.sub("", _JS_DATA.sub("", code))) for code in codes):
        run.hide()
