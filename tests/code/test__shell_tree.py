from __future__ import annotations

import pytest

from leeboard.code._shell_scope import Effects, Scope
from leeboard.code._shell_source import prepare
from leeboard.code._shell_tree import Walk
from leeboard.code._shell_words import Simple


def performed(text: str) -> list[str]:
    """The commands in the order they are met, with the directory each starts in."""
    seen: list[str] = []

    def perform(simple: Simple, effects: Effects, scope: Scope, *, piped: bool = False) -> None:
        seen.append(("| " if piped else "") + " ".join([*(f"{n}={v}" for n, v in simple.assignments), *simple.words]))
        scope.variables.update(simple.assignments)
        effects.commands += 1

    source = prepare(text)
    assert source is not None
    Walk(source, Effects(), perform).walk(Scope(""))
    return seen


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("a; b\nc & d", ["a", "b", "c", "d"]),
        ("a && b || c", ["a", "b", "c"]),
        ("a | b |& c", ["a", "| b", "| c"]),
        ("a $(b `c`) <(d)", ["c", "b \0", "d", "a \0 /dev/fd/63"]),
        ("if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]),
        ("while a; do b; done; until c; do d; done", ["a", "b", "c", "d"]),
        ("for x in $(a); do b $x; done", ["a", "b \0"]),
        ("case $(a) in x) b;; y|z) c;; esac", ["a", "b", "c"]),
        ("X=1; a $X; (X=2; a $X); a $X", ["X=1", "a 1", "X=2", "a 2", "a 1"]),
        ("! a; { b; }; ( c )", ["a", "b", "c"]),
        ("[[ -f $(a) ]] && b", ["a", "b"]),
        ("a > f b <<E c\n$(d)\nE\ne", ["d", "a b c", "e"]),
    ],
)
def test_commands_come_in_order(text: str, commands: list[str]) -> None:
    assert performed(text) == commands


def test_deep_chains_and_nests_do_not_recurse_without_end() -> None:
    assert len(performed("a && " * 800 + "a")) == 801
    assert performed("( " * 500 + "a" + " )" * 500) == []
