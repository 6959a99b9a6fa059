"""Programs that only read."""

from __future__ import annotations

import pytest

from leeboard.shell.understand import understand


def told(line: str) -> str:
    effects = understand(line)
    marks = [f"{touch.kind}:{touch.path}" for touch in effects.touches]
    return " ".join(marks + ["network"] * effects.network + ["opaque"] * effects.opaque)


LINES = [
    ("cat a b - ", "read:a read:b"),
    ("head -n 5 a", "read:a"),
    ("head -20 a", "read:a"),
    ("tail -f -n +3 a", "read:a"),
    ("less a; bat -l py b; nl c; wc -l d", "read:a read:b read:c read:d"),
    ("diff -u a b", "read:a read:b"),
    ("stat -c %s a; file b; md5sum c", "read:a read:b read:c"),
    ("grep -n foo a b", "read:a read:b"),
    ("grep -e foo a", "read:a"),
    ("grep -rn foo src src/a.py", "read:src/a.py"),
    ("grep -A 3 foo a", "read:a"),
    ("rg -t py foo src lib/a.py", "read:lib/a.py"),
    ("rg --pre x foo", "opaque"),
    ("jq .a x.json", "read:x.json"),
    ("jq --arg a b .a x.json", "read:x.json"),
    ("yq .a x.yml", "read:x.yml"),
    ("yq -i '.a = 1' x.yml", "write:x.yml"),
    ("sort -k 2 a", "read:a"),
    ("sort a -o b", "read:a write:b"),
    ("uniq a b", "read:a write:b"),
    ("xxd a", "read:a"),
    ("cut -d : -f 1 a | tr a b", "read:a"),
    ("cat $X *.py src/", ""),
    ("ls a; du -sh b; tree c; echo d; printf %s e; which f; test -f g", ""),
    ("pwd; date; ps aux; env; sleep 1; true; set -e; export A=b", ""),
]


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_a_line_is_told(line: str, expected: str) -> None:
    assert told(line) == expected
