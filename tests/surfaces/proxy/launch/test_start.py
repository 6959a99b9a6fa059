"""Options are found however they are spelled, and settings as far as they can be read."""

from __future__ import annotations

import pytest

from leeboard.errors import ConfigError
from leeboard.surfaces.proxy.launch.start import GivenStart, found, option_values, parse_json, read_json, read_toml
from tests.surfaces.proxy.launch.a_home import Home


def test_the_value_of_an_option_is_its_next_word_or_attached_to_it() -> None:
    words = ("-c", "a=1", "x", "--config=b=2", "-cc=3", "--config", "d=4", "-c")
    assert option_values(words, "-c", "--config") == [(0, 2, "a=1"), (3, 4, "b=2"), (4, 5, "c=3"), (5, 7, "d=4")]


def test_arguments_end_where_a_line_says_so() -> None:
    start = GivenStart(("npx", "codex", "exec", "--", "-c"), 1, {}, "/")
    assert start.arguments == ("exec",)
    assert start.with_words("-x") == ("npx", "codex", "-x", "exec", "--", "-c")


@pytest.mark.parametrize("text", ["{", "[" * 100_000, "[]", "1", "\0"])
def test_settings_that_can_not_be_read_say_nothing(home: Home, text: str) -> None:
    home.write("x.json", text)
    assert read_json(str(home.folder / "x.json")) == {}
    assert read_json(str(home.folder / "none.json")) == {}


def test_an_address_in_what_is_no_json_is_not_passed_over() -> None:
    with pytest.raises(ConfigError, match="mine: is no plain JSON, and seems to name a base URL"):
        parse_json('{"baseURL": 1, // x', "mine")


def test_settings_of_codex_that_are_broken_are_named(home: Home) -> None:
    home.write("config.toml", "model = \n")
    with pytest.raises(ConfigError, match=r"config\.toml: is no TOML"):
        read_toml(str(home.folder / "config.toml"))
    assert read_toml(str(home.folder / "none.toml")) == {}


def test_what_lies_under_a_name_of_something_else_is_nothing() -> None:
    assert found({"a": {"b": 1}}, "a", "b") == 1
    assert found({"a": []}, "a", "b", "c") is None
