"""How often the collector looks for cycles."""

from __future__ import annotations

import gc

import pytest

from leeboard.app.engine.collecting import collecting_seldom, loaded_for_good


def test_a_look_is_made_after_more_objects_and_then_as_before() -> None:
    before = gc.get_threshold()
    with collecting_seldom():
        assert gc.get_threshold()[0] > before[0]
        assert gc.get_threshold()[1:] == before[1:]
    assert gc.get_threshold() == before


def test_it_is_as_before_after_a_failure_too() -> None:
    before = gc.get_threshold()
    with pytest.raises(LookupError), collecting_seldom():
        raise LookupError
    assert gc.get_threshold() == before


def test_what_is_loaded_is_passed_over_until_the_end() -> None:
    assert gc.get_freeze_count() == 0
    with loaded_for_good():
        assert gc.get_freeze_count() > 0
    assert gc.get_freeze_count() == 0


def test_what_others_passed_over_stays_so() -> None:
    gc.freeze()
    try:
        with loaded_for_good():
            assert gc.get_freeze_count() > 0
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()
