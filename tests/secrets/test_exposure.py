from __future__ import annotations

import msgspec
import pytest

from leeboard.secrets.detection import is_real
from leeboard.secrets.exposure import committed_env_files, needs_ignoring
from leeboard.secrets.hit import Secret

SECRET = "API_KEY=kT9vq2ZxLpWm4Rt8Yb3N\n"


class Tree(msgspec.Struct, frozen=True):
    texts: dict[str, str]
    ignores: dict[str, bool]

    def text(self, path: str) -> str | None:
        return self.texts.get(path)

    def exists(self, path: str) -> bool:
        return path in self.texts

    def lies_at(self, place: str) -> bool | None:  # noqa: ARG002 - as the protocol has it
        return None

    def ignored(self, path: str) -> bool | None:
        return self.ignores.get(path)


OPEN = Tree({".env": SECRET, "app/.env.local": SECRET, "empty.env": "PORT=1\n"}, {".env": False, "empty.env": False})
CLOSED = Tree({".env": SECRET}, {".env": True})


@pytest.mark.parametrize(
    ("command", "tree", "expected"),
    [
        ("git add .env", OPEN, [".env"]),
        ("cd x && git add src .env && git commit -m x", OPEN, [".env"]),
        ("git commit .env -m 'x'", OPEN, [".env"]),
        ("git add -A", OPEN, [".env"]),
        ("git add .", OPEN, [".env"]),
        ("git add app/.env.local", OPEN, ["app/.env.local"]),
        ("git add -f .env", CLOSED, [".env"]),
        ("git add .env", CLOSED, []),
        ("git add .", CLOSED, []),
        ("git add empty.env", OPEN, []),
        ("git add .env.example src", OPEN, []),
        ("git commit -m 'add .env support'", OPEN, []),
        ("cat .env", OPEN, []),
    ],
)
def test_environment_files_that_git_is_given(command: str, tree: Tree, expected: list[str]) -> None:
    """O-6."""
    assert list(committed_env_files(command, tree)) == expected


def test_what_needs_ignoring() -> None:
    assert needs_ignoring(".env", OPEN)
    assert not needs_ignoring(".env", CLOSED)
    assert not needs_ignoring(".env.example", OPEN)
    assert not needs_ignoring("nobody/knows/.env", OPEN)


def test_real_ones() -> None:
    secret = Secret(kind="x", name="", value="v", line=1, column=1, confidence=0.8)
    assert is_real(secret)
    assert not is_real(msgspec.structs.replace(secret, note="placeholder"))
    assert not is_real(msgspec.structs.replace(secret, confidence=0.5))
