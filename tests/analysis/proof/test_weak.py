from __future__ import annotations

import pytest

from leeboard.analysis.proof.weak import WeakTest, is_weak, weak_test_of
from leeboard.model.lookup import Around, Tree
from leeboard.model.verdict import Evidence, Finding
from leeboard.store.memory import MemoryStore

PATH = "tests/test_cart.py"
WHOLE = "def test_total():\n    assert total([1]) == 1\n"


class OneFile:
    """A work tree with at most this test file."""

    def __init__(self, text: str | None) -> None:
        self._text = text

    def text(self, path: str) -> str | None:
        return self._text if path == PATH else None

    def exists(self, path: str) -> bool | None:
        return path == PATH and self._text is not None

    def lies_at(self, place: str) -> bool | None:  # noqa: ARG002 - as the protocol has it
        return None

    def ignored(self, path: str) -> bool | None:  # noqa: ARG002 - as the protocol has it
        return None


@pytest.mark.parametrize(
    ("kind", "now", "weak"),
    [
        ("skipped", f"@pytest.mark.skip\n{WHOLE}", True),
        ("skipped", WHOLE, False),
        ("commented", WHOLE.replace("assert", "# assert"), True),
        ("commented", WHOLE, False),
        ("thinned", "def test_total():\n    pass\n", True),
        ("removed", None, True),
        ("removed", WHOLE, False),
        ("expected", WHOLE.replace("== 1", "== 2"), True),
    ],
)
def test_a_test_is_weak_until_it_is_put_right(kind: str, now: str | None, *, weak: bool) -> None:
    test = WeakTest(path=PATH, subject=f"{PATH}:test_total:{kind}", told="", was="assert total([1]) == 1")
    around = Around(MemoryStore(), "s", Tree(files=OneFile(now)))
    assert is_weak(test, around, around.files) is weak


def test_it_is_told_by_its_finding_without_the_run() -> None:
    said = Evidence("`test_total` (tests/test_cart.py:1) is skipped after it failed in `pytest -q`")
    evidence = (said, Evidence("was: a"), Evidence("now: b: c"))
    test = weak_test_of(
        Finding(rule="weakened_test", subject=f"{PATH}:test_total:skipped", evidence=evidence, path=PATH)
    )
    assert (test.name, test.kind, test.was, test.now) == ("test_total", "skipped", "a", "b: c")
    assert test.told == "`test_total` (tests/test_cart.py:1) is skipped"
