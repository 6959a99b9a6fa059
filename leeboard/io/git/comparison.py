"""Which commit a work tree is compared with, and what git says of the difference.

Git is asked in commands that run side by side. Every option that a person's settings could change is given, so that
the answer is the same for everybody.
"""

from __future__ import annotations

import os
import select
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path

import msgspec

from leeboard.errors import ConfigError, EffectError
from leeboard.io.git.named import meant_ref, refs_of
from leeboard.io.git.output import Listing, Patched, RawChange, parse_diff, parse_line_counts, parse_listing, parse_raw
from leeboard.io.git.place import SECONDS as BASE_COMMIT_SECONDS
from leeboard.io.git.place import GitPlace, branch_at, find, has_remotes, head_at, is_own
from leeboard.io.git.run import Command, GitError, Output, Processes, ask_one, run_one, start
from leeboard.io.git.settings import programs_inside
from leeboard.io.git.tree_files import LARGEST, LARGEST_LOCK
from leeboard.io.git.untracked import Untracked, UntrackedReader
from leeboard.io.process import PIPE, Process, end
from leeboard.model.text import lazy

_USUAL = ("main", "master", "trunk")
EMPTY_TREES = (
    "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
)
"""The id of a tree without files, by SHA-1 and by SHA-256."""
_BRANCH = lazy(r"\w[\w./-]{0,200}")
_DEEPEN = "Run `git fetch --unshallow`, or name another commit."


def base_for(root: str, wanted: str, started_at: str = "") -> str:
    """The commit that was asked for; else the one that was current then; else where this branch left the default one.

    Empty where there is no commit yet, and git's empty tree where all commits are younger than `started_at`.
    """
    place = find(root)
    if wanted:
        return resolve(place, wanted)
    head = head_at(place)
    if not head:
        return ""
    return _current_at(place, head, started_at) if started_at else _fork_of(place, head)


def parted_from(root: str, wanted: str) -> str:
    """Where the work left a branch or commit that somebody named: what others landed there since is no part of it.

    Of histories that have nothing in common it is that commit itself.
    """
    place = find(root)
    named = resolve(place, wanted)
    head = head_at(place)
    if not head or named == head or named in EMPTY_TREES:
        return named
    try:
        return _said(place, "merge-base", head, named).split("\n", 1)[0]
    except GitError as error:
        if error.code != 1:
            raise
        if not place.shallow:
            return named
    raise EffectError(f"{place.root} is a shallow clone in which HEAD and {wanted} have no commit in common. {_DEEPEN}")


def resolve(place: GitPlace, wanted: str) -> str:
    """The id of what a person named, or what was recorded; git's empty tree stands for the time before any commit."""
    if wanted in EMPTY_TREES:
        return wanted
    try:
        return _said(place, "rev-parse", "--verify", "--end-of-options", f"{meant_ref(place, wanted)}^{{commit}}")
    except (EffectError, ValueError) as error:
        if isinstance(error, GitError) and error.is_refusal:
            raise
        raise ConfigError(f"{wanted!r} names no commit here; {_how_to_get(place, wanted)}") from error


def _how_to_get(place: GitPlace, wanted: str) -> str:
    """The command that brings a branch of a remote into a clone that has other branches alone, as shallow ones do."""
    remote, _, branch = wanted.removeprefix("refs/remotes/").partition("/")
    try:
        is_branch = remote in _said(place, "remote").split("\n") and bool(_BRANCH.fullmatch(branch))
    except EffectError:
        is_branch = False
    if is_branch:
        deepen = "--unshallow " if place.shallow else ""
        why = "this clone is shallow and does not have that branch" if place.shallow else "it was not fetched"
        return (
            f"{why}. Run `git fetch {deepen}{remote} {branch}:refs/remotes/{remote}/{branch}`, or name another commit."
        )
    return f"this clone is shallow. {_DEEPEN}" if place.shallow else "`git log --oneline` lists what there is."


def empty_tree(place: GitPlace) -> str:
    """By whichever digest this repository uses."""
    return _said(place, "hash-object", "-t", "tree", "--stdin")


def _current_at(place: GitPlace, head: str, started_at: str) -> str:
    try:
        then = datetime.fromisoformat(started_at)
    except ValueError as error:
        raise ConfigError(
            f"{started_at!r} is not a time like 2026-01-31T12:00:00Z. Name a commit with --base."
        ) from error
    if then.tzinfo is None:
        raise ConfigError(f"{started_at!r} has no time zone: write it like 2026-01-31T12:00:00Z, or use --base.")
    before = f"--before=@{int(then.timestamp())} +0000"
    found = _said(place, "rev-list", "-1", "--first-parent", before, head, "--")
    if not found and place.shallow:
        raise EffectError(f"{place.root} is a shallow clone without the commit of {started_at}. {_DEEPEN}")
    return found or empty_tree(place)


