"""Which files the patches of a shell line change: `git apply`, `git am` and `patch`, told before they run.

A patch that stands in the line or lies in the work tree is read for the files it names. Whatever could make it another
patch, or its files other files, by the time it runs leaves it untold: a line that writes it first, a program before it
that nobody can foresee, an option or a variable that is not known here.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator

import msgspec

from leeboard.model.text import lazy
from leeboard.model.touch import ShellEffects, Started
from leeboard.model.workspace import placed, worktree_of
from leeboard.shell.effects import shell_effects
from leeboard.shell.expansion import UNKNOWN
from leeboard.shell.options import Parsed, parse
from leeboard.shell.programs.git import subcommand

_GIT_VALUED = "-p -C --directory --exclude --include --whitespace --build-fake-ancestor"
_GIT_KNOWN = frozenset(
    """
    --3way --allow-empty --apply --binary --committer-date-is-author-date --directory --exclude --ignore-date
    --ignore-space-change --ignore-whitespace --include --index --intent-to-add --keep --keep-cr --no-add --no-verify
    --quiet --recount --reject --reverse --scissors --signoff --unidiff-zero --verbose --whitespace
    """.split()
)
_GIT_LOOKS = frozenset(
    "--abort --cached --check --help --numstat --quit --show-current-patch --stat --summary -h".split()
)
_PATCH_VALUED = (
    "-p -d -i -o -r -B -Y -z -D -F -V -g --strip --directory --input --output --reject-file --prefix"
    " --basename-prefix --suffix --ifdef --fuzz --version-control --get"
)
_PATCH_KNOWN = frozenset(
    """
    --backup --batch --binary --directory --force --forward --fuzz --ignore-whitespace --input --no-backup-if-mismatch
    --output --quiet --reject-file --remove-empty-files --reverse --silent --strip --unified --verbose
    """.split()
)
_PATCH_MOVES = ("-B", "-Y", "-z", "-e", "-V")
"""They put copies under names of their own, or take the patch for a script."""
_PATCH_LOOKS = ("--dry-run", "--help", "--version", "-v")
UNTOLD = "nobody can tell which files its patch changes"
INSTEAD = (
    "put the patch into the repository, where it can be read, and apply it on a line of its own; or leave the plan out:"
    " `git apply --exclude='.haiku/*' PATCH`"
)
_ELSEWHERE = lazy(r"GIT_|core\.worktree")
_WILD = lazy(r"[*?\[]")
_ALL_OF_PLAN = frozenset({".haiku*", ".haiku/*", ".haiku/**"})


class PatchCommand(msgspec.Struct, frozen=True, kw_only=True):
    program: str
    """`git apply`, `git am` or `patch`."""
    folder: str
    """Where its files count from."""
    paths: tuple[str, ...] | None = None
    """Whole paths; None: nobody can tell."""
    spared: bool = False
    """Its own options leave the plan out."""


class PatchDisk(msgspec.Struct, frozen=True):
    """`read` gives the text at a whole path, None where it can not be read; `top` is the primary work tree."""

    top: str
    read: Callable[[str], str | None] = lambda _path: None


def patches_of(command: str, cwd: str, disk: PatchDisk) -> tuple[PatchCommand, ...]:
    """The patches of a line that is run in `cwd`, in its order; those that only look are left out."""
    line = shell_effects(command, cwd)
    found: list[PatchCommand] = []
    for at, started in enumerate(line.started):
        name = posixpath.basename(started.words[0])
        if name in {"git", "patch", "gpatch"}:
            reader = _Reader(line, at, disk, is_moved=bool(_ELSEWHERE.search(command)), cwd=cwd)
            found += reader.of_git() if name == "git" else reader.of_patch()
    return tuple(found)


class _Reader:
    """Reads the patches that one program of the line applies."""

    def __init__(self, line: ShellEffects, at: int, disk: PatchDisk, *, is_moved: bool, cwd: str) -> None:
        self._line, self._at, self._disk = line, at, disk
        self._started = line.started[at]
        self._is_moved = is_moved or self._started.folder is None
        self._folder = self._started.folder or cwd

    def of_git(self) -> Iterator[PatchCommand]:
        name, arguments, before = subcommand(list(self._started.words[1:]))
        if name not in {"am", "apply"}:
            return
        self._enter(before.values("-C"))
        parsed = parse(arguments, _GIT_VALUED)
        if parsed.has(*_GIT_LOOKS) and not parsed.has("--apply"):
            return
        moved = any(option not in {"-C", "-P", "--no-pager"} for option, _ in before.options)
        told = None if moved or not _is_known(parsed, _GIT_KNOWN) else self._git_paths(parsed)
        yield PatchCommand(
            program=f"git {name}", folder=self._folder, paths=told, spared=not moved and _leaves_plan(parsed)
        )

    def _git_paths(self, parsed: Parsed) -> tuple[str, ...] | None:
        names = self._names(parsed.operands, parsed.values("-p") or ["1"])
        if names is None:
            return None
        inner = posixpath.join(*parsed.values("--directory")[-1:], "") if parsed.has("--directory") else ""
        tops = dict.fromkeys((self._folder, self._tree()))  # git's own patches count from the top, others from here
        paths = [posixpath.normpath(posixpath.join(top, inner, name)) for top in tops for name in names]
        left = (path for path in paths if _is_taken(path.removeprefix(f"{self._tree()}/"), parsed))
        return None if UNKNOWN in "".join(paths) else tuple(dict.fromkeys(left))

    def of_patch(self) -> Iterator[PatchCommand]:
        parsed = parse(list(self._started.words[1:]), _PATCH_VALUED)
        if parsed.has(*_PATCH_LOOKS):
            return
        self._enter(parsed.values("-d", "--directory"))
        known = _is_known(parsed, _PATCH_KNOWN) and not parsed.has(*_PATCH_MOVES)
        yield PatchCommand(program="patch", folder=self._folder, paths=self._patch_paths(parsed) if known else None)

    def _patch_paths(self, parsed: Parsed) -> tuple[str, ...] | None:
        files = [*parsed.values("-i", "--input"), *parsed.operands[1:2]]
        names: list[str] | None = parsed.operands[:1]
        names = names or self._names(files, parsed.values("-p", "--strip"))
        if names is None or self._is_moved:
            return None
        beside = parsed.values("-o", "--output", "-r", "--reject-file")
        paths = [placed(self._folder, name) for name in (*names, *beside) if name != "-"]
        return None if UNKNOWN in "".join(paths) else tuple(dict.fromkeys(paths))

    def _enter(self, folders: list[str]) -> None:
        for folder in folders:
            self._is_moved = self._is_moved or UNKNOWN in folder or folder.startswith("~")
            self._folder = placed(self._folder, folder.replace(UNKNOWN, ""))

    def _tree(self) -> str:
        """The top of the work tree it is run in, as far as that is one of the workflow's."""
        top = self._disk.top.rstrip("/")
        inner = self._folder.removeprefix(f"{top}/")
        if inner == self._folder:
            return self._folder
        slug, unit = worktree_of(inner)
        return f"{top}/.haiku/worktrees/{slug}/{unit}" if slug else top

    def _names(self, files: list[str], strips: list[str]) -> list[str] | None:
        strip = strips[-1] if strips else "all"
        texts = None if self._is_moved else self._texts([file for file in files if file != "-"])
        if texts is None or not (strip == "all" or strip.isdigit()):
            return None
        told = [changed_names(text, None if strip == "all" else int(strip)) for text in texts]
        return None if None in told else [name for names in told for name in names or ()]

    def _texts(self, files: list[str]) -> list[str] | None:
        started = self._started
        if not files and started.handed:
            return None if UNKNOWN in started.handed else [started.handed]
        whole = [placed(self._folder, file) for file in files] or [started.fed]
        if not all(whole) or any(self._may_change(path) for path in whole):
            return None
        texts = [self._disk.read(path) for path in whole]
        read = [text for text in texts if text is not None]
        return read if len(read) == len(texts) else None

    def _may_change(self, path: str) -> bool:
        """Whether the line itself may put another patch there before this one is read."""
        changed = [touch.path for touch in self._line.touches if touch.modifies]
        if UNKNOWN in path or any(f"{path}/".startswith(f"{one.rstrip('/')}/") for one in changed):
            return True
        return any(_is_unforeseen(one) for one in self._line.started[: self._at])


