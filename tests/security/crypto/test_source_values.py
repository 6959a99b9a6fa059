from __future__ import annotations

from leeboard.security.crypto.source import ConstantValues


def test_zero_is_no_false_and_a_part_is_not_the_whole() -> None:
    assert ConstantValues((False,), complete=True).is_only(False)  # noqa: FBT003 - a value, not a switch
    assert not ConstantValues((0,), complete=True).is_only(False)  # noqa: FBT003 - as above
    assert not ConstantValues((False,), complete=False).is_only(False)  # noqa: FBT003 - as above
    assert not ConstantValues().is_only(None)


def test_texts_and_numbers_are_told_apart() -> None:
    mixed = ConstantValues(("md5", 3, True, None), complete=True)
    assert (mixed.texts, mixed.numbers) == (("md5",), (3,))
