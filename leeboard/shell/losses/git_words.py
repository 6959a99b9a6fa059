"""What a git command is told to throw away, in its words alone; whether anything is lost by it the repository tells."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from typing import Literal

import msgspec

from leeboard.model.text import lazy
from leeboard.model.touch import ShellEffects, Started
from leeboard.model.unsaved import FileState
from leeboard.shell.expansion import UNKNOWN
from leeboard.shell.options import Parsed, parse
from leeboard.shell.programs.git import subcommand
from leeboard.shell.programs.readers import looks_like_file

TRACKED: frozenset[FileState] = frozenset({"changed", "staged"})
_IN_FILES: frozenset[FileState] = frozenset({"changed"})
_STAGED: frozenset[FileState] = frozenset({"staged"})
_AS_IT_IS = frozenset({"", "HEAD", "@"})
_NOW = frozenset({"now", "all", "0", "0.seconds.ago"})
_ASKS = frozenset({"--help", "-h"})
_APPLY_VALUES = "-p -C --exclude --include --directory --whitespace --build-fake-ancestor"
_PATTERN = lazy(r"[*?\[]|^:")
_HERE = frozenset({".", "./", ".."})
_EVERYTHING = _HERE | {"*", ":/"}
_TAKES_IN = frozenset({"merge", "rebase", "pull", "reset", "cherry-pick", "checkout", "switch"})


class Discard(msgspec.Struct, frozen=True, kw_only=True):
    """One git command that may throw something away."""

    kind: Literal["files", "clean", "stash", "branch", "worktree", "push", "move", "history", "reflog"]
    program: str
    folder: str
    paths: tuple[str, ...] | None = None
    """Pathspecs; None: all."""
    states: frozenset[FileState] = TRACKED
    spared: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """Branches, refspecs, numbers of stashes."""
    target: str = ""
    """The commit that a branch is moved to, the remote that is pushed to."""
    flags: frozenset[str] = frozenset()
    """Of a push: force, lease, delete, mirror, all; of others: all."""
    rewritten: str | None = None
    """What stays of the branch where the line rewrites it before; empty: nobody can tell. None: it does not."""
    fetched: bool = False
    """The line looks at remotes before, and takes nothing of what it finds there into the branch."""


def discards(line: ShellEffects, cwd: str) -> Iterator[Discard]:
    rewritten: str | None = None
    stashed = fetched = False
    diffed: tuple[str, ...] | None = None
    for each in line.started:
        if posixpath.basename(each.words[0]) != "git":
            continue
        name, args, before = subcommand(list(each.words[1:]))
        folder = _folder(each, before, cwd)
        if name == "diff":
            diffed = tuple(parse(args[args.index("--") + 1 :] if "--" in args else []).operands)
        elif name == "apply" and diffed is not None and folder and parse(args, _APPLY_VALUES).has("-R", "--reverse"):
            yield Discard(kind="files", program="git apply -R", folder=folder, paths=diffed or None, states=_IN_FILES)
        if folder and name in _READERS and not _ASKS.intersection(args):
            for found in _READERS[name](args, folder):
                if found.kind == "stash" and stashed:
                    yield Discard(kind="files", program=found.program, folder=folder)
                else:
                    yield msgspec.structs.replace(found, rewritten=rewritten, fetched=fetched)
        stays = _stays(name, args)
        rewritten = rewritten if stays is None else stays
        looks = name == "fetch" or (name == "remote" and args[:1] == ["update"])
        fetched = looks or (fetched and name not in _TAKES_IN)
        stashed = stashed or (name == "stash" and args[:1] in ([], ["push"], ["save"], ["-u"], ["-q"]))


def _stays(name: str, args: list[str]) -> str | None:
    """The commit that a rewriting command leaves as it is."""
    if name == "commit" and "--amend" in args:
        return "HEAD~1"
    if name in {"filter-branch", "filter-repo"}:
        return ""
    operands = parse(args, "--onto --exec -x -s -X --strategy --strategy-option").operands
    if name == "rebase" and not {"--abort", "--quit"}.intersection(args):
        return operands[0] if operands and UNKNOWN not in operands[0] else ""
    return operands[0] if name == "reset" and operands and "--" not in args and UNKNOWN not in operands[0] else None


def _folder(started: Started, before: Parsed, cwd: str) -> str:
    """Where git works; empty: nobody can tell."""
    given = (*before.values("-C"), *before.values("--work-tree")[-1:])
    repository = before.values("--git-dir")[-1:]
    if started.folder is None or any(UNKNOWN in word for word in (*given, *repository)):
        return ""
    folder = posixpath.normpath(posixpath.join(cwd, started.folder, *given))
    if repository and posixpath.normpath(posixpath.join(folder, *repository)) != f"{folder}/.git":
        return ""
    return folder


def _reset(args: list[str], folder: str) -> Iterator[Discard]:
    """`--merge` throws away what is staged and no more; `--keep` refuses where a file would change."""
    parsed = parse(args)
    mode = next((mode for mode in ("--hard", "--merge", "--keep") if parsed.has(mode)), "")
    program = f"git reset {mode}"
    if mode in {"--hard", "--merge"}:
        states = TRACKED if mode == "--hard" else _STAGED
        yield Discard(kind="files", program=program, folder=folder, states=states)
    target = next(iter(parsed.operands), "")
    if mode and target not in _AS_IT_IS:
        yield Discard(kind="move", program=program, folder=folder, names=("HEAD",), target=target)


def _checkout(args: list[str], folder: str) -> Iterator[Discard]:
    before, paths = (args[: args.index("--")], args[args.index("--") + 1 :]) if "--" in args else (args, None)
    parsed = parse(before, "-b -B --orphan --conflict --pathspec-from-file")
    if parsed.has("-p", "--patch"):
        return
    if paths is None and parsed.values("-B"):
        target = next(iter(parsed.operands), "HEAD")
        yield Discard(
            kind="move", program="git checkout -B", folder=folder, names=(parsed.values("-B")[0],), target=target
        )
    if paths is None and not parsed.has("-b", "-B", "--orphan"):
        paths = _checked_out(parsed)
    if paths and parsed.has("--ours", "--theirs"):
        # One side of a conflict, which is in a commit: of a file that is named, only what git wrote into it goes.
        paths = [word for word in paths if word in _EVERYTHING]
    if paths:
        whole = parsed.operands and not parsed.has("--ours", "--theirs")
        states = TRACKED if whole and "--" in args else _IN_FILES if not whole else TRACKED
        yield Discard(kind="files", program="git checkout", folder=folder, paths=tuple(paths), states=states)
    elif parsed.has("-f", "--force"):
        yield Discard(kind="files", program="git checkout --force", folder=folder)


def _checked_out(parsed: Parsed) -> list[str]:
    """Operands that are files: several, one that looks like a file, or everything here."""
    operands = parsed.operands
    if len(operands) > 1:
        return operands if parsed.has("--ours", "--theirs") or looks_like_file(operands[0]) else operands[1:]
    return [word for word in operands if word in _EVERYTHING or looks_like_file(word) or word[-1:] == "/"]


def _restore(args: list[str], folder: str) -> Iterator[Discard]:
    parsed = parse(args, "-s --source --conflict --pathspec-from-file")
    if parsed.has("-p", "--patch") or (parsed.has("-S", "--staged") and not parsed.has("-W", "--worktree")):
        return
    states = TRACKED if parsed.has("-s", "--source", "-S", "--staged") else _IN_FILES
    if parsed.operands:
        yield Discard(kind="files", program="git restore", folder=folder, paths=tuple(parsed.operands), states=states)


def _switch(args: list[str], folder: str) -> Iterator[Discard]:
    parsed = parse(args, "-c -C --create --force-create --orphan --conflict")
    if parsed.has("-f", "--force", "--discard-changes"):
        yield Discard(kind="files", program="git switch --force", folder=folder)
    for name in parsed.values("-C", "--force-create"):
        target = next(iter(parsed.operands), "HEAD")
        yield Discard(kind="move", program="git switch -C", folder=folder, names=(name,), target=target)


def _clean(args: list[str], folder: str) -> Iterator[Discard]:
    parsed = parse(args, "-e --exclude")
    if parsed.has("-n", "--dry-run", "-i", "--interactive") or not parsed.has("-f", "--force"):
        return
    states: frozenset[FileState] = frozenset({"untracked"})
    if parsed.has("-x"):
        states = frozenset({"untracked", "ignored"})
    elif parsed.has("-X"):
        states = frozenset({"ignored"})
    spared = tuple(parsed.values("-e", "--exclude"))
    paths = tuple(parsed.operands) or (".",)
    yield Discard(kind="clean", program="git clean", folder=folder, paths=paths, states=states, spared=spared)


def _remove(args: list[str], folder: str) -> Iterator[Discard]:
    """What it names without a pattern is told as any file that is removed."""
    parsed = parse(args, "--pathspec-from-file")
    if not parsed.has("-f", "--force") or parsed.has("--cached", "-n", "--dry-run"):
        return
    paths = tuple(word for word in parsed.operands if word in _HERE or _PATTERN.search(word))
    if paths:
        yield Discard(kind="files", program="git rm", folder=folder, paths=paths)


def _read_tree(args: list[str], folder: str) -> Iterator[Discard]:
    parsed = parse(args, "--prefix --index-output")
    if parsed.has("--reset") and parsed.has("-u") and not parsed.has("-n", "--dry-run"):
        yield Discard(kind="files", program="git read-tree --reset", folder=folder)


def _checkout_index(args: list[str], folder: str) -> Iterator[Discard]:
    parsed = parse(args, "--prefix --stage")
    if not parsed.has("-f", "--force") or parsed.has("--prefix", "--temp", "-n", "--no-create"):
        return
    paths = None if parsed.has("-a", "--all") else tuple(parsed.operands)
    if paths is None or paths:
        yield Discard(kind="files", program="git checkout-index", folder=folder, paths=paths, states=_IN_FILES)


def _stash(args: list[str], folder: str) -> Iterator[Discard]:
    action, *rest = args or ["push"]
    if action == "clear":
        yield Discard(kind="stash", program="git stash clear", folder=folder, flags=frozenset({"all"}))
    elif action == "drop":
        number = next(iter(parse(rest).operands), "0").removeprefix("stash@{").rstrip("}")
        yield Discard(kind="stash", program="git stash drop", folder=folder, names=(number,))


def _branch(args: list[str], folder: str) -> Iterator[Discard]:
    parsed = parse(args, "-u --set-upstream-to --contains --merged --no-merged --sort --format --points-at")
    forced = parsed.has("-D") or (parsed.has("-d", "--delete") and parsed.has("-f", "--force"))
    if forced and not parsed.has("-r", "--remotes"):
        yield Discard(kind="branch", program="git branch -D", folder=folder, names=tuple(parsed.operands))
    elif parsed.has("-f", "--force") and parsed.operands and not parsed.has("-m", "-M", "-c", "-C", "--move", "--copy"):
        name, target = parsed.operands[0], next(iter(parsed.operands[1:]), "HEAD")
        yield Discard(kind="move", program="git branch -f", folder=folder, names=(name,), target=target)


def _update_ref(args: list[str], folder: str) -> Iterator[Discard]:
    parsed = parse(args, "-m")
    names = tuple(word.removeprefix("refs/heads/") for word in parsed.operands[:1] if word.startswith("refs/heads/"))
    if names and parsed.has("-d"):
        yield Discard(kind="branch", program="git update-ref -d", folder=folder, names=names)
    elif names and len(parsed.operands) > 1:
        yield Discard(kind="move", program="git update-ref", folder=folder, names=names, target=parsed.operands[1])


def _worktree(args: list[str], folder: str) -> Iterator[Discard]:
    parsed = parse(args[1:])
    if args[:1] == ["remove"] and parsed.has("-f", "--force") and parsed.operands:
        path = parsed.operands[0]
        yield Discard(kind="worktree", program="git worktree remove", folder=folder, paths=(path,))


def _push(args: list[str], folder: str) -> Iterator[Discard]:
    parsed = parse(args, "-o --push-option --repo --receive-pack --exec")
    if parsed.has("-n", "--dry-run"):
        return
    said = {
        "force": parsed.has("-f", "--force"),
        "lease": parsed.has("--force-with-lease", "--force-if-includes"),
        "delete": parsed.has("-d", "--delete"),
        "mirror": parsed.has("--mirror") or (parsed.has("--prune") and bool(parsed.operands[1:])),
        "all": parsed.has("--all", "--branches"),
    }
    remote, *refspecs = parsed.operands or [""]
    flags = {name for name, is_said in said.items() if is_said}
    if flags - {"all"} or any(word.startswith(("+", ":")) for word in refspecs):
        yield Discard(
            kind="push",
            program="git push",
            folder=folder,
            names=tuple(refspecs),
            target=(parsed.values("--repo") or [remote])[0],
            flags=frozenset(flags),
        )


def _filter(args: list[str], folder: str) -> Iterator[Discard]:
    if not parse(args).has("--help", "-h", "--analyze", "--dry-run", "--version"):
        yield Discard(kind="history", program="git filter-branch", folder=folder)


def _reflog(args: list[str], folder: str) -> Iterator[Discard]:
    parsed = parse(args[1:], "--expire --expire-unreachable")
    when = parsed.values("--expire", "--expire-unreachable")
    if args[:1] == ["expire"] and not _NOW.isdisjoint(when) and not parsed.has("-n", "--dry-run"):
        yield Discard(kind="reflog", program="git reflog expire", folder=folder)


_READERS: dict[str, Callable[[list[str], str], Iterator[Discard]]] = {
    "branch": _branch,
    "checkout": _checkout,
    "checkout-index": _checkout_index,
    "clean": _clean,
    "filter-branch": _filter,
    "filter-repo": _filter,
    "push": _push,
    "read-tree": _read_tree,
    "reflog": _reflog,
    "reset": _reset,
    "restore": _restore,
    "rm": _remove,
    "stash": _stash,
    "switch": _switch,
    "update-ref": _update_ref,
    "worktree": _worktree,
}
