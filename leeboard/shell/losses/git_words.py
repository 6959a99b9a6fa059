"""What the git commands of a line throw away, in their words alone; whether anything is lost the repository tells.

They are read one after the other: what a line has put into a commit, a stash or under another name before is not lost.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping

import msgspec

from leeboard.model.text import lazy
from leeboard.model.touch import ShellEffects, Started
from leeboard.model.unsaved import FileState
from leeboard.shell.expansion import UNKNOWN
from leeboard.shell.losses.discard import AS_IT_IS, HERE, IN_FILES, TRACKED, Discard, GitCommand
from leeboard.shell.losses.git_trees import READERS
from leeboard.shell.options import Parsed, parse
from leeboard.shell.programs.git import subcommand
from leeboard.shell.programs.readers import looks_like_file

_ASKS = frozenset({"--help", "-h"})
_EVERY_CHANGE: frozenset[FileState] = frozenset({"changed", "staged", "untracked"})
_ONLY_TRIED = ("--check", "--stat", "--numstat", "--summary", "--cached", "--dry-run")
_PATCH_VALUES = "-p -i -d -o -B -F -z --strip --input --directory --output --prefix --suffix --fuzz"
_BY_SETTINGS = frozenset({"clean", "push", "send-pack"})
"""Commands that the configuration may turn into dangerous ones."""
_ALL_AT_ONCE = lazy(r"-[a-zA-Z]{0,4}a[a-zA-Z]{0,4}")
_KEEPING_VALUES = {
    "merge": "-m -s -X -F --strategy --strategy-option --into-name",
    "push": "-o --push-option --repo --receive-pack --exec",
    "branch": "-u --set-upstream-to",
    "tag": "-m -F -u --message --file --local-user",
    "checkout": "-b -B",
    "switch": "-c -C --create --force-create",
    "worktree": "-b -B",
}
_APPLY_VALUES = "-p -C --exclude --include --directory --whitespace --build-fake-ancestor"
_TAKES_IN = frozenset({"merge", "rebase", "pull", "reset", "cherry-pick", "checkout", "switch"})

Settings = Callable[[str], Mapping[str, str]]


def discards(
    line: ShellEffects,
    cwd: str,
    settings: Settings = lambda _folder: {},
    is_top: Callable[[str], bool] = lambda _folder: True,
) -> Iterator[Discard]:
    """`settings` gives the configuration of the repository around a folder, `is_top` whether it is the highest one."""
    reading = _LineReading(cwd, settings, is_top)
    for each in line.started:
        yield from reading.read(each)


class _LineReading:
    """What the commands of one line have done so far, for those that follow."""

    def __init__(self, cwd: str, settings: Settings, is_top: Callable[[str], bool]) -> None:
        self._cwd, self._settings, self._is_top = cwd, settings, is_top
        self._rewritten: str | None = None
        self._fetched = False
        self._stashed: Discard | None = None
        """What the line has stashed, as it would be lost with the stash."""
        self._applied: set[str] = set()
        """Stashes that the line has brought back."""
        self._saved: frozenset[FileState] = frozenset()
        self._added: frozenset[FileState] = frozenset()
        self._diffed: tuple[str, ...] | None = None
        self._diffed_in = ""
        self._kept: dict[str, None] = {}
        self._set: dict[str, str] = {}
        self._says_yes = -1
        """The statement in which `yes` answers whatever is asked."""

    def read(self, started: Started) -> Iterator[Discard]:
        program = posixpath.basename(started.words[0])
        if program == "git":
            yield from self._git(started)
        elif program == "patch" and started.folder is not None:
            parsed = parse(list(started.words[1:]), _PATCH_VALUES)
            yield from self._taken_back("patch -R", parsed, posixpath.join(self._cwd, started.folder))
        elif program == "yes":
            self._says_yes = started.statement

    def _git(self, started: Started) -> Iterator[Discard]:
        name, args, before = subcommand(list(started.words[1:]))
        folder = _folder(started, before, self._cwd)
        if name == "diff":
            self._diffed, self._diffed_in = _diffed(args), folder
        elif name == "apply" and folder:
            yield from self._taken_back("git apply -R", parse(args, _APPLY_VALUES), folder)
        if folder and name in READERS and not _ASKS.intersection(args):
            answered = self._says_yes == started.statement or "y" in started.handed[:20].lower()
            told = self._told(before, folder) if name in _BY_SETTINGS else {}
            command = GitCommand(args=args, folder=folder, settings=told, handed=started.handed, is_answered=answered)
            for found in READERS[name](command):
                yield from self._still_lost(found)
        self._note(name, args, folder)

    def _told(self, before: Parsed, folder: str) -> dict[str, str]:
        given = [value.partition("=") for value in before.values("-c")]
        return {**self._settings(folder), **self._set, **{key.lower(): value for key, _, value in given}}

    def _taken_back(self, program: str, parsed: Parsed, folder: str) -> Iterator[Discard]:
        """What the line has put into a patch is undone below the folder, unless it is only tried or counted."""
        if self._diffed is not None and parsed.has("-R", "--reverse") and not parsed.has(*_ONLY_TRIED):
            folder = self._diffed_in or folder if self._diffed else folder
            yield Discard(kind="files", program=program, folder=folder, paths=self._diffed or (".",), states=IN_FILES)

    def _still_lost(self, found: Discard) -> Iterator[Discard]:
        if found.kind == "stash" and self._stashed is not None:
            folder = self._stashed.folder or found.folder
            yield msgspec.structs.replace(self._stashed, program=found.program, folder=folder)
        elif found.kind == "stash" and found.names and self._applied.issuperset(found.names):
            return
        elif found.kind == "move" and self._saved:
            # What the line itself has just put into a commit goes with that.
            yield Discard(kind="files", program=found.program, folder=found.folder, states=self._saved)
            yield msgspec.structs.replace(found, kept=tuple(self._kept))
        elif found.kind not in {"files", "clean"} or not found.states <= self._saved:
            yield msgspec.structs.replace(
                found, rewritten=self._rewritten, fetched=self._fetched, kept=tuple(self._kept)
            )

    def _note(self, name: str, args: list[str], folder: str) -> None:
        stays = _stays(name, args)
        self._rewritten = self._rewritten if stays is None else stays
        looks = name == "fetch" or (name == "remote" and args[:1] == ["update"])
        self._fetched = looks or (self._fetched and name not in _TAKES_IN)
        if name == "stash":
            self._note_stash(args, folder)
        takes_here = ":/" in args or ("." in args and self._is_top(folder))
        if name == "add" and (takes_here or (not {"-A", "--all"}.isdisjoint(args) and not parse(args).operands)):
            self._added = _EVERY_CHANGE
        elif name == "commit" and not {"--dry-run", "--allow-empty"}.intersection(args):
            takes_all = any(word in {"-a", "--all"} or _ALL_AT_ONCE.fullmatch(word) for word in args)
            self._saved |= self._added or (TRACKED if takes_all else frozenset())
        elif name == "config":
            words = [word for word in args if not word.startswith("-") and word not in {"set", "--add"}]
            self._set.update({words[0].lower(): words[1]} if len(words) == 2 else {})
        self._kept.update(dict.fromkeys(_kept_by(name, args)))

    def _note_stash(self, args: list[str], folder: str) -> None:
        verb = args[0] if args and not args[0].startswith("-") else "push"
        if verb in {"push", "save"}:
            parsed = parse(args[1:] if args[:1] == [verb] else args, "-m --message --pathspec-from-file")
            states = TRACKED
            if parsed.has("-u", "--include-untracked", "-a", "--all"):
                states = _EVERY_CHANGE | ({"ignored"} if parsed.has("-a", "--all") else frozenset())
            paths = tuple(parsed.operands) if verb == "push" else ()
            self._stashed = Discard(
                kind="files", program="git stash", folder=folder, paths=paths or None, states=states
            )
        elif verb == "apply":
            self._applied.add(next(iter(parse(args[1:]).operands), "0").removeprefix("stash@{").rstrip("}"))


def _diffed(args: list[str]) -> tuple[str, ...] | None:
    """The paths that a diff of the work tree is about; None where it compares commits."""
    before, behind = (args[: args.index("--")], args[args.index("--") + 1 :]) if "--" in args else (args, [])
    operands = parse(before, "-U --unified --output --stat -G -S -l").operands
    paths = [word for word in operands if looks_like_file(word) or "/" in word or word in HERE]
    commits = [word for word in operands if word not in paths and word not in AS_IT_IS]
    return None if commits or any(".." in word.strip("./") for word in operands) else (*paths, *behind)


def _kept_by(name: str, args: list[str]) -> Iterator[str]:
    """The commits that a command gives one more home."""
    parsed = parse(args, _KEEPING_VALUES.get(name, ""))
    named = parsed.operands
    if name == "merge" and not parsed.has("--abort", "--quit", "--squash"):
        yield from named
    elif name == "push" and not parsed.has("-d", "--delete", "-n", "--dry-run"):
        yield from (word.removeprefix("+").partition(":")[0] for word in named[1:] or ["HEAD"])
    elif name in {"branch", "tag"} and not parsed.has("-d", "-D", "--delete", "-m", "-M", "-l", "--list"):
        yield from named[1:2] or (["HEAD"] if named else [])
    elif name in {"checkout", "switch"} and parsed.has("-b", "-c", "--create"):
        yield from named[:1] or ["HEAD"]
    elif name == "worktree" and named[:1] == ["add"] and parsed.has("-b"):
        yield from named[2:3] or ["HEAD"]


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
    """Where git reads its words from; empty: nobody can tell."""
    works_in, repository = before.values("--work-tree")[-1:], before.values("--git-dir")[-1:]
    gone_to = before.values("-C")
    if started.folder is None or any(UNKNOWN in word for word in (*gone_to, *works_in, *repository)):
        return ""
    folder = posixpath.normpath(posixpath.join(cwd, started.folder, *gone_to))
    tree = posixpath.normpath(posixpath.join(folder, *works_in))
    if repository and posixpath.normpath(posixpath.join(folder, *repository)) != f"{tree}/.git":
        return ""
    return folder if f"{folder}/".startswith(f"{tree}/") else tree
