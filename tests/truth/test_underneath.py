from __future__ import annotations

import pytest
from msgspec.structs import replace

from leeboard.model.event import TextEdit, ToolCall, ToolFinished, ToolProposed
from leeboard.model.policy import Policy, Profile
from leeboard.model.verdict import Finding
from leeboard.model.world import World
from leeboard.shell.effects import shell_effects
from leeboard.truth.learn import learned
from leeboard.truth.state import state_of
from leeboard.truth.underneath import found_landed, found_proposed, found_swept
from tests.known_world import BEGAN, KEY, ROOT, HeldDisk, HeldKnowledge, read_done, world_of

TEXT = "one\ntwo\nthree\n"
THEIRS = "one\nTWO\nthree\n"


def known_file(**parts: object) -> HeldKnowledge:
    knowledge = HeldKnowledge(HeldDisk({"a.py": (TEXT, BEGAN - 9)}))
    (known,) = learned(world_of(read_done("a.py", TEXT)), knowledge)
    knowledge.keep((replace(known, **parts),))
    return knowledge


def call(*edits: TextEdit) -> ToolCall:
    return ToolCall(id="e", tool="Edit", action="edit", paths=("a.py",), edits=edits or (TextEdit("three", "3"),))


def proposed(knowledge: HeldKnowledge, made: ToolCall | None = None, profile: Profile = "advise") -> list[Finding]:
    event = ToolProposed(session="s", call=made or call(), time=BEGAN + 60, cwd=ROOT)
    world = replace(world_of(event), policy=Policy(profile=profile))
    return list(found_proposed(event, world, knowledge))


def landed(knowledge: HeldKnowledge, before: str, began: float, action: str = "edit") -> list[Finding]:
    made = replace(call(), action=action)
    event = ToolFinished(session="s", call=made, outcome="done", before=before, time=BEGAN + 60, cwd=ROOT)
    world: World = replace(world_of(event), began=began)
    return list(found_landed(event, world, knowledge))


def test_a_change_by_somebody_else() -> None:
    knowledge = known_file()
    assert proposed(knowledge) == []
    knowledge.disk.files["a.py"] = (THEIRS, BEGAN + 30)
    (finding,) = proposed(knowledge)
    assert finding.path == "a.py"
    assert finding.subject == f"a.py@{state_of(THEIRS, KEY).digest}"
    assert finding.message.splitlines() == [
        "a.py was changed since you last read it: 1 line new, 1 gone.",
        "By whom: unknown: a person or another program.",
        "- 1 line gone behind line 1",
        "+ 2: TWO",
    ]


@pytest.mark.parametrize(("profile", "count"), [("advise", 0), ("observe", 0), ("enforce", 1)])
def test_what_was_told_is_only_refused_again(profile: Profile, count: int) -> None:
    knowledge = known_file(told=state_of(THEIRS, KEY).digest)
    knowledge.disk.files["a.py"] = (THEIRS, BEGAN + 30)
    assert len(proposed(knowledge, profile=profile)) == count


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (TextEdit("three", "3"), False),
        (TextEdit('"two"', "2"), True),
        (TextEdit("'two'", "2"), True),
        (TextEdit('one\n"two"\n', "2"), True),
    ],
    ids=["elsewhere", "what was reformatted", "what is no longer there", "over several lines"],
)
def test_a_formatter_is_named_to_who_edits_what_it_changed(edit: TextEdit, *, said: bool) -> None:
    knowledge = HeldKnowledge(HeldDisk({"a.py": ("one\n'two'\nthree\n", BEGAN - 9)}))
    (known,) = learned(world_of(read_done("a.py", "one\n'two'\nthree\n")), knowledge)
    knowledge.keep((replace(known, wrote=True),))
    knowledge.disk.files["a.py"] = ('one\n"two"\nthree\n', BEGAN + 2)
    found = proposed(knowledge, call(edit))
    assert [finding.delta for finding in found] == [0] * said


@pytest.mark.parametrize("profile", ["advise", "enforce"])
def test_what_a_linter_may_have_done_is_said_once_and_never_refused(profile: Profile) -> None:
    knowledge = known_file(wrote=True)
    knowledge.disk.files["a.py"] = (THEIRS, BEGAN + 3)
    (finding,) = proposed(knowledge, profile=profile)
    assert finding.delta == 0
    assert "seconds after your own edit: a formatter, a linter or a person: 1 line new, 1 gone." in finding.message
    assert "+ 2: TWO" in finding.message
    told = known_file(wrote=True, told=state_of(THEIRS, KEY).digest)
    told.disk.files["a.py"] = (THEIRS, BEGAN + 3)
    assert proposed(told, profile=profile) == []


