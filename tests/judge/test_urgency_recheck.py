from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

from leeboard.app.replay import RecordedFiles
from leeboard.judge.urgency import still_stands, whole_file
from leeboard.model.event import ToolFinished, TurnEnded
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, Session
from leeboard.model.touch import Diffs
from leeboard.model.verdict import Evidence, Finding, Signal
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis, World
from leeboard.rule import LoadedRule, Rule, read_rule

SIGNAL = Signal(subclass="B3", rework_cost=1, self_correct_prob=0.5)
WORLD = World(
    session=Session(id="s"),
    agent=AgentState(),
    analysis=Analysis(event=TurnEnded(session="s")),
    policy=Policy(),
    workspace=Workspace("/repo"),
)


def finding(path: str = "a.py", log_only: str = "") -> Finding:
    signal = Signal(subclass="B3", rework_cost=1, self_correct_prob=0.5, log_only=log_only)
    return Finding(rule="weak", subject=f"{path}:md5", evidence=(Evidence("x"),), path=path, signal=signal)


def detect(_event: ToolFinished, _world: World, diffs: Diffs) -> Iterator[Finding]:
    for diff in diffs:
        if "md5" in diff.after:
            yield finding(diff.path, "the user wants it" if "wanted" in diff.after else "")


def rule(**more: object) -> LoadedRule:
    module = ModuleType("leeboard.rules.weak")
    module.__dict__.update(
        detect=detect, RULE=Rule(summary="x", channel="signal", subclass="B3"), FIRES=(), SILENT=(), **more
    )
    return read_rule(module)


def stands(texts: dict[str, str] | None, found: Finding | None = None, loaded: LoadedRule | None = None) -> bool:
    files = RecordedFiles(Workspace("/repo").spell, texts)
    return still_stands(found or finding(), WORLD, loaded or rule(), lambda name: files if name == "Files" else None)


def test_the_rule_runs_again_over_the_file_as_it_is_now() -> None:
    assert stands({"a.py": "\n\n\nmd5(x)"})
    assert not stands({"a.py": "sha256(x)"})
    assert not stands({"b.py": "md5(x)"}), "the file is gone"


def test_a_file_nobody_knows_leaves_it_standing() -> None:
    assert stands(None)


def test_what_the_user_has_ordered_since_does_not_stand() -> None:
    assert not stands({"a.py": "md5(x)  # wanted"})


def test_a_rule_may_answer_itself() -> None:
    def holds(found: Finding, _world: World) -> bool:
        return found.subject == "a.py:md5"

    assert stands({}, loaded=rule(holds=holds))
    assert not stands({"b.py": "md5"}, finding("b.py"), rule(holds=holds))


def test_without_a_place_it_stands_and_without_its_rule_it_does_not() -> None:
    assert stands({}, finding(""))
    assert not still_stands(finding(), WORLD, None, lambda _: None)


def test_a_whole_file_counts_as_written() -> None:
    assert whole_file("a.py", "x\ny\n").added == ((1, 2),)
    assert whole_file("a.py", "").added == ()
