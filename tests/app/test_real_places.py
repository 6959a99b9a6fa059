from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from leeboard.app.real_places import RealPlaces
from leeboard.clients.claude_code.hooks import parse
from leeboard.model.event import ToolFinished, ToolProposed
from tests.hook_process import hook_payload


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """`repo` with a link in it and a tree beside it, and links to both from outside."""
    for folder in ("repo/.haiku/intents", "repo/docs", "tree/src", "out"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "repo/docs/real.md").write_text("x")
    (tmp_path / "repo/plan").symlink_to(".haiku")
    (tmp_path / "repo/docs/named.md").symlink_to("real.md")
    (tmp_path / "repo/gone").symlink_to(tmp_path / "out")
    (tmp_path / "x").symlink_to("repo")
    return tmp_path


def paths(base: Path, tool: str, given: dict[str, Any], name: str = "PreToolUse", **fields: Any) -> list[str]:
    told = {"cwd": str(base / "tree"), "tool_name": tool, "tool_input": given, "tool_use_id": "t", **fields}
    call = RealPlaces(str(base / "tree"), str(base / "repo")).told(parse(hook_payload(name, **told), now=1.0))
    event = call.events[0]
    assert isinstance(event, ToolProposed | ToolFinished)
    return [path.replace(str(base), "") for path in event.call.paths]


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("x/.haiku/settings.yml", "/repo/.haiku/settings.yml"),
        ("repo/plan/settings.yml", "/repo/.haiku/settings.yml"),
        ("repo/docs/named.md", "/repo/docs/real.md"),
        ("repo/docs/real.md", "/repo/docs/real.md"),
        ("repo/docs/new.md", "/repo/docs/new.md"),
        ("repo/gone/a.md", "/repo/gone/a.md"),
        ("out/a.md", "/out/a.md"),
        ("x/docs/../app.py", "/repo/app.py"),
    ],
)
def test_a_file_counts_where_it_lands(base: Path, given: str, found: str) -> None:
    assert paths(base, "Write", {"file_path": str(base / given), "content": ""}) == [found]


def test_the_name_that_was_sent_is_kept_beside_it(base: Path) -> None:
    given = {"file_path": str(base / "repo/docs/named.md"), "content": ""}
    told = {"cwd": str(base / "repo"), "tool_name": "Write", "tool_input": given, "tool_use_id": "t"}
    for name in ("PreToolUse", "PostToolUse"):
        (event, *_) = RealPlaces(str(base / "repo")).told(parse(hook_payload(name, **told), now=1.0)).events
        assert isinstance(event, ToolProposed | ToolFinished)
        assert event.call.links == (given["file_path"],)


def test_a_name_from_the_folder_the_agent_is_in(base: Path) -> None:
    (base / "tree/link").symlink_to(base / "repo/.haiku")
    assert paths(base, "Write", {"file_path": "link/settings.yml", "content": ""}) == ["/repo/.haiku/settings.yml"]
    assert paths(base, "Write", {"file_path": "src/a.py", "content": ""}) == ["src/a.py"]


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("sed -i s/a/b/ {base}/x/docs/real.md", ["/repo/docs/real.md"]),
        ("cat {base}/x/docs/real.md", []),
        ("rm {base}/x/docs/real.md", ["/repo/docs/real.md"]),
        ("rm {base}/x", []),
        ("echo x > src/a.py", []),
        ("ln -sfn ../out {base}/repo/plan", []),
        ("rm {base}/repo/plan && ln -s ../out {base}/repo/plan", []),
        ("ln -sf ../out {base}/repo/plan", ["/repo/.haiku"]),
        ("ln -sfn ../out {base}/repo/plan && echo x > {base}/repo/plan/a", ["/repo/.haiku", "/repo/.haiku/a"]),
    ],
)
def test_a_shell_line_writes_where_its_links_lead(base: Path, command: str, found: list[str]) -> None:
    line = {"command": command.format(base=base)}
    assert paths(base, "Bash", line) == found
    assert paths(base, "Bash", line, "PostToolUse", tool_response={}) == []


def test_a_tree_that_is_reached_through_a_link_keeps_its_name(base: Path) -> None:
    told = {"cwd": str(base / "x"), "tool_name": "Write", "tool_use_id": "t"}
    given = {"file_path": str(base / "x/docs/a.md"), "content": ""}
    call = parse(hook_payload("PreToolUse", **told, tool_input=given), now=1.0)
    assert RealPlaces(str(base / "x")).told(call) is call
    assert RealPlaces("").told(call) is call


@pytest.mark.parametrize("path", ["a\0b", "~nobody/a", "x" * 5000, "loop/a"])
def test_no_path_raises(base: Path, path: str) -> None:
    (base / "tree/loop").symlink_to("loop")
    assert paths(base, "Write", {"file_path": path, "content": ""}) == [path]
