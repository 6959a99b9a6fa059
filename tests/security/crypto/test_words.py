"""The words of the families, as they are written."""

from __future__ import annotations

import re

import pytest

from leeboard.security.crypto import words
from leeboard.security.crypto.words import ArgumentPlace


@pytest.mark.parametrize("places", [words.ciphers().choosers, words.digests().choosers, words.key_sizes().sized])
def test_owners_are_patterns(places: dict[str, ArgumentPlace]) -> None:
    for place in places.values():
        re.compile(place.owner)
        assert place.place >= 0


@pytest.mark.parametrize(("name", "fits"), [("Cipher.getInstance", True), ("Calendar.getInstance", False)])
def test_an_owner_tells_which_function_is_meant(name: str, *, fits: bool) -> None:
    assert words.ciphers().choosers["getinstance"].fits(name) is fits


def test_without_an_owner_every_name_fits() -> None:
    assert ArgumentPlace(place=0).fits("anything")


def test_alternatives_are_one_pattern() -> None:
    assert words.pattern(("a", "b")).pattern == "a|b"
    assert words.pattern(words.transport().off_word).search("ssl.CERT_NONE")


def test_calls_and_settings_are_known_of_the_same_languages() -> None:
    grammar = words.grammar()
    assert grammar.calls.keys() == grammar.settings.keys() == grammar.compares.keys() == grammar.not_code.keys()
