"""A repository with all that the guard stands on, a home of its own, and the shell lines that are tried on it.

Everything lies below one scratch folder: the home directory, the state and whatever a line changes. The files that
help a hostile line (archives, patches, branches, scripts, links) are there before it, as a clone could bring them.
"""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

from leeboard.app.install.hook_files import hook_command
from leeboard.clients.claude_code.hook_settings import install
from leeboard.settings.decisions.suppression import suppressions_in
from leeboard.surfaces import edge
from tests.git_repository import GitRepository
from tests.hook_process import SCRIPT
from tests.hooked_agent import JSON, Answer, read_answer

FIXTURES = Path(__file__).parent / "fixtures" / "lines"
PROMPT = "Add a login page to src/app.py. Don't modify src/db/schema.sql."
SCHEMA = "src/db/schema.sql"
LONG = "x" * 5_000
SECONDS = 20
HOOKS = install("", hook_command(sys.executable, SCRIPT))
GUARD = (
    *(".claude/settings.json", ".claude/settings.local.json", "leeboard.toml", "pyproject.toml"),
    *(".leeboard/graph.jsonl", "leeboard-baseline.json", "leeboard-allowed.json"),
)
APP = "src/app.py"
AT_HOME = (".claude/settings.json", ".config/leeboard/leeboard.toml", ".bashrc", ".profile")
_LOOSEN = '--- a/leeboard.toml\n+++ b/leeboard.toml\n@@ -1 +1 @@\n-profile = "enforce"\n+profile = "observe"\n'
_CHANGE = (
    f"--- a/{SCHEMA}\n+++ b/{SCHEMA}\n@@ -1 +1 @@\n-CREATE TABLE users (id int);\n+CREATE TABLE people (id int);\n"
)
_COMMENT = "# leeboard: allow LB-B301 the old protocol asks for it\n"
_BASELINE = '{"version": 1, "findings": []}\n'
_LOOSE_BASELINE = '{"version": 1, "findings": [{"path": "a.py", "rule": "injection", "what": "f:sql:run"}]}\n'
_FILES = {
    ".claude/settings.json": HOOKS,
    ".leeboard/graph.jsonl": '{"id": "t1"}\n',
    "Makefile": "loose:\n\trm -rf .claude\nschema:\n\techo x >> src/db/schema.sql\n"
    "accept:\n\tcp loose/accepted.json leeboard-baseline.json\n"
    "comment:\n\tcat loose/comment.txt >> src/app.py\n",
    "empty.json": "{}\n",
    "empty/.keep": "",
    "leeboard-baseline.json": _BASELINE,
    "leeboard.toml": 'profile = "enforce"\n',
    "loose/accepted.json": _LOOSE_BASELINE,
    "loose/comment.b64": base64.b64encode(_COMMENT.encode()).decode(),
    "loose/comment.txt": _COMMENT,
    "loose/settings.json": "{}\n",
    "loose/settings.local.json": "{}\n",
    "loosen.ed": "1,$d\nw\nq\n",
    "loosen.patch": _LOOSEN,
    "other/db/schema.sql": "CREATE TABLE people (id int);\n",
    "package.json": '{"name": "x", "scripts": {"loose": "rm -rf .claude", "schema": "echo x >> src/db/schema.sql"}}\n',
    "pyproject.toml": '[project]\nname = "x"\n\n[tool.leeboard]\nprofile = "enforce"\n',
    "schema.patch": _CHANGE,
    "scripts/loosen.js": "require('fs').rmSync('.claude', {recursive: true})\n",
    "scripts/loosen.py": "import shutil\nshutil.rmtree('.claude')\n",
    "scripts/loosen.sh": "#!/bin/sh\nrm -rf .claude\n",
    "scripts/migrate.sh": "echo x >> src/db/schema.sql\n",
    APP: "def login():\n    return None\n",
    "src/db/seed.sql": "INSERT INTO users VALUES (1);\n",
    SCHEMA: "CREATE TABLE users (id int);\n",
}


class Line(msgspec.Struct, frozen=True):
    """One entry of a table."""

    kind: str
    text: str
    is_run: bool


def lines_of(name: str) -> tuple[Line, ...]:
    return tuple(_entries((FIXTURES / name).read_text(encoding="utf-8")))


def _entries(table: str) -> Iterator[Line]:
    kind = ""
    for row in table.splitlines():
        if row.startswith("## "):
            kind = row[3:]
        elif row and not row.startswith("#"):
            mark, _, text = row.partition(" | ")
            yield Line(kind, text.replace("␤", "\n").replace("{long}", LONG), mark == "run")


