"""The files of a scenario as a disk on which somebody else may change them."""

from __future__ import annotations

from collections.abc import Mapping
from zlib import crc32

from leeboard.app.replay import RecordedFiles
from leeboard.model.known import NoText, Stamp


class RecordedDisk:
    """What is not in the recording is not there. No time passes, and there is no git."""

    def __init__(self, files: RecordedFiles, root: str) -> None:
        self._files = files
        self.root = root

    def look(self, path: str) -> Stamp | None:
        text = self._files.text(path)
        return (len(text), crc32(text.encode()), 0, 1) if text is not None else ()

    def look_again(self) -> None:
        """A recording stays as it is."""

    def settled(self, stamp: Stamp) -> bool:
        return bool(stamp)

    def text(self, path: str) -> str | None:
        return self._files.text(path)

    def no_text(self, path: str) -> NoText | None:  # noqa: ARG002 - a recording has texts alone
        return None

    def ignored_of(self, paths: tuple[str, ...]) -> frozenset[str]:
        return frozenset(path for path in paths if self._files.ignored(path))

    def committed(self, paths: tuple[str, ...], since: float) -> Mapping[str, str]:  # noqa: ARG002 - as the protocol has it
        return {}

    def head_moved(self, since: float) -> bool:  # noqa: ARG002 - as the protocol has it
        return False
