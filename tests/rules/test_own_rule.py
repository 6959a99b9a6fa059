"""Rules of the project's own that speak: the edges."""

from __future__ import annotations

from leeboard.testing.scenario import play

RULE = "own {id: no-print, language: python, message: m, rule: {pattern: print($$$)}, when: {path: [src/**, '!src/cli/**']}}"


def spoken(*lines: str) -> bool:
    return "own_rule" in play((RULE, *lines)).proposed()[-1].rules


def test_a_place_that_is_taken_away_is_free() -> None:
    assert spoken("@ fix src/a.py", "write src/a.py | print(1)")
    assert not spoken("@ fix src/cli/a.py", "write src/cli/a.py | print(1)")
    assert not spoken("@ fix tools/a.py", "write tools/a.py | print(1)")


def test_without_rules_nothing_is_asked() -> None:
    assert play(("@ fix src/a.py", "write src/a.py | print(1)")).proposed()[-1].rules == ()
