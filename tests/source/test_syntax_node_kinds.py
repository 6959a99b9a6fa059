from __future__ import annotations

import pytest
from ast_grep_py import SgRoot

from leeboard.source.syntax import DEFINES, IMPORTS, rule_of

WORDS = "require import( export x from source . load"


@pytest.mark.parametrize("language", sorted(DEFINES))
def test_every_kind_is_one_of_its_grammar(language: str) -> None:
    """An unknown kind would be an error at the first search."""
    root = SgRoot("x\n", language).root()
    assert root.find_all(**rule_of(language, WORDS)) is not None
    for kind in (*DEFINES[language], *IMPORTS[language]):
        assert root.find_all(kind=kind) == []


def test_calls_are_looked_at_only_where_one_may_import() -> None:
    assert "^(?:require|import)$" not in str(rule_of("javascript", "let a = f(1)"))
    assert "^(?:require|import)$" in str(rule_of("javascript", "let a = require('a')"))
    assert "'kind': 'call'" not in str(rule_of("ruby", "puts 1"))
    assert "'kind': 'call'" in str(rule_of("ruby", "require 'a'"))
