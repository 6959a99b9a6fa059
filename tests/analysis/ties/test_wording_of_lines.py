"""What a shell line says about the files it changes."""

from __future__ import annotations

import pytest

from leeboard.analysis.ties.wording import line_wording


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("cat > a.py <<'EOF'\nbasket\nEOF", (("/r/a.py", "basket\n"),)),
        ("cd src && echo basket >> a.py", (("/r/src/a.py", "basket\n"),)),
        ("echo basket | sudo tee a.py", (("/r/a.py", "basket\n"),)),
        ("rm a.py", ()),
    ],
)
def test_what_is_written_is_known_by_its_path(line: str, written: tuple[tuple[str, str], ...]) -> None:
    assert line_wording(line, "/r").written == written


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        ("sed -i s/one/two/ src/a.py", "s/one/two/"),
        ("cd src && perl -pi -e 's/one/two/' a.py", "s/one/two/"),
        ("python3 - <<'EOF'\nopen('a.py', 'w').write('x')\nEOF", "open('a.py', 'w').write('x')\n"),
        ("mv src/a.py src/b.py", ""),
        ("cat src/a.py", ""),
    ],
)
def test_scripts_are_said_and_paths_are_not(line: str, rest: str) -> None:
    assert line_wording(line, "/r").rest == rest


@pytest.mark.parametrize(
    ("line", "in_place"),
    [
        ("echo 1 >> a.py", {"/r/a.py"}),
        ("echo 1 > a.py", set()),
        ("cp a.py b.py", set()),
        ("gofmt -w a.go", {"/r/a.go"}),
        ("mv a.py b.py", {"/r/a.py"}),
        ("for f in a.py b.py; do sed -i s/x/y/ $f; done", {"/r/a.py", "/r/b.py"}),
        ("python3 -c \"s = open('a.py').read(); open('a.py', 'w').write(s)\"", {"/r/a.py"}),
    ],
)
def test_what_is_changed_and_not_made(line: str, in_place: set[str]) -> None:
    assert line_wording(line, "/r").in_place == in_place
