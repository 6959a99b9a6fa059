"""A person's home and a repository, with the settings that a test puts there."""

from __future__ import annotations

import json
from pathlib import Path

from leeboard.surfaces.proxy.launch.known_clients import plan_launch
from leeboard.surfaces.proxy.launch.start import Launch


def proxied(upstream: str) -> str:
    return f"proxy/{upstream}"


class Home:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env = {"HOME": str(folder / "home")}
        (folder / "repo" / ".git").mkdir(parents=True)

    def write(self, name: str, settings: object) -> None:
        """A text as it is, anything else as JSON."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(settings if isinstance(settings, str) else json.dumps(settings), encoding="utf-8")

    def plan(self, *words: str, cwd: str = "repo", **env: str) -> Launch:
        return plan_launch(words, {**self.env, **env}, str(self.folder / cwd), proxied)
