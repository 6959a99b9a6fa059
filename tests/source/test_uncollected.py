from __future__ import annotations

import pytest

from leeboard.source.uncollected import hides_file, never_runs, remarks

GO = "// A licence.\n\n{}\n\npackage a\n"


@pytest.mark.parametrize("tag", ["integration", "manual && linux", "(slow || broken)", "linux && e2e || manual"])
def test_a_tag_of_the_projects_own_leaves_a_file_out(tag: str) -> None:
    assert never_runs(GO.format(f"//go:build {tag}"), "go") == f"//go:build {tag}"


@pytest.mark.parametrize("tag", ["linux", "!windows", "unix || e2e", "!integration", "go1.21 && cgo", "!race"])
def test_a_platform_does_not(tag: str) -> None:
    assert never_runs(GO.format(f"//go:build {tag}"), "go") == ""


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("pytestmark = pytest.mark.skip(reason='x')", "python"),
        ("pytestmark = [pytest.mark.slow, pytest.mark.xfail]", "python"),
        ("pytest.skip('x', allow_module_level=True)", "python"),
        ("raise unittest.SkipTest('x')", "python"),
        ("test_a.__test__ = False", "python"),
        ("#![cfg(any())]", "rust"),
        ("#if false", "csharp"),
    ],
)
def test_a_line_that_stops_all_tests(line: str, language: str) -> None:
    assert never_runs(f"a\n{line}\n", language) == line


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("pytestmark = pytest.mark.slow", "python"),
        ("pytestmark = pytest.mark.skipif(WINDOWS, reason='x')", "python"),
        ("    pytest.skip('x')", "python"),
        ("#![cfg(unix)]", "rust"),
        ("#if NET8_0", "csharp"),
        ("// describe.skip", "javascript"),
    ],
)
def test_a_line_that_does_not(line: str, language: str) -> None:
    assert never_runs(f"a\n{line}\n", language) == ""


def test_comments_are_one_text() -> None:
    text = "# assert a ==\n#   b\nx = 1\n// c\n/* d\n * e */\n"
    assert remarks(text) == "assert a == b c d * e"


@pytest.mark.parametrize(
    ("path", "other", "hidden"),
    [
        ("a/cart_test.go", "a/cart_test.go.off", True),
        ("a/cart_test.go", "a/_cart_test.go", True),
        ("tests/test_cart.py", "tests/test_cart.txt", True),
        ("tests/test_cart.py", "tests/unit/test_cart.py", False),
        ("tests/test_cart.py", "tests/test_totals.py", False),
        ("tests/test_cart.py.bak", "tests/test_cart.py", False),
    ],
)
def test_a_file_that_no_runner_finds(path: str, other: str, *, hidden: bool) -> None:
    assert hides_file(path, other) is hidden
