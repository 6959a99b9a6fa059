from __future__ import annotations

import ast

import pytest

from leeboard.shell.expansion import HOME
from leeboard.shell.programs.python import PythonNames


def values() -> PythonNames:
    known = PythonNames("_unknown_")
    known.imports = {"os": "os", "Path": "pathlib.Path", "pathlib": "pathlib"}
    known.names = {"a": ("x",), "two": ("x", "y"), "none": ()}
    return known


@pytest.mark.parametrize(
    ("expression", "texts"),
    [
        ("'a'", ("a",)),
        ("a", ("x",)),
        ("none", ()),
        ("unheard_of", ()),
        ("'d/' + a", ("d/x",)),
        ("f'd/{two}.py'", ("d/x.py", "d/y.py")),
        ("f'{a!r}'", ()),
        ("Path('d') / a", ("d/x",)),
        ("Path('d', a)", ("d/x",)),
        ("Path()", (".",)),
        ("pathlib.Path('d').joinpath('e')", ("d/e",)),
        ("Path('d').resolve()", ("d",)),
        ("Path.home() / 'd'", (HOME + "/d",)),
        ("os.path.expanduser('~/d')", (HOME + "/d",)),
        ("Path('~/d').expanduser()", (HOME + "/d",)),
        ("os.path.join('d', a)", ("d/x",)),
        ("str(Path('d'))", ("d",)),
        ("'a_unknown_b'", ()),
        ("'\\0'", ()),
        ("1", ()),
        ("a.upper()", ()),
    ],
)
def test_texts(expression: str, texts: tuple[str, ...]) -> None:
    assert values().texts(ast.parse(expression, mode="eval").body) == texts


def test_combinations_are_bounded() -> None:
    known = values()
    known.names["many"] = tuple(str(number) for number in range(60))
    assert len(known.texts(ast.parse("many + many + many", mode="eval").body)) <= 64


def test_full_names_follow_imports() -> None:
    known = values()
    known.imports["j"] = "os.path.join"
    assert known.dotted(ast.parse("j", mode="eval").body) == "os.path.join"
    assert known.dotted(ast.parse("a.b", mode="eval").body) == ""
