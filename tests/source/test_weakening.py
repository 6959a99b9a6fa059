from __future__ import annotations

import pytest

from leeboard.source.weakening import weakened

BASE = (
    'import pytest\n\ndef test_a():\n    assert total([1, 2]) == 3\n    assert name() == "x"\n\n'
    "def test_b():\n    assert total([]) == 0\n"
)
SCRIPT = 'it("adds", () => {\n  expect(add(1, 2)).toBe(3);\n});\n'
GO = 'package a\n\nfunc TestA(t *testing.T) {\n\tif got := f(); got != 3 {\n\t\tt.Errorf("x")\n\t}\n}\n'


def kinds(before: str, after: str, language: str = "python") -> list[str]:
    return [one.kind for one in weakened(before, after, language)]


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("def test_b():\n    assert total([]) == 0\n", "", "removed"),
        ("def test_b", "def disabled_test_b", "uncollected"),
        ("def test_b", "@pytest.mark.skip\ndef test_b", "skipped"),
        ("def test_b", "@pytest.mark.xfail\ndef test_b", "skipped"),
        ("def test_b", "@pytest.mark.skipif(True, reason='x')\ndef test_b", "skipped"),
        ("assert total([]) == 0", "assert True", "trivial"),
        ("assert total([]) == 0", "assert total([]) is not None", "loosened"),
        ('assert name() == "x"', 'assert "x" in name()', "loosened"),
        ('    assert name() == "x"\n', "", "loosened"),
        ("== 3", "== 4", "expected"),
        ("def test_b():\n", "def test_b(monkeypatch):\n    monkeypatch.setattr('app.total', lambda x: 0)\n", "mocked"),
    ],
)
def test_what_a_test_loses_in_python(old: str, new: str, kind: str) -> None:
    assert kinds(BASE, BASE.replace(old, new)) == [kind]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("test_b", "test_empty"),
        ("def test_b", "@pytest.mark.skipif(sys.platform == 'win32', reason='x')\ndef test_b"),
        (
            "def test_b():\n    assert total([]) == 0",
            "@pytest.mark.parametrize('items, want', [([], 0)])\ndef test_table(items, want):\n    assert total(items) == want",
        ),
        ("assert total([]) == 0", "assert total([]) == 0, 'nothing costs nothing'"),
        ("assert total([]) == 0", "assert total([]) == 0\n    assert total([1]) == 1"),
        ("assert total([]) == 0", "items = []\n    assert total(items) == 0"),
        ("def test_a", "def helper():\n    pass\n\ndef test_a"),
        ("assert total([]) == 0", "assert total([]) =="),
    ],
)
def test_what_loses_nothing(old: str, new: str) -> None:
    assert kinds(BASE, BASE.replace(old, new)) == []


@pytest.mark.parametrize(
    ("before", "after", "language", "kind"),
    [
        (SCRIPT, SCRIPT.replace(".toBe(3)", ".toBeTruthy()"), "typescript", "loosened"),
        (SCRIPT, SCRIPT.replace("it(", "it.only("), "javascript", "alone"),
        (SCRIPT, SCRIPT.replace("it(", "it.skip("), "javascript", "skipped"),
        (SCRIPT, SCRIPT.replace("  expect", "  // expect"), "javascript", "commented"),
        (GO, GO.replace("got != 3", "got != 4"), "go", "expected"),
        (GO, GO.replace("t.Errorf", "t.Logf"), "go", "thinned"),
    ],
)
def test_what_a_test_loses_elsewhere(before: str, after: str, language: str, kind: str) -> None:
    assert kinds(before, after, language) == [kind]


def test_a_wider_tolerance_says_less_and_a_narrower_one_does_not() -> None:
    wide, narrow = (f"def test_a():\n    assert x == approx(1, abs={size})\n" for size in ("1e-2", "1e-6"))
    assert kinds(narrow, wide) == ["loosened"]
    assert kinds(wide, narrow) == []
