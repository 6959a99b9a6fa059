from __future__ import annotations

import pytest

from leeboard.secrets.hit import is_env_file, is_sample, is_translation, style_of


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
    ],
)
def test_style_by_name(path: str, style: str) -> None:
    assert style_of(path) == style


def test_other_kinds_of_files() -> None:
    assert is_env_file(".env")
    assert is_env_file("app/.env.local")
    assert is_env_file("prod.env")
    assert not is_env_file("environment.py")
    assert is_sample(".env.example")
    assert is_sample("examples/a.py")
    assert not is_sample(".env")
    assert is_translation("src/i18n/de.json")
    assert not is_translation("src/main.json")
