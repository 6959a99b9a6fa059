"""The files of a commit, read through one git process that is started by the first question."""

from __future__ import annotations

import os
import select

from leeboard.errors import EffectError
from leeboard.io._git_processes import GitError, run_one, start
from leeboard.io.child import PIPE, Process, end
from leeboard.io.files import LARGEST
from leeboard.io.git_place import find

SECONDS = 10.0
_CHUNK = 1 << 18


class BaseTexts:
    """Implements `BaseFiles`. Paths are relative to the top of the work tree; without a commit nothing exists."""

    def __init__(self, root: str, base: str) -> None:
        self._root = root
        self._base = base
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
        return True, self._content(int(head[2]), is_text=head[1] == b"blob")

    def _read_alone(self, path: str) -> tuple[bool, str | None]:
        """A name with a newline in it can not be asked for by line."""
        try:
            data = run_one(find(self._root).root, ("cat-file", "blob", f"{self._base}:{path}"), SECONDS)
        except GitError:
            return False, None
        return True, _decoded(data)

    def _content(self, size: int, *, is_text: bool) -> str | None:
        kept: list[bytes] = []
        wanted = is_text and size <= LARGEST
        left = size + 1  # a newline follows
        while left:
            part = self._take(left)
            left -= len(part)
            if wanted:
                kept.append(part)
        return _decoded(b"".join(kept)[:-1]) if wanted else None

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
        self._content(int(head[2]), is_text=False)

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


def _decoded(data: bytes) -> str | None:
    return None if len(data) > LARGEST or b"\0" in data else data.decode("utf-8", "replace")
