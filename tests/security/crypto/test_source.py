from __future__ import annotations

import re

from leeboard.security.crypto.source import CryptoSource
from leeboard.source.syntax import parse


def read(code: str, language: str = "python") -> CryptoSource:
    tree = parse(code, language)
    assert tree is not None
    return CryptoSource(tree, "a.py")


def test_imported_names_stand_for_what_they_are() -> None:
    source = read("from hashlib import md5 as quick\nquick(x)")
    assert [call.name for call in source.named("md5")] == ["quick"]


def test_what_the_file_defines_is_its_own() -> None:
    source = read("def md5(x): ...\nmd5(1)\nhashlib.md5(2)")
    assert [call.name for call in source.named("md5")] == ["hashlib.md5"]


def test_names_are_matched_whole() -> None:
    source = read("a.b.c(1)\nb.c(2)")
    assert [name for name, _call in source.matching(re.compile(r"\Ab\.c\Z"))] == ["b.c"]


def test_constants_are_found_in_code_alone() -> None:
    code = "# MODE_ECB\nx = 'MODE_ECB'\nif mode == MODE_ECB: ...\nfrom a import MODE_ECB\nuse(MODE_ECB)\nMODE_ECB = 1"
    found = read(code).spelling(re.compile("MODE_ECB"), ("ecb",))
    assert [word.line for word in found] == [5]


def test_a_function_is_what_surrounds_a_site() -> None:
    source = read("x = 1\ndef f():\n    g()\n    h()\ny = 2\nz()")
    g, z = source.named("g").__next__(), source.named("z").__next__()
    assert source.function_lines(g) == (2, 4)
    assert source.function_lines(z) == (5, 6)
    assert "h()" in source.function_text(g)


def test_php_without_its_mark_keeps_its_lines() -> None:
    source = read("$a = 1;\nf($a);", "php")
    assert [call.line for call in source.named("f")] == [2]
