"""Work on many sessions in several processes, which end with the one that started them, however that ends."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import parent_process
from multiprocessing.process import BaseProcess
from typing import TypeVar

from leeboard.errors import EffectError

Item = TypeVar("Item")
Result = TypeVar("Result")


def side_by_side(work: Callable[[Item], Result], items: Sequence[Item], jobs: int, hint: str = "") -> Iterator[Result]:
    """In the order of the items, whoever is ready first. EffectError, ending with the hint, where a process is ended
    from outside.
    """
    try:
        with ProcessPoolExecutor(max_workers=min(jobs, len(items)), initializer=_follow_parent) as pool:
            yield from pool.map(work, items)
    except BrokenProcessPool as error:
        raise EffectError(
            f"a process that judged sessions was ended from outside, perhaps for want of memory; {hint}"
        ) from error


def _follow_parent() -> None:
    """A process of the pool ends with the one that started it, even if that is killed; at Ctrl-C without a word."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
