"""Test runners and linters, which leave sources alone by intent, and formatters and fixers, which do not."""

from __future__ import annotations

from leeboard.code._shell_options import Parsed, parse
from leeboard.code._shell_readers import looks_like_file
from leeboard.code._shell_scope import Run
from leeboard.code._shell_table import PROGRAMS
from leeboard.model.pattern import lazy

_PATTERN = lazy(r"[*?{\[]")
_UPDATES = frozenset({"-u", "--update", "--updateSnapshot", "--snapshot-update", "--inline-snapshot", "--fix"})


_RUFF_VALUED = (
    "--select --ignore --extend-select --config --line-length --output-format -o --output-file --target-version"
)


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
    parsed = parse(args, _RUFF_VALUED)
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
