"""What git does to the work tree, one subcommand at a time."""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Callable

from leeboard.model.text import lazy
from leeboard.shell.expansion import UNKNOWN, as_source
from leeboard.shell.options import PROGRAMS, Parsed, parse
from leeboard.shell.programs.files import placed
from leeboard.shell.programs.readers import looks_like_file
from leeboard.shell.scope import Follow, Run

_WHOLE_TREE = frozenset({".", "./", "..", "/"})
_PATTERN = lazy(r"[*?\[]|^:")


def subcommand(args: list[str]) -> tuple[str, list[str], Parsed]:
    """The subcommand ("" where none is given), its arguments, and what stood before it."""
    before = parse(args, PROGRAMS.valued["git"], in_order=True)
    name = before.operands[0] if before.operands else ""
    return name, before.operands[1:], before


def git(run: Run, args: list[str]) -> None:
    name, rest, before = subcommand(args)
    for folder in before.values("-C"):
        run = run.at(folder)
    if before.has("--git-dir", "--work-tree"):
        run.hide()
    run.effects.network = run.effects.network or name in PROGRAMS.git.network
    if name in PROGRAMS.git.quiet:
        _write_output(run, name, rest)
    elif name in _HANDLERS:
        _HANDLERS[name](run, rest)
    elif name:
        meant = aliased(name, rest, before)
        run.follow += [meant] if meant else []
        run.effects.opaque = run.effects.opaque or meant is None


def is_own_name(name: str) -> bool:
    """Whether git has such a command: an alias can not take its place."""
    return name in PROGRAMS.git.quiet or name in PROGRAMS.git.network or name in _HANDLERS or name in PROGRAMS.git.own


def _write_output(run: Run, name: str, args: list[str]) -> None:
    """The few quiet subcommands that can be told to write a file."""
    if name == "bundle" and args[:1] == ["create"]:
        run.write(*parse(args[1:]).operands[:1])
    elif name in {"archive", "diff", "log", "show"}:
        names = ("-o", "--output") if name == "archive" else ("--output",)
        run.replace(*parse(args, " ".join(names)).values(*names))
    elif name == "config":
        parsed = parse(args, "-f --file")
        sets = len(parsed.operands) > 1 and parsed.operands[0] not in {"get", "list"}
        asks = parsed.has("--get", "--get-all", "--get-regexp", "--get-urlmatch", "-l", "--list")
        changes = parsed.has("--unset", "--unset-all", "--remove-section", "--rename-section", "-e", "--edit")
        files = parsed.values("-f", "--file")
        (run.write if changes or (sets and not asks) else run.read)(*files)


def _names_one(word: str) -> bool:
    """Git reads patterns itself, quoted or not."""
    return word not in _WHOLE_TREE and not _PATTERN.search(word)


def _restore_paths(run: Run, paths: list[str]) -> None:
    run.restore(*[word for word in paths if _names_one(word)])
    if not all(_names_one(word) for word in paths):
        run.hide()


def _split_paths(args: list[str]) -> tuple[list[str], list[str] | None]:
    """What stands before `--` and what behind it (None: there is no `--`)."""
    if "--" not in args:
        return args, None
    at = args.index("--")
    return args[:at], args[at + 1 :]


def _checkout(run: Run, args: list[str]) -> None:
    before, paths = _split_paths(args)
    parsed = parse(before, "-b -B --orphan --conflict --pathspec-from-file")
    operands = parsed.operands
    if paths is not None:
        _restore_paths(run, paths)
    elif parsed.has("-b", "-B", "--orphan"):
        run.effects.opaque = run.effects.opaque or bool(operands) or parsed.has("--orphan")
    elif len(operands) > 1:
        _restore_paths(run, operands if parsed.has("--ours", "--theirs") else operands[1:])
    else:
        run.hide()
        run.restore(*[word for word in operands if looks_like_file(word) and UNKNOWN not in word])


def _restore(run: Run, args: list[str]) -> None:
    parsed = parse(args, "-s --source --conflict --pathspec-from-file")
    if parsed.has("--pathspec-from-file"):
        run.hide()
    if not parsed.has("-S", "--staged") or parsed.has("-W", "--worktree"):
        _restore_paths(run, parsed.operands)


def _reset(run: Run, args: list[str]) -> None:
    if parse(args).has("--hard", "--merge", "--keep"):
        run.hide()


def _stash(run: Run, args: list[str]) -> None:
    action = args[0] if args else "push"
    if action in PROGRAMS.git.stash_quiet:
        return
    paths = parse(args[1:], "-m --message --pathspec-from-file").operands if action == "push" else []
    if paths:
        _restore_paths(run, paths)
    else:
        run.hide()