def _fork_of(place: GitPlace, head: str) -> str:
    """Where the branch left the default one, in whichever of its local and remote copies it is the later."""
    branch = branch_at(place)
    refs = _defaultrefs_of(place)
    if branch in refs or not (refs or place.shallow):
        return head
    try:
        if refs:
            return _said(place, "merge-base", head, *refs.values()).split("\n", 1)[0]
    except GitError as error:
        if error.code != 1:
            raise
        if not place.shallow:
            return head
    names = ", ".join(refs) or "any default branch"
    raise EffectError(f"{place.root} is a shallow clone in which HEAD and {names} have no commit in common. {_DEEPEN}")


def landed_since(root: str, base: str) -> str:
    """Where work that began at `base` stands now, once the default branch of a remote was merged in or rebased onto.

    What others landed there meanwhile is no part of this work. On the default branch itself nobody can tell whose a
    commit is: there, and where nothing came in, it is `base`.
    """
    place = find(root)
    head = head_at(place)
    if not head or not base or base in EMPTY_TREES or not has_remotes(place):
        return base
    refs = _defaultrefs_of(place)
    remote = [commit for name, commit in refs.items() if name.startswith("refs/remotes/")]
    if not remote or branch_at(place) in refs:
        return base
    try:
        met = _said(place, "merge-base", head, *remote).split("\n", 1)[0]
        _said(place, "merge-base", "--is-ancestor", base, met)
    except GitError:
        return base
    return met


def _defaultrefs_of(place: GitPlace) -> dict[str, str]:
    """Names and commits of the default branch, here and on remotes."""
    found = refs_of(place, ("refs/remotes/*/HEAD", *_copies_of(_USUAL)))
    pointed = [target.split("/", 3)[-1] for _name, _commit, target in found if target]
    if unusual := [name for name in pointed if name not in _USUAL]:
        found = sorted({*found, *refs_of(place, tuple(_copies_of(unusual)))})
    names = dict.fromkeys((*pointed, *_USUAL))
    of_names = ({ref: commit for ref, commit, _target in found if _short(ref) == name} for name in names)
    return next((refs for refs in of_names if refs), {})


def _copies_of(names: Iterable[str]) -> Iterator[str]:
    """What a branch is called here and on any remote."""
    for name in names:
        yield from (f"refs/heads/{name}", f"refs/remotes/*/{name}")


def _short(ref: str) -> str:
    """The name of a branch, without where its copy is."""
    return ref.split("/", 2 if ref.startswith("refs/heads/") else 3)[-1]


def _said(place: GitPlace, *arguments: str) -> str:
    return ask_one(place.root, arguments, BASE_COMMIT_SECONDS)


# The files of a commit, read through one git process that is started by the first question.


SECONDS = 10.0
_CHUNK = 1 << 18


