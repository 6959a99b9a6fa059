from __future__ import annotations

import pytest

from leeboard.secrets.hit import is_document, is_translation, style_of


@pytest.mark.parametrize(
    ("path", "style"),
    [
        ("", "shell line"),
        ("src/a.py", "code"),
        ("Dockerfile", "shell"),
        ("Dockerfile.dev", "shell"),
        ("run.sh", "shell"),
        ("a.yml", "config"),
        (".npmrc", "config"),
        ("README.md", "prose"),
        ("a.min.js", "style"),
        ("package-lock.json", "lock"),
        ("go.sum", "lock"),
        ("a.unheard", "prose"),
        ("LICENSE", "config"),
        ("README", "prose"),
        ("docs/INSTALL", "prose"),
        ("scripts/install", "config"),
        ("upgrading", "config"),
    ],
)
def test_style_by_name(path: str, style: str) -> None:
    assert style_of(path) == style


def test_a_script_without_an_ending_tells_by_its_first_line() -> None:
    assert style_of("libtool", "#! /bin/sh\n") == style_of("bin/run", "#!/usr/bin/env -S bash -e\n") == "shell"
    assert style_of("bin/run", "#!/usr/bin/env python3.11\n") == "code"
    assert style_of("app.conf", "#!/bin/sh\n") == style_of("LICENSE", "#!\n") == "config"


def test_only_a_known_ending_or_name_makes_a_document() -> None:
    assert all(map(is_document, ("README", "a/CHANGELOG", "a.MD", "a\\b.rst", "x.html")))
    assert not any(
        map(is_document, ("", "scripts/install", "api.http", "a.rest", "a.bru", "app.conf.prod", "md", "a.py"))
    )


def test_translations() -> None:
    assert is_translation("src/i18n/de.json")
    assert not is_translation("src/main.json")
