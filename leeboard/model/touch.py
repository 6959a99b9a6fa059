"""What one action does to files, told the same way for an Edit, a shell line or a patch."""

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


class ShellEffects(msgspec.Struct, frozen=True, kw_only=True):
    """What a shell line will do, as far as it can be told without running it."""

    touches: tuple[Touch, ...] = ()
    opaque: bool = False
    """True when some part may change files nobody can name beforehand (a script, make, an unknown program)."""
    unread: bool = False
    """True when some part was not looked at: too long, or nested too deeply."""
    network: bool = False
    interpreters: tuple[str, ...] = ()
    """Programs that were handed code: python, node, bash, ..."""
    programs: tuple[str, ...] = ()
    """Each simple command as program plus subcommand where one exists: 'git commit', 'npm install', 'ls'."""
    started: tuple[Started, ...] = ()
    """Every program, also those that others start: what is wrapped, or handed to a shell."""
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
