"""Which packages a line installs by name."""

from __future__ import annotations

import pytest

from leeboard.shell.effects import shell_effects
from leeboard.shell.installs import installs


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("pip install 'a[x]>=1' b==2 -r r.txt -e .", ["a", "b"]),
        ("pip install 'a[x]>=1' b==2", ["a", "b"]),
        ("python -m pip install -U a", ["a"]),
        ("uv pip install a; uv add b; uv tool install c", ["a", "b", "c"]),
        ("npm i -D @s/a@1 b@^2 c@npm:d@3 ./e f.tgz g/h", ["@s/a", "b", "d"]),
        ("cargo add a --features x", ["a"]),
        ("go get example.org/x/y@v1", ["example.org/x/y"]),
        ("composer require a/b:^1", ["a/b"]),
        ("pip install $X git+https://x.invalid/y", []),
        ("pip install --index-url https://x.invalid a", []),
        ("echo npm i a; npm ci; pip show b", []),
    ],
)
def test_names(line: str, names: list[str]) -> None:
    assert [found.name for found in installs(shell_effects(line, "/repo"))] == names
