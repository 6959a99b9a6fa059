"""The measure of how well copies are known again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.clones import LEVELS, Figures, functions_in, functions_of, line, main, measure, variant

PACKAGE = Path(__file__).resolve().parents[2] / "leeboard"


def test_our_own_functions_are_known_again() -> None:
    """SW-30 and its figures: recall on each level, and hardly anything taken for something else."""
    figures = measure(functions_in(str(PACKAGE / "app"), 300), 2)
    assert figures.functions > 20
    for level, least in zip(LEVELS, (0.98, 0.93, 0.8, 0.8, 0.95, 0.6), strict=True):
        assert figures.recognised[level] >= least * figures.made[level], level
    assert figures.unknown <= 0.01 * figures.functions
    assert figures.mistaken <= 0.01 * figures.functions


def test_variants_of_each_level_differ() -> None:
    text = "def add_up(rows, limit):\n    total = 0\n    for row in rows:\n        if row.value > limit:\n            total += row.value * row.rate\n        elif row.bad:\n            raise Wrong(row.name, 3)\n    return total\n"
    function = functions_of(text, "python")[0]
    made = {variant(function, level, "seed") for level in LEVELS}
    assert len(made) == len(LEVELS)
    assert variant(function, "renamed", "seed") == variant(function, "renamed", "seed")


def test_unparsable_text_has_no_functions() -> None:
    assert functions_of("anything", "cobol") == []


def test_report(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    assert main([str(tmp_path)]) == 0
    assert capsys.readouterr().out.endswith(f"all: {line(Figures())}\n")
