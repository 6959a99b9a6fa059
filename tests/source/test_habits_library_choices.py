from __future__ import annotations

import pytest

from leeboard.source.habits import choices, family_of, members_shown, weight_of


@pytest.mark.parametrize(
    ("module", "family", "shown"),
    [
        ("requests", "python", ("http client", "requests")),
        ("sqlalchemy.orm", "python", ("orm", "sqlalchemy")),
        ("urllib.request", "python", ("http client", "urllib")),
        ("@reduxjs/toolkit", "js", ("state library", "redux")),
        ("github.com/labstack/echo/v4", "go", ("web framework", "echo")),
        ("org.junit.jupiter.api.Test", "jvm", ("test framework", "junit 5")),
        ("GuzzleHttp\\Client", "php", ("http client", "guzzle")),
        ("tokio::sync::mpsc", "rust", ("async runtime", "tokio")),
        ("Microsoft.EntityFrameworkCore", "csharp", ("orm", "entity framework")),
        ("faraday", "ruby", ("http client", "faraday")),
    ],
)
def test_what_an_import_shows(module: str, family: str, shown: tuple[str, str]) -> None:
    assert shown in members_shown(module, family)


@pytest.mark.parametrize(
    ("module", "family"), [("requests_mock", "python"), ("urllib.parse", "python"), ("redux", "python"), ("", "js")]
)
def test_what_shows_nothing(module: str, family: str) -> None:
    assert members_shown(module, family) == ()


def test_every_choice_is_one_between_several() -> None:
    families = {"python", "js", "go", "jvm", "ruby", "php", "rust", "csharp"}
    for family in families:
        for choice in choices(family):
            names = [name for name, _modules in choice.members]
            assert len(names) == len(set(names))
            assert len(names) >= 1
            assert all(name and modules and all(modules) for name, modules in choice.members)
    assert {choice.family for family in families for choice in choices(family)} == families


def test_families_and_weights() -> None:
    assert family_of("tsx") == family_of("javascript") == "js"
    assert family_of("kotlin") == "jvm"
    assert (weight_of("python orm"), weight_of("js http client"), weight_of("js date and time")) == (5, 4, 3)
