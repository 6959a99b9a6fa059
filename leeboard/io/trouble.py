"""Whether the store could be used lately, remembered where no store is needed: said once, and not waited for again.

A lock that somebody holds is no damage yet: it is told of only when it lasts.
"""

from __future__ import annotations

from leeboard.io import places, spare

PATIENCE = 4.0
"""Seconds a hook waits for a store that others use."""
HASTE = 0.05
"""As long, while it was in vain a moment ago."""
RECENT = 30.0
LASTS = 10.0
"""Seconds after which a store that is only busy is told of like a broken one."""
AGAIN = 86_400.0
"""It is told of once more after so long."""
_LATELY, _BEGAN, _TOLD = "trouble.lately", "trouble.began", "trouble.told"


def last_met() -> float | None:
    """Seconds since the store could not be used; None where it has been used since."""
    return spare.age(_LATELY)


def patience(since: float | None) -> float:
    """How long the store may be waited for, so long after it could not be used. One that others have written to since
    then is only busy.
    """
    if since is None or since > RECENT or _written() < since:
        return PATIENCE
    return HASTE


def _written() -> float:
    """Seconds since the database was written to."""
    path = places.database()
    return min(spare.age_of(f"{path}-wal"), spare.age_of(path))


def is_news(*, busy: bool, asked: bool) -> bool:
    """The store can not be used: note it. True where a person is to be told now, which is once.

    `asked`: it is a moment at which a person is there; where nothing can be noted, it is told at those alone.
    """
    for name in (_LATELY, _BEGAN):
        spare.mark(name)
    spare.touch(_LATELY)
    told = spare.age(_TOLD)
    if told is not None and told < AGAIN:
        return False
    if busy and (spare.age(_BEGAN) or 0.0) < LASTS:
        return False
    if told is not None:
        spare.touch(_TOLD)
        return True
    fresh = spare.mark(_TOLD)
    return asked if fresh is None else fresh


def is_over() -> None:
    """The store works."""
    for name in (_LATELY, _BEGAN, _TOLD):
        spare.remove(name)
