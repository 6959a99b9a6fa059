"""Broken variants of recorded JSON lines. The caller brings the chance, so every run can be repeated."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

_ODD_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 2**63, 1e308, float("nan"), float("inf")),
    *("", "x", "\x00", "\ud83d", "\u2028", "é" * 300, "<system-reminder>", "*** Begin Patch\n*** Update File: "),
    *([], [[]], [None], ["x", 1], {}, {"": ""}, {"type": "text", "text": None}, {"type": ["text"]}),
)


def mutations(line: bytes, rng: Random) -> Iterator[bytes]:
    """A dozen broken variants of one line: its bytes, and where it is JSON, its values."""
    yield from _mutated_bytes(line, rng)
    try:
        parsed = json.loads(line)
    except (ValueError, RecursionError):
        return
    for _ in range(6):
        yield json.dumps(_mutated_value(parsed, rng)).encode()
    yield line[:-1] + b', "extra": ' + b"[" * 2_000 + b"]" * 2_000 + b"}"


def mutated_stream(lines: Sequence[bytes], rng: Random) -> bytes:
    """A file with some lines broken, doubled, moved, joined or left out."""
    written: list[bytes] = []
    for line in lines:
        match rng.randrange(12):
            case 0:
                written.append(rng.choice(list(mutations(line, rng))))
            case 1:
                written.extend((line, line))
            case 2:
                written.insert(rng.randrange(len(written) + 1), line)
            case 3:
                written.append(line + rng.choice(lines))
            case 4:
                written.append(rng.choice((b"", b"\r", b"\x00" * 9, b"\xef\xbb\xbf" + line)))
            case _:
                written.append(line)
    return rng.choice((b"\n", b"\r\n")).join(written)


def _mutated_bytes(line: bytes, rng: Random) -> Iterator[bytes]:
    if not line:
        yield rng.randbytes(4)
        return
    start, end = sorted((rng.randrange(len(line)), rng.randrange(len(line))))
    flipped = bytearray(line)
    flipped[start] ^= 1 << rng.randrange(8)
    yield bytes(flipped)
    yield line[:start]
    yield line[start:]
    yield line[:start] + line[end:]
    yield line[:end] + line[start:]
    yield line[:start] + rng.randbytes(4) + line[start:]


def _mutated_value(parsed: Any, rng: Random) -> Any:
    """One value somewhere inside, swapped for another or left out. The rest is shared with the original."""
    if rng.random() < 0.15 or not isinstance(parsed, (dict, list)) or not parsed:
        return rng.choice(_ODD_VALUES)
    if isinstance(parsed, list):
        place = rng.randrange(len(parsed))
        return [*parsed[:place], _mutated_value(parsed[place], rng), *parsed[place + 1 :]]
    key = rng.choice(list(parsed))
    if rng.random() < 0.2:
        return {other: value for other, value in parsed.items() if other != key}
    return {**parsed, key: _mutated_value(parsed[key], rng)}
