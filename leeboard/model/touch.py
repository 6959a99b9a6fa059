"""What happens to files: touches of one action, what a call writes, and what differs between two trees.

A touch is told the same way for an Edit, a shell line or a patch.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from leeboard.model.verdict import Stage

TouchKind = Literal["read", "write", "delete", "restore"]
"""`restore` gives a file back an older state (git checkout, git stash): never new work."""


class Touch(msgspec.Struct, frozen=True):
    """One path an action reads or changes. A move is a delete of the old path and a write of the new."""

    path: str
    kind: TouchKind

    @property
    def modifies(self) -> bool:
        return self.kind != "read"


class Started(msgspec.Struct, frozen=True, kw_only=True):
    """One program as a line starts it. What nobody can tell beforehand stands in a word as a NUL."""

    words: tuple[str, ...]
    folder: str | None = None
    """Where it is started; None: nobody can tell."""
    handed: str = ""
    """Text it is handed literally, as here-document or here-string."""
    fed: str = ""
    """The file it reads by `<`."""
    role: Literal["known", "runner", "unknown"] = "known"
    """`runner` runs what its words or what it is handed say: a shell, an interpreter, a wrapper."""
    statement: int = 0
    """Which statement of the line it stands in: names flow from program to program within one."""


class ShellEffects(msgspec.Struct, frozen=True, kw_only=True):
    """What a shell line will do, as far as it can be told without running it."""

    touches: tuple[Touch, ...] = ()
    opaque: bool = False
    """True when some part may change files nobody can name beforehand (a script, make, an unknown program)."""
    unread: bool = False
    """True when some part was not looked at: too long, or nested too deeply."""
    hides: bool = False
    """True when such a part has words of what must not pass unread."""
    network: bool = False
    interpreters: tuple[str, ...] = ()
    """Programs that were handed code: python, node, bash, ..."""
    programs: tuple[str, ...] = ()
    """Each simple command as program plus subcommand where one exists: 'git commit', 'npm install', 'ls'."""
    started: tuple[Started, ...] = ()
    """Every program, also those that others start: what is wrapped, or handed to a shell."""
    moved: tuple[str, ...] = ()
    """Deleted paths whose content goes on under another name."""
    replaced: tuple[str, ...] = ()
    """Written paths whose earlier content goes, devices too: by `>`, cp, mv, truncate, dd and their like."""
    rewritten: tuple[tuple[int, Started], ...] = ()
    """Redirections over a file that nobody can tell, each as `>` and its target, by how many programs stand before."""
    keeping: frozenset[int] = frozenset()
    """Statements whose output later ones may use, by a name or a file."""
    listing: bool = False
    """True when every program of the line only lists names (ls, find, git status): naming is then weak evidence."""


# What one call writes into one file, with the file as it is after it.


Span = tuple[int, int]
"""First and last line, counted from one, both included."""


class Diff(msgspec.Struct, frozen=True, kw_only=True):
    """`after` is the whole file after the change; only the written text where nobody knows the rest (`fragment`)."""

    path: str
    """Relative to the work tree; empty for the text of a shell line itself."""
    after: str
    before: str | None = None
    """The whole file before; empty for a new file, None where nobody knows it."""
    added: tuple[Span, ...] = ()
    """Lines of `after` that this change wrote."""
    removed: str = ""
    """The lines it took away."""
    fragment: bool = False
    stage: Stage = "DIFF"

    @property
    def is_new(self) -> bool:
        return self.before == ""

    def wrote(self, first: int, last: int = 0) -> bool:
        """Whether one of these lines is new."""
        last = last or first
        return any(start <= last and first <= end for start, end in self.added)

    @property
    def added_count(self) -> int:
        return sum(end - start + 1 for start, end in self.added)


Diffs = tuple[Diff, ...]


# What a change does to the code, in counts that add up: lines, functions, decisions, tests.


class Health(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A difference: what came minus what went."""

    lines: int = 0
    functions: int = 0
    decisions: int = 0
    """Points where the code branches: what cyclomatic complexity counts."""
    tests: int = 0
    files: int = 0
    """New files."""

    def plus(self, other: Health) -> Health:
        return Health(
            lines=self.lines + other.lines,
            functions=self.functions + other.functions,
            decisions=self.decisions + other.decisions,
            tests=self.tests + other.tests,
            files=self.files + other.files,
        )


# What differs between two states of a work tree. Git and whoever else compares trees both speak it.


ChangeKind = Literal["added", "modified", "deleted", "renamed", "retyped", "unmerged"]
ChangeState = Literal["committed", "staged", "unstaged", "untracked"]


class Hunk(msgspec.Struct, frozen=True):
    """A run of lines that was replaced."""

    start: int
    """Line of the file as it is now at which the added lines begin, from one."""
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def span(self) -> Span:
        return self.start, self.start + len(self.added) - 1


class FileChange(msgspec.Struct, frozen=True, kw_only=True):
    """One path that is not as it was at the base, relative to the root of the work tree."""

    path: str
    kind: ChangeKind
    old_path: str = ""
    """Where a renamed file was."""
    states: tuple[ChangeState, ...] = ()
    """Every stage in which some of it is: a file may be staged and changed again."""
    added: int = 0
    deleted: int = 0
    hunks: tuple[Hunk, ...] = ()
    """Empty for what is no text, and where there was too much of it (`cut`)."""
    binary: bool = False
    submodule: bool = False
    generated: bool = False
    """Made by a program or brought from elsewhere: seen, but its lines are nobody's work."""
    cut: bool = False

    @property
    def paths(self) -> tuple[str, ...]:
        """Both names of a renamed file."""
        return (self.old_path, self.path) if self.old_path else (self.path,)

    @property
    def spans(self) -> tuple[Span, ...]:
        return tuple(hunk.span for hunk in self.hunks if hunk.added)

    @property
    def loc(self) -> int:
        return 0 if self.generated else self.added + self.deleted


class TreeChange(msgspec.Struct, frozen=True, kw_only=True):
    """All that differs from the base: commits since, what is staged, what is not, and what git does not know yet."""

    root: str
    files: tuple[FileChange, ...] = ()
    base: str = ""
    """The commit it was compared with; empty where the repository has none yet."""
    head: str = ""
    commits: int = 0
    """Since the base."""
    digest: str = ""
    """The digest of the whole tree as far as it differs: the same content has the same digest, committed or not."""
    unseen: tuple[str, ...] = ()
    """Paths in the tree that git was told not to look at, or could not."""
    notes: tuple[str, ...] = ()
    """What could not be looked at, or only in part: a shallow clone, a file that is too large."""

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(path for change in self.files for path in change.paths))


class AcceptanceRun(msgspec.Struct, frozen=True, kw_only=True):
    """One acceptance command and how it ended over the tree with that digest."""

    command: str
    passed: bool
    tree: str
    code: int | None = None
    """None when it had to be killed."""
    seconds: float = 0.0
    tail: str = ""
    """The end of its output, redacted."""
