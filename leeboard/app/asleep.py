"""The one line a person hears where something of a repository sleeps: when a session begins, once for each state of it.

Where a repository has no settings of ours, no plan and no tasks, this costs a few looks at names.
"""

from __future__ import annotations

from collections.abc import Mapping

from leeboard.app.actors import asleep_line, sleeping
from leeboard.io import trust


def say_asleep(root: str, env: Mapping[str, str]) -> str:
    """Empty where nothing sleeps, or it was said before."""
    found = tuple(actor for actor in sleeping(root, env) if actor.acts)
    if not found:
        return ""
    state = trust.digest_of(sorted((actor.part, actor.digest) for actor in found))
    if trust.told_before(root, state):
        return ""
    problem = trust.known(root).problem
    line = asleep_line(found)
    return f"{line} ({trust.escaped(problem)})" if problem else line
