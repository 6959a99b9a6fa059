"""Git commands that throw away what is in the work tree, the index, a stash or the history, by their words alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from leeboard.model.text import lazy
from leeboard.model.unsaved import FileState
from leeboard.shell.losses.discard import AS_IT_IS, HERE, IN_FILES, TRACKED, Discard, GitCommand
from leeboard.shell.losses.git_refs import REF_READERS
from leeboard.shell.options import Parsed, parse
from leeboard.shell.programs.readers import looks_like_file

_STAGED: frozenset[FileState] = frozenset({"staged"})
_NOW = frozenset({"now", "all", "0", "0.seconds.ago"})
_PATTERN = lazy(r"[*?\[]|^:")
_EVERYTHING = HERE | {"*", ":/"}
_EXCLUDES = (":!", ":^", ":(exclude")
_LIST = "--pathspec-from-file"


def _reset(command: GitCommand) -> Iterator[Discard]:
    """`--merge` throws away what is staged and no more; `--keep` refuses where a file would change."""
    parsed = parse(command.args)
    mode = next((mode for mode in ("--hard", "--merge", "--keep") if parsed.has(mode)), "")
    program = f"git reset {mode}"
    if mode in {"--hard", "--merge"}:
        states = TRACKED if mode == "--hard" else _STAGED
        yield Discard(kind="files", program=program, folder=command.folder, states=states)
    target = next(iter(parsed.operands), "")
    if mode and target not in AS_IT_IS:
        yield Discard(kind="move", program=program, folder=command.folder, names=("HEAD",), target=target)


def _checkout(command: GitCommand) -> Iterator[Discard]:
    args = command.args
    before, paths = (args[: args.index("--")], args[args.index("--") + 1 :]) if "--" in args else (args, None)
    parsed = parse(before, "-b -B --orphan --conflict --pathspec-from-file")
    if parsed.has("-p", "--patch"):
        yield from _asked(command, "git checkout -p", paths or _checked_out(parsed))
        return
    if parsed.has(_LIST):
        yield _listed(command, "git checkout", parsed)
        return
    if paths is None and parsed.values("-B"):
        target = next(iter(parsed.operands), "HEAD")
        yield Discard(
            kind="move",
            program="git checkout -B",
            folder=command.folder,
            names=(parsed.values("-B")[0],),
            target=target,
        )
    if paths is None and not parsed.has("-b", "-B", "--orphan"):
        paths = _checked_out(parsed)
    if paths and parsed.has("--ours", "--theirs"):
        # One side of a conflict, which is in a commit: of a file that is named, only what git wrote into it goes.
        paths = [word for word in paths if word in _EVERYTHING]
    if paths:
        whole = parsed.operands and not parsed.has("--ours", "--theirs")
        states = TRACKED if whole and "--" in args else IN_FILES if not whole else TRACKED
        yield Discard(kind="files", program="git checkout", folder=command.folder, paths=tuple(paths), states=states)
    elif parsed.has("-f", "--force"):
        yield Discard(kind="files", program="git checkout --force", folder=command.folder)


def _checked_out(parsed: Parsed) -> list[str]:
    """Operands that are files: several, one that looks like a file, or everything here."""
    operands = parsed.operands
    if len(operands) > 1:
        return operands if parsed.has("--ours", "--theirs") or looks_like_file(operands[0]) else operands[1:]
    # No name of a commit begins with a dot, and few with a colon.
    return [word for word in operands if word.startswith((".", ":", "*")) or looks_like_file(word) or word[-1:] == "/"]


def _restore(command: GitCommand) -> Iterator[Discard]:
    parsed = parse(command.args, "-s --source --conflict --pathspec-from-file")
    if parsed.has("-S", "--staged") and not parsed.has("-W", "--worktree"):
        return
    if parsed.has("-p", "--patch"):
        yield from _asked(command, "git restore -p", parsed.operands)
        return
    if parsed.has(_LIST):
        yield _listed(command, "git restore", parsed)
        return
    states = TRACKED if parsed.has("-s", "--source", "-S", "--staged") else IN_FILES
    if parsed.operands:
        yield Discard(
            kind="files", program="git restore", folder=command.folder, paths=tuple(parsed.operands), states=states
        )


def _switch(command: GitCommand) -> Iterator[Discard]:
    parsed = parse(command.args, "-c -C --create --force-create --orphan --conflict")
    if parsed.has("-f", "--force", "--discard-changes"):
        yield Discard(kind="files", program="git switch --force", folder=command.folder)
    for name in parsed.values("-C", "--force-create"):
        target = next(iter(parsed.operands), "HEAD")
        yield Discard(kind="move", program="git switch -C", folder=command.folder, names=(name,), target=target)


def _clean(command: GitCommand) -> Iterator[Discard]:
    parsed = parse(command.args, "-e --exclude")
    unguarded = command.settings.get("clean.requireforce", "").lower() in {"false", "no", "off", "0"}
    if parsed.has("-n", "--dry-run", "-i", "--interactive") or not (parsed.has("-f", "--force") or unguarded):
        return
    states: frozenset[FileState] = frozenset({"untracked"})
    if parsed.has("-x"):
        states = frozenset({"untracked", "ignored"})
    elif parsed.has("-X"):
        states = frozenset({"ignored"})
    spared = tuple(parsed.values("-e", "--exclude"))
    paths = tuple(parsed.operands) or (".",)
    yield Discard(kind="clean", program="git clean", folder=command.folder, paths=paths, states=states, spared=spared)


def _remove(command: GitCommand) -> Iterator[Discard]:
    """What it names without a pattern is told as any file that is removed."""
    parsed = parse(command.args, "--pathspec-from-file")
    if not parsed.has("-f", "--force") or parsed.has("--cached", "-n", "--dry-run"):
        return
    if parsed.has(_LIST):
        yield _listed(command, "git rm", parsed)
    spared = [word for word in parsed.operands if word.startswith(_EXCLUDES)]
    named = [word for word in parsed.operands if word not in spared] or ["."] * bool(spared)
    paths = [word for word in named if word in HERE or _PATTERN.search(word)]
    if paths:
        yield Discard(kind="files", program="git rm", folder=command.folder, paths=(*paths, *spared))


def _read_tree(command: GitCommand) -> Iterator[Discard]:
    parsed = parse(command.args, "--prefix --index-output")
    if parsed.has("--reset") and parsed.has("-u") and not parsed.has("-n", "--dry-run"):
        yield Discard(kind="files", program="git read-tree --reset", folder=command.folder)


def _checkout_index(command: GitCommand) -> Iterator[Discard]:
    parsed = parse(command.args, "--prefix --stage")
    if not parsed.has("-f", "--force") or parsed.has("--prefix", "--temp", "-n", "--no-create"):
        return
    paths = (".",) if parsed.has("-a", "--all") else tuple(parsed.operands)
    if paths:
        yield Discard(kind="files", program="git checkout-index", folder=command.folder, paths=paths, states=IN_FILES)


def _stash(command: GitCommand) -> Iterator[Discard]:
    action, *rest = command.args or ["push"]
    if action == "clear":
        yield Discard(kind="stash", program="git stash clear", folder=command.folder, flags=frozenset({"all"}))
    elif action == "drop":
        number = next(iter(parse(rest).operands), "0").removeprefix("stash@{").rstrip("}")
        yield Discard(kind="stash", program="git stash drop", folder=command.folder, names=(number,))


def _filter(command: GitCommand) -> Iterator[Discard]:
    if not parse(command.args).has("--help", "-h", "--analyze", "--dry-run", "--version"):
        yield Discard(kind="history", program="git filter-branch", folder=command.folder)


def _reflog(command: GitCommand) -> Iterator[Discard]:
    parsed = parse(command.args[1:], "--expire --expire-unreachable")
    when = parsed.values("--expire", "--expire-unreachable")
    if command.args[:1] == ["expire"] and not _NOW.isdisjoint(when) and not parsed.has("-n", "--dry-run"):
        yield Discard(kind="reflog", program="git reflog expire", folder=command.folder)


def _asked(command: GitCommand, program: str, paths: list[str]) -> Iterator[Discard]:
    """Piece by piece, each asked about: nothing goes unless something answers."""
    if command.is_answered:
        yield Discard(kind="files", program=program, folder=command.folder, paths=tuple(paths) or None, states=IN_FILES)


def _listed(command: GitCommand, program: str, parsed: Parsed) -> Discard:
    """The paths stand in a file, or come through the pipe."""
    place = parsed.values(_LIST)[-1]
    handed = tuple(line.strip() for line in command.handed.splitlines() if line.strip()) if place == "-" else ()
    listed_in = "" if place == "-" else place
    return Discard(kind="files", program=program, folder=command.folder, paths=handed, listed_in=listed_in)


READERS: dict[str, Callable[[GitCommand], Iterator[Discard]]] = {
    **REF_READERS,
    "checkout": _checkout,
    "checkout-index": _checkout_index,
    "clean": _clean,
    "filter-branch": _filter,
    "filter-repo": _filter,
    "read-tree": _read_tree,
    "reflog": _reflog,
    "reset": _reset,
    "restore": _restore,
    "rm": _remove,
    "stash": _stash,
    "switch": _switch,
}
