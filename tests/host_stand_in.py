"""A stand-in for `gh` or `glab` that behaves as their pages say, and writes down how it was called.

The remote it stands before is a real bare repository; whoever merges there does it with git.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

_SCRIPT = """#!{python}
import json, os, pathlib, subprocess, sys
folder = pathlib.Path({folder!r})
read = sys.stdin.read() if "--body-file" in sys.argv else ""
marked = os.environ.get("LEEBOARD_GATE", "")
with open(folder / "calls.jsonl", "a") as file:
    file.write(json.dumps({{"words": sys.argv[1:], "read": read, "marked": marked}}) + "\\n")
words = sys.argv[1:]
head = words[words.index({head!r}) + 1]
opened = folder / "opened.txt"
if {refuses!r}:
    sys.stderr.write({refuses!r} + "\\n")
    sys.exit(1)
if opened.exists():
    sys.stderr.write(f'a {kind} for branch "{{head}}" already exists:\\n{url}\\n')
    sys.exit(1)
opened.write_text(head)
if {program!r} == "glab":
    sys.stdout.write(f"!7 {{words[words.index('--title') + 1]}} ({{head}})\\n {url}\\n")
else:
    sys.stdout.write("{url}\\n")
"""
ADDRESSES = {
    "gh": "https://github.example/kim/words/pull/7",
    "glab": "https://gitlab.example/kim/words/-/merge_requests/7",
}


class HostStandIn:
    """Put its `folder` on PATH."""

    def __init__(self, folder: Path, program: str, refuses: str = "") -> None:
        self.folder = folder
        self.url = ADDRESSES[program]
        folder.mkdir(parents=True, exist_ok=True)
        script = _SCRIPT.format(
            python=sys.executable,
            folder=str(folder),
            head="--head" if program == "gh" else "--source-branch",
            kind="pull request" if program == "gh" else "merge request",
            url=self.url,
            program=program,
            refuses=refuses,
        )
        file = folder / program
        file.write_text(script, encoding="utf-8")
        file.chmod(0o755)

    @property
    def calls(self) -> list[dict[str, Any]]:
        kept = self.folder / "calls.jsonl"
        return [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []
