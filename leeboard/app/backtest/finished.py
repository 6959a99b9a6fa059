"""Sessions that are finished, kept in the cache: a run that was killed goes on where it was, and the next one is quick.

A result is found by what made it: the bytes of the session, the settings, and Leeboard itself. Each is a file of its
own, written whole, so that any number of processes can add to them and none can leave half of one.
"""

from __future__ import annotations

import os
from _blake2 import blake2b
from collections.abc import Sequence
from posixpath import dirname, join

import msgspec

from leeboard.app.backtest.heard import Heard
from leeboard.app.engine.cluster import code_digest
from leeboard.errors import EffectError
from leeboard.io.clock import now
from leeboard.io.file import read_regular, replace_file
from leeboard.io.places import cache_dir, make_private_dir, make_private_file, secret_key
from leeboard.settings.settings import Settings

_LARGEST = 16 << 20
_KEPT_SECONDS = 60 * 86_400
"""A result that nobody asked for in so long is thrown away."""


def finished_folder() -> str:
    return join(cache_dir(), "backtest")


def result_key(files: Sequence[bytes], name: str, settings: Settings, judge: str) -> str:
    """`judge` is the `judge_digest`. The name counts because it stands in the result."""
    made_of = blake2b(digest_size=20)
    for part in (judge.encode(), name.encode(), msgspec.json.encode(settings, order="deterministic"), *files):
        made_of.update(blake2b(part).digest())
    return made_of.hexdigest()


def judge_digest() -> str:
    """The code and the tables that judge, with the user's key."""
    return blake2b(code_digest().encode(), key=secret_key(), digest_size=16).hexdigest()


def read_finished(key: str) -> Heard | None:
    """What an earlier run found out about a session; None where nothing is kept, or nothing that can be read."""
    path = _place(key)
    try:
        found = msgspec.json.decode(read_regular(path, _LARGEST), type=Heard)
        os.utime(path)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return found


def keep_finished(key: str, heard: Heard) -> str:
    """What kept it from being kept; empty where nothing did. The result itself is none the worse."""
    path = _place(key)
    try:
        make_private_dir(dirname(path))
        make_private_file(path)
        replace_file(path, msgspec.json.encode(heard))
    except OSError as error:
        return f"{path}: {error.strerror}"
    except EffectError as error:
        return str(error)
    return ""


def forget_old(before: float | None = None) -> None:
    """Throw away what was not asked for since; by default for two months."""
    limit = now() - _KEPT_SECONDS if before is None else before
    try:
        with os.scandir(finished_folder()) as entries:
            old = [entry.path for entry in entries if entry.stat(follow_symlinks=False).st_mtime < limit]
        for path in old:
            os.unlink(path)  # noqa: PTH108 - names that are no valid text pass
    except OSError:
        return


def _place(key: str) -> str:
    return join(finished_folder(), f"{key}.json")