class BaseTexts:
    """Implements `BaseFiles`. Paths are relative to the top of the work tree; without a commit nothing exists."""

    def __init__(self, root: str, base: str, is_large: Callable[[str], bool] | None = None) -> None:
        """`is_large` tells files that are read although they are larger than people write: lock files."""
        self._root = root
        self._base = base
        self._is_large = is_large
        self._process: Process | None = None
        self._unread = b""
        self._seen: dict[str, tuple[bool, str | None]] = {}

    def text(self, path: str) -> str | None:
        return self._look(path)[1]

    def exists(self, path: str) -> bool | None:
        return self._look(path)[0]

    def lies_at(self, place: str) -> bool | None:  # noqa: ARG002 - a commit tells of its own tree alone
        return None

    def ignored(self, path: str) -> bool | None:
        """What is in a commit is not ignored; of the rest nobody knows what was."""
        return False if self._look(path)[0] else None

    def close(self) -> None:
        if self._process:
            end(self._process)
            self._process = None

    def _look(self, path: str) -> tuple[bool, str | None]:
        if path not in self._seen:
            self._seen[path] = self._read(path)
        return self._seen[path]

    def _read(self, path: str) -> tuple[bool, str | None]:
        # A path that begins with a dot and a slash would be taken from where git runs.
        if not self._base or not path or "\0" in path or path.startswith(("/", "./", "../")):
            return False, None
        if "\n" in path:
            return self._read_alone(path)
        self._ask(path)
        head = self._line().rsplit(b" ", 2)
        if len(head) < 3 or not head[2].isdigit():
            return False, None
        return True, self._content(int(head[2]), most=self._most(path) if head[1] == b"blob" else 0)

    def _most(self, path: str) -> int:
        return LARGEST_LOCK if self._is_large is not None and self._is_large(path) else LARGEST

    def _read_alone(self, path: str) -> tuple[bool, str | None]:
        """A name with a newline in it can not be asked for by line."""
        try:
            data = run_one(find(self._root).root, ("cat-file", "blob", f"{self._base}:{path}"), SECONDS)
        except GitError:
            return False, None
        return True, self._decoded(data, LARGEST)

    def _content(self, size: int, *, most: int) -> str | None:
        """Nothing of what is larger than `most`, or is to be passed over."""
        kept: list[bytes] = []
        wanted = bool(most) and size <= most
        left = size + 1  # a newline follows
        while left:
            part = self._take(left)
            left -= len(part)
            if wanted:
                kept.append(part)
        return self._decoded(b"".join(kept)[:-1], most) if wanted else None

    def _decoded(self, data: bytes, most: int) -> str | None:
        return None if len(data) > most or b"\0" in data else data.decode("utf-8", "replace")

    def _ask(self, path: str) -> None:
        if self._process is None:
            self._process = start(find(self._root).root, ("cat-file", "--batch"), PIPE)
            self._check_base()
        self._send(f"{self._base}:{path}\n".encode("utf-8", "surrogateescape"))

    def _check_base(self) -> None:
        """Without the commit itself, everything in it would read as absent."""
        self._send(f"{self._base}^{{tree}}\n".encode())
        head = self._line().rsplit(b" ", 2)
        if len(head) < 3 or not head[2].isdigit():
            raise self._failed("the commit is not here")
        self._content(int(head[2]), most=0)

    def _send(self, question: bytes) -> None:
        try:
            if self._process and self._process.stdin:
                self._process.stdin.write(question)
                self._process.stdin.flush()
        except OSError as error:
            raise self._failed(str(error)) from error

    def _line(self) -> bytes:
        while b"\n" not in self._unread:
            self._unread += self._more()
        line, _, self._unread = self._unread.partition(b"\n")
        return line

    def _take(self, most: int) -> bytes:
        if not self._unread:
            self._unread = self._more()
        part, self._unread = self._unread[:most], self._unread[most:]
        return part

    def _more(self) -> bytes:
        pipe = self._process.stdout if self._process else None
        if pipe is None or not select.select([pipe], [], [], SECONDS)[0]:
            raise self._failed(f"no answer within {SECONDS:g} seconds")
        part = os.read(pipe.fileno(), _CHUNK)
        if not part:
            raise self._failed("it ended early")
        return part

    def _failed(self, words: str) -> EffectError:
        self.close()
        return EffectError(
            f"git cat-file failed in {self._root}: {words}. In a shallow clone run `git fetch --unshallow`."
        )


# What git says of the work tree.


MOST_PATCH = 32 << 20
MOST_UNTRACKED = 32 << 20
"""Bytes of text that are kept of what git tells, and of what it does not know yet."""
DIFF = (
    *("diff", "-z", "--no-abbrev", "--full-index", "--no-ext-diff", "--no-textconv", "--no-color"),
    *("-U0", "--inter-hunk-context=0", "--diff-algorithm=myers", "--no-indent-heuristic", "--no-relative"),
    *("--src-prefix=a/", "--dst-prefix=b/", "--submodule=short", "--ignore-submodules=none", f"-O{os.devnull}"),
    # Unmerged paths are named by the listing; here they would be told twice.
    *("--diff-filter=u", "-l1000"),
)
_STATE = ("--raw", "-z", "--no-abbrev", "--no-renames", "--ignore-submodules=none")


class Question(msgspec.Struct, frozen=True, kw_only=True):
    place: GitPlace
    base: str
    head: str
    compared: str
    """The base, or git's empty tree where there is none."""
    staged_only: bool
    seconds: float

    @property
    def moved(self) -> bool:
        """There are commits since the base. On a branch without one, all that was in the base counts as staged."""
        return bool(self.head) and self.base != self.head

    @property
    def diff(self) -> tuple[str, ...]:
        return (*DIFF, "--cached") if self.staged_only else DIFF

    @property
    def settings(self) -> dict[str, str]:
        """While `git commit -a` or `git commit PATH` runs its hook, what is staged lies in an index of its own."""
        given = os.environ.get("GIT_INDEX_FILE", "")
        if not self.staged_only or not given:
            return {}
        index = Path(given).resolve()
        # One of another repository is not asked about.
        return {"GIT_INDEX_FILE": str(index)} if index.parent == Path(self.place.folder).resolve() else {}


