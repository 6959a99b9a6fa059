from __future__ import annotations

import pytest

from leeboard.io.git.odd_text import odd_text

TEXT = "os.system(request.args['é'])\n" * 3


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32", "utf-8-sig"])
def test_a_text_in_whatever_an_editor_saves(encoding: str) -> None:
    assert (odd_text(TEXT.encode(encoding)) or "").removeprefix("\ufeff") == TEXT


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_without_a_mark_in_front(encoding: str) -> None:
    assert odd_text(TEXT.encode(encoding)) == TEXT


def test_a_few_nuls_are_left_out() -> None:
    assert odd_text(b"// a\0b\nexec(x)\n\0") == "// ab\nexec(x)\n"


@pytest.mark.parametrize(
    "data",
    [b"\0\1\2" * 9, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"\xff\xfea", b"\0" * 64, b"\1\0" * 40],
    ids=["few signs", "a picture", "half a sign", "nothing", "numbers"],
)
def test_what_is_no_text(data: bytes) -> None:
    assert odd_text(data) is None
