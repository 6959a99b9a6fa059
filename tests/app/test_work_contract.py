from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from leeboard.app.work_contract import (
    active_contracts,
    allowances,
    directed,
    find_contract,
    held_for_agent,
    inferred,
    with_store,
)
from leeboard.contracts.block_text import new_block
from leeboard.contracts.disk.workgraph import Workgraph
from leeboard.errors import ConfigError, EffectError
from leeboard.io import places
from leeboard.model.contract import Allowance, Contract, Held
from leeboard.model.outcome import Outcome
from leeboard.model.session import Goal, Session
from leeboard.model.text import matches
from leeboard.model.verdict import Action, Verdict
from leeboard.store.sqlite import open_store
from tests.trusting import in_trust, trust_all

ROOT = Path(__file__).resolve().parents[2]
GIVEN = Held(root="", contract=Contract(objective="given", touch=("given/**",), source="settings"))


@pytest.fixture(autouse=True)
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    in_trust(monkeypatch)
    for name in ("STATE", "CONFIG"):
        monkeypatch.setenv(f"LEEBOARD_{name}_DIR", str(tmp_path / name.lower()))
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    return tmp_path / "repo"


def task(
    task_id: str, *touch: str, status: str = "in-progress", mode: str = "core", bare: bool = False
) -> dict[str, Any]:
    description = "" if bare else new_block(task_id, touch=touch).replace('"core"', f'"{mode}"')
    return {"kind": "task", "id": task_id, "title": f"Do {task_id}", "status": status, "description": description}


