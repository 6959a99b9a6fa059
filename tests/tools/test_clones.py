"""The measure of how well copies are known again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.clones import LEAST, LEVELS, Table, are_equal, functions_in, functions_of, main, measure, report, variant

PACKAGE = Path(__file__).resolve().parents[2] / "leeboard"
TEXT = """def add_up(rows, limit):
    total = 0
    for row in rows:
        if row.value > limit:
            total += row.value * row.rate
        elif row.bad:
            raise Wrong(row.name, 3)
    return total
"""


def test_our_own_functions_are_known_again() -> None:
    """SW-30 and its figures: recall on each level, and hardly anything taken for something else."""
    table: Table = {}
    measure(functions_in(str(PACKAGE / "app"), 300), "app", table, 120)
    figures = table["app", "ours", max(LEAST)]
    assert figures.asked > 20
    for level, least in zip(LEVELS, (0.99, 0.97, 0.9, 0.35), strict=True):
        assert figures.recognised[level] >= least * figures.made[level], level
    assert figures.unknown == 0
    assert figures.misread <= 0.005 * figures.asked


def test_variants_of_each_level_differ() -> None:
    function = functions_of(TEXT, "python")[0]
    made = {variant(function, level, "seed") for level in LEVELS}
    assert len(made) == len(LEVELS)
    assert variant(function, "renamed", "seed") == variant(function, "renamed", "seed")


def test_copies_are_told_without_names_and_values() -> None:
    one, two = functions_of(TEXT, "python")[0], functions_of(TEXT.replace("total", "sum_of"), "python")[0]
    assert are_equal(one, two)
    assert not are_equal(one, functions_of(TEXT.replace("> limit", "> limit + 1"), "python")[0])


def test_unparsable_text_has_no_functions() -> None:
    assert functions_of("anything", "cobol") == []


def test_report(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(TEXT)
    assert main([str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(report({}).strip())
    assert f"| {tmp_path} | 2 | ours | 1 | 100.0 % |" in printed
