"""Which reader understands which program, and how a program is called in a report."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from functools import partial
from typing import Literal

from leeboard.model.text import lazy
from leeboard.shell.expansion import UNKNOWN
from leeboard.shell.options import PROGRAMS, Parsed, parse
from leeboard.shell.programs import files, git, readers, wrappers
from leeboard.shell.programs.files import below
from leeboard.shell.programs.readers import looks_like_file
from leeboard.shell.scope import Role, Run

# Tools of development: package managers, build drivers, network clients, test runners, linters and formatters.


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


# Programs that talk to other machines, and the files they leave here.


def curl(run: Run, args: list[str]) -> None:
    run.effects.network = True
    parsed = parse(args, PROGRAMS.valued["curl"])
    folders = parsed.values("--output-dir")
    targets = parsed.values("-o", "--output")
    if parsed.has("-O", "--remote-name", "--remote-name-all"):
        targets += [_name_in(url) for url in parsed.operands + parsed.values("--url")]
    if parsed.has("-J", "--remote-header-name", "-K", "--config"):
        run.hide()
    run.replace(*[below(folders[-1], name) if folders else name for name in targets if name != "-"])
    side_files = parsed.values("-c", "--cookie-jar", "-D", "--dump-header", "--trace", "--trace-ascii")
    run.write(*[name for name in side_files if name != "-"])


def _name_in(url: str) -> str:
    """The file name at the end of an address."""
    plain = url.partition("?")[0].partition("#")[0].partition("://")[2]
    return posixpath.basename(plain) or UNKNOWN


def wget(run: Run, args: list[str]) -> None:
    """Without -O an existing file makes wget choose another name."""
    run.effects.network = True
    parsed = parse(args, PROGRAMS.valued["wget"])
    run.write(*[name for name in parsed.values("-o", "--output-file", "-a") if name != "-"])
    targets = parsed.values("-O", "--output-document")
    if targets:
        run.replace(*[name for name in targets if name != "-"])
    elif not parsed.has("--spider", "--version", "--help"):
        folders = parsed.values("-P", "--directory-prefix")
        names = [_name_in(url) for url in parsed.operands]
        run.write(*[below(folders[-1], name) if folders else name for name in names])
        run.hide()


def remote_copy(run: Run, args: list[str]) -> None:
    """For scp and rsync: a name with a colon is on another machine."""
    run.effects.network = True
    valued = "-e -i -P -F -l -o -c -S -J -f -T --rsh --exclude --include --filter --files-from --bwlimit --exclude-from"
    parsed = parse(args, valued)
    if parsed.has("-n", "--dry-run", "--list-only") or len(parsed.operands) < 2:
        return
    *sources, target = parsed.operands
    run.read(*[source for source in sources if not _is_remote(source)])
    if parsed.has("--remove-source-files"):
        run.move_away(*[source for source in sources if not _is_remote(source)])
    if not _is_remote(target):
        run.write(target)


def _is_remote(word: str) -> bool:
    return ":" in word.partition("/")[0]


def plain(run: Run, _args: list[str]) -> None:
    run.effects.network = True


# Test runners and linters, which leave sources alone by intent, and formatters and fixers, which do not.


_PATTERN = lazy(r"[*?{\[]")
_UPDATES = frozenset({"-u", "--update", "--updateSnapshot", "--snapshot-update", "--inline-snapshot", "--fix"})


def checker(run: Run, args: list[str]) -> None:
    """A run that renews snapshots writes files only the tests know."""
    if not _UPDATES.isdisjoint(args):
        run.hide()


def formatter(run: Run, args: list[str], program: str) -> None:
    kind = PROGRAMS.formatters[program]
    parsed = parse(args, kind.valued)
    if parsed.has(*kind.never_with, "--help", "--version") or (kind.only_with and not parsed.has(*kind.only_with)):
        run.write(*parsed.values("-o", "--output-file"))
    else:
        _format(run, parsed.operands)


def _format(run: Run, operands: list[str]) -> None:
    """Named files are touched; a folder stands for files nobody can name."""
    for word in operands:
        if looks_like_file(word) and not run.is_folder(word) and not _PATTERN.search(word):
            run.write(word)
        else:
            run.hide()
    if not operands:
        run.hide()


def ruff(run: Run, args: list[str]) -> None:
    parsed = parse(args, PROGRAMS.valued["ruff"])
    run.write(*parsed.values("-o", "--output-file"))
    action, operands = parsed.operands[:1], parsed.operands[1:]
    fixes = parsed.has("--fix", "--fix-only", "--add-noqa", "--unsafe-fixes") and not parsed.has("--diff")
    if (action == ["format"] and not parsed.has("--check", "--diff")) or (action == ["check"] and fixes):
        _format(run, operands)
    elif action and action[0] not in {"check", "format", "rule", "linter", "version", "config", "help", "clean"}:
        run.hide()


def tsc(run: Run, args: list[str]) -> None:
    if not parse(args).has("--noEmit", "--version", "-v", "--help", "-h", "--showConfig", "--listFilesOnly"):
        run.hide()


def biome(run: Run, args: list[str]) -> None:
    parsed = parse(args)
    if _writes(parsed):
        _format(run, parsed.operands[1:])
    elif parsed.operands[:1] not in (["check"], ["lint"], ["format"], ["ci"], ["explain"]):
        run.hide()


def _writes(parsed: Parsed) -> bool:
    return parsed.has("--write", "--apply", "--apply-unsafe", "--fix")


def coverage(run: Run, args: list[str]) -> None:
    """Reports go to folders of their own; what `run` starts is judged as `python` would be."""
    if args[:1] not in (["report"], ["combine"], ["erase"], ["html"], ["xml"], ["json"]):
        run.hide()


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
    **dict.fromkeys(PROGRAMS.checkers, checker),
    **dict.fromkeys(PROGRAMS.remote, plain),
    **{name: _named(formatter, name) for name in PROGRAMS.formatters},
    **{name: _named(package, name) for name in PROGRAMS.looks},
    **{name: _named(readers.output, name) for name in PROGRAMS.outputs},
    **{name: _named(readers.edit, name) for name in PROGRAMS.editors},
    **dict.fromkeys(PROGRAMS.matching_removers, files.remove),
    **{name: _named(wrappers.wrapper, name) for name in PROGRAMS.wrappers},
    **{name: _named(wrappers.shell, name) for name in PROGRAMS.shells},
    **{name: _named(wrappers.other, name) for name in PROGRAMS.interpreters - PROGRAMS.looks.keys()},
    **{name: _named(files.pack, name) for name in (*PROGRAMS.packed, *PROGRAMS.unpacked)},
    **dict.fromkeys(("declare", "export", "local", "readonly", "typeset"), wrappers.declare),
    **dict.fromkeys(("getopts", "let", "mapfile", "readarray"), wrappers.forget),
    **dict.fromkeys((".", "source"), wrappers.source),
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), readers.awk),
    **dict.fromkeys(("sed", "gsed"), readers.sed),
    **dict.fromkeys(("egrep", "fgrep", "grep", "zgrep"), readers.grep),
    **dict.fromkeys(("fd", "fdfind"), files.fd),
    **dict.fromkeys(("rm", "rmdir", "unlink"), files.remove),
    **dict.fromkeys(("rsync", "scp"), remote_copy),
    **dict.fromkeys(("trash", "trash-put"), files.trash),
    "biome": biome,
    **dict.fromkeys(("runuser", "script", "su"), wrappers.carried),
    "cd": wrappers.cd,
    "coverage": coverage,
    "cp": files.copy,
    "curl": curl,
    "dd": files.dd,
    "eval": wrappers.evaluate,
    "find": files.find,
    "gh": gh,
    "git": git.git,
    "install": files.install,
    "jq": readers.jq,
    "ln": files.link,
    "mkdir": files.make_folders,
    "mv": files.move,
    "parallel": wrappers.parallel,
    "perl": readers.perl,
    "popd": wrappers.popd,
    "printf": wrappers.printf,
    "pushd": wrappers.pushd,
    "read": wrappers.read,
    "rg": readers.ripgrep,
    "ruff": ruff,
    "set": wrappers.set_given,
    "shift": wrappers.shift,
    "shred": files.shred,
    "sort": readers.sort,
    "sponge": readers.sponge,
    "tar": files.tar,
    "tee": files.tee,
    "touch": files.touch,
    "trap": wrappers.trap,
    "truncate": files.truncate,
    "tsc": tsc,
    "uniq": readers.uniq,
    "unset": wrappers.unset,
    "unzip": files.unzip,
    "wget": wget,
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
        sub = first_operand(words[1:]) if program in _WITH_SUBCOMMAND else ""
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
