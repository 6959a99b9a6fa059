"""The files that a scan reads: also those that git takes for binary and that are texts all the same."""

from __future__ import annotations

from leeboard.io.file import read_regular
from leeboard.io.git import ask
from leeboard.io.git.comparison import BaseTexts
from leeboard.io.git.odd_text import odd_text
from leeboard.io.git.tree_files import GIT_SECONDS, LARGEST, CommittedFiles, DiskFiles


class ScannedFiles(DiskFiles):
    """As they lie there."""

    def _read(self, path: str) -> str | None:
        text = super()._read(path)
        if text is not None or self._no_text.get(path) != "other":
            return text
        try:
            return odd_text(read_regular(self._place(path), LARGEST))
        except (OSError, ValueError):
            return None


class ScannedIndex(CommittedFiles):
    """As they are staged."""

    def __init__(self, root: str) -> None:
        super().__init__(root, "")

    def _read(self, path: str) -> str | None:
        text = super()._read(path)
        if text is not None or not self._root or not path or "\0" in path or path.startswith(("/", "../")):
            return text
        done = ask.ended(self._root, ("cat-file", "blob", f":./{path}"), GIT_SECONDS)
        known = done is not None and done.code == 0 and len(done.out) <= LARGEST
        return odd_text(done.out) if done is not None and known else None


class ScannedBase(BaseTexts):
    """As they were in a commit."""

    def _decoded(self, data: bytes, most: int) -> str | None:
        text = super()._decoded(data, most)
        return odd_text(data) if text is None and len(data) <= most else text
