"""What git says of a work tree, asked for in commands that run side by side.

Every option that a person's settings could change is given, so that the answer is the same for everybody.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from leeboard.errors import EffectError
from leeboard.io.git.compared_commit import EMPTY_TREES
from leeboard.io.git.output import Listing, Patched, RawChange, parse_diff, parse_line_counts, parse_listing, parse_raw
from leeboard.io.git.place import GitPlace, is_own
from leeboard.io.git.run import Command, Output, Processes
from leeboard.io.git.settings import programs_inside
from leeboard.io.git.untracked import Untracked, UntrackedReader

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
