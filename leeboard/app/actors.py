"""All that acts in a repository, found in one place: settings, plans with their gates and studios, tasks.

What runs, loosens or is told to agents by a file of a repository is listed here, or nothing of it acts. Another kind,
such as rules of a project's own or lists of protected files, is one more function in `_KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from posixpath import isdir, join

from msgspec.structs import replace

from leeboard.app.settings_files import read_project
from leeboard.errors import LeeboardError
from leeboard.io import trust
from leeboard.io.plan.layout import HOME, home_of
from leeboard.model.trust import Actor, asleep, granted

Env = Mapping[str, str]


def actors(root: str, env: Env) -> tuple[Actor, ...]:
    """Each once. What can not be read acts nowhere, and is said by who would read it."""
    found: dict[tuple[str, str], Actor] = {}
    for kind in _KINDS:
        try:
            for actor in kind(root, env):
                found.setdefault((actor.part, actor.digest), actor)
        except (LeeboardError, OSError):
            continue
    return tuple(found.values())


def sleeping(root: str, env: Env) -> tuple[Actor, ...]:
    """Those that nobody trusted as they are now."""
    if trust.in_whole_run() or not (there := actors(root, env)):
        return ()
    return asleep(there, known_here(root, there).record)


def known_here(root: str, there: tuple[Actor, ...]) -> trust.Known:
    """What is trusted, with what the next step takes as written here: a look at it says what the step does."""
    known = trust.known(root)
    unknown = [actor for actor in asleep(there, known.record) if actor.place.startswith(f"{HOME}/")]
    if not unknown:
        return known
    from leeboard.io.plan.trusted import taken_next  # noqa: PLC0415 - only where a workflow lives on disk

    own = tuple(taken_next(home_of(root), unknown, known.record))
    return replace(known, record=granted(known.record, own, trust.MADE_HERE, ""))


def _settings(root: str, env: Env) -> Iterator[Actor]:
    actor = read_project(root, env).actor
    if actor is not None:
        yield actor


def _plans(root: str, _env: Env) -> Iterator[Actor]:
    home = home_of(root)
    if isdir(join(home, HOME)):
        from leeboard.io.plan.trusted import plan_actors  # noqa: PLC0415 - only where a workflow lives on disk

        yield from plan_actors(home)


def _tasks(root: str, env: Env) -> Iterator[Actor]:
    from leeboard.app.task_actors import task_actors  # noqa: PLC0415 - only where somebody asks for all

    yield from task_actors(root, env)


_KINDS: tuple[Callable[[str, Env], Iterator[Actor]], ...] = (_settings, _plans, _tasks)


def asleep_line(found: tuple[Actor, ...]) -> str:
    """One line for a person; empty where nothing that would act sleeps."""
    acting = [actor for actor in found if actor.acts]
    if not acting:
        return ""
    kinds = dict.fromkeys(actor.does.partition(":")[0].partition(",")[0] for actor in acting)
    said = "something this repository brings sleeps until you trust it"
    return f"Leeboard: {said} ({'; '.join(kinds)}). `leeboard trust` shows exactly what it would do, and asks."
