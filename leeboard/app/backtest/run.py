"""Sessions judged side by side, those that were finished before taken from the cache."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
from functools import partial

import msgspec

from leeboard.app.backtest.chosen_settings import ChosenSettings, session_settings, under_profile
from leeboard.app.backtest.finished import keep_finished, read_finished, result_key
from leeboard.app.backtest.heard import Heard, hear
from leeboard.app.engine.cluster import Cluster
from leeboard.app.engine.side_by_side import side_by_side
from leeboard.app.replay import Recording, read_recording, recorded_folder
from leeboard.app.session_files import STDIN, SessionSource, read_source
from leeboard.errors import LeeboardError
from leeboard.io.places import secret_key
from leeboard.model.policy import Profile

_AHEAD = 1
"""Sessions judged before there are more processes: what they load and compile, those find ready."""


class Basis(msgspec.Struct, frozen=True, kw_only=True):
    """What all sessions of a run are judged by: settings, profile and since when."""

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
    """The result for one recorded session, or why it was passed over."""

    source: SessionSource
    heard: Heard | None = None
    problem: str = ""
    """Why it was passed over."""
    is_old: bool = False
    """It ended before the time that was asked for."""
    was_finished: bool = False
    """By an earlier run."""
    notes: tuple[str, ...] = ()


def run_sessions(
    sources: Sequence[SessionSource], basis: Basis, jobs: int, cluster: Cluster | None = None
) -> Iterator[JudgedFile]:
    """In the order of the sources, whoever is ready first."""
    if cluster is not None:
        yield from _run_on(cluster, sources, basis)
        return
    work = partial(judge_session, basis=basis)
    alone = jobs == 1 or len(sources) <= _AHEAD or any(source.path == STDIN for source in sources)
    ahead = len(sources) if alone else _AHEAD
    yield from map(work, sources[:ahead])
    if alone:
        return
    rest = sources[ahead:]
    yield from side_by_side(work, rest, jobs, "the same command goes on where it was, and needs less with -j 1")


def judge_session(source: SessionSource, basis: Basis) -> JudgedFile:
    """Judge a session again, unless an earlier run did so on the same basis: its result is then read from the cache."""
    try:
        read = _read(source)
        recording = read_recording(read.files[0], source.stem, read.files[1:])
        return _judged(read, recording, basis)
    except OSError as error:
        return JudgedFile(source=source, problem=error.strerror or str(error))
    except (LeeboardError, RecursionError, MemoryError) as error:
        return JudgedFile(source=source, problem=_why_not(error))


class _Read(msgspec.Struct, frozen=True, kw_only=True):
    """A session as its files hold it."""

    source: SessionSource
    files: tuple[bytes, ...]
    """Its own, and those of its sub-agents."""
    changed: float

    @property
    def name(self) -> str:
        return os.fsencode(self.source.stem).decode("utf-8", "replace")


def _read(source: SessionSource) -> _Read:
    main, parts = read_source(source), _parts(source)
    changed = 0.0 if source.path == STDIN else os.stat(source.path).st_mtime  # noqa: PTH116 - any name passes
    return _Read(source=source, files=(main, *parts), changed=changed)


def _judged(read: _Read, recording: Recording, basis: Basis) -> JudgedFile:
    passed_over = _passed_over(read, recording, basis.since)
    if passed_over is not None:
        return passed_over
    chosen = _settings(recording.cwd, basis)
    key = result_key(read.files, read.name, chosen.settings, basis.judge)
    known = _finished(read.source, key, chosen)
    return known or _kept(read.source, key, hear(recording, read.name, chosen), chosen)


def _passed_over(read: _Read, recording: Recording, since: float) -> JudgedFile | None:
    if not recording.events:
        return JudgedFile(source=read.source, problem="no record of a session stands in it")
    if (recording.ended or read.changed) < since:
        return JudgedFile(source=read.source, is_old=True)
    return None


def _finished(source: SessionSource, key: str, chosen: ChosenSettings) -> JudgedFile | None:
    known = read_finished(key)
    if known is None:
        return None
    known = msgspec.structs.replace(known, judged_by=chosen.source)
    return JudgedFile(source=source, heard=known, was_finished=True, notes=chosen.notes)


def _kept(source: SessionSource, key: str, heard: Heard, chosen: ChosenSettings) -> JudgedFile:
    problem = keep_finished(key, heard)
    lost = (f"what is finished can not be kept, so a run that is interrupted starts anew ({problem})",)
    return JudgedFile(source=source, heard=heard, notes=(*chosen.notes, *(lost if problem else ())))


def _why_not(error: BaseException) -> str:
    return f"it could not be judged: {error or type(error).__name__}"


def _settings(cwd: str, basis: Basis) -> ChosenSettings:
    if basis.for_all:
        return basis.chosen
    own = session_settings(cwd, basis.chosen, os.environ)
    return own if own is basis.chosen else under_profile(own, basis.profile)


def _parts(source: SessionSource) -> tuple[bytes, ...]:
    return tuple(read_source(SessionSource(path)) for path in source.parts)


# On a cluster: files, settings and what is finished are read and kept here, sessions are parsed and judged there.


class _SentSession(msgspec.Struct, frozen=True, kw_only=True):
    """A session as it is sent to a worker, which sees neither our files nor our settings."""

    read: _Read
    cwd: str | None
    """By which the settings were chosen; None where they hold for all."""
    chosen: ChosenSettings
    since: float
    key: bytes
    """The user's, by which a message names the secret that it is about."""


