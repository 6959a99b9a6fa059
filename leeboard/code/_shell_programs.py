"""Which reader understands which program, and how a program is called in a report."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal

from leeboard.code import _shell_builtins as builtins
from leeboard.code import _shell_edit as edit
from leeboard.code import _shell_files as files
from leeboard.code import _shell_find as find
from leeboard.code import _shell_git as git
from leeboard.code import _shell_interpreters as interpreters
from leeboard.code import _shell_network as network
from leeboard.code import _shell_packages as packages
from leeboard.code import _shell_readers as readers
from leeboard.code import _shell_tools as tools
from leeboard.code import _shell_wrappers as wrappers
from leeboard.code._shell_expansion import UNKNOWN
from leeboard.code._shell_listing import role_of
from leeboard.code._shell_scope import Run
from leeboard.code._shell_table import PROGRAMS

Reader = Callable[[Run, list[str]], None]

_WITH_SUBCOMMAND = frozenset(
    {*PROGRAMS.looks, "biome", "gh", "ruff", "svn", "hg", "jj", "aws", "gcloud", "az", "hatch"}
)
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
    **dict.fromkeys(PROGRAMS.checkers, tools.checker),
    **dict.fromkeys(network.PLAIN, network.plain),
    **{name: _named(tools.formatter, name) for name in PROGRAMS.formatters},
    **{name: _named(packages.package, name) for name in PROGRAMS.looks},
    **{name: _named(wrappers.wrapper, name) for name in PROGRAMS.wrappers},
    **{name: _named(interpreters.shell, name) for name in interpreters.SHELLS},
    **{name: _named(interpreters.other, name) for name in interpreters.OTHERS - PROGRAMS.looks.keys()},
    **{name: _named(files.pack, name) for name in files.PACKERS},
    **dict.fromkeys(("declare", "export", "local", "readonly", "typeset"), builtins.declare),
    **dict.fromkeys(("getopts", "let", "mapfile", "read", "readarray"), builtins.forget),
    **dict.fromkeys((".", "source"), builtins.source),
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), edit.awk),
    **dict.fromkeys(("sed", "gsed"), edit.sed),
    **dict.fromkeys(("egrep", "fgrep", "grep", "zgrep"), readers.grep),
    **dict.fromkeys(("fd", "fdfind"), find.fd),
    **dict.fromkeys(("rm", "rmdir", "unlink"), files.remove),
    **dict.fromkeys(("rsync", "scp"), network.remote_copy),
    "biome": tools.biome,
    "cd": builtins.cd,
    "coverage": tools.coverage,
    "cp": files.copy,
    "curl": network.curl,
    "dd": files.dd,
    "eval": builtins.evaluate,
    "find": find.find,
    "gh": packages.gh,
    "git": git.git,
    "install": files.install,
    "jq": readers.jq,
    "ln": files.link,
    "mkdir": files.make_folders,
    "mv": files.move,
    "perl": edit.perl,
    "popd": builtins.popd,
    "printf": builtins.printf,
    "pushd": builtins.pushd,
    "rg": readers.ripgrep,
    "ruff": tools.ruff,
    "shred": files.shred,
    "sort": readers.sort,
    "tar": files.tar,
    "tee": files.tee,
    "touch": files.touch,
    "trap": builtins.trap,
    "truncate": files.truncate,
    "tsc": tools.tsc,
    "uniq": readers.uniq,
    "unset": builtins.unset,
    "unzip": files.unzip,
    "wget": network.wget,
    "xargs": find.xargs,
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
        sub = packages.first_operand(words[1:]) if program in _WITH_SUBCOMMAND else ""
    return f"{program} {sub}" if sub and UNKNOWN not in sub else program


def role_in(words: list[str]) -> Literal["known", "runner", "unknown"]:
    """Whether a program runs what it is told, does what its reader knows, or nobody can say."""
    program, args = words[0].rpartition("/")[2], words[1:]
    is_runner = program in PROGRAMS.runners or program in PROGRAMS.wrappers or program in interpreters.SHELLS
    if is_runner or program in interpreters.OTHERS or interpreters.is_python(program):
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
    return interpreters.python if interpreters.is_python(program) else _READERS.get(program)
