"""A scripted agent over a real MCP client takes an intent from its first question to its end (SH-15, SH-17, SH-50)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
from mcp import ClientSession

from leeboard.surfaces.cli.main import COMMANDS
from tests.scripted_run import (
    ANSWERED,
    CREATE,
    MOST_ASKED,
    SERVER,
    SLUG,
    Person,
    ScriptedAgent,
    assert_ended,
    called,
    connected,
    environment,
    make_project,
)


class Whole:
    """The run as it goes when nobody is killed."""

    def __init__(self, folder: Path) -> None:
        self.repository = make_project(folder / "project")
        self.env = environment(folder / "state", gate_seconds="3")
        self.person = Person(self.repository.path, self.env)
        self.actions: list[dict[str, Any]] = []

    async def play(self) -> None:
        async with connected(SERVER, self.repository.path, self.env) as session:
            made = await called(session, "intent_create", CREATE)
            assert not made.is_error, made.json
            for _ in range(MOST_ASKED):
                action = await self._ask(session)
                self.actions.append(action)
                if action["action"] == "complete":
                    return
                await self._act(session, action)
        raise AssertionError([each["action"] for each in self.actions])

    async def _ask(self, session: ClientSession) -> dict[str, Any]:
        """At a gate the call waits: the person hears of it from its progress, and decides meanwhile (SH-46)."""
        decided: list[str] = []

        async def waiting(_done: float, _total: float | None, _words: str | None) -> None:
            if not decided:
                decided.append("")
                gate = {"action": "gate_review"}
                await anyio.to_thread.run_sync(self.person.answer, gate)

        answer = await called(session, "run_next", {}, progress_callback=waiting)
        assert not answer.is_error, answer.json
        return answer.json

    async def _act(self, session: ClientSession, action: dict[str, Any]) -> None:
        async def call(tool: str, **arguments: Any) -> dict[str, Any]:
            answer = await called(session, tool, arguments)
            assert not answer.is_error, (tool, arguments, answer.json)
            return answer.json

        await ScriptedAgent(self.repository.path, call).act(action)
        if action.get("waits") and action["action"] in ANSWERED - {"gate_review"}:
            await anyio.to_thread.run_sync(self.person.answer, action)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(COMMANDS, "flow", "A workflow that lives on disk.")
        whole = Whole(tmp_path_factory.mktemp("whole"))
        anyio.run(whole.play)
        return whole


def names(played: Whole) -> list[str]:
    return [action["action"] for action in played.actions]


def test_the_work_ends_and_leaves_nothing_behind(played: Whole) -> None:
    """SH-15, SH-17, SH-19, SH-50: person, client, server, files and git in one run; its history reads well."""
    assert names(played)[-2:] == ["intent_complete", "complete"]
    assert_ended(played.repository, played.person)


def test_everything_on_the_way_was_met(played: Whole) -> None:
    """SH-14, SH-28, SH-34, SH-35."""
    wanted = {"start_unit", "start_units", "resolve_merge_conflicts", "fix_quality_gates", "review", "review_fix"}
    wanted |= {"discovery_missing", "feedback_triage", "revisited", "elaboration_insufficient", "gate_review"}
    assert wanted <= {*names(played)} | {"gate_review"}
    assert "loop_halted" not in names(played)


def test_units_ran_in_three_waves_side_by_side_each_in_a_tree_of_its_own(played: Whole) -> None:
    """SH-29, SH-30, SH-31."""
    begun = [action for action in played.actions if action["action"] in {"start_unit", "start_units"}]
    told = [(each["wave"], each["total_waves"], sorted(each.get("units") or [each["unit"]])) for each in begun]
    assert told[1:4] == [
        (0, 3, ["unit-01-front", "unit-02-back"]),
        (1, 3, ["unit-03-nouns", "unit-04-verbs"]),
        (2, 3, ["unit-05-index"]),
    ]
    trees = begun[1]["worktrees"]
    assert len({*trees.values()}) == 2
    assert all(tree.endswith(f".haiku/worktrees/{SLUG}/{unit}") for unit, tree in trees.items())


def test_no_answer_tells_of_a_stage_that_has_not_begun(played: Whole) -> None:
    """SH-02, SH-03: one action each, and nothing of the map."""
    first = played.actions[: names(played).index("advance_stage")]
    assert "unit-01-front" not in str(first)
    assert all(isinstance(action["action"], str) for action in played.actions)


def test_only_questions_and_gates_waited_for_the_person(played: Whole) -> None:
    """SH-43."""
    waited = {action["action"] for action in played.actions if action.get("waits")}
    assert waited <= {*ANSWERED, "complete", "manual_change_assessment"}


def test_a_gate_waited_for_the_decision_and_answered_with_what_follows(played: Whole) -> None:
    """SH-38, SH-46: the calls at all gates but the revisited one came back with the next action."""
    assert len(played.person.decided) == 9
    assert names(played).count("gate_review") <= 1
