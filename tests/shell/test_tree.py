from __future__ import annotations

import pytest

from leeboard.shell.command import Simple
from leeboard.shell.scope import Effects, ShellScope
from leeboard.shell.source import prepare
from leeboard.shell.tree import Walk
from leeboard.shell.understand import understand


def performed(text: str) -> list[str]:
    """The commands in the order they are met, with the directory each starts in."""
    seen: list[str] = []

    def perform(simple: Simple, effects: Effects, scope: ShellScope, *, piped: bool = False) -> None:
        seen.append(("| " if piped else "") + " ".join([*(f"{n}={v}" for n, v in simple.assignments), *simple.words]))
        scope.variables.update(simple.assignments)
        effects.commands += 1

    source = prepare(text)
    assert source is not None
    Walk(source, Effects(), perform).walk(ShellScope(""))
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
        ("X=1 && a 2>&1 | b $X && c $X 2>&1 | d", ["X=1", "a", "| b 1", "c 1", "| d"]),
        ("for x in 1 2; do a $x; done; b $x", ["a 1", "a 2", "b \0"]),
    ],
)
def test_commands_come_in_order(text: str, commands: list[str]) -> None:
    assert performed(text) == commands


def test_deep_chains_and_nests_do_not_recurse_without_end() -> None:
    assert len(performed("a && " * 800 + "a")) == 801
    assert performed("( " * 500 + "a" + " )" * 500) == []


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("cd w && make 2>&1 | tail -5 && touch a", {"/r/w/a"}),
        ("cd w && make 2>&1 | tail -5; echo 1 > a", {"/r/w/a"}),
        ("cd w && pytest -q 2>&1 | tee a | tail -3", {"/r/w/a"}),
        ("cd w && cat <<'E' | tee a\nx\nE", {"/r/w/a"}),
        ("cd w && x > o |& tee a; touch b", {"/r/w/o", "/r/w/a", "/r/w/b"}),
        ("a && b 2>&1 | c && cd w && d 2>&1 | e && touch f", {"/r/w/f"}),
        ("cd w && cd x 2>&1 | tee a; touch b", {"/r/w/a", "/r/w/b"}),
        ("cd w && { cd x; touch c; } > o | tee a; touch b", {"/r/w/x/c", "/r/w/o", "/r/w/a", "/r/w/b"}),
        ("cd w && { cd x; touch c; } > o", {"/r/w/x/c", "/r/w/o"}),
        ("true || cd w 2>&1 | tee a; touch b", {"/r/a", "/r/b"}),
        ("cd w 2>&1 | tee a; touch b", {"/r/a", "/r/b"}),
        ("cd w && bash <<'E'\ntouch a\nE", {"/r/w/a"}),
    ],
)
def test_only_the_last_of_a_chain_is_in_the_pipe(line: str, written: set[str]) -> None:
    assert {touch.path for touch in understand(line, "/r").touches if touch.modifies} == written
