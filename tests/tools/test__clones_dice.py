from __future__ import annotations

from tools._clones_dice import Dice


def test_the_same_seed_throws_the_same() -> None:
    assert [Dice("a").below(100) for _ in range(3)] == [Dice("a").below(100)] * 3
    one, other = Dice("a"), Dice("b")
    assert [one.below(1000) for _ in range(9)] != [other.below(1000) for _ in range(9)]


def test_choices() -> None:
    dice = Dice("seed")
    assert dice.choice(["x"]) == "x"
    assert dice.chance(100)
    assert not dice.chance(0)


def test_fresh_names_are_fresh() -> None:
    used: set[str] = set()
    assert len({Dice(str(number)).fresh(used) for number in range(50)}) == len(used) == 50