class _Pending(msgspec.Struct, frozen=True, kw_only=True):
    """A session on its way, or what became of it without a worker."""

    source: SessionSource
    done: JudgedFile | None = None
    result_key: str = ""
    chosen: ChosenSettings


def _run_on(cluster: Cluster, sources: Sequence[SessionSource], basis: Basis) -> Iterator[JudgedFile]:
    pending: deque[_Pending] = deque()
    answers = cluster.each(_judge_sent, _sent(sources, basis, pending))
    for answer in answers:
        yield from _without_worker(pending)
        one = pending.popleft()
        if answer is None:
            yield judge_session(one.source, basis)
        elif answer.heard is None:
            yield answer
        else:
            yield _kept(one.source, one.result_key, answer.heard, one.chosen)
    yield from _without_worker(pending)


def _without_worker(pending: deque[_Pending]) -> Iterator[JudgedFile]:
    """Those in front of the next one that a worker answers."""
    while pending and (done := pending[0].done) is not None:
        pending.popleft()
        yield done


def _sent(sources: Sequence[SessionSource], basis: Basis, pending: deque[_Pending]) -> Iterator[_SentSession]:
    """What has to be judged, read when it is asked for; each source is noted as pending, whoever answers it."""
    key = secret_key()
    for source in sources:
        try:
            read = _read(source)
            cwd = None if basis.for_all else recorded_folder(read.files[0], read.files[1:])
        except OSError as error:
            done = JudgedFile(source=source, problem=error.strerror or str(error))
            pending.append(_Pending(source=source, done=done, chosen=basis.chosen))
            continue
        except (LeeboardError, RecursionError, MemoryError) as error:
            done = JudgedFile(source=source, problem=_why_not(error))
            pending.append(_Pending(source=source, done=done, chosen=basis.chosen))
            continue
        chosen = _settings(cwd or "", basis)
        found = result_key(read.files, read.name, chosen.settings, basis.judge)
        known = _finished(source, found, chosen)
        if known is not None and known.heard is not None and (known.heard.ended or read.changed) < basis.since:
            known = JudgedFile(source=source, is_old=True)
        pending.append(_Pending(source=source, done=known, result_key=found, chosen=chosen))
        if known is None:
            yield _SentSession(read=read, cwd=cwd, chosen=chosen, since=basis.since, key=key)


def _judge_sent(sent: _SentSession) -> JudgedFile | None:
    """On a worker. None where the whole session names another folder than its beginning, so that other settings may
    hold: it is judged where those are.
    """
    read = sent.read
    try:
        recording = read_recording(read.files[0], read.source.stem, read.files[1:])
        passed_over = _passed_over(read, recording, sent.since)
        if passed_over is not None:
            return passed_over
        if sent.cwd is not None and recording.cwd != sent.cwd:
            return None
        heard = hear(recording, read.name, sent.chosen, sent.key)
    except (LeeboardError, RecursionError, MemoryError) as error:
        return JudgedFile(source=read.source, problem=_why_not(error))
    return JudgedFile(source=read.source, heard=heard)
