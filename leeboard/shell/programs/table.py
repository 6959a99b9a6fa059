"""Which reader understands which program, and how a program is called in a report."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal

from leeboard.shell.expansion import UNKNOWN
from leeboard.shell.options import PROGRAMS
from leeboard.shell.programs import files, git, readers, toolchains, wrappers
from leeboard.shell.scope import Role, Run

Reader = Callable[[Run, list[str]], None]

_WITH_SUBCOMMAND = frozenset({*PROGRAMS.looks, *PROGRAMS.with_subcommand})
_ASKS_ABOUT_ITSELF = frozenset({"--version", "--help"})


def _silent(_run: Run, _args: list[str]) -> None:
    """It changes no file."""


def _named(reader: Callable[[Run, list[str], str], None], program: str) -> Reader:
    def read(run: Run, args: list[str]) -> None:
        reader(run, args, program)

    return read


_READERS: dict[str, Reader] = {
    **dict.fromkeys(PROGRAMS.silent, _silent),
    **{name: _named(readers.read_operands, name) for name in PROGRAMS.readers},
    **dict.fromkeys(PROGRAMS.checkers, toolchains.checker),
    **dict.fromkeys(PROGRAMS.remote, toolchains.plain),
    **{name: _named(toolchains.formatter, name) for name in PROGRAMS.formatters},
    **{name: _named(toolchains.package, name) for name in PROGRAMS.looks},
    **{name: _named(wrappers.wrapper, name) for name in PROGRAMS.wrappers},
    **{name: _named(wrappers.shell, name) for name in PROGRAMS.shells},
    **{name: _named(wrappers.other, name) for name in PROGRAMS.interpreters - PROGRAMS.looks.keys()},
    **{name: _named(files.pack, name) for name in (*PROGRAMS.packed, *PROGRAMS.unpacked)},
    **dict.fromkeys(("declare", "export", "local", "readonly", "typeset"), wrappers.declare),
    **dict.fromkeys(("getopts", "let", "mapfile", "read", "readarray"), wrappers.forget),
    **dict.fromkeys((".", "source"), wrappers.source),
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), readers.awk),
    **dict.fromkeys(("sed", "gsed"), readers.sed),
    **dict.fromkeys(("egrep", "fgrep", "grep", "zgrep"), readers.grep),
    **dict.fromkeys(("fd", "fdfind"), files.fd),
    **dict.fromkeys(("rm", "rmdir", "unlink"), files.remove),
    **dict.fromkeys(("rsync", "scp"), toolchains.remote_copy),
    "biome": toolchains.biome,
    "cd": wrappers.cd,
    "coverage": toolchains.coverage,
    "cp": files.copy,
    "curl": toolchains.curl,
    "dd": files.dd,
    "eval": wrappers.evaluate,
    "find": files.find,
    "gh": toolchains.gh,
    "git": git.git,
    "install": files.install,
    "jq": readers.jq,
    "ln": files.link,
    "mkdir": files.make_folders,
    "mv": files.move,
    "perl": readers.perl,
    "popd": wrappers.popd,
    "printf": wrappers.printf,
    "pushd": wrappers.pushd,
    "rg": readers.ripgrep,
    "ruff": toolchains.ruff,
    "shred": files.shred,
    "sort": readers.sort,
    "tar": files.tar,
    "tee": files.tee,
    "touch": files.touch,
    "trap": wrappers.trap,
    "truncate": files.truncate,
    "tsc": toolchains.tsc,
    "uniq": readers.uniq,
    "unset": wrappers.unset,
    "unzip": files.unzip,
    "wget": toolchains.wget,
    "xargs": files.xargs,
    "xxd": readers.xxd,
    "yq": readers.yq,
    "zip": files.zip_up,
}


def name_of(words: list[str]) -> str:
    """The program's own name and, where it has them, its subcommand; "" where nobody can tell."""
    program = words[0].rpartition("/")[2]
    if UNKNOWN in words[0]:
        return ""
    if program == "git":
        sub = git.subcommand(words[1:])[0]
    else:
        sub = toolchains.first_operand(words[1:]) if program in _WITH_SUBCOMMAND else ""
    return f"{program} {sub}" if sub and UNKNOWN not in sub else program


def role_in(words: list[str]) -> Literal["known", "runner", "unknown"]:
    """Whether a program runs what it is told, does what its reader knows, or nobody can say."""
    program, args = words[0].rpartition("/")[2], words[1:]
    is_runner = program in PROGRAMS.runners or program in PROGRAMS.wrappers or program in PROGRAMS.shells
    if is_runner or program in PROGRAMS.interpreters or wrappers.is_python(program):
        return "runner"
    return "known" if _reader(words[0], program, args) is not None else "unknown"


def start(run: Run, words: list[str]) -> None:
    """Note what one program does; what it starts in its turn is left in `run.follow`."""
    program, args = words[0].rpartition("/")[2], words[1:]
    run.effects.note_program(name_of(words))
    before = len(run.effects.touches)
    reader = _reader(words[0], program, args)
    if reader is not None:
        reader(run, args)
    elif len(args) != 1 or args[0] not in _ASKS_ABOUT_ITSELF:
        run.hide()
    role = role_of(program, args)
    filters_files = role == "filters" and (not run.piped or len(run.effects.touches) > before)
    run.effects.note_role("other" if filters_files else role)


def _reader(path: str, program: str, args: list[str]) -> Reader | None:
    """None for a program nobody here knows. A script beside the work is not the program of the same name."""
    if UNKNOWN in path or (path.startswith(("./", "../")) and not path.endswith(f"bin/{program}")):
        return None
    if args and args[0] in PROGRAMS.runs_next.get(program, ()):
        return partial(wrappers.runs_next, program=program)
    return wrappers.python if wrappers.is_python(program) else _READERS.get(program)


# Tells programs that only list names from those that look into files or do more.


_NEUTRAL = frozenset({*PROGRAMS.neutral, *PROGRAMS.wrappers})
_GIT_NAMES = frozenset({"--name-only", "--name-status", "--stat", "--numstat", "--shortstat", "--dirstat"})


def role_of(program: str, args: list[str]) -> Role:
    if program in PROGRAMS.lists:
        return "lists"
    if program in PROGRAMS.filters:
        return "filters"
    if program in _NEUTRAL:
        return "neutral"
    if program == "git":
        return "lists" if _git_lists(args) else "other"
    if program in {"fd", "fdfind", "find"}:
        return "neutral" if files.acts(program, args) else "lists"
    return "lists" if program == "rg" and "--files" in args else "other"


def _git_lists(args: list[str]) -> bool:
    name, rest, _ = git.subcommand(args)
    if name in {"ls-files", "ls-tree"}:
        return True
    if name == "status":
        return "-v" not in rest and "--verbose" not in rest
    return name == "diff" and any(word.partition("=")[0] in _GIT_NAMES for word in rest)
