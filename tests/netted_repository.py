"""A repository with work of a person in it, an agent whose lines are really run, and the net under them.

Hooks are answered in this process. The work is noted where the background would do it, so that nobody has to wait.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from leeboard.app.safety_net.keep import note_work
from leeboard.app.views.kept import KeptPage, kept_page
from leeboard.settings.settings import KeepSettings
from tests.git_repository import ENVIRONMENT, GitRepository
from tests.hooked_agent import HookedAgent, save

PROMPT = "Fix the login in src/login.py."
NOTES = "Things to ask on Monday\n\nwhy does the cache forget the tenant\nwho owns the nightly import\n"
APP = 'def app(request):\n    """Mine."""\n    return greet(request.user, salutation="dear")\n'
LONG_AGO = "2020-01-01T00:00:00Z"
_FILES = {
    ".gitignore": "build/\n.env\n",
    "README.md": "# x\n",
    "src/app.py": "def app():\n    return 1\n",
    "src/login.py": "def login():\n    return None\n",
    "Makefile": "wipe:\n\trm -rf notes.md drafts\nstart-over:\n\t@git checkout -q -- .\nlint:\n\t@true\n",
    "package.json": '{"name": "x", "scripts": {"tidy": "rm -f notes.md"}}\n',
    "tools/tidy.py": "import pathlib, shutil\npathlib.Path('notes.md').unlink()\nshutil.rmtree('drafts')\n",
    "tools/reset.sh": "git reset -q --hard\ngit clean -qfd\n",
    "tools/undo.sh": "git undo\n",
    "tools/nuke.sh": "git nuke\n",
    "tools/nuke.mk": "all:\n\t@git update-ref -d refs/heads/wip\n\t@git reflog delete --updateref --rewrite stash@{0}\n",
    "tools/wipe.awk": 'BEGIN { system("rm notes.md") }\n',
    "tools/link.sh": "ln -sfn /dev/null notes.md\n",
    "tools/tidy.pl": "unlink 'notes.md';\n",
    "tools/wipe.sed": "1e rm notes.md\n",
    "tools/back.sh": "git reset -q --hard HEAD\ngit update-ref refs/heads/wip main\n",
    "tools/blank.py": "open('notes.md', 'w').close()\n",
    "tools/other.py": "open('notes.md', 'w').write('generated file\\n')\n",
    "tools/zero.py": "import os\nsize = os.path.getsize('notes.md')\nopen('notes.md', 'wb').write(bytes(size))\n",
    "tools/format.py": "import re\nt = open('src/app.py').read()\nt = t.replace('\"', \"'\").replace(', ', ',\\n        ')\n"
    "open('src/app.py', 'w').write(t)\n",
}


class NettedRepository:
    """`work` is what the person has in no commit."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "repo"
        self.root = str(self.path)
        self.git = GitRepository(self.path)
        self.agent = HookedAgent(self.path)
        self.limits = KeepSettings()

    def make(self) -> None:
        for path, text in _FILES.items():
            self.git.write(path, text)
        self.git.run("config", "alias.undo", "checkout -q -- .")
        self.git.run("config", "alias.nuke", "!git branch -q -D wip && git stash clear")
        self.git.commit("first", at=LONG_AGO)
        self.git.run("checkout", "-q", "-b", "wip")
        self.git.write("src/wip.py", "wip = 1\n")
        self.git.commit("work in progress", at=LONG_AGO)
        self.git.run("checkout", "-q", "main")
        self.git.write("README.md", "# stashed away\n")
        self.git.run("stash", "-q", GIT_AUTHOR_DATE=LONG_AGO, GIT_COMMITTER_DATE=LONG_AGO)
        self.git.write("src/app.py", APP)
        for path, text in (("notes.md", NOTES), ("drafts/one.md", "one draft\n"), ("drafts/two.md", "another draft\n")):
            self.git.write(path, text)
        self.git.write("build/out.js", "built\n")

    def fresh(self, folder: Path) -> NettedRepository:
        shutil.copytree(self.folder, folder, symlinks=True)
        return NettedRepository(folder)

    def begin(self, prompt: str = PROMPT) -> None:
        self.agent.hook("SessionStart", source="startup")
        self.note()
        self.says(prompt)

    def says(self, prompt: str) -> None:
        self.agent.prompt(prompt)
        self.note()

    def note(self) -> None:
        assert note_work(self.root, self.limits)

    def run(self, line: str) -> subprocess.CompletedProcess[bytes]:
        env = {"PATH": os.environ["PATH"], "HOME": str(self.folder), **ENVIRONMENT}
        return subprocess.run(("/bin/sh", "-c", line), cwd=self.path, env=env, capture_output=True, check=False)

    def does(self, line: str, between: str = "") -> str:
        """What agent and person are told after the agent's line, which must not be refused. `between` runs beside it."""
        answer, call = self.agent.propose("Bash", {"command": line})
        assert not answer.denied, f"refused, so nothing is left to notice: {answer.words}"
        done = self.run(line)
        assert done.returncode == 0, done
        self.run(between or "true")
        said = self.agent.answer("PostToolUse", **call, tool_response={"stdout": "", "stderr": ""}).decode()
        return said + self.agent.end_turn()

    def saves(self, path: str, text: str) -> None:
        """The person, in their editor."""
        save(self.path / path, text)

    def read(self, path: str) -> bytes | None:
        place = self.path / path
        return place.read_bytes() if place.is_file() and not place.is_symlink() else None

    def work(self) -> dict[str, bytes | None]:
        return {path: self.read(path) for path in ("notes.md", "drafts/one.md", "drafts/two.md", "src/app.py")}

    def kept(self) -> KeptPage:
        return kept_page(self.root)


def told_of_gone(said: str) -> bool:
    return "LB-S043" in said


def use_state(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STATE", "RUNTIME", "CONFIG", "CACHE"):
        monkeypatch.setenv(f"LEEBOARD_{name}_DIR", str(folder / name.lower()))
