from __future__ import annotations

from leeboard.model.verdict import SignalClass, SignalSubclass, class_of, letter_of, signal_classes, subclass_of


def test_each_subclass_of_the_table_belongs_to_a_class_of_it() -> None:
    known = signal_classes()
    assert {letter_of(name) for name in known.subclasses} == set(known.classes)


def test_what_is_known_of_a_class_holds_for_a_new_subclass_too() -> None:
    assert class_of("A4") == class_of("A1")
    assert subclass_of("A4") == SignalSubclass()


def test_a_new_class_needs_no_place_in_the_table() -> None:
    assert (class_of("E1"), subclass_of("E1")) == (SignalClass(), SignalSubclass())


def test_a_secret_escalates_and_passes_by_its_value_alone() -> None:
    assert subclass_of("B1").escalates
    assert [name for name, one in signal_classes().subclasses.items() if one.passes_by_value] == ["B1"]
