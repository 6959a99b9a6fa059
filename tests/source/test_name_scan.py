"""Names and imports read off lines: what is found, on which line, and that no text makes it slow."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.source.name_scan import MOST, ScannedImport, scan_imports, scan_names, scan_style

LANGUAGES = (
    "python",
    "javascript",
    "typescript",
    "tsx",
    "go",
    "java",
    "kotlin",
    "csharp",
    "ruby",
    "php",
    "rust",
    "c",
    "cpp",
    "bash",
)

NAMES: dict[str, tuple[str, list[tuple[str, str, int]]]] = {
    "python": (
        "def top(x):\n    pass\n\nclass Box:\n    async def fill(self): ...\n# a def that is none\n",
        [("top", "function", 1), ("Box", "class", 4), ("fill", "method", 5)],
    ),
    "javascript": (
        "export default async function main(a) {\n}\nconst twice = (a, b) => a;\nclass Box extends Base {\n  async fill(x, y) {\n    if (x) {\n    }\n  }\n  get size() { return 1 }\n}\n",
        [
            ("main", "function", 1),
            ("twice", "function", 3),
            ("Box", "class", 4),
            ("fill", "method", 5),
            ("size", "method", 9),
        ],
    ),
    "typescript": (
        "export interface Shape {\n}\nexport const area: Fn = async (shape: Shape) => {\n}\nclass Box {\n  private static open(a: string): void {\n  }\n}\n",
        [("Shape", "class", 1), ("area", "function", 3), ("Box", "class", 5), ("open", "method", 6)],
    ),
    "go": (
        "package x\n\nfunc (s *Store) Load(id int) error {\n}\nfunc New() *Store {\n}\ntype Store struct {\n}\n",
        [("Load", "method", 3), ("New", "function", 5), ("Store", "class", 7)],
    ),
    "java": (
        "public final class Foo<T> extends Bar {\n  private static int count(String a, int b) {\n    return foo(a);\n  }\n  @Override\n  public List<String> all() throws X {\n",
        [("Foo", "class", 1), ("count", "method", 2), ("all", "method", 6)],
    ),
    "kotlin": (
        "data class User(val id: Int)\nfun load(id: Int): User {\n}\nobject Store {\n    suspend fun save(user: User) {\n",
        [("User", "class", 1), ("load", "function", 2), ("Store", "class", 4), ("save", "method", 5)],
    ),
    "csharp": (
        "public class Basket : IBasket\n{\n    public async Task<int> Total(Order order)\n    {\n        return await x(order);\n",
        [("Basket", "class", 1), ("Total", "method", 3)],
    ),
    "ruby": (
        "module Shop\n  class Order\n    def total?\n    end\n    private def tax\n",
        [("Shop", "class", 1), ("Order", "class", 2), ("total?", "function", 3), ("tax", "function", 5)],
    ),
    "php": (
        "<?php\nfinal class Order {\n    public function total(): int {\n    }\n}\nfunction helper() {\n}\n",
        [("Order", "class", 2), ("total", "method", 3), ("helper", "function", 6)],
    ),
    "rust": (
        "pub struct Order;\nimpl Order {\n    pub fn total(&self) -> u32 { 0 }\n}\npub(crate) async fn load() {}\n",
        [("Order", "class", 1), ("total", "method", 3), ("load", "function", 5)],
    ),
    "c": (
        "static int add(int a, int b)\n{\n    return sum(a);\n}\nstruct point {\n    int x;\n};\nint declared(void);\n",
        [("add", "function", 1), ("point", "class", 5)],
    ),
    "bash": ("deploy() {\n  run\n}\nfunction clean () {\n}\n", [("deploy", "function", 1), ("clean", "function", 4)]),
}

IMPORTS: dict[str, tuple[str, list[tuple[str, int, tuple[str, ...]]]]] = {
    "python": (
        "import os, sys as s\nfrom a.b import (\n    c,\n    d as e,\n)\nfrom . import x\nimportant = 1\n# import none\n",
        [("os", 1, ()), ("sys", 1, ()), ("a.b", 2, ("c", "d")), (".", 6, ("x",))],
    ),
    "typescript": (
        "import React, { x } from 'react'\nimport './side.css'\nexport { y } from \"./y\";\nconst z = require('axios')\nawait import('late')\n",
        [("react", 1, ()), ("./side.css", 2, ()), ("./y", 3, ()), ("axios", 4, ()), ("late", 5, ())],
    ),
    "go": (
        'package x\nimport "fmt"\nimport (\n\t"os"\n\tlog "example.com/a/b"\n)\n',
        [("fmt", 2, ()), ("os", 4, ()), ("example.com/a/b", 5, ())],
    ),
    "java": ("import com.acme.Db;\nimport static a.b.C.*;\n", [("com.acme.Db", 1, ()), ("a.b.C.*", 2, ())]),
    "kotlin": ("import com.acme.Db\n", [("com.acme.Db", 1, ())]),
    "csharp": (
        "using System.Text;\nusing Json = Newtonsoft.Json;\n",
        [("System.Text", 1, ()), ("Newtonsoft.Json", 2, ())],
    ),
    "ruby": ("require 'json'\nrequire_relative 'lib/db'\n", [("json", 1, ()), ("./lib/db", 2, ())]),
    "php": (
        "<?php\nuse App\\Db\\Session;\nuse App\\{A, B as C};\nrequire_once __DIR__ . '/x.php';\n",
        [("App\\Db\\Session", 2, ()), ("App", 3, ("A", "B")), ("./x.php", 4, ())],
    ),
    "rust": (
        "use crate::db::{self, Session};\npub use tokio::sync::mpsc;\nmod parts;\n",
        [("crate::db", 1, ("self", "Session")), ("tokio::sync::mpsc", 2, ()), ("self::parts", 3, ())],
    ),
    "c": ('#include <stdio.h>\n#include "a/b.h"\n', [("stdio.h", 1, ()), ("./a/b.h", 2, ())]),
}


@pytest.mark.parametrize("language", NAMES)
def test_names_with_kind_and_line(language: str) -> None:
    text, expected = NAMES[language]
    assert [(item.name, item.kind, item.line) for item in scan_names(text, language)] == expected


@pytest.mark.parametrize("language", IMPORTS)
def test_imports_with_line_and_names(language: str) -> None:
    text, expected = IMPORTS[language]
    assert [(item.module, item.line, item.names) for item in scan_imports(text, language)] == expected


def test_style_tells_what_is_raised_and_what_waits() -> None:
    python = scan_style("async def a():\n    raise AppError('x')\ndef b():\n    raise AppError\n", "python")
    assert (python.raised, python.waits) == (("AppError",), 1)
    assert scan_style("throw new HttpError(404)", "typescript").raised == ("HttpError",)
    assert scan_style("anything", "go").raised == ()


def test_an_unknown_language_has_no_names() -> None:
    assert scan_names("def x(): pass", "cobol") == ()
    assert scan_imports("import x", "") == ()


@given(st.text(max_size=400), st.sampled_from(LANGUAGES))
def test_no_text_raises_and_lines_lie_inside(text: str, language: str) -> None:
    lines = text.count("\n") + 1
    assert all(1 <= item.line <= lines for item in scan_names(text, language))
    assert all(1 <= item.line <= lines for item in scan_imports(text, language))


@given(st.sampled_from(sorted(IMPORTS)), st.integers(min_value=0, max_value=5))
def test_imports_move_with_their_lines(language: str, above: int) -> None:
    text, expected = IMPORTS[language]
    moved = scan_imports("\n" * above + text, language)
    assert moved == tuple(ScannedImport(module, line + above, names) for module, line, names in expected)


HOSTILE = (
    "def " * 50_000,
    "import (" * 30_000,
    " " * 200_000,
    "(" * 200_000,
    "const a = " * 20_000,
    "public " * 30_000,
    "a b(" * 50_000,
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hostile_line_ends(language: str) -> None:
    """A quadratic expression would take hours."""
    for text in HOSTILE:
        assert len(scan_names(text, language)) <= MOST
        assert len(scan_imports(text, language)) <= MOST
        scan_style(text, language)
