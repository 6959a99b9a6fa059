"""A desk with a small project on it, and whatever was started there gone at the end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.client import CLIENT
from tests.e2e.desk import Desk

PROJECT = {
    "README.md": "# demo\n\nA small demo.\n",
    "app.py": "def add(a, b):\n    return a - b\n\n\nprint(add(1, 2))\n",
    "db/schema.sql": "CREATE TABLE users (id INTEGER);\n",
    "src/auth/token.ts": "export const lifetime = 60;\n",
    "src/auth/session.ts": "import { lifetime } from './token';\n",
    "src/styles/theme.css": "body { color: black; }\n",
    "src/components/Button.tsx": "export const Button = () => null;\n",
}


@pytest.fixture
def bare_desk(tmp_path: Path) -> Iterator[Desk]:
    """Nothing of ours is installed."""
    assert CLIENT, "LEEBOARD_E2E_CLAUDE names no client: run `make e2e`"
    desk = Desk(tmp_path, PROJECT)
    yield desk
    desk.wait_for_resident()


@pytest.fixture
def desk(bare_desk: Desk) -> Desk:
    """With the hooks that `init` puts in."""
    bare_desk.leeboard("init", "--quiet")
    return bare_desk