class DiffFacts(msgspec.Struct, frozen=True, kw_only=True):
    patched: tuple[Patched, ...]
    counts: Mapping[str, tuple[int, int]]
    """Lines of those whose patch was cut off."""
    listing: Listing
    untracked: tuple[Untracked, ...]
    staged: Mapping[str, RawChange]
    """How the index differs from the base."""
    committed: Mapping[str, RawChange]
    """How HEAD differs from the base."""
    tree: str
    commits: int = 0
    astray: bool = False
    """HEAD no longer contains the base."""
    warnings: str = ""


def gather(question: Question, *, left_out: Callable[[str], bool]) -> DiffFacts:
    """Files that git does not know yet are read while it compares those it knows."""
    root = question.place.root
    inside = () if question.staged_only else programs_inside(root)
    with Processes(root, _commands(question), question.seconds, question.settings, inside) as running:
        listed = running.output("listing")
        listing = parse_listing(listed.text)
        reader = UntrackedReader(root, len(question.compared), MOST_UNTRACKED)
        untracked = []
        for path in listing.untracked:
            running.in_time()
            if not left_out(path) and not (path.endswith("/") and is_own(question.place, path)):
                untracked.append(reader.read(path))
        index = parse_raw(running.output("index").text)
        tree = running.output("tree").text.decode("ascii", "replace").strip()
        _same_place(root, running.output("top").text)
        history = parse_raw(running.output("history").text) if question.moved else ()
        behind, commits = _numbers(running.output("commits")) if question.moved else (0, 0)
        diff = running.output("diff")
    patched, counts = _patched(question, diff)
    return DiffFacts(
        patched=patched,
        counts=counts,
        listing=listing,
        untracked=tuple(untracked),
        staged={change.path: change for change in index},
        committed={change.path: change for change in history},
        tree=tree,
        commits=commits,
        astray=behind > 0,
        warnings=f"{listed.warnings}\n{diff.warnings}",
    )


def _same_place(root: str, top: bytes) -> None:
    """A repository can be told to look at another folder than the one it lies in."""
    seen = os.path.realpath(os.fsdecode(top.removesuffix(b"\n")))
    if seen != os.path.realpath(root):
        raise EffectError(f"git looks at {seen} and not at {root}: see `git config core.worktree`")


def _commands(question: Question) -> dict[str, Command]:
    compared, head = question.compared, question.head
    others = () if question.staged_only else ("-o", "--exclude-standard")
    commands = {
        "diff": Command(arguments=(*question.diff, "-M", "--raw", "-p", compared, "--"), most=MOST_PATCH),
        "listing": Command(arguments=("ls-files", "-c", *others, "-v", "-z")),
        "index": Command(arguments=("diff-index", "--cached", "--ita-invisible-in-index", *_STATE, compared, "--")),
        "tree": Command(arguments=("rev-parse", "--verify", f"{compared}^{{tree}}")),
        "top": Command(arguments=("rev-parse", "--show-toplevel")),
    }
    if question.moved:
        span = (head,) if compared in EMPTY_TREES else ("--left-right", f"{compared}...{head}")
        commands["commits"] = Command(arguments=("rev-list", "--count", *span, "--"))
        commands["history"] = Command(arguments=("diff-tree", "-r", *_STATE, compared, head, "--"))
    return commands


def _numbers(output: Output) -> tuple[int, int]:
    """Commits that only the base has, and that only HEAD has."""
    numbers = [int(number) for number in output.text.split()]
    return (numbers[0], numbers[1]) if len(numbers) > 1 else (0, numbers[0])


def _patched(question: Question, diff: Output) -> tuple[tuple[Patched, ...], dict[str, tuple[int, int]]]:
    """Where the patch is too long, what was read of it, with the lines of the rest only counted."""
    patched = parse_diff(diff.text, whole=not diff.cut)
    if not diff.cut:
        return patched, {}
    sections = {one.change.path: one.section for one in patched}
    ends = {"raw": ("--raw",), "counts": ("--numstat",)}
    commands = {
        name: Command(arguments=(*question.diff, "-M", *end, question.compared, "--")) for name, end in ends.items()
    }
    inside = () if question.staged_only else programs_inside(question.place.root)
    with Processes(question.place.root, commands, question.seconds, question.settings, inside) as running:
        raw = parse_raw(running.output("raw").text)
        counts = parse_line_counts(running.output("counts").text)
    return tuple(Patched(change, sections.get(change.path)) for change in raw), counts
