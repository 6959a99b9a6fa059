"""The npm package for opencode is the plugin that `init` writes, with the program on PATH in its line."""

from __future__ import annotations

import json
from pathlib import Path

import leeboard
from leeboard.clients.opencode import hook_settings

FOLDER = Path(__file__).resolve().parents[1] / "plugins" / "opencode"


def test_the_package_holds_the_plugin_as_it_is() -> None:
    shipped = Path(hook_settings.__file__).with_name("plugin.js").read_text(encoding="utf-8")
    assert (FOLDER / "index.js").read_text(encoding="utf-8") == shipped
    assert 'const LINE = "leeboard-hook --client opencode"' in shipped


def test_it_has_the_version_of_the_program_and_all_its_files() -> None:
    told = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    assert told["version"] == leeboard.__version__
    assert all((FOLDER / name).is_file() for name in told["files"])
