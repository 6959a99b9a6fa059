from __future__ import annotations

from leeboard.text.language import is_env_file, is_sample


def test_environment_files_by_name() -> None:
    assert is_env_file(".env")
    assert is_env_file("app/.env.local")
    assert is_env_file("prod.env")
    assert not is_env_file("environment.py")


def test_what_is_shown_and_not_run() -> None:
    assert is_sample(".env.example")
    assert is_sample("examples/a.py")
    assert not is_sample(".env")