def _clean(run: Run, args: list[str]) -> None:
    parsed = parse(args, "-e --exclude")
    if parsed.has("-n", "--dry-run"):
        return
    named = [word for word in parsed.operands if _names_one(word)]
    run.delete(*named)
    if not named or len(named) < len(parsed.operands):
        run.hide()


def _move(run: Run, args: list[str]) -> None:
    parsed = parse(args)
    for source, target in placed(run, parsed) if not parsed.has("-n", "--dry-run") else []:
        run.move_away(source)
        (run.replace if parsed.has("-f", "--force") else run.write)(target)


def _remove(run: Run, args: list[str]) -> None:
    parsed = parse(args, "--pathspec-from-file")
    if not parsed.has("--cached", "-n", "--dry-run"):
        run.delete(*[word if _names_one(word) else UNKNOWN for word in parsed.operands])


def _apply(run: Run, args: list[str]) -> None:
    parsed = parse(args, "-p -C --directory --exclude --include --whitespace")
    run.read(*parsed.operands)
    if not parsed.has("--check", "--stat", "--numstat", "--summary", "--cached"):
        run.hide()


def _clone(run: Run, args: list[str]) -> None:
    valued = (
        "-b -c -o -j -u --branch --depth --config --origin --jobs --reference --template --filter --separate-git-dir"
    )
    operands = parse(args, valued).operands
    if len(operands) > 1:
        run.write(operands[1])
    elif operands:
        name = posixpath.basename(operands[0].rstrip("/").removesuffix("/.git")).removesuffix(".git")
        run.write(name.rpartition(":")[2] or UNKNOWN)


def _switch(run: Run, args: list[str]) -> None:
    parsed = parse(args, "-c -C --create --force-create --orphan")
    if parsed.operands or not parsed.has("-c", "-C", "--create", "--force-create"):
        run.hide()


def _worktree(run: Run, args: list[str]) -> None:
    if args[:1] != ["list"]:
        run.hide()


def _format_patch(run: Run, args: list[str]) -> None:
    if "--stdout" not in args:
        run.hide()


def _submodule(run: Run, args: list[str]) -> None:
    if args[:1] not in ([], ["status"], ["summary"]):
        run.effects.network = True
        run.hide()


_HANDLERS: dict[str, Callable[[Run, list[str]], None]] = {
    "apply": _apply,
    "checkout": _checkout,
    "clean": _clean,
    "clone": _clone,
    "format-patch": _format_patch,
    "mv": _move,
    "reset": _reset,
    "restore": _restore,
    "rm": _remove,
    "stash": _stash,
    "submodule": _submodule,
    "switch": _switch,
    "worktree": _worktree,
}


# Git commands that a line names itself: `git -c alias.x='push . a:main' x` runs what the alias says.
#
# Aliases that stand in a configuration file are not known here, and those are the user's.


_INCLUDES = ("include.", "includeif.")


def alias_of(name: str, before: Parsed) -> str | None:
    """What the options before a subcommand say that it means; "" where nobody can tell, None where they say nothing."""
    meaning: str | None = None
    for option, given in before.options:
        key, _, value = given.partition("=")
        if option not in {"-c", "--config-env"}:
            continue
        if _names(key, name):
            meaning = value if option == "-c" and UNKNOWN not in value else ""
        elif UNKNOWN in key or key.lower().startswith(_INCLUDES):
            meaning = ""
    return meaning


def is_unreadable(name: str, before: Parsed) -> bool:
    """Whether a subcommand is an alias of the line, and nobody can tell of what."""
    return (
        bool(name)
        and name not in PROGRAMS.git.own
        and alias_of(name, before) is not None
        and not aliased(name, [], before)
    )


def aliased(name: str, rest: list[str], before: Parsed) -> Follow | None:
    """What is started for a subcommand that is an alias of the line; None: that is not, or can not be, told."""
    meaning = (alias_of(name, before) or "").strip()
    if meaning.startswith("!"):
        there = "".join(f"cd {shlex.quote(folder)} && " for folder in before.values("-C"))
        return Follow(code=as_source(f"{there}{meaning[1:]} {shlex.join(rest)}"))
    try:
        words = shlex.split(meaning)
    except ValueError:
        return None
    return Follow(["git", *_without(name, before), *words, *rest]) if words else None


def _without(name: str, before: Parsed) -> list[str]:
    """The options before the subcommand; an alias is used once, so that none leads back to itself."""
    words: list[str] = []
    for option, value in before.options:
        if option == "-c" and _names(value.partition("=")[0], name):
            continue
        words += [f"{option}={value}" if value else option] if option.startswith("--") else [option, value]
    return [word for word in words if word]


def _names(key: str, name: str) -> bool:
    return key.lower() in {f"alias.{name.lower()}", f"alias.{name.lower()}.command"}
