"""Tools of development: package managers, build drivers, network clients, test runners, linters and formatters."""

from __future__ import annotations

import posixpath

from leeboard.model.text import lazy
from leeboard.shell.expansion import UNKNOWN
from leeboard.shell.options import PROGRAMS, Parsed, parse
from leeboard.shell.programs.files import below
from leeboard.shell.programs.readers import looks_like_file
from leeboard.shell.scope import Run

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
    run.write(*[below(folders[-1], name) if folders else name for name in targets if name != "-"])
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
        run.write(*[name for name in targets if name != "-"])
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
        run.delete(*[source for source in sources if not _is_remote(source)])
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
