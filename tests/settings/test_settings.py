from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from leeboard.settings.settings import LARGEST, Settings, too_large
from leeboard.settings.toml import parse, parse_tolerantly

_READS = """
import sys
from leeboard.app.settings_files import read_settings
settings, notes = read_settings(sys.argv[1], {})
print(settings.enabled, notes, "leeboard.settings.toml" in sys.modules)
"""


def test_an_empty_file_decides_what_no_file_does() -> None:
    assert parse("", "leeboard.toml") == Settings()


def test_a_file_that_is_too_large_is_told_with_both_sizes() -> None:
    told = too_large("leeboard.toml", LARGEST + 1)
    assert told == "leeboard.toml: not read: it has 65,537 bytes, and settings have at most 65,536"
    assert parse_tolerantly("#" * (LARGEST + 1), "leeboard.toml") == (Settings(), (told,))


def test_the_parser_is_loaded_only_where_there_is_a_file(tmp_path: Path) -> None:
    def told() -> str:
        line = (sys.executable, "-c", _READS, str(tmp_path))
        env = {"HOME": str(tmp_path), "LEEBOARD_CONFIG_DIR": str(tmp_path / "config")}
        return subprocess.run(line, check=True, capture_output=True, text=True, env=env).stdout

    assert told() == "True () False\n"
    (tmp_path / "leeboard.toml").write_text('profile = "enforce"\n', encoding="ascii")
    assert told() == "True () True\n"
