"""Sessions judged side by side, those that were finished before taken from the cache."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial

import msgspec

from leeboard.app.backtest.chosen_settings import ChosenSettings, session_settings, under_profile
from leeboard.app.backtest.finished import keep_finished, read_finished, result_key
from leeboard.app.backtest.heard import Heard, hear
from leeboard.app.backtest.side_by_side import side_by_side
from leeboard.app.replay import Recording, read_recording
from leeboard.app.session_files import STDIN, SessionSource, read_source
from leeboard.errors import LeeboardError
from leeboard.model.policy import Profile

_AHEAD = 1
"""Sessions judged before there are more processes: what they load and compile, those find ready."""


class Basis(msgspec.Struct, frozen=True, kw_only=True):
    """What a run goes by."""

    chosen: ChosenSettings
    """With the profile over them."""
    for_all: bool
    """Else a session goes by the settings of its own project, where that is still there."""
    profile: Profile | None = None
    since: float = 0.0
    """Sessions that ended before are left out."""
    judge: str = ""
    """The digest of the code that judges."""


class JudgedFile(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one session."""

    source: SessionSource
    heard: Heard | None = None
    problem: str = ""
    """Why it was passed over."""
    is_old: bool = False
    """It ended before the time that was asked for."""
    was_finished: bool = False
    """By an earlier run."""
    notes: tuple[str, ...] = ()


def run_sessions(sources: Sequence[SessionSource], basis: Basis, jobs: int) -> Iterator[JudgedFile]:
    """In the order of the sources, whoever is ready first."""
    work = partial(judge_session, basis=basis)
    alone = jobs == 1 or len(sources) <= _AHEAD or any(source.path == STDIN for source in sources)
    ahead = len(sources) if alone else _AHEAD
    yield from map(work, sources[:ahead])
    if alone:
        return
    rest = sources[ahead:]
    yield from side_by_side(work, rest, jobs, "the same command goes on where it was, and needs less with -j 1")


def judge_session(source: SessionSource, basis: Basis) -> JudgedFile:
    """One session, from its file or from the cache."""
    try:
        main, parts = read_source(source), _parts(source)
        changed = 0.0 if source.path == STDIN else os.stat(source.path).st_mtime  # noqa: PTH116 - any name passes
        recording = read_recording(main, source.stem, parts)
        return _judged(source, basis, recording, (main, *parts), changed)
    except OSError as error:
        return JudgedFile(source=source, problem=error.strerror or str(error))
    except (LeeboardError, RecursionError, MemoryError) as error:
        return JudgedFile(source=source, problem=f"it could not be judged: {error or type(error).__name__}")


def _judged(
    source: SessionSource, basis: Basis, recording: Recording, files: tuple[bytes, ...], changed: float
) -> JudgedFile:
    if not recording.events:
        return JudgedFile(source=source, problem="no record of a session stands in it")
    if (recording.ended or changed) < basis.since:
        return JudgedFile(source=source, is_old=True)
    chosen = _settings(recording, basis)
    name = os.fsencode(source.stem).decode("utf-8", "replace")
    key = result_key(files, name, chosen.settings, basis.judge)
    known = read_finished(key)
    if known is not None:
        known = msgspec.structs.replace(known, judged_by=chosen.source)
        return JudgedFile(source=source, heard=known, was_finished=True, notes=chosen.notes)
    heard = hear(recording, name, chosen)
    problem = keep_finished(key, heard)
    lost = (f"what is finished can not be kept, so a run that is interrupted starts anew ({problem})",)
    return JudgedFile(source=source, heard=heard, notes=(*chosen.notes, *(lost if problem else ())))


def _settings(recording: Recording, basis: Basis) -> ChosenSettings:
    if basis.for_all:
        return basis.chosen
    own = session_settings(recording.cwd, basis.chosen, os.environ)
    return own if own is basis.chosen else under_profile(own, basis.profile)


def _parts(source: SessionSource) -> tuple[bytes, ...]:
    return tuple(read_source(SessionSource(path)) for path in source.parts)
