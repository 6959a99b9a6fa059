from __future__ import annotations

import pytest

from leeboard.secrets.hit import is_translation, style_of


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


def test_translations() -> None:
    assert is_translation("src/i18n/de.json")
    assert not is_translation("src/main.json")
