"""A repository with work of a person in it that is nowhere else, and the lines that are proposed to its agent.

A remote, another person's commits, branches, a stash, a linked work tree, files in no commit and a home folder: all that
a line could take away. No line of those is ever run, but for what a scene says went before.
"""

from __future__ import annotations

import os
import subprocess
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

from leeboard.surfaces import edge
from tests.git_repository import GitRepository
from tests.hooked_agent import Answer, read_answer

FIXTURES = Path(__file__).parent / "fixtures" / "guard"
PROMPT = "Fix the login in src/login.py."
OWNER, OTHER = "kim@example.invalid", "lee@example.invalid"
LONG_AGO = "2020-01-01T00:00:00Z"
_FILES = {
    ".gitignore": "build/\n.env\n*.sqlite3\n",
    "README.md": "# x\n",
    "src/app.py": "def app():\n    return 1\n",
    "src/login.py": "def login():\n    return None\n",
    "src/staged.py": "a = 1\n",
    "src/clean.py": "b = 1\n",
    "docs/guide.md": "guide\n",
    "package.json": '{"name": "x", "dependencies": {"react": "^18.0.0", "my-company-ui": "^1.0.0"}}\n',
    "requirements.txt": "requests==2.32.0\nnumpy\ninternal-toolz\n",
}


_ALIASES = {
    "p": "push",
    "ci": "commit",
    "rb": "rebase",
    "co": "checkout",
    "st": "status -sb",
    "ship": "!git push origin HEAD",
    "wipe": "!git reset --hard",
}


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """Lines that have one thing in common."""

    name: str
    prompt: str = PROMPT
    rule: str = ""
    """Which rule has to speak."""
    repository: str = "worked"
    """`worked`: with work in no commit; `clean`: without; `none`: no repository at all."""
    tool: str = "Bash"
    folder: str = ""
    """The folder below the repository that the session is in."""
    settings: str = ""
    """What the user's settings say."""
    before: tuple[str, ...] = ()
    """Lines that the session has run; with them a scene has a repository of its own."""
    refused: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()


def scenes(*names: str) -> tuple[Scene, ...]:
    return tuple(scene for name in names for scene in _scenes_in(FIXTURES / f"{name}.toml"))


def _scenes_in(table: Path) -> Iterator[Scene]:
    for row in tomllib.loads(table.read_text(encoding="utf-8"))["scene"]:
        yield msgspec.convert(row, Scene)


