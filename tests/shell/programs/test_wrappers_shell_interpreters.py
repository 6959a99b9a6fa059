from __future__ import annotations

import pytest

from leeboard.shell.understand import understand

LINES = [
    ("python -c 'print(1)'", ("python",), False),
    ("python3.11 -c 'print(1)'", ("python",), False),
    ("python - <<'EOF'\nprint(1)\nEOF", ("python",), False),
    ("python <<< 'print(1)'", ("python",), False),
    ("python -c \"print('$X')\"", ("python",), False),
    ("python -c \"open('$X', 'w')\"", ("python",), True),
    ('python -c "$CODE"', ("python",), True),
    ("python -c 'this is no python'", ("python",), True),
    ("cat x | python", ("python",), True),
    ("python script.py", (), True),
    ("python -V; python3 --version", (), False),
    ("python -m json.tool a.json", (), False),
    ("python -m unittest; python -m mypy x", (), False),
    ("python -m some_module", (), True),
    ("python", (), True),
    ("bash -c 'ls'", ("bash",), False),
    ('sh -c "$CODE"', ("sh",), True),
    ("zsh <<< 'ls'", ("zsh",), False),
    ("bash -n script.sh", (), False),
    ("bash --version", (), False),
    ("node -e 'console.log(1)'", ("node",), False),
    ("node -p \"require('./package.json').version\"", ("node",), False),
    ("node -e \"require('fs').writeFileSync('x', '')\"", ("node",), True),
    ("node -p \"JSON.parse(require('fs').readFileSync('a.json')).phase\"", ("node",), False),
    ("node -e \"const fs = require('node:fs'); console.log(fs.readFileSync('a', 'utf8'))\"", ("node",), False),
    ("node -e \"const fs = require('fs'); fs.rmSync(fs.readFileSync('a', 'utf8'))\"", ("node",), True),
    ("node -e \"const fs = require('fs'); fs['writeFileSync']('a', '')\"", ("node",), True),
    ("node -e \"require('fs').readFileSync('a'); require('fs').writeFileSync('a', '')\"", ("node",), True),
    ("node x.js", (), True),
    ("node <<'EOF'\nconsole.log(1)\nEOF", ("node",), True),
    ("node -v", (), False),
    ("ruby -e 'puts 1'", ("ruby",), False),
    ("ruby -e 'File.write(\"a\", 1)'", ("ruby",), True),
    ("php -r 'echo 1;'", ("php",), False),
]


@pytest.mark.parametrize(("line", "interpreters", "opaque"), LINES)
def test_code_handed_in(line: str, interpreters: tuple[str, ...], *, opaque: bool) -> None:
    effects = understand(line)
    assert (effects.interpreters, effects.opaque) == (interpreters, opaque)


@pytest.mark.parametrize(
    "line",
    [
        "ruby -i -pe 'gsub(/a/, %q(b))' a.md",
        "ruby -pi -e 'gsub(/a/, %q(b))' a.md",
        "ruby -pi.bak -e 'sub(/a/, %q(b))' a.md",
    ],
)
def test_ruby_rewrites_in_place_as_perl_does(line: str) -> None:
    assert ("write", "a.md") in [(touch.kind, touch.path) for touch in understand(line).touches]


def test_variables_of_the_line_reach_the_code() -> None:
    effects = understand("F=a.py; python - <<EOF\nopen('$F', 'w')\nEOF\nbash -c \"rm $F ~/x\"")
    assert [(touch.kind, touch.path) for touch in effects.touches] == [
        ("write", "a.py"),
        ("delete", "a.py"),
        ("delete", "~/x"),
    ]
