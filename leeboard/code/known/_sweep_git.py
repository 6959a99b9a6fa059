"""What a git command takes back, writes over or removes without naming each file: as pathspecs."""

from __future__ import annotations

from leeboard.code._shell_git import subcommand
from leeboard.code._shell_options import parse
from leeboard.model.pattern import lazy
from leeboard.model.touch import Started

_KEEPING = frozenset({"apply", "branch", "clear", "create", "drop", "list", "pop", "show", "store"})
"""What `git stash` does beside taking changes away."""
_COMMIT = lazy(r"(?:HEAD|@)(?:[~^@].{0,40})?$")


def swept_by_git(name: str, args: list[str], before_it: tuple[Started, ...]) -> list[str]:
    """`before_it`: what the line has started before, for it may be fed from there."""
    if name == "apply":
        return _taken_back(args, before_it)
    return _GIT[name](args) if name in _GIT else []


def _checkout(args: list[str]) -> list[str]:
    """Without a path it keeps what is not committed, unless it is forced."""
    at = args.index("--") if "--" in args else None
    parsed = parse(args[:at], "-b -B --orphan --conflict --pathspec-from-file")
    if at is not None and args[at + 1 :]:
        return args[at + 1 :]
    if parsed.has("-f", "--force"):
        return [":/"]
    return [] if parsed.has("-b", "-B", "--orphan") else [word for word in parsed.operands if _is_wide(word)]


def _restore(args: list[str]) -> list[str]:
    parsed = parse(args, "-s --source --conflict --pathspec-from-file")
    only_index = parsed.has("-S", "--staged") and not parsed.has("-W", "--worktree")
    return [] if only_index else parsed.operands


def _reset(args: list[str]) -> list[str]:
    return [":/"] if parse(args).has("--hard") else []


def _stash(args: list[str]) -> list[str]:
    action = args[0] if args and not args[0].startswith("-") else "push"
    if action in _KEEPING or action not in {"push", "save"}:
        return []
    rest = args[1:] if args[:1] == [action] else args
    named = parse(rest, "-m --message --pathspec-from-file").operands if action == "push" else []
    return named or [":/"]


def _clean(args: list[str]) -> list[str]:
    parsed = parse(args, "-e --exclude")
    if parsed.has("-n", "--dry-run") or not parsed.has("-f", "--force"):
        return []
    return parsed.operands or ["."]


def _switch(args: list[str]) -> list[str]:
    """Without force it keeps what is not committed."""
    parsed = parse(args, "-c -C --create --force-create --orphan --conflict")
    return [":/"] if parsed.has("-f", "--force", "--discard-changes") else []


def _remove(args: list[str]) -> list[str]:
    """Without force git refuses by itself to remove what is not committed."""
    parsed = parse(args, "--pathspec-from-file")
    forced = parsed.has("-f", "--force") and not parsed.has("--cached", "-n", "--dry-run")
    return parsed.operands if forced else []


def _read_tree(args: list[str]) -> list[str]:
    parsed = parse(args, "--prefix --index-output --exclude-per-directory")
    dry = parsed.has("-n", "--dry-run", "--prefix")
    return [":/"] if parsed.has("-u") and parsed.has("--reset") and not dry else []


def _checkout_index(args: list[str]) -> list[str]:
    parsed = parse(args, "--prefix --stage")
    if not parsed.has("-f", "--force") or parsed.has("--prefix", "--temp"):
        return []
    return [":/"] if parsed.has("-a", "--all", "--stdin") else parsed.operands


_GIT = {
    "checkout": _checkout,
    "checkout-index": _checkout_index,
    "clean": _clean,
    "read-tree": _read_tree,
    "reset": _reset,
    "restore": _restore,
    "rm": _remove,
    "stash": _stash,
    "switch": _switch,
}


def _taken_back(args: list[str], before_it: tuple[Started, ...]) -> list[str]:
    """`git diff | git apply -R`. A patch that lies in a file names what it takes back, and is somebody's own."""
    parsed = parse(args, "-p -C --directory --exclude --include --whitespace")
    if not parsed.has("-R", "--reverse") or parsed.has("--check", "--stat", "--numstat", "--summary", "--cached"):
        return []
    source = before_it[-1].words if before_it and parsed.operands in ([], ["-"]) else ()
    name, given, _ = subcommand(list(source[1:])) if source[:1] == ("git",) else ("", [], None)
    return _differing(given) if name == "diff" else []


def _differing(args: list[str]) -> list[str]:
    """The paths whose uncommitted changes `git diff` shows."""
    at = args.index("--") if "--" in args else len(args)
    parsed = parse(args[:at])
    named = [word for word in parsed.operands if not _COMMIT.match(word)]
    if parsed.has("--cached", "--staged") or any(".." in word.strip("./") for word in parsed.operands):
        return []
    return [*named, *args[at + 1 :]] or [":/"]


def _is_wide(word: str) -> bool:
    return word in {".", "./", "..", ":/"} or any(sign in word for sign in "*?[\0")
