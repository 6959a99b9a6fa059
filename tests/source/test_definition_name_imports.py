from __future__ import annotations

import pytest

from leeboard.source.syntax import parse

Found = tuple[str, tuple[str, ...], str]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("python", "import a.b as c, d", [("a.b", (), "c"), ("d", (), "")]),
        ("python", "from .x import (y as z, w)", [(".x", ("y", "w"), "")]),
        ("python", "from x import y as z", [("x", ("y",), "z")]),
        ("python", "from m import *", [("m", ("*",), "")]),
        ("python", "from __future__ import annotations", [("__future__", ("annotations",), "")]),
        ("javascript", 'import D, {a as b, c} from "m";', [("m", ("default", "a", "c"), "D")]),
        ("javascript", "import * as N from 'n'", [("n", ("*",), "N")]),
        ("javascript", 'import "side"', [("side", (), "")]),
        ("javascript", 'import {a as b} from "m"', [("m", ("a",), "b")]),
        ("javascript", "const {u, v: w} = require('fs')", [("fs", ("u", "v"), "")]),
        ("javascript", "const x = require('x').foo", [("x", ("foo",), "x")]),
        ("javascript", "const w = await import('./w')", [("./w", (), "w")]),
        ("javascript", "require(name)", []),
        ("javascript", 'export {q} from "./q"; export * from "./r"', [("./q", ("q",), ""), ("./r", ("*",), "")]),
        ("typescript", 'import type {T} from "t"; import X = require("x")', [("t", ("T",), ""), ("x", (), "X")]),
        ("go", 'package p\nimport "fmt"', [("fmt", (), "")]),
        (
            "go",
            'package p\nimport (\n x "a/b"\n . "c"\n _ "d"\n)',
            [("a/b", (), "x"), ("c", ("*",), ""), ("d", (), "")],
        ),
        ("java", "import java.util.List;\nimport static a.B.*;", [("java.util", ("List",), ""), ("a.B", ("*",), "")]),
        ("kotlin", "import a.b.C as D\nimport x.*\n", [("a.b", ("C",), "D"), ("x", ("*",), "")]),
        ("ruby", "require 'json'\nrequire_relative './x'\nputs 'y'", [("json", (), ""), ("./x", (), "")]),
        ("php", "<?php use A\\B as C, D\\E;", [("A", ("B",), "C"), ("D", ("E",), "")]),
        ("php", "<?php use G\\{H, I as J};", [("G", ("H",), ""), ("G", ("I",), "J")]),
        ("php", "<?php require_once 'x.php'; include __DIR__ . '/y.php';", [("x.php", (), ""), ("/y.php", (), "")]),
        (
            "rust",
            "use std::{io::{self, Read as R}, fmt};",
            [("std", ("io",), ""), ("std::io", ("Read",), "R"), ("std", ("fmt",), "")],
        ),
        (
            "rust",
            "use a::b as c; use x::*; extern crate serde;",
            [("a", ("b",), "c"), ("x", ("*",), ""), ("serde", (), "")],
        ),
        (
            "csharp",
            "using System; using X = A.B; using static Q.R;",
            [("System", (), ""), ("A.B", (), "X"), ("Q.R", (), "")],
        ),
        ("c", '#include <stdio.h>\n#include "x.h"\n', [("stdio.h", (), ""), ("x.h", (), "")]),
        ("bash", 'source ./x.sh\n. "$D/y.sh"\necho . z', [("./x.sh", (), ""), ("$D/y.sh", (), "")]),
    ],
)
def test_imports_of(language: str, text: str, expected: list[Found]) -> None:
    tree = parse(text, language)
    assert tree is not None
    assert [(it.module, it.names, it.alias) for it in tree.imports] == expected


def test_the_line_is_that_of_the_statement() -> None:
    tree = parse("\nimport a\n\nfrom b import (\n    c,\n)\n", "python")
    assert tree is not None
    assert [it.line for it in tree.imports] == [2, 4]
