"""composer.json and composer.lock."""

from __future__ import annotations

from leeboard.contracts.manifest.scripting import read_composer_json, read_composer_lock


def test_manifest() -> None:
    text = """{"name": "me/app", "require": {"php": ">=8.1", "ext-json": "*", "Monolog/monolog": "^3"},
      "require-dev": {"phpunit/phpunit": "^10"}, "scripts": {"a/b": "x"}}"""
    assert [(one.name, one.version) for one in read_composer_json(text)] == [
        ("monolog/monolog", "^3"),
        ("phpunit/phpunit", "^10"),
    ]


def test_lock() -> None:
    text = '{"packages": [{"name": "a/b", "version": "1"}, 3], "packages-dev": [{"name": "c/d"}]}'
    assert [one.name for one in read_composer_lock(text)] == ["a/b", "c/d"]
