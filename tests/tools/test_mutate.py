from __future__ import annotations

import json
from random import Random

from tools.mutate import mutated_stream, mutations

LINE = b'{"type": "user", "message": {"content": [{"type": "text", "text": "hi"}]}}'


def test_the_same_seed_breaks_the_same_way() -> None:
    assert list(mutations(LINE, Random(7))) == list(mutations(LINE, Random(7)))
    assert list(mutations(LINE, Random(7))) != list(mutations(LINE, Random(8)))


def test_some_variants_are_still_json_and_some_are_not() -> None:
    def is_json(line: bytes) -> bool:
        try:
            json.loads(line)
        except (ValueError, RecursionError):
            return False
        return True

    verdicts = {is_json(line) for seed in range(5) for line in mutations(LINE, Random(seed))}
    assert verdicts == {True, False}


def test_what_is_no_json_is_broken_as_bytes() -> None:
    assert len(list(mutations(b"not json", Random(1)))) == 6
    assert len(list(mutations(b"", Random(1)))) == 1


def test_a_broken_file_keeps_most_of_its_lines() -> None:
    lines = [b'{"n": %d}' % number for number in range(200)]
    stream = mutated_stream(lines, Random(3))
    kept = [line for line in lines if line in stream]
    assert len(kept) > 100
    assert stream.splitlines() != lines