def _is_unforeseen(started: Started) -> bool:
    from shlex import join  # noqa: PLC0415 - only for lines with a patch

    return started.folder is None or shell_effects(join(started.words), started.folder).opaque


def _is_known(parsed: Parsed, known: frozenset[str]) -> bool:
    """Long options may be shortened to mean any other."""
    return all(option in known for option, _ in parsed.options if option.startswith("--"))


def _is_taken(name: str, parsed: Parsed) -> bool:
    """By `--include` and `--exclude`, of which git takes the first that fits."""
    from fnmatch import fnmatchcase  # noqa: PLC0415 - only for lines with a patch

    rules = [(option, glob) for option, glob in parsed.options if option in {"--include", "--exclude"}]
    found = next((option for option, glob in rules if fnmatchcase(name, glob)), "")
    return found == "--include" or (not found and not parsed.has("--include"))


def _leaves_plan(parsed: Parsed) -> bool:
    """Whatever the patch says."""
    if not _is_known(parsed, _GIT_KNOWN):
        return False
    includes = [glob.partition("/") for glob in parsed.values("--include")]
    if includes:
        return all(slash and not _WILD.search(first) and first != ".haiku" for first, slash, _ in includes)
    return not _ALL_OF_PLAN.isdisjoint(parsed.values("--exclude"))


# The names of files in the heads of a patch, unified, context or git's own. Rather one too many than one too few.


_HEAD = lazy(r"(--- |\+\+\+ |\*\*\* |Index: |diff --git |(?:rename|copy) (?:from|to) )([^\n]{1,4096})")
_HUNK = lazy(r"[-+]?\d{1,9}(?:,\d{1,9})? (?:\*\*\*\*|----)")
_DATED = lazy(r" {1,9}(?:\d{4}-\d\d-\d\d|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) )")


def changed_names(text: str, strip: int | None) -> list[str] | None:
    """With so many folders taken off, None: all or none of them; the answer None: nobody can tell."""
    found: dict[str, None] = {}
    for head in _HEAD.finditer(text):
        if head[2].lstrip()[:1] == '"' or (head[1].startswith("diff") and '"' in head[2]):
            return None  # a quoted name may hold anything
        for name in _told(head[1], head[2]):
            found.update(dict.fromkeys(_stripped(name, strip, is_plain=head[1].startswith(("rename", "copy")))))
    return [name for name in found if name] or None


def _told(head: str, rest: str) -> Iterator[str]:
    name = rest.rstrip("\r").partition("\t")[0].strip()
    if head == "diff --git ":
        first, _, second = name.partition(" b/")
        yield from (*name.split(), first, f"b/{second}")
    elif name and not name.startswith("/dev/null") and not _HUNK.match(name):
        yield _DATED.split(name)[0]


def _stripped(name: str, strip: int | None, *, is_plain: bool) -> Iterator[str]:
    """A name behind `rename` has no `a/` before it."""
    if strip is None:
        yield from (name, posixpath.basename(name))
        return
    parts = [part for part in name.split("/") if part]
    for count in {strip, max(strip - 1, 0)} if is_plain else {strip}:
        yield "/".join(parts[count:])
