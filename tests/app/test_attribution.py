"""Lines that an agent wrote, found again in the commit, and the record held against the format."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped] # it has no types

from leeboard.app.attribution import attribution
from leeboard.app.session_files import find_sources
from tests.leak import live_key
from tools.scripted import transcript

SCHEMA = json.loads((Path(__file__).parents[1] / "fixtures/agent_trace/record.schema.json").read_text())
_SESSION = """@ Add a greeting to src/greet.py
read src/greet.py
  import sys
  print("old")
edit src/greet.py
  - print("old")
  + def greet(name):
  +     return f"hello {name}"
write src/new.py
  first_line = 1
  second_line = 2
@ Now make src/new.py count to three. The key is KEY
edit src/new.py
  - second_line = 2
  + second_line = 2
  + third_line = 3
"""


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    (root / "src").mkdir(parents=True)
    subprocess.run(("git", "init", "-q", str(root)), check=True)
    return root


def commit(repo: Path, **texts: str) -> str:
    for name, text in texts.items():
        (repo / "src" / f"{name}.py").write_text(text)
    who = ("-c", "user.name=kim", "-c", "user.email=kim@example.invalid")
    subprocess.run(("git", "-C", str(repo), "add", "-A"), check=True)
    subprocess.run(("git", "-C", str(repo), *who, "commit", "-qm", "x"), check=True)
    return subprocess.run(
        ("git", "-C", str(repo), "rev-parse", "HEAD"), check=True, capture_output=True, text=True
    ).stdout.strip()


def sessions(repo: Path, script: str = _SESSION) -> tuple[Path, ...]:
    data = transcript(script.replace("KEY", live_key(1)), session="s1", repo="shop", forced_reads=False)
    folder = repo.parent / "sessions"
    folder.mkdir()
    cwd = json.loads(next(line for line in data.split(b"\n") if b'"cwd"' in line))["cwd"].encode()
    (folder / "s1.jsonl").write_bytes(data.replace(cwd, str(repo).encode()))
    return (folder,)


def record_of(repo: Path, places: tuple[Path, ...]) -> dict[str, Any]:
    record: Any = attribution(str(repo), find_sources(map(str, places))).record
    Draft202012Validator(SCHEMA).validate(record)
    return dict(record)


def ranges(record: dict[str, Any]) -> dict[tuple[str, str], list[tuple[int, int]]]:
    goals = record["metadata"]["dev.leeboard"]["goals"]
    return {
        (file["path"], goals[one["url"]].split(".")[0]): [
            (each["start_line"], each["end_line"]) for each in one["ranges"]
        ]
        for file in record["files"]
        for one in file["conversations"]
    }


def test_lines_stand_under_the_goal_they_were_written_for(repo: Path) -> None:
    text = 'import sys\n\n\ndef greet(name):\n    return f"hello {name}"\n\n\nprint("by a person")\n'
    head = commit(repo, greet=text, new="# by a person\nfirst_line = 1\nsecond_line = 2\nthird_line = 3\n")
    record = record_of(repo, sessions(repo))
    first, second = record["metadata"]["dev.leeboard"]["goals"].values()
    assert first.startswith("Add a greeting")
    assert second.startswith("Now make src/new.py count")
    assert record["vcs"] == {"type": "git", "revision": head}
    found = ranges(record)
    assert found["src/greet.py", first.split(".")[0]] == [(4, 5)]
    assert found["src/new.py", first.split(".")[0]] == [(2, 3)]
    assert found["src/new.py", second.split(".")[0]] == [(4, 4)]
    (hashed,) = (
        each["content_hash"]
        for file in record["files"]
        if file["path"] == "src/greet.py"
        for one in file["conversations"]
        for each in one["ranges"]
    )
    assert hashed == "sha256:" + hashlib.sha256("\n".join(text.split("\n")[3:5]).encode()).hexdigest()
    assert live_key(1) not in json.dumps(record)


def test_what_a_person_changed_since_is_nobodys(repo: Path) -> None:
    commit(repo, greet="import sys\ndef greet(name, loud):\n    return name\n", new="first_line = 1\n}\n")
    assert [path for path, _goal in ranges(record_of(repo, sessions(repo)))] == ["src/new.py"]


def test_the_same_commit_gives_the_same_id(repo: Path) -> None:
    commit(repo, new="first_line = 1\nsecond_line = 2\n")
    places = sessions(repo)
    assert record_of(repo, places)["id"] == record_of(repo, places)["id"]


def test_sessions_of_other_projects_do_not_count(repo: Path, tmp_path: Path) -> None:
    places = sessions(repo)
    other = tmp_path / "other"
    other.mkdir()
    found = attribution(str(other), find_sources(map(str, places)))
    assert (found.sessions, found.record["files"]) == (0, [])
    assert "vcs" not in found.record


def test_lines_that_stand_everywhere_are_nobodys(repo: Path) -> None:
    commit(repo, new="}\n\n}\n")
    script = "@ Write src/new.py\nwrite src/new.py\n  }\n"
    assert record_of(repo, sessions(repo, script))["files"] == []


def test_what_a_shell_line_writes_out_of_itself_counts_too(repo: Path) -> None:
    script = """@ Make a greeting in src/said.py
$ cat > src/said.py << 'END'
  | def greeting():
  |     return "hello"
  | END
$ echo 'print(greeting())' >> src/said.py
$ make generated > src/made.py
"""
    places = sessions(repo, script)
    commit(repo, said='import sys\ndef greeting():\n    return "hello"\nprint(greeting())\n', made="made_here = 1\n")
    found = ranges(record_of(repo, places))
    assert found == {("src/said.py", "Make a greeting in src/said"): [(2, 4)]}