def test_who_writes_over_what_was_reformatted_is_told() -> None:
    knowledge = known_file(wrote=True)
    knowledge.disk.files["a.py"] = ("one\n\ntwo\nthree\n", BEGAN + 3)
    assert proposed(knowledge) == []
    (finding,) = proposed(knowledge, replace(call(TextEdit("", "x\n")), tool="Write", action="write"))
    assert finding.delta == 0


def test_what_moves_all_the_time_is_told_to_who_edits_it_alone() -> None:
    knowledge = HeldKnowledge(HeldDisk({"a.log": (TEXT, BEGAN - 9)}))
    knowledge.keep(learned(world_of(read_done("a.log", TEXT)), knowledge))
    knowledge.disk.files["a.log"] = (THEIRS, BEGAN + 30)
    assert len(proposed(knowledge, replace(call(), paths=("a.log",)))) == 1
    assert proposed(knowledge, ToolCall(id="b", tool="Bash", action="bash", command="rm a.log")) == []


def test_its_own_git_command_is_a_note() -> None:
    (finding,) = proposed(known_file(was="another"))
    assert finding.delta == 0
    assert "your own git command" in finding.message
    told = known_file(was="another", told=state_of(TEXT, KEY).digest)
    assert proposed(told) == []


def test_deleting_what_is_gone_is_nothing() -> None:
    knowledge = known_file()
    knowledge.disk.files.clear()
    assert proposed(knowledge, ToolCall(id="b", tool="Bash", action="bash", command="rm -f a.py")) == []
    (finding,) = proposed(knowledge)
    assert "it is gone" in finding.message


@pytest.mark.parametrize(
    ("before", "began", "action", "words"),
    [
        (THEIRS, BEGAN + 50, "edit", "your edit landed beside it"),
        (THEIRS, BEGAN + 50, "write", "your Write went over it"),
        (TEXT, BEGAN + 50, "edit", ""),
        (THEIRS, BEGAN - 50, "edit", ""),
        (THEIRS, 0.0, "edit", ""),
    ],
    ids=["beside", "over", "nothing changed", "known since it was proposed", "nobody knows when"],
)
def test_what_came_in_while_the_call_was_on_its_way(before: str, began: float, action: str, words: str) -> None:
    found = landed(known_file(), before, began, action)
    assert [words in finding.message for finding in found] == [True] * bool(words)


def test_what_was_told_when_it_was_proposed_is_not_told_when_it_lands() -> None:
    assert landed(known_file(told=state_of(THEIRS, KEY).digest), THEIRS, BEGAN + 50) == []


def swept(knowledge: HeldKnowledge, line: str, profile: Profile = "advise") -> list[Finding]:
    made = ToolCall(id="e", tool="Bash", action="bash", command=line)
    event = ToolProposed(session="s", call=made, time=BEGAN + 60, cwd=ROOT)
    world = replace(world_of(event), policy=Policy(profile=profile))
    return list(found_swept(event, world, knowledge, shell_effects(line, ROOT)))


@pytest.mark.parametrize(
    ("line", "refused"),
    [
        ("git checkout .", True),
        ("git stash", True),
        ("rm -f *.py", True),
        ("rm -f *.md; rm -r . *.py", True),
        ("git rm -f '*.py'", True),
        ("rm -rf .", False),
        ("rm -f $X*.py", False),
        ("git clean -f", False),
    ],
)
def test_what_somebody_else_would_lose_by_a_line(line: str, *, refused: bool) -> None:
    knowledge = known_file()
    assert swept(knowledge, line) == []
    knowledge.disk.files["a.py"] = (THEIRS, BEGAN + 30)
    (finding,) = swept(knowledge, line)
    assert "throw that away: 1 line new, 1 gone" in finding.message
    assert bool(finding.delta) is refused


@pytest.mark.parametrize(("profile", "count"), [("advise", 0), ("enforce", 1)])
def test_a_loss_that_was_told_is_only_refused_again(profile: Profile, count: int) -> None:
    knowledge = known_file(told=state_of(THEIRS, KEY).digest)
    knowledge.disk.files["a.py"] = (THEIRS, BEGAN + 30)
    assert len(swept(knowledge, "git reset --hard", profile)) == count
    assert len(swept(knowledge, "rm -f *.py", profile)) == count
    assert swept(knowledge, "rm -rf .", profile) == []


def test_what_is_committed_is_not_lost() -> None:
    knowledge = known_file()
    knowledge.disk.files["a.py"] = (THEIRS, BEGAN + 30)
    knowledge.disk.commits["a.py"] = "abc1234"
    assert swept(knowledge, "git checkout .") == []
    assert [bool(finding.delta) for finding in swept(knowledge, "rm -f *.py")] == [False]
