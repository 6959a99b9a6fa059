"""One process at a time. The kernel gives the lock free when its holder ends, however that comes about."""

from __future__ import annotations

import fcntl
import os

from leeboard.errors import EffectError
from leeboard.io.written import open_written


class Sole:
    """The right to be the only one at `path`, once it was taken."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._file = -1

    def take(self) -> bool:
        """Whether it is ours now; False while another process has it."""
        if self._file >= 0:
            return True
        try:
            file = open_written(self.path, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BaseException:
                os.close(file)
                raise
        except BlockingIOError:
            return False
        except OSError as error:
            raise EffectError(f"can not lock {self.path}: {error.strerror or error}") from error
        self._file = file
        return True

    def give_back(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