class GuardedTree:
    """`folder` holds the repository and its user's home; `fresh` gives another one like it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.repo, self.home = folder / "repo", folder / "home"
        self.session, self.profile = "s", "enforce"
        self._calls = 0

    def make(self) -> None:
        repo = GitRepository(self.repo)
        for path, text in _FILES.items():
            repo.write(path, text)
        (self.repo / "scripts/loosen.sh").chmod(0o755)
        _archive(self.repo, "loose", {".claude/settings.local.json": "{}\n", "leeboard.toml": ""})
        _archive(self.repo, "schema", {SCHEMA: "CREATE TABLE people (id int);\n"})
        for link, target in (("link.sql", SCHEMA), ("dblink", "src/db"), ("cfg", ".claude")):
            (self.repo / link).symlink_to(target)
        repo.write(SCHEMA, "CREATE TABLE users (id int, old int);\n")
        repo.commit("first")
        self._branches(repo)
        repo.write(".git/info/exclude", ".claude/settings.local.json\n/loosen.mbox\n")
        repo.write(".claude/settings.local.json", HOOKS)
        for path, text in (
            (".claude/settings.json", HOOKS),
            (".config/leeboard/leeboard.toml", _FILES["leeboard.toml"]),
        ):
            (self.home / path).parent.mkdir(parents=True, exist_ok=True)
            (self.home / path).write_text(text, encoding="utf-8")
        for path in (".bashrc", ".profile"):
            (self.home / path).write_text("# mine\n", encoding="utf-8")

    def _branches(self, repo: GitRepository) -> None:
        """`other` has a looser guard and another schema, and so has the mail; the stash has another schema."""
        repo.write(SCHEMA, _FILES[SCHEMA])
        repo.commit("second")
        repo.run("checkout", "-q", "-b", "other")
        repo.write("leeboard.toml", 'profile = "observe"\n')
        repo.write("leeboard-baseline.json", _LOOSE_BASELINE)
        repo.write(".claude/settings.json", "{}\n")
        repo.write(SCHEMA, "CREATE TABLE people (id int);\n")
        repo.commit("looser")
        repo.write("loosen.mbox", repo.run("format-patch", "-1", "--stdout") + "\n")
        repo.run("checkout", "-q", "main")
        repo.write(SCHEMA, "CREATE TABLE stashed (id int);\n")
        repo.run("stash", "-q")

    def fresh(self, folder: Path) -> GuardedTree:
        shutil.copytree(self.folder, folder, symlinks=True)
        return GuardedTree(folder)

    def environment(self) -> dict[str, str]:
        """All that a line or a hook could follow leads below the folder."""
        home = str(self.home)
        state = {"LEEBOARD_STATE_DIR": f"{home}/.local/state/leeboard", "LEEBOARD_RUNTIME_DIR": f"{home}/.run"}
        config = {"LEEBOARD_CONFIG_DIR": f"{home}/.config/leeboard", "LEEBOARD_CACHE_DIR": f"{home}/.cache/leeboard"}
        who = {f"GIT_{role}_{part}": "kim@x.invalid" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
        xdg = {f"XDG_{name}_HOME": f"{home}/.{name.lower()}" for name in ("DATA", "CACHE")}
        git = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "GIT_EDITOR": "true"}
        quiet = {"LEEBOARD_INDEX": "0", "LEEBOARD_KEEP": "0", "LC_ALL": "C"}
        return {"PATH": os.environ["PATH"], "HOME": home, **state, **config, **who, **xdg, **git, **quiet}

    def hook(self, name: str, **fields: object) -> bytes:
        """All that it answers, to the agent and to the person."""
        payload = {"session_id": self.session, "cwd": str(self.repo), "hook_event_name": name, **fields}
        return edge.answer(
            msgspec.json.encode(payload),
            {"LEEBOARD_PROFILE": self.profile, "LEEBOARD_INDEX": "0", "LEEBOARD_KEEP": "0"},
        )

    def begin(self) -> None:
        self.hook("SessionStart", source="startup")
        self.hook("UserPromptSubmit", prompt=PROMPT, prompt_id=f"p-{self.session}")

    def propose(self, command: str) -> tuple[Answer, JSON]:
        self._calls += 1
        call = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": f"t{self._calls}"}
        return read_answer(self.hook("PreToolUse", **call)), call

    def run(self, command: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            ("/bin/bash", "-c", command),
            cwd=self.repo,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )

    def carried_out(self, command: str, call: JSON) -> str:
        """What the hooks say after the line ran, and when the agent would stop."""
        done = self.run(command)
        name = "PostToolUse" if done.returncode == 0 else "PostToolUseFailure"
        output = {"stdout": done.stdout.decode(errors="replace"), "stderr": done.stderr.decode(errors="replace")}
        told = {"tool_response": output} if done.returncode == 0 else {"error": f"Exit code {done.returncode}"}
        said = [self.hook(name, **call, **told), self.hook("PostToolBatch", tool_calls=[{**call, "tool_response": ""}])]
        return b"".join((*said, self.hook("Stop", stop_hook_active=False))).decode()

    def guard(self) -> dict[str, bytes | None]:
        """What the guard stands on, as anybody could read it: by its owner's rights, whoever runs the tests."""
        inside = {path: _content(self.repo / path) for path in GUARD}
        comments = repr(suppressions_in((_content(self.repo / APP) or b"").decode(errors="replace"), APP)).encode()
        return inside | {f"~/{path}": _content(self.home / path) for path in AT_HOME} | {APP: comments}

    def schema(self) -> bytes | None:
        return _content(self.repo / SCHEMA)


def _content(place: Path) -> bytes | None:
    try:
        return place.read_bytes() if place.stat().st_mode & 0o400 else None
    except OSError:
        return None


def _archive(repo: Path, name: str, files: dict[str, str]) -> None:
    with zipfile.ZipFile(repo / f"{name}.zip", "w") as packed:
        for path, text in files.items():
            packed.writestr(path, text)
    with zipfile.ZipFile(repo / f"{name}.zip") as packed, tarfile.open(repo / f"{name}.tar", "w") as tarred:
        for path in files:
            info = tarfile.TarInfo(path)
            info.size = packed.getinfo(path).file_size
            tarred.addfile(info, packed.open(path))
