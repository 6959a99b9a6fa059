"""How often the collector looks for cycles while much is judged: nearly all that judging makes is gone without it."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_NEW_OBJECTS = 20_000


@contextmanager
def collecting_seldom() -> Iterator[None]:
    """A look for cycles is made after many more new objects than usual."""
    before = gc.get_threshold()
    gc.set_threshold(_NEW_OBJECTS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def loaded_for_good() -> Iterator[None]:
    """What is loaded by now is not looked through again, until this ends: tables and modules never go."""
    is_ours = not gc.get_freeze_count()
    if is_ours:
        gc.freeze()
    try:
        yield
    finally:
        if is_ours:
            gc.unfreeze()
