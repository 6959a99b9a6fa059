from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leeboard.shell.programs.python import examine


def told(code: str) -> str:
    effects = examine(code)
    marks = [f"{kind}:{path}" for kind, path in effects.touches]
    return " ".join(marks + ["network"] * effects.network + ["opaque"] * effects.opaque)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("print(1)", ""),
        ("s = open('a').read()", "read:a"),
        ("p = 'a'\ns = open(p).read()\nopen(p, 'w').write(s)", "read:a write:a"),
        ("with open('a', mode='a') as f:\n    f.write('x')", "write:a"),
        ("p = 'a'\np = 'b'\nopen(p, 'w')", "write:b"),
        ("p = input()\nopen(p, 'w')", "opaque"),
        ("p = input()\nopen(p)", ""),
        ("for p in ['a', 'b']:\n    open(p, 'w')", "write:a write:b"),
        ("for p, q in [('a', 1), ('b', 2)]:\n    open(p, 'w')", "write:a write:b"),
        ("names = ('a', 'b')\nfor p in names:\n    open(p, 'w')", "write:a write:b"),
        ("import glob\nfor p in glob.glob('*'):\n    open(p, 'w')", "opaque"),
        ("def f(p):\n    open(p, 'w')\nf('a')", "opaque"),
        ("p: str = 'a'\nopen(p, 'w')", "write:a"),
        ("if (p := 'a'):\n    open(p, 'w')", "write:a"),
        ("p = 'a'\np += 'b'\nopen(p, 'w')", "opaque"),
        ("import app\nprint(app.__version__)", ""),
        ("import app\napp.build()", "opaque"),
        ("from app import build as b\nb()", "opaque"),
        ("from app import x\ny = x\ny.go()", "opaque"),
        ("from os import *", "opaque"),
        ("import requests\nprint(requests.get('x').text)", "network"),
        ("import json, re, sys\njson.dump({}, sys.stdout); re.compile('a')", ""),
        ("import pandas as pd\npd.DataFrame().to_csv('x')", "opaque"),
        ("this is no python", "opaque"),
        ('print("\\d")', ""),
    ],
)
def test_code_is_told(code: str, expected: str) -> None:
    assert told(code) == expected


@pytest.mark.parametrize(
    "code", ["(" * 5_000, "a" + ".b" * 20_000, "-" * 30_000 + "1", "x" * 70_000, "1+" * 20_000 + "1"]
)
def test_code_without_end_is_opaque(code: str) -> None:
    assert examine(code).opaque


@settings(deadline=None)
@given(st.text() | st.text(alphabet="open('a,w)=\n :.[]{}+"))
def test_no_code_makes_it_fail(code: str) -> None:
    examine(code)
