"""Files that a person changes while calls of an agent are on their way, or never come back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hooked_agent import HookedAgent, run, save
from tests.test_hook_files_changed import APP, THEIRS, UNKNOWN, agent, person, repo, world

__all__ = ["agent", "repo", "world"]


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Edit", {"file_path": "app.py", "old_string": "return 1", "new_string": "return 3"}),
        ("Write", {"file_path": "app.py", "content": "x = 1\n"}),
        ("Bash", {"command": "sed -i s/1/3/ app.py"}),
        ("Bash", {"command": "sh fix.sh"}),
    ],
)
def test_who_rejects_a_call_and_does_it_themselves_is_named(
    agent: HookedAgent, repo: Path, tool: str, given: dict[str, str]
) -> None:
    """Nobody can tell from the files whether a call ran that never came back: it is said as unknown."""
    agent.read("app.py")
    if "file_path" in given:
        given = given | {"file_path": str(repo / "app.py")}
    agent.hook("PreToolUse", **agent.call(tool, given))
    person(repo)
    words = agent.prompt("no, I have done it myself")
    assert "app.py: 1 line new, 1 gone; by whom: unknown: " in words
    assert agent.prompt("go on") == ""


def test_what_a_refused_line_names_is_not_its_doing(repo: Path) -> None:
    agent = HookedAgent(repo, profile="enforce")
    agent.prompt("fix limit() in app.py")
    person(repo, APP, "b.py")
    agent.read("app.py")
    agent.read("b.py")
    person(repo)
    line = agent.call("Bash", {"command": "sed -i s/1/3/ app.py && sh fix.sh"})
    assert agent.hook("PreToolUse", **line).denied
    person(repo, THEIRS, "b.py")
    assert agent.propose_edit("b.py", "'app'", "'shop'")[0].denied


def test_a_change_between_two_edits_of_one_message_is_named(agent: HookedAgent, repo: Path) -> None:
    agent.read("app.py")
    _, first = agent.propose_edit("app.py", "'app'", "'shop'")
    _, second = agent.propose_edit("app.py", "import os", "import sys")
    assert agent.land_edit(first).words == ""
    person(repo, (repo / "app.py").read_text(encoding="utf-8").replace("return 1", "return 2"))
    assert "return 2" in agent.land_edit(second).words


def test_a_change_before_two_edits_of_one_message_land_is_named(agent: HookedAgent, repo: Path) -> None:
    agent.read("app.py")
    _, first = agent.propose_edit("app.py", "'app'", "'shop'")
    _, second = agent.propose_edit("app.py", "import os", "import sys")
    person(repo)
    words = agent.land_edit(first).words + agent.land_edit(second).words
    assert words.count("+ 5:     return 2") == 1


def test_what_was_named_when_it_landed_is_not_named_again(agent: HookedAgent, repo: Path) -> None:
    agent.read("app.py")
    _, call = agent.propose_edit("app.py", "'app'", "'shop'")
    person(repo)
    assert "return 2" in agent.land_edit(call).words
    agent.end_turn()
    assert agent.edit("app.py", "'shop'", "'store'").words == ""
    assert agent.prompt("go on") == ""


@pytest.mark.parametrize("tool", ["Read", "Bash"])
def test_a_change_while_it_is_read_is_named(agent: HookedAgent, repo: Path, tool: str) -> None:
    """What the agent was shown is no longer there when the call comes back."""
    given = {"file_path": str(repo / "app.py")} if tool == "Read" else {"command": "cat app.py"}
    call = agent.call(tool, given)
    agent.hook("PreToolUse", **call)
    save(repo / "app.py", THEIRS)
    file = {"filePath": str(repo / "app.py"), "content": APP, "startLine": 1, "totalLines": 10}
    shown = {"type": "text", "file": file} if tool == "Read" else {"stdout": APP, "stderr": ""}
    agent.hook("PostToolUse", **call, tool_response=shown)
    agent.end_turn()
    assert "return 2" in agent.edit("app.py", "'app'", "'shop'").words


@pytest.mark.parametrize("line", ["ls", "cat other.py", "git status"])
def test_a_change_while_it_only_looks_is_named(agent: HookedAgent, repo: Path, line: str) -> None:
    agent.read("app.py")
    call = agent.call("Bash", {"command": line})
    agent.hook("PreToolUse", **call)
    person(repo)
    agent.hook("PostToolUse", **call, tool_response={"stdout": "", "stderr": ""})
    agent.end_turn()
    assert f"app.py: 1 line new, 1 gone; by whom: {UNKNOWN}" in agent.prompt("go on")


@pytest.mark.parametrize("how", ["edit", "sed", "script"])
def test_a_helper_that_writes_beside_a_change_does_not_bury_it(agent: HookedAgent, repo: Path, how: str) -> None:
    """The helper never read the file; what a person did to it before is news to the main agent."""
    helper = HookedAgent(repo, agent="helper")
    (repo.parent / "fix.sh").write_text("sed -i s/app/shop/ app.py\n", encoding="utf-8")
    agent.read("app.py")
    person(repo)
    if how == "edit":
        helper.edit("app.py", "'app'", "'shop'")
    else:
        helper.bash("sed -i s/app/shop/ app.py" if how == "sed" else f"sh {repo.parent}/fix.sh")
    assert "app.py: 2 lines new, 2 gone; by whom: unknown" in agent.prompt("go on")


def test_a_helper_that_lands_beside_a_change_does_not_bury_it(agent: HookedAgent, repo: Path) -> None:
    helper = HookedAgent(repo, agent="helper")
    agent.read("app.py")
    _, call = helper.propose_edit("app.py", "'app'", "'shop'")
    person(repo)
    helper.land_edit(call)
    assert "app.py: 2 lines new, 2 gone; by whom: unknown" in agent.prompt("go on")


def test_what_a_prompt_only_counted_is_named_before_it_is_written(agent: HookedAgent, repo: Path) -> None:
    for number in range(10):
        person(repo, APP, f"mod{number}.py")
        agent.read(f"mod{number}.py")
    for number in range(10):
        person(repo, THEIRS, f"mod{number}.py")
    words = agent.prompt("I changed a few things")
    assert "and 2 more" in words
    left = [f"mod{number}.py" for number in range(10) if f"mod{number}.py" not in words]
    assert len(left) == 2
    assert agent.prompt("go on") == ""
    for name in left:
        assert "return 2" in agent.edit(name, "'app'", "'shop'").words


def test_what_a_notice_had_no_room_for_is_named_later(agent: HookedAgent, repo: Path) -> None:
    names = [f"mod{number}.py" for number in range(7)]
    for name in names:
        person(repo, APP, name)
        agent.read(name)
        person(repo, THEIRS + "".join(f"# {'word ' * 20}{line}\n" for line in range(40)), name)
    run(repo, "git add -A")
    words = agent.hook("PreToolUse", **agent.call("Bash", {"command": "git checkout ."})).words
    named = [name for name in names if f"{name} was changed" in words]
    assert 1 < len(named) < len(names)
    agent.end_turn()
    for name in names:
        again = agent.edit(name, "'app'", "'shop'").words
        assert ("changed_underneath" in again) == (name not in named)


def test_reading_another_part_does_not_make_up_for_what_a_prompt_named(repo: Path) -> None:
    agent = HookedAgent(repo, profile="enforce")
    agent.prompt("fix limit() in app.py")
    agent.read("app.py")
    person(repo)
    assert "app.py" in agent.prompt("go on")
    agent.read("app.py", 7, 9)
    assert agent.edit("app.py", "'app'", "'shop'").denied


def test_what_came_seconds_after_its_own_edit_is_named_before_all_is_taken_back(agent: HookedAgent, repo: Path) -> None:
    agent.read("app.py")
    agent.edit("app.py", "return 1", "return 3")
    person(repo, (repo / "app.py").read_text(encoding="utf-8") + "more = 1\n")
    words = agent.bash("git checkout .").words
    assert "app.py" in words
    assert "a formatter, a linter or a person" in words


def test_parallel_lines_are_its_own(agent: HookedAgent, repo: Path) -> None:
    """The second is proposed while the first has changed a file already."""
    (repo.parent / "fix.sh").write_text("sed -i s/app/shop/ app.py\n", encoding="utf-8")
    agent.read("app.py")
    first = agent.call("Bash", {"command": f"sh {repo.parent}/fix.sh"})
    second = agent.call("Bash", {"command": "make all"})
    agent.hook("PreToolUse", **first)
    run(repo, f"sh {repo.parent}/fix.sh")
    agent.hook("PreToolUse", **second)
    for call in (first, second):
        agent.hook("PostToolUse", **call, tool_response={"stdout": "", "stderr": ""})
    agent.end_turn()
    assert agent.prompt("go on") == ""


@pytest.mark.parametrize("event", [("PostCompact", {"trigger": "auto"}), ("SessionStart", {"source": "compact"})])
def test_what_was_named_before_a_compaction_is_named_once_more(
    agent: HookedAgent, repo: Path, event: tuple[str, dict[str, str]]
) -> None:
    for name in ("b.py", "c.py"):
        person(repo, APP, name)
        agent.read(name)
        person(repo, THEIRS, name)
    assert "\nb.py: " in agent.prompt("go on")
    agent.read("c.py")
    agent.hook(event[0], **event[1])
    words = agent.prompt("go on")
    assert "\nb.py: " in words
    assert "\nc.py: " not in words, "it was read again"
    assert agent.prompt("go on") == ""


@pytest.mark.parametrize("edits", [True, False])
def test_what_is_named_once_more_has_the_same_author(agent: HookedAgent, repo: Path, *, edits: bool) -> None:
    agent.read("app.py")
    if edits:
        agent.edit("app.py", "'app'", "'shop'")
    agent.hook("PreToolUse", **agent.call("Bash", {"command": "sh fix.sh"}))
    person(repo)
    first = agent.prompt("stop")
    assert "your own call that has not come back" in first
    agent.end_turn()
    agent.hook("PostCompact", trigger="auto")
    again = agent.prompt("go on")
    assert again.partition("by whom: ")[2] == first.partition("by whom: ")[2]


def test_a_line_that_fails_does_not_make_an_agent_forget_that_a_file_is_gone(agent: HookedAgent, repo: Path) -> None:
    agent.bash("git rm -q app.py && git commit -qm gone")
    agent.bash("git checkout -q -- app.py")
    save(repo / "app.py", THEIRS)
    assert "app.py was changed since you last wrote it: it is there again" in agent.write("app.py", APP).words
