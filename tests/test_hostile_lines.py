"""Single lines made to cost time: every reader of text ends on all of them, and twice the line is twice the work at most.

What a reader does is counted by the calls it makes, which are the same on every machine; an expression that backtracks
shows by not coming to an end.
"""

from __future__ import annotations

from collections.abc import Sized

import pytest

from leeboard.secrets.redaction import find_secrets, redact
from tests.call_count import calls
from tests.hostile_texts import BENIGN, FAMILIES, READERS, Reader, benign, hostile

SIZE = 65_536
SLACK = 400
"""Calls that do not depend on the length."""


SLOW = {"find_weak_crypto", "understand_prompt", "pack_text", "of_text", "red_flags", "decisions_of", "ordered"}
"""They parse, or weigh every sentence: a part of the families has to do."""


def _families(name: str) -> tuple[str, ...]:
    return FAMILIES[::8] if name in SLOW or name.startswith("find_secrets,") else FAMILIES


@pytest.mark.parametrize("name", READERS)
def test_every_line_is_read_to_the_end(name: str) -> None:
    for family in _families(name):
        READERS[name](hostile(family, SIZE))()


FEW = (
    "mixed",
    "scheme and token",
    "password, value",
    "definitions, python",
    "imports, list",
    "plans, sentences",
    "quotes",
)


@pytest.mark.parametrize("name", READERS)
def test_twice_the_line_is_twice_the_work(name: str) -> None:
    reader = READERS[name]
    reader(benign("code", 1_000))()
    for family in FEW:
        once, twice = (calls(reader(hostile(family, size))) for size in (SIZE // 8, SIZE // 4))
        assert twice <= 2.2 * once + SLACK, family


def _found(reader: Reader, text: str) -> int:
    result = reader(text)()
    return len(result) if isinstance(result, Sized) and not isinstance(result, str) else 0


@pytest.mark.parametrize("name", [name for name in READERS if name.startswith(("find", "scan", "red_", "decisions"))])
def test_twice_the_line_finds_twice_as_much_at_most(name: str) -> None:
    for family in _families(name)[::4]:
        once, twice = (_found(READERS[name], hostile(family, size)) for size in (SIZE // 4, SIZE // 2))
        assert twice <= 2 * once + 2, family


@pytest.mark.parametrize("kind", BENIGN)
def test_an_ordinary_line_holds_no_secret(kind: str) -> None:
    text = benign(kind, SIZE)
    assert not [secret for secret in find_secrets(text, "src/app.py") if not secret.note]
    assert redact(text) == text


@pytest.mark.parametrize("family", ["password, value", "vendor prefix and body", "scheme and token", "mixed"])
def test_no_part_of_a_line_full_of_secrets_is_kept(family: str) -> None:
    kept = redact(hostile(family, SIZE))
    assert "aB3x9Kq2" not in kept
    assert "aB3dE5fG7hJ9kL1m" not in kept
