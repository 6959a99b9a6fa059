"""Stream editors rewrite or read, as their options say."""

from __future__ import annotations

import pytest

from leeboard.shell.understand import understand


def told(line: str) -> str:
    effects = understand(line)
    marks = [f"{touch.kind}:{touch.path}" for touch in effects.touches]
    return " ".join(marks + ["network"] * effects.network + ["opaque"] * effects.opaque)


LINES = [
    ("sed -i s/a/b/ x y", "write:x write:y"),
    ("sed -i.bak s/a/b/ x", "write:x write:x.bak"),
    ("sed -E -i 's/(a)/b/' x", "write:x"),
    ("sed -Ei s/a/b/ x", "write:x"),
    ("sed --in-place s/a/b/ x", "write:x"),
    ("sed --in-place=.o s/a/b/ x", "write:x write:x.o"),
    ("sed -i -e s/a/b/ -e s/c/d/ x", "write:x"),
    ("sed -i '' s/a/b/ x", "write:x"),
    ("sed -i s/a/b/ $X", "opaque"),
    ('sed -i "s/a/$V/" x', "write:x"),
    ("sed -i'bak/*' s/a/b/ x", "write:x opaque"),
    ("sed -n '1,5p' x", "read:x"),
    ("sed s/a/b/ x > y", "write:y read:x"),
    ("sed -f prog x", "read:prog read:x"),
    ("sed 's/a/b/w out' x", "read:x opaque"),
    ("sed 's/a/b/e' x", "read:x opaque"),
    ("sed -n '/one/,/some/p' x", "read:x"),
    ("cat x | sed s/a/b/", "read:x"),
    ("perl -pi -e 's/a/b/' x", "write:x"),
    ("perl -i.bak -pe 's/a/b/' x", "write:x write:x.bak"),
    ("perl -0777 -i -pe 's/a/b/' x", "write:x"),
    ("perl -ne 'print if /a/' x", "read:x"),
    ("perl -e 'unlink \"a\"'", "opaque"),
    ("perl x.pl", "opaque"),
    ("perl -v", ""),
    ("awk '{print $1}' x", "read:x"),
    ("awk -F: -v a=1 '$3 > 5 || $1 {print}' x y=2", "read:x"),
    ("awk '{print $1 > \"out\"}' x", "write:out read:x"),
    ("awk '{print > $1}' x", "read:x opaque"),
    ("awk '{print | \"sh\"}' x", "read:x opaque"),
    ("awk '{system(\"rm \" $1)}' x", "read:x opaque"),
    ("awk '{print \"a > b\"}' x", "read:x"),
    ("gawk -i inplace '{print}' x", "write:x"),
    ("awk -f prog x", "read:x opaque"),
]


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_a_line_is_told(line: str, expected: str) -> None:
    assert told(line) == expected