def put(repo: Path, *records: dict[str, Any]) -> None:
    (repo / ".wg").mkdir(exist_ok=True)
    (repo / ".wg" / "graph.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records))


def settings(repo: Path, text: str = '[contract]\ntouch = ["set/**"]\n') -> None:
    (repo / "leeboard.toml").write_text(text)


def touch(repo: Path, task_id: str = "") -> tuple[str, ...] | None:
    held = find_contract(str(repo), {}, task_id).held
    return held.contract.touch if held else None


def test_the_order_in_which_a_contract_is_found(repo: Path) -> None:
    root = str(repo)
    assert find_contract(root, {}).held is None
    settings(repo)
    found = find_contract(root, {}).held
    assert found is not None
    assert (found.contract.touch, found.contract.source, found.root) == (("set/**",), "settings", root)
    put(repo, task("a", "a/**", status="open"), task("b", "b/**"), task(".place-b", "x/**"))
    assert touch(repo) == ("b/**",)
    assert touch(repo, "a") == ("a/**",)
    work_contract = find_contract(root, {}, "a")
    assert work_contract.held is not None
    assert (work_contract.name, work_contract.held.contract.task, work_contract.held.active) == ("a", "a", False)
    assert [one.id for one in work_contract.others] == ["b"]


def test_a_task_without_a_contract_has_that_of_the_settings(repo: Path) -> None:
    put(repo, task("a", bare=True))
    assert find_contract(str(repo), {}).held is None
    settings(repo)
    assert touch(repo) == touch(repo, "a") == ("set/**",)
    assert find_contract(str(repo), {}).name == "a"


def test_which_task_is_meant_has_to_be_known(repo: Path) -> None:
    with pytest.raises(ConfigError, match=r"there is no task a: .*contract start"):
        find_contract(str(repo), {}, "a")
    put(repo, task("login"), task("logout"), *(task(f"t{number}") for number in range(6)))
    with pytest.raises(EffectError, match=r"8 tasks are in progress \(login, logout, t0, t1, t2, t3\): say which"):
        find_contract(str(repo), {})
    with pytest.raises(ConfigError, match=r"there is no task logn; did you mean login\?"):
        find_contract(str(repo), {}, "logn")
    with pytest.raises(ConfigError, match=r"there is no task zzz$"):
        find_contract(str(repo), {}, "zzz")


def test_what_is_wrong_is_noted(repo: Path) -> None:
    put(repo, task("a"))
    with (repo / ".wg" / "graph.jsonl").open("a") as file:
        file.write("[]\n")
    assert "line 2: not an object" in find_contract(str(repo), {}).notes[0]
    settings(repo, "idle_minuts = 5\n")
    assert len(find_contract(str(repo), {}).notes) == 1, "the settings are not asked where the task has a contract"
    put(repo)
    assert "leeboard.toml" in find_contract(str(repo), {}).notes[0]


def test_where_drift_is_remembered(repo: Path) -> None:
    assert find_contract(str(repo), {}).folder.path.startswith(places.state_dir())
    assert find_contract(str(repo), {}).name == "contract"
    put(repo, task("a"))
    assert find_contract(str(repo), {}).folder.path == str(repo / ".wg" / ".speedrift")


def test_each_task_in_progress_has_its_promise(repo: Path) -> None:
    assert [work_contract.name for work_contract in active_contracts(str(repo), {})] == ["contract"]
    put(repo, task("a"), task("b", status="open"), task("c", status="pending-eval"), task(".x"))
    assert [work_contract.name for work_contract in active_contracts(str(repo), {})] == ["a", "c"]


def test_what_holds_for_an_agent(repo: Path) -> None:
    root = str(repo)
    assert held_for_agent(root, {}, GIVEN) is GIVEN
    put(repo, task("a", "a/**", status="done"))
    assert held_for_agent(root, {}, GIVEN) is GIVEN
    put(repo, task("a", "a/**"))
    found = held_for_agent(root, {}, GIVEN)
    assert found is not None
    assert (found.contract.touch, found.contract.task) == (("a/**",), "a")
    put(repo, task("a", bare=True))
    assert held_for_agent(root, {}, GIVEN) is GIVEN
    assert held_for_agent(root, {}, None) is None


@pytest.mark.parametrize(
    ("others", "inside", "outside"),
    [
        ([task("b", "b/**")], ["a/x", "b/x"], ["c/x"]),
        ([task("b", "b/**", "!b/gen/**")], ["a/x", "b/x"], ["b/gen/x"]),
        ([task("b", "**", "!a/**")], ["a/x", "c/x"], []),
        ([task("b", "**", "!a/**"), task("c", "a/**", "!a/x")], ["a/x", "c"], []),
        ([task("b", bare=True)], ["a/x", "given/x"], ["c/x"]),
    ],
)
def test_of_several_tasks_any_may_be_meant(
    repo: Path, others: list[dict[str, Any]], inside: list[str], outside: list[str]
) -> None:
    put(repo, task("a", "a/**"), *others)
    found = held_for_agent(str(repo), {}, GIVEN)
    assert found is not None
    assert [path for path in (*inside, *outside) if matches(path, found.contract.touch)] == inside
    assert found.contract.objective.startswith("one of the tasks a")
    assert found.contract.max_files is None


@pytest.mark.parametrize("other", [task("b"), task("b", "b/**", mode="explore"), task("b", bare=True)])
def test_where_one_task_may_touch_anything_nothing_is_out_of_bounds(repo: Path, other: dict[str, Any]) -> None:
    put(repo, task("a", "a/**"), other)
    assert held_for_agent(str(repo), {}, None) is None


def test_tasks_are_read_again_when_they_change(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[str] = []
    read = Workgraph.all

    def counted(tasks: Workgraph) -> Any:
        reads.append(tasks.folder)
        return read(tasks)

    monkeypatch.setattr(Workgraph, "all", counted)
    put(repo, task("a", "a/**"))
    for _ in range(3):
        held_for_agent(str(repo), {}, None)
    assert len(reads) == 1
    put(repo, task("a", "longer/**"))
    found = held_for_agent(str(repo), {}, None)
    assert (found.contract.touch if found else None, len(reads)) == (("longer/**",), 2)


def test_asking_the_store_leaves_no_trace(repo: Path) -> None:
    assert inferred(str(repo)) is None
    assert allowances(str(repo), 0.0) == ()
    assert directed(str(repo), 0.0) == ()
    assert with_store(lambda _: "asked", "nothing") == "nothing"
    assert not Path(places.state_dir()).exists()


def test_what_the_store_says(repo: Path) -> None:
    places.make_private_dir(places.state_dir())
    store = open_store(places.database())
    allowance = Allowance(id="a1", rule="file_scope", reason="asked for", by="kim")
    store.allow(allowance, str(repo))
    goals = (Goal(text="fix the login", exchange=1, scope=("src/auth/",)), Goal(text="and", exchange=2, scope=("db/",)))
    contract = Contract(objective="fix the login", scope=("src/auth/",))
    session = Session(id="s", root=str(repo), updated=100.0, goals=goals, contract=contract)
    verdict = Verdict(id="v1", session="s", agent="", turn=0, action=Action.ALLOW, event="PromptGiven")
    with store.transaction("s") as transaction:
        transaction.commit(Outcome(session=session, verdict=verdict))
    store.close()
    assert allowances(str(repo), 1.0) == (allowance,)
    assert with_store(lambda _: "asked", "nothing") == "asked"
    assert directed(str(repo), 100.0) == ("src/auth/", "db/")
    assert directed(str(repo), 101.0) == ()
    held = find_contract(str(repo), {}).held
    assert held is not None
    assert (held.contract.objective, held.contract.is_explicit) == ("fix the login", False)
    put(repo, task("a", bare=True))
    assert find_contract(str(repo), {}).held is None, "a task's contract is missing, whatever a session was asked"


def test_a_hook_starts_no_process_for_it(repo: Path) -> None:
    """It is asked at every hook where there are tasks."""
    put(repo, task("a", "a/**"))
    trust_all(repo)
    code = (
        "import sys\nfrom leeboard.app.work_contract import held_for_agent\n"
        f"assert held_for_agent({str(repo)!r}, {{'PATH': '/bin'}}, None)\n"
        "print([name for name in ('subprocess', 'tomlkit', 'difflib', 'pathlib', 'leeboard.contracts.disk.wg_program',"
        " 'leeboard.contracts.block_text') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
