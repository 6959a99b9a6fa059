"""What an agent last knew of a file, as little of it as tells that the file has changed since and where.

No text is kept: keyed digests of the whole and of each line, so that nobody can try values against them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol

import msgspec

Stamp = tuple[int, ...]
"""Size, times of modification and of the last change in ns, inode. Empty: there is no such file."""
Ranges = tuple[tuple[int, int], ...]
"""First and last lines, counted from one."""
Cause = Literal["own", "agent", "session", "formatter", "linter", "git", "unknown"]
"""Who changed a file: a call of this agent, another agent of its session, another session, and so on."""
NoText = Literal["link", "large", "other"]
"""Why a file that is there can not be compared line by line: a link, above the largest size, or no text at all."""

LINE_BYTES = 8
NO_TEXT = "no-text:"
"""In front of what stands for the digest of a file that has no text: its kind, size and time."""
OVERWRITTEN = "\t"
UNRETURNED = "\n"
"""Before a digest: a call of the agent may have left the file so, and never came back to tell."""
COUNTED = "+"
"""Behind a digest: the agent heard at a prompt that this file has changed, or that some have, and not yet how."""
LANDED = "&"
"""Behind a digest: a call of the agent left it, over what it did not know; another call of it may have done that."""


class FileState(msgspec.Struct, frozen=True, kw_only=True):
    """A text by its digests."""

    digest: str
    """The digest of its lines: how they end makes no difference."""
    plain: str = ""
    """The same for texts that differ in white space, kinds of quotes and trailing commas alone."""
    lines: bytes = b""
    """A digest for each line; empty where there are too many."""
    count: int = 0
    """The number of lines."""


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """One file as one agent knows it."""

    session: str
    agent: str
    path: str
    root: str
    """The work tree the path is relative to."""
    digest: str
    """`absent` where the agent knows that it is gone."""
    plain: str = ""
    lines: bytes = b""
    count: int = 0
    seen: Ranges = ()
    """Lines of that state the agent was shown or wrote; none: it only left its mark there."""
    stamp: Stamp = ()
    """How the file looked from outside then; empty where a later change could look the same."""
    time: float = 0.0
    wrote: bool = False
    """The agent itself left it so."""
    was: str = ""
    """The digest it had when the agent last saw it, where a git command of the agent has changed it since."""
    told: str = ""
    """The digest of a change the agent has been shown; with `COUNTED` or `LANDED` behind it where it was not."""
    stale: bool = False
    """It had been changed by somebody before a command of the agent ran that may have changed it too."""
    beside: str = ""
    """A command of the agent that ran while the file changed, though nobody can tell whether it was that. `OVERWRITTEN`
    where another agent of the session wrote the file after nobody knows who had changed it; `UNRETURNED` and a digest
    where a call may have done it that never came back."""

    @property
    def is_whole(self) -> bool:
        return self.count == 0 or self.seen == ((1, self.count),)


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """How a text differs from the one that was known."""

    new: Ranges = ()
    """Lines of the text as it is now that were not there."""
    gone: Ranges = ()
    """Behind which line of it, how many lines are no longer there."""
    is_located: bool = True
    """False where only the digests of the whole texts could be compared."""


class ChangedFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file that is not as an agent knew it."""

    known: Known
    now: FileState
    stamp: Stamp
    """How it looks from outside; empty: it is gone, or was looked at through somebody else's eyes."""


class Disk(Protocol):
    """The files of a work tree as they are now. Paths are relative to `root`."""

    @property
    def root(self) -> str: ...

    def look(self, path: str) -> Stamp | None:
        """None where nobody knows; the empty stamp where there is none."""

    def look_again(self) -> None:
        """Forget what was found so far: others have worked meanwhile."""

    def settled(self, stamp: Stamp) -> bool:
        """Whether a change after this look would show in the next one."""

    def text(self, path: str) -> str | None: ...

    def no_text(self, path: str) -> NoText | None:
        """Why a file has no text. None where it has one, is not there, or nobody may look."""

    def ignored_of(self, paths: tuple[str, ...]) -> frozenset[str]:
        """Those that git ignores."""

    def committed(self, paths: tuple[str, ...], since: float) -> Mapping[str, str]:
        """The commit for those that are as in it now, where git has written anything since then."""

    def head_moved(self, since: float) -> bool:
        """Whether git has gone to another commit since then."""


class Knowledge(Protocol):
    """What agents of a session know of files, and who else left them how."""

    @property
    def disk(self) -> Disk | None:
        """None where there is only a recording."""

    def known(self, agent: str, path: str) -> Known | None: ...

    def newest_known(self, limit: int, agent: str | None = None) -> tuple[Known, ...]:
        """What all agents of the session know, or one, newest first, without the digests of lines."""

    def writers(self, path: str, digest: str) -> tuple[Known, ...]:
        """Agents of any session of the work tree that left the file with this digest."""
