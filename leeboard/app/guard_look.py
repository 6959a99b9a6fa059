"""What a session last saw of the files that must not change, kept between two hooks."""

from __future__ import annotations

from posixpath import join

import msgspec

from leeboard.code.area import is_test
from leeboard.io.guard_files import guard_files, look_at_guard
from leeboard.io.kept_looks import KeptLooks
from leeboard.io.limit_files import Limited, find_limited, look_again
from leeboard.io.places import state_dir
from leeboard.io.seen_files import Seen
from leeboard.model.contract import Constraint
from leeboard.model.glob import matches
from leeboard.model.session import Session

FOLDER = "guards"


class Line(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A call that may change what nobody can name, from its proposal until it comes back."""

    id: str
    agent: str = ""
    text: str = ""
    """Redacted, and cut."""
    began: float = 0.0
    ours: bool = False
    """It runs a command that may write the project's tasks, and leaves its own trace there."""


class Look(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    session: str
    root: str
    env: dict[str, str] = msgspec.field(default_factory=dict)
    """Where the client keeps its settings, as its hooks were told."""
    guard: dict[str, Seen] = msgspec.field(default_factory=dict)
    limits: tuple[Constraint, ...] = ()
    limited: Limited = Limited()
    lines: tuple[Line, ...] = ()
    behind: tuple[str, ...] = ()
    """The newest lines that sent something to the background: it may still be at work."""
    off: float = 0.0
    """Since when our hooks stand nowhere; zero while they do."""
    said: tuple[str, ...] = ()
    """What was said of looser settings."""


def limits_of(session: Session | None) -> tuple[Constraint, ...]:
    """Those whose files can be named. What binds all files but a few is left to git."""
    limits = session.contract.constraints if session else ()
    return tuple(limit for limit in limits if limit.kind == "forbid" and (limit.patterns or "tests" in limit.areas))


def speaks_of(limit: Constraint, path: str) -> bool:
    return matches(path, limit.patterns) or ("tests" in limit.areas and is_test(path))


def first_look(session: str, root: str, env: dict[str, str]) -> Look:
    """Without limits: they come with the session."""
    guard = {path: look_at_guard(path, kind, None, root) for path, kind in guard_files(root, env).items()}
    return Look(session=session, root=root, env=env, guard=guard)


def guard_now(look: Look) -> dict[str, Seen]:
    files = guard_files(look.root, look.env)
    return {path: look_at_guard(path, kind, look.guard.get(path), look.root) for path, kind in files.items()}


def limited_now(look: Look) -> Limited:
    return look_again(look.root, look.limited, lambda path: any(speaks_of(limit, path) for limit in look.limits))


def under_limits(look: Look, limits: tuple[Constraint, ...]) -> Look:
    """The look with the files of other limits; what is known of a file by now stays known."""
    if limits == look.limits:
        return look
    starts = [pattern for limit in limits for pattern in (*limit.patterns, *("" for area in limit.areas if area))]
    found = find_limited(look.root, starts, lambda path: any(speaks_of(limit, path) for limit in limits))
    files = {path: look.limited.files.get(path, seen) for path, seen in found.files.items()}
    return msgspec.structs.replace(look, limits=limits, limited=msgspec.structs.replace(found, files=files))


def read_look(session: str) -> Look | None:
    kept = _looks().peek_line(session)
    try:
        return msgspec.json.decode(kept, type=Look) if kept else None
    except ValueError:
        return None


def keep_look(look: Look) -> None:
    _looks().renew(look.session, msgspec.json.encode(look))


def forget_look(session: str) -> None:
    _looks().take(session)


def kept_looks() -> tuple[Look, ...]:
    """Of all sessions that have not ended."""
    found = []
    for kept in _looks().all():
        try:
            found.append(msgspec.json.decode(kept, type=Look))
        except ValueError:
            continue
    return tuple(found)


def _looks() -> KeptLooks:
    return KeptLooks(join(state_dir(), FOLDER))