class GuardRepository:
    """`folder` holds the repository, its remote, a second work tree and the home of its user."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.repo, self.home = folder / "repo", folder / "home"
        self._sessions = self._asked = 0

    def make(self, state: str) -> None:
        for path in (".bashrc", "Documents/letter.txt", ".ssh/id_rsa"):
            (self.home / path).parent.mkdir(parents=True, exist_ok=True)
            (self.home / path).write_text("mine\n", encoding="utf-8")
        if state == "none":
            for path, text in {**_FILES, "build/out.js": "x"}.items():
                (self.repo / path).parent.mkdir(parents=True, exist_ok=True)
                (self.repo / path).write_text(text, encoding="utf-8")
            return
        git = self._shared()
        if state == "worked":
            self._branches(git)
            self._work(git)
            self._packed()
        self._built(git)
        for place in (self.repo, self.folder / "aside"):
            for file in (file for file in place.rglob("*") if file.is_file() and ".git/" not in str(file)):
                os.utime(file, (1_500_000_000, 1_500_000_000))

    def _shared(self) -> GitRepository:
        """With a remote that has all of it, and a commit of somebody else."""
        GitRepository(self.folder / "seed").run("init", "-q", "--bare", "-b", "main", str(self.folder / "remote.git"))
        git = GitRepository(self.repo)
        git.run("config", "user.email", OWNER)
        git.run("remote", "add", "origin", str(self.folder / "remote.git"))
        for path, text in _FILES.items():
            git.write(path, text)
        for name, meaning in _ALIASES.items():
            git.run("config", f"alias.{name}", meaning)
        git.commit("first", at=LONG_AGO)
        git.run("push", "-q", "-u", "origin", "main")
        git.run("remote", "set-head", "origin", "main")
        return git

    def _branches(self, git: GitRepository) -> None:
        """`lone` is nowhere else, `merged` is in main, `shared` has a commit of somebody else, `mine` was rewritten."""
        git.run("branch", "merged")
        for name, author in (("lone", OWNER), ("shared", OTHER), ("mine", OWNER), ("gone", OTHER), ("squashed", OWNER)):
            git.run("checkout", "-q", "-b", name, "main")
            git.write(f"src/{name}.py", f"{name} = 1\n")
            git.run("add", "--all")
            when = {"GIT_AUTHOR_DATE": LONG_AGO, "GIT_COMMITTER_DATE": LONG_AGO, "GIT_AUTHOR_EMAIL": author}
            git.run("commit", "-q", "-m", f"work on {name}", **when)
        for name in ("shared", "mine", "gone"):
            git.run("push", "-q", "origin", name)
            git.run("branch", "-q", "-f", name, "main")
        git.run("checkout", "-q", "main")
        git.run("merge", "-q", "--squash", "squashed")
        git.commit("squashed", at=LONG_AGO)
        git.run("push", "-q", "origin", "main")
        git.write("src/unpushed.py", "u = 1\n")
        git.commit("not pushed yet", at=LONG_AGO)
        git.write("docs/guide.md", "stashed\n")
        git.run("stash", "-q", GIT_AUTHOR_DATE=LONG_AGO, GIT_COMMITTER_DATE=LONG_AGO)
        git.run("worktree", "add", "-q", str(self.folder / "aside"), "merged")
        (self.folder / "aside" / "thoughts.md").write_text("mine\n", encoding="utf-8")
        git.run("worktree", "add", "-q", "--detach", str(self.folder / "tidy"), "main")

    def _work(self, git: GitRepository) -> None:
        """Of the person, in no commit."""
        git.write("src/app.py", "def app():\n    return 'mine'\n")
        git.write("src/staged.py", "a = 2\n")
        git.run("add", "src/staged.py")
        for path in ("notes.md", "drafts/one.md", "drafts/deep/two.txt", ".env", "dev.sqlite3"):
            git.write(path, "SECRET_KEY=abc\n" if path == ".env" else "mine\n")

    def _packed(self) -> None:
        """Beside the repository: archives of older files, a list of names, a folder with a file of the same name."""
        (self.folder / "other").mkdir()
        (self.folder / "other" / "notes.md").write_text("older\n", encoding="utf-8")
        (self.folder / "list.txt").write_text("notes.md\ndrafts/one.md\n", encoding="utf-8")
        for name, path in (("kept.tar", "notes.md"), ("harmless.tgz", "README.md")):
            with tarfile.open(self.folder / name, "w:gz" if name.endswith("gz") else "w") as archive:
                archive.add(self.repo / path, arcname=path)
        with zipfile.ZipFile(self.folder / "kept.zip", "w") as packed:
            packed.write(self.repo / "notes.md", arcname="notes.md")

    def _built(self, git: GitRepository) -> None:
        for path in ("build/out.js", "node_modules/react/index.js", "dist/app.js", "debug.log", "coverage.xml"):
            git.write(path, "x\n")

    def propose(self, scene: Scene, line: str) -> Answer:
        """What is answered to the line as the first one of a session."""
        return self.ask(self.begin(scene), line, scene.tool, scene.folder)

    def begin(self, scene: Scene) -> str:
        """A session that has heard the prompt, and run what went before."""
        self._sessions += 1
        session = f"{self.folder.name}-{self._sessions}"
        self._hook("SessionStart", session, source="startup")
        self._hook("UserPromptSubmit", session, prompt=scene.prompt, prompt_id=f"p{session}")
        for number, line in enumerate(scene.before):
            call = {"tool_name": "Bash", "tool_input": {"command": line}, "tool_use_id": f"b{session}-{number}"}
            assert not read_answer(self._hook("PreToolUse", session, **call)).denied, line
            ran = subprocess.run(["/bin/bash", "-c", line], cwd=self.repo, capture_output=True, text=True, check=True)
            told = {"stdout": ran.stdout, "stderr": ran.stderr, "interrupted": False}
            self._hook("PostToolUse", session, **call, tool_response=told)
        return session

    def ask(self, session: str, line: str, tool: str = "Bash", folder: str = "") -> Answer:
        self._asked += 1
        cwd = str(self.repo / folder)
        call = {"tool_name": tool, "tool_input": {"command": line}, "tool_use_id": f"t{session}-{self._asked}"}
        return read_answer(self._hook("PreToolUse", session, **call, cwd=cwd))

    def _hook(self, name: str, session: str, **fields: object) -> bytes:
        payload = {"session_id": session, "cwd": str(self.repo), "hook_event_name": name, **fields}
        return edge.answer(
            msgspec.json.encode(payload), {"LEEBOARD_PROFILE": "advise", "LEEBOARD_INDEX": "0", "LEEBOARD_KEEP": "0"}
        )
