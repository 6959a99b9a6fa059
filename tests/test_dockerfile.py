"""The Dockerfile as far as it can be read: no engine is here to build it with."""

from __future__ import annotations

import json
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KNOWN = {"FROM", "WORKDIR", "COPY", "RUN", "USER", "ENTRYPOINT", "CMD"}


def instructions() -> list[tuple[str, str]]:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    split = (line.partition(" ") for line in lines if line and not line.startswith("#"))
    return [(word, rest) for word, _, rest in split]


def of(word: str) -> list[str]:
    return [rest for found, rest in instructions() if found == word]


def test_every_line_is_an_instruction_and_every_command_is_shell() -> None:
    assert {word for word, _ in instructions()} == KNOWN
    for line in of("RUN"):
        subprocess.run(("sh", "-n", "-c", line), check=True)


def test_what_it_starts_is_a_program_of_ours_and_nobodys_superuser() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (entry,) = json.loads(of("ENTRYPOINT")[0])
    assert entry in project["scripts"]
    words = [word for word, _ in instructions()]
    assert words.index("USER") > max(at for at, word in enumerate(words) if word == "RUN")


def test_it_leaves_out_nothing_that_the_wheel_is_made_of() -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    needed = ("leeboard", "docs", "pyproject.toml", "README.md", "LICENSE")
    assert [name for name in needed if name in ignored or not (ROOT / name).exists()] == []
