"""Whether what was said was right: a person's yes, no or unsure to each message, and label files of the same.

Opinions lie in the state directory, a line for each, the newest of a message counts. A line names the message by its
digest and by its place; none of its words are in it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from posixpath import dirname, join
from typing import Literal, get_args

import msgspec

from leeboard.app.backtest.heard import Remark
from leeboard.errors import ConfigError, EffectError
from leeboard.io import system
from leeboard.io.clock import iso, now
from leeboard.io.file import file_lock, open_written, read_regular
from leeboard.io.places import make_private_dir, state_dir

Opinion = Literal["yes", "no", "unsure"]
OPINIONS: tuple[Opinion, ...] = get_args(Opinion)
NONE = "none"
"""An opinion taken back."""
_LARGEST = 64 << 20
_LABELS: Mapping[str, Opinion] = {
    "right": "yes",
    "wrong": "no",
    "debatable": "unsure",
    "yes": "yes",
    "no": "no",
    "unsure": "unsure",
}


class _Line(msgspec.Struct, kw_only=True):
    id: str
    opinion: str
    session: str = ""
    turn: int = 0
    tool_use_id: str = ""
    rules: tuple[str, ...] = ()
    at: str = ""


class _LabelLine(msgspec.Struct, kw_only=True):
    session: str | int = ""
    file: str | int = ""
    turn: int = -1
    tool_use_id: str | None = ""
    rule: str
    label: str


def opinions_file() -> str:
    return join(state_dir(), "backtest", "opinions.jsonl")


def read_opinions() -> dict[str, Opinion]:
    """By the id of the message. A line that a killed process or an editor broke counts for nothing."""
    return {id_: opinion for id_, (opinion, _) in _kept_opinions().items()}


def said_of_rules() -> dict[str, tuple[int, int]]:
    """How often people called what a rule said right, and how often wrong."""
    found: dict[str, tuple[int, int]] = {}
    for opinion, rules in _kept_opinions().values():
        for rule in rules:
            right, wrong = found.get(rule, (0, 0))
            found[rule] = (right + (opinion == "yes"), wrong + (opinion == "no"))
    return found


def _kept_opinions() -> dict[str, tuple[Opinion, tuple[str, ...]]]:
    """The newest of each message, with the rules that spoke in it."""
    try:
        lines = read_regular(opinions_file(), _LARGEST).split(b"\n")
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise EffectError(f"{opinions_file()}: can not be read: {error.strerror}") from error
    found: dict[str, tuple[Opinion, tuple[str, ...]]] = {}
    for line in lines:
        try:
            said = msgspec.json.decode(line, type=_Line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            continue
        opinion = _LABELS.get(said.opinion)
        if opinion is None:
            found.pop(said.id, None)
        else:
            found[said.id] = (opinion, said.rules)
    return found


def write_opinion(remark: Remark, opinion: str) -> None:
    """Keep it, or take it back by NONE. Whoever writes at the same time is waited for."""
    line = _Line(
        id=remark.id,
        opinion=opinion,
        session=remark.session,
        turn=remark.turn,
        tool_use_id=remark.tool_use_id,
        rules=remark.rules,
        at=iso(now()),
    )
    path = opinions_file()
    make_private_dir(dirname(path))
    try:
        with file_lock(f"{path}.lock"):
            file = open_written(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                _append(file, _line_end(file) + msgspec.json.encode(line) + b"\n")
            finally:
                os.close(file)
    except OSError as error:
        raise EffectError(f"{path}: can not be written: {error.strerror}") from error


def _append(file: int, data: bytes) -> None:
    """All of it or nothing: a disk that fills up takes the start of a line without a word, and then refuses."""
    size = os.fstat(file).st_size
    left = memoryview(data)
    try:
        while left:
            left = left[os.write(file, left) :]
    except OSError:
        os.ftruncate(file, size)
        raise


def _line_end(file: int) -> bytes:
    """What the last line lacks, where its writer was killed."""
    size = os.fstat(file).st_size
    return b"" if not size or system.read_at(file, 1, size - 1) == b"\n" else b"\n"


# Labels: the same in a file that travels, one JSON object a line with `session` (the name of its file, or its id),
# `turn`, `tool_use_id`, `rule`, `label` (right, wrong or debatable) and a reason.


class Labels:
    """What a label file says."""

    def __init__(self, by_place: Mapping[tuple[str, str, str], Opinion]) -> None:
        self._by_place = by_place
        self._used: set[tuple[str, str, str]] = set()

    def opinion(self, remark: Remark, rule: str) -> Opinion | None:
        """About what a rule said; noted, so that labels for what is no longer said can be counted."""
        for name in (remark.file, remark.session):
            for where in filter(None, (remark.tool_use_id, f"turn {remark.turn}")):
                place = (name, where, rule)
                if place in self._by_place:
                    self._used.add(place)
                    return self._by_place[place]
        return None

    @property
    def unused(self) -> int:
        return len(self._by_place) - len(self._used)


def read_labels(path: str) -> Labels:
    """ConfigError naming the first line that is no label."""
    try:
        lines = read_regular(path, _LARGEST, follow=True).split(b"\n")
    except OSError as error:
        raise ConfigError(f"{path}: can not be read: {error.strerror}") from error
    return Labels(dict(_labelled(lines, path)))


def _labelled(lines: Iterable[bytes], path: str) -> Iterable[tuple[tuple[str, str, str], Opinion]]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            label = msgspec.json.decode(line, type=_LabelLine)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise ConfigError(f"{path}:{number}: no label: {error}") from error
        if label.label not in _LABELS:
            raise ConfigError(f"{path}:{number}: label {label.label!r} is none of right, wrong and debatable")
        session = str(label.session or label.file)
        if not session or not (label.tool_use_id or label.turn >= 0):
            raise ConfigError(f"{path}:{number}: no place: a label needs a session, and a tool_use_id or a turn")
        where = label.tool_use_id or f"turn {label.turn}"
        yield (session, where, label.rule), _LABELS[label.label]
