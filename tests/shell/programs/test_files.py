"""Programs that make, copy, move and remove files."""

from __future__ import annotations

import pytest

from leeboard.shell.understand import understand


def told(line: str) -> str:
    effects = understand(line)
    marks = [f"{touch.kind}:{touch.path}" for touch in effects.touches]
    return " ".join(marks + ["network"] * effects.network + ["opaque"] * effects.opaque)


LINES = [
    ("cp a b", "read:a write:b"),
    ("cp a b dir/", "read:a write:dir/a read:b write:dir/b"),
    ("cp a.py sub/", "read:a.py write:sub/a.py"),
    ("cp a .", "read:a write:a"),
    ("cp x/a ..", "read:x/a write:../a"),
    ("cp a /tmp", "read:a write:/tmp/a"),
    ("cp -t dir a b", "read:a write:dir/a read:b write:dir/b"),
    ("cp -T a dir/", "read:a write:dir"),
    ("mkdir -p x/y && cp a x/y && cp b x", "read:a write:x/y/a read:b write:x/b"),
    ("cp $A b", "write:b"),
    ("cp src/* dst/", "opaque"),
    ("cp --backup a b", "read:a write:b opaque"),
    ("cp -r src/. dst", "read:src write:dst"),
    ("mv a b", "delete:a write:b"),
    ("mv a b dir/", "delete:a write:dir/a delete:b write:dir/b"),
    ("mv *.py dir/", "opaque"),
    ("rm a b", "delete:a delete:b"),
    ("rm -rf -- -odd", "delete:-odd"),
    ("rm $X", "opaque"),
    ("rmdir a", "delete:a"),
    ("unlink a", "delete:a"),
    ("ln -s a b", "write:b"),
    ("ln -s ../x/a", "write:a"),
    ("ln $F b", "write:b opaque"),
    ("install -m 755 a bin/", "read:a write:bin/a"),
    ("install -d bin", ""),
    ("mkdir -p a/b", ""),
    ("chmod +x a && chown me a", ""),
    ("touch -d yesterday a b", "write:a write:b"),
    ("truncate -s 0 a", "write:a"),
    ("shred -u a", "delete:a"),
    ("dd if=a of=b bs=1", "read:a write:b"),
    ("dd if=/dev/zero of=~/b", "write:~/b"),
    ("echo x | tee a b", "write:a write:b"),
    ("echo x | tee -a a", "write:a"),
    ("gzip a", "write:a.gz delete:a"),
    ("gunzip -k a.gz", "write:a"),
    ("gzip -c a > b", "write:b read:a"),
    ("tar czf o.tgz src", "write:o.tgz"),
    ("tar -tf o.tgz", "read:o.tgz"),
    ("tar xf o.tgz", "opaque"),
    ("zip -r o src", "write:o.zip"),
    ("unzip o.zip", "opaque"),
    ("unzip -l o.zip", "read:o.zip"),
    ("patch -p1 < x.diff", "read:x.diff opaque"),
]


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_a_line_is_told(line: str, expected: str) -> None:
    assert told(line) == expected
