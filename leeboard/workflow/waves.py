"""The order of units: what depends on what, which wave is open, and who would touch the same files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from leeboard.model.glob import matches
from leeboard.model.plan import MOST_PARALLEL
from leeboard.model.unit import Unit


def unresolved(units: Iterable[Unit]) -> tuple[tuple[str, str], ...]:
    """Unit and the dependency that is no unit of its stage."""
    units = tuple(units)
    known = {unit.id for unit in units}
    return tuple((unit.id, wanted) for unit in units for wanted in unit.depends_on if wanted not in known)


def waves(units: Iterable[Unit]) -> tuple[tuple[Unit, ...], ...]:
    """Units by depth: a wave depends on earlier ones only. Those in a cycle, or behind one, are in no wave."""
    by_id = {unit.id: unit for unit in sorted(units, key=lambda unit: unit.id)}
    behind: dict[str, list[str]] = {name: [] for name in by_id}
    owing = dict.fromkeys(by_id, 0)
    for name, unit in by_id.items():
        for wanted in {*unit.depends_on}:
            if wanted in behind:
                behind[wanted].append(name)
                owing[name] += 1
    wave = [name for name, count in owing.items() if not count]
    found: list[tuple[Unit, ...]] = []
    while wave:
        found.append(tuple(by_id[name] for name in wave))
        freed = [name for done in wave for name in behind[done]]
        for name in freed:
            owing[name] -= 1
        wave = sorted({name for name in freed if not owing[name]})
    return tuple(found)


def cycle(units: Sequence[Unit]) -> tuple[str, ...]:
    """One circle of dependencies, its first unit named again at the end; empty: there is none."""
    placed = {unit.id for wave in waves(units) for unit in wave}
    stuck = {unit.id: unit.depends_on for unit in units if unit.id not in placed}
    path: list[str] = []
    at = min(stuck, default="")
    while stuck and at not in path:
        path.append(at)
        at = min(wanted for wanted in stuck[at] if wanted in stuck)
    return (*path[path.index(at) :], at) if stuck else ()


def open_wave(units: Sequence[Unit]) -> int:
    """The lowest wave with a unit that is not completed; the number of waves where all are."""
    return _open(waves(units))


def _open(found: tuple[tuple[Unit, ...], ...]) -> int:
    behind = (at for at, wave in enumerate(found) if any(unit.status != "completed" for unit in wave))
    return next(behind, len(found))


def ready(units: Sequence[Unit]) -> tuple[Unit, ...]:
    """What may begin now: pending units of the open wave, as many as may run beside those that are active."""
    if all(unit.status != "pending" for unit in units):
        return ()
    found = waves(units)
    at = _open(found)
    pending = [unit for unit in found[at] if unit.status == "pending"] if at < len(found) else []
    room = MOST_PARALLEL - sum(unit.status == "active" for unit in units)
    return tuple(pending[: max(room, 0)])


def overlaps(running: Sequence[Unit]) -> list[dict[str, list[str]]]:
    """Those that run beside each other and mean to change the same files: worth a warning before they do."""
    return [
        {"units": [one.id, other.id], "files": shared}
        for at, one in enumerate(running)
        for other in running[at + 1 :]
        if (shared := _shared(one, other))
    ]


def _shared(one: Unit, other: Unit) -> list[str]:
    mine, theirs = {*one.touch, *one.outputs}, {*other.touch, *other.outputs}
    both = {path for path in mine if path in theirs or matches(path, sorted(theirs))}
    return sorted(both | {path for path in theirs if matches(path, sorted(mine))})
