"""`leeboard contract` in real repositories. There are many cases, so all but the last run in this process."""

from __future__ import annotations

import io
import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from leeboard.contracts.block_text import new_block
from leeboard.contracts.table import read_task
from leeboard.contracts.workgraph import parse, tasks
from leeboard.surfaces.cli.main import run
from tests.git_repository import GitRepository
from tests.surfaces.cli.conftest import COMMAND, Desk, Ran
from tests.wg_stand_in import calls, put_wg

STORES = (".workgraph", ".wg", ".leeboard")
AGENT = {"CLAUDECODE": "1"}
Record = dict[str, Any]


class Quick(Desk):
    """A desk whose commands start no interpreter."""

    def execute(
        self, words: tuple[str, ...], stdin: bytes = b"", cwd: Path | None = None, env: dict[str, str] | None = None
    ) -> Ran:
        assert (words[: len(COMMAND)], stdin) == (COMMAND, b"")
        out, err = io.StringIO(), io.StringIO()
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            patch.setattr(os, "environ", self.env | (env or {}))
            patch.chdir(cwd or self.repo)
            code = run(list(words[len(COMMAND) :]))
        done = subprocess.CompletedProcess(words, code, out.getvalue().encode(), err.getvalue().encode())
        return Ran(done)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Quick(tmp_path)


def task(task_id: str, status: str = "in-progress", description: str = "", **others: object) -> Record:
    return {
        "kind": "task",
        "id": task_id,
        "title": f"Do {task_id}",
        "status": status,
        "description": description,
    } | others


def put(desk: Desk, *records: Record, store: str = ".workgraph") -> Path:
    folder = desk.repo / store
    folder.mkdir(exist_ok=True)
    (folder / "graph.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return folder


def record(folder: Path, task_id: str) -> Record:
    lines = map(json.loads, (folder / "graph.jsonl").read_text().splitlines())
    return next(found for found in lines if found["id"] == task_id)


def touch_of(folder: Path, task_id: str) -> tuple[str, ...]:
    found = next(one for one in tasks(parse((folder / "graph.jsonl").read_bytes())) if one.id == task_id)
    contract = read_task(found).contract
    assert contract is not None
    return contract.touch


def commit(desk: Desk) -> str:
    repository = GitRepository(desk.repo)
    repository.write("src/a.py", "x = 1\n")
    return repository.commit()


def files(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.relative_to(folder).as_posix(), path.read_bytes()


def refused(desk: Desk, code: int, *words: str, **how: Any) -> str:
    ran = desk.run("contract", *words, **how)
    assert (ran.code, ran.out) == (code, ""), ran.err
    assert ran.err.startswith("leeboard: ")
    assert "Traceback" not in ran.err
    return ran.err


def test_a_piece_of_work_begins_and_ends(desk: Desk) -> None:
    """SP-08 to SP-19: what each option writes."""
    base = commit(desk)
    words = ["start", "--goal", "Fix the login \u00e9", "--touch", "src/auth/**", "--touch", "tests/**", "--json"]
    words += ["--mode", "perf", "--non-goal", "No new API", "--acceptance", "make test", "--max-files", "5"]
    (begun,) = desk.ok("contract", *words, "--max-loc", "90").objects
    assert begun["task_id"] == "fix-the-login"
    assert (begun["source"], begun["problems"], begun["base_commit"]) == ("task", [], base)
    assert begun["contract"] == {
        "schema": 1,
        "mode": "perf",
        "objective": "Fix the login \u00e9",
        "non_goals": ["No new API"],
        "touch": ["src/auth/**", "tests/**"],
        "acceptance": ["make test"],
        "max_files": 5,
        "max_loc": 90,
        "pit_stop_after": 3,
        "auto_followups": True,
    }
    assert desk.ok("contract", "show", "--json").objects == [begun]
    assert GitRepository(desk.repo).run("status", "--porcelain") == "", "it stays out of git"
    assert "fix-the-login is in progress" in refused(desk, 2, "start", "--goal", "More")
    assert desk.ok("contract", "end", "--json").objects == [{"task_id": "fix-the-login", "status": "done"}]
    assert "no work is in progress here" in refused(desk, 2, "end")
    assert "fix-the-login is done already" in refused(desk, 2, "end", "--task", "fix-the-login")
    assert desk.ok("contract", "start", "--goal", "Fix the login", "--json").objects[0]["task_id"] == "fix-the-login-2"
    assert "ended fix-the-login-2" in desk.ok("contract", "end").out


def test_what_people_read(desk: Desk) -> None:
    base = commit(desk)
    out = desk.ok("contract", "start", "--goal", "Fix it", "--touch", "src/", "--acceptance", "make test").out
    lines = [line.split(None, 1) for line in out.splitlines()]
    assert ["task", "fix-it: Fix it"] in lines
    assert ["mode", "core"] in lines
    assert ["touch", "src/"] in lines
    assert ["since", base[:10]] in lines
    assert "make test" in out
    assert "25 files, 800 lines" in out
    assert "No fallbacks" in out
    assert desk.ok("contract", "show").out == out


def test_the_base_is_where_the_work_begins(desk: Desk) -> None:
    first = commit(desk)
    GitRepository(desk.repo).write("src/b.py", "y = 2\n")
    GitRepository(desk.repo).commit()
    assert "'nowhere' names no commit here" in refused(desk, 2, "start", "--goal", "x", "--base", "nowhere")
    assert not (desk.repo / ".leeboard").exists()
    (begun,) = desk.ok("contract", "start", "--goal", "x", "--base", "HEAD~1", "--json").objects
    assert begun["base_commit"] == first
    assert json.loads(desk.run("check", "--json").out)["telemetry"]["files_changed"] == 1


def test_before_the_first_commit(desk: Desk) -> None:
    (begun,) = desk.ok("contract", "start", "--goal", "x", "--touch", "docs/**", "--json").objects
    assert begun["base_commit"] == "4b825dc642cb6eb9a060e54bf8d69288fbee4904", "git's empty tree"
    GitRepository(desk.repo).write("src/a.py", "x = 1\n")
    GitRepository(desk.repo).commit(at="2099-01-01T00:00:00Z")
    assert "since      the beginning" in desk.ok("contract", "show").out
    report = json.loads(desk.run("check", "--json").out)
    assert [finding["kind"] for finding in report["findings"]] == ["scope_drift"]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("start",), 2, "Missing option '--goal'"),
        (("start", "--goal", " "), 2, "--goal is empty"),
        (("start", "--goal", "x", "--mode", "hardcore"), 2, "'hardcore' is not one of"),
        (("start", "--goal", "x", "--max-files", "-1"), 2, "--max-files"),
        (("start", "--goal", "x", "--touch", "../other/**"), 2, "leads out of the repository"),
        (("set-touch",), 2, "Missing argument 'GLOB...'"),
        (("set-touch", "src/**"), 2, "there is no task to set it for"),
        (("ensure",), 2, "there are no tasks here"),
        (("show", "--task", "x"), 2, "there is no task x"),
        (("end", "--task", "x"), 2, "there is no task x"),
    ],
)
def test_wrong_use_leaves_nothing_behind(desk: Desk, words: tuple[str, ...], code: int, said: str) -> None:
    assert said in refused(desk, code, *words)
    assert not (desk.repo / ".leeboard").exists()


def test_without_a_contract_it_says_so(desk: Desk) -> None:
    assert desk.ok("contract", "show").out == "no contract\n"
    empty: Record = {"task_id": None, "contract": None, "source": None, "problems": [], "base_commit": None}
    assert desk.ok("contract", "show", "--json").objects == [empty]
    put(desk, task("t"))
    assert desk.ok("contract", "show").out == "no contract: t has none\n"
    assert desk.ok("contract", "show", "--json").objects == [empty | {"task_id": "t"}]


def test_outside_a_repository(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    said = refused(desk, 5, "start", "--goal", "x", cwd=tmp_path / "plain")
    assert "not a git repository" in said
    assert list((tmp_path / "plain").iterdir()) == []


def test_two_graphs_in_one_project(desk: Desk) -> None:
    put(desk, task("t"), store=".wg")
    put(desk, task("t"))
    for words in (["show"], ["ensure"], ["set-touch", "x"], ["start", "--goal", "x"], ["end"]):
        assert "two workgraphs, .wg and .workgraph: set WG_DIR" in refused(desk, 2, *words)
    desk.ok("contract", "show", env={"WG_DIR": str(desk.repo / ".wg")})


@pytest.mark.parametrize("store", STORES)
def test_a_task_is_named_or_the_only_one_in_progress(desk: Desk, store: str) -> None:
    put(desk, task("one"), task("two"), task("three", "open"), task(".assign-one"), store=store)
    said = refused(desk, 5, "show")
    assert "2 tasks are in progress (one, two): say which with --task" in said
    assert refused(desk, 5, "set-touch", "src/**") == said
    assert refused(desk, 5, "end") == said
    assert "there is no task thre; did you mean three?" in refused(desk, 2, "show", "--task", "thre")
    assert desk.ok("contract", "show", "--task", "three", "--json").objects[0]["task_id"] == "three"


@pytest.mark.parametrize("store", STORES)
def test_touch_is_set_in_place(desk: Desk, store: str) -> None:
    """SP-33, SP-48: comments, unknown keys and all other lines stay."""
    written = new_block("Do t", touch=("src/**",), x_own="kept").replace("touch =", "# why\ntouch =")
    folder = put(
        desk, task("o", "open", odd=[1, None]), task("t", description=f"Before\n\n{written}\nafter"), store=store
    )
    other = (folder / "graph.jsonl").read_text().splitlines()[0]
    (told,) = desk.ok("contract", "set-touch", "src/**", "!src/gen/**", "my docs/", "--json").objects
    assert (told["task_id"], told["contract"]["touch"]) == ("t", ["src/**", "!src/gen/**", "my docs/"])
    assert told["contract"]["x_own"] == "kept"
    changed = record(folder, "t")
    assert changed["description"].startswith("Before\n\n```wg-contract\n")
    assert changed["description"].endswith("```\nafter")
    assert "# why\n" in changed["description"]
    assert [entry["message"] for entry in changed["log"]] == [
        "Speedrift: touch set to 'src/**' '!src/gen/**' 'my docs/'"
    ]
    assert (changed["status"], (folder / "graph.jsonl").read_text().splitlines()[0]) == ("in-progress", other)
    desk.ok("contract", "set-touch", "src/**", "!src/gen/**", "my docs/")
    assert len(record(folder, "t")["log"]) == 1, "nothing changed, nothing said"


def test_touch_of_a_task_without_a_contract_gives_it_one(desk: Desk) -> None:
    folder = put(desk, task("t", description="Words."))
    desk.ok("contract", "set-touch", "src/**", "--task", "t")
    assert touch_of(folder, "t") == ("src/**",)
    assert record(folder, "t")["description"].endswith("```\n\nWords.")


@pytest.mark.parametrize(
    ("description", "others", "globs", "code", "said"),
    [
        ("```wg-contract\nmode = \n```", {}, ["src/**"], 5, "correct it first (`leeboard contract show`)"),
        ("```wg-contract\nmode = 'core'", {}, ["src/**"], 5, "never closed"),
        ("", {}, ["/etc/**"], 2, "leads out of the repository"),
        ("", {}, [""], 2, "must be a list of texts"),
        ("", {"metadata": {"wg-contract": {"touch": ["a"]}}}, ["src/**"], 2, "is in its metadata"),
    ],
)
def test_touch_that_can_not_be_set_changes_nothing(
    desk: Desk, description: str, others: Record, globs: list[str], code: int, said: str
) -> None:
    folder = put(desk, task("t", description=description, **others))
    before = (folder / "graph.jsonl").read_bytes()
    assert said in refused(desk, code, "set-touch", *globs)
    assert (folder / "graph.jsonl").read_bytes() == before


def test_a_contract_that_can_not_be_read_is_shown_as_that(desk: Desk) -> None:
    put(desk, task("t", description="```wg-contract\nschema = 1\nmode = \n```"))
    (told,) = desk.ok("contract", "show", "--json").objects
    assert told["contract"].keys() == {"parse_error"}
    assert told["problems"][0]["line"] == 2
    assert "! line 2: not valid TOML" in desk.ok("contract", "show").out
    put(desk, task("t", description='```wg-contract\nmode = "hardn"\ntouch = ["src/**"]\n```'))
    (told,) = desk.ok("contract", "show", "--json").objects
    assert (told["contract"]["mode"], told["problems"][0]["key"]) == ("hardn", "mode")
    assert "did you mean 'harden'?" in desk.ok("contract", "show").out


def test_structured_data_goes_before_the_block(desk: Desk) -> None:
    """SP-49."""
    put(
        desk,
        task("t", metadata={"wg-contract": {"touch": ["lib/**"]}}),
        task("o", "open", metadata={"wg-contract": {}}),
    )
    assert desk.ok("contract", "show", "--json").objects[0]["contract"] == {"touch": ["lib/**"]}
    assert desk.ok("contract", "ensure", "--json").objects[0]["tasks"] == []


EVERY_STATUS = (
    *(
        task("open", "open", "Words."),
        task("going", "in-progress"),
        task("broken", "open", "```wg-contract\nmode =\n```"),
    ),
    *(task("has", "open", new_block("x")), task("done", "done"), task("failed", "failed"), task(".place-x", "open")),
    *(task("waiting", "waiting"), task("odd", "some-new-status"), task("looked-at", "pending-validation")),
)


@pytest.mark.parametrize("store", STORES)
def test_every_open_task_gets_a_contract(desk: Desk, store: str) -> None:
    folder = put(desk, *EVERY_STATUS, store=store)
    before = (folder / "graph.jsonl").read_bytes()
    (told,) = desk.ok("contract", "ensure", "--json").objects
    assert told == {"applied": False, "tasks": ["open", "going"]}
    assert desk.ok("contract", "ensure", "--only-open", "--json").objects[0]["tasks"] == ["open"]
    assert "would write open: Do open\nwould write going: Do going\n--apply" in desk.ok("contract", "ensure").out
    assert (folder / "graph.jsonl").read_bytes() == before
    assert desk.ok("contract", "ensure", "--apply", "--only-open").out == "wrote open: Do open\n"
    assert desk.ok("contract", "ensure", "--apply", "--json").objects == [{"applied": True, "tasks": ["going"]}]
    assert desk.ok("contract", "ensure", "--apply").out == "every task has a contract\n"
    assert record(folder, "open")["description"] == f"{new_block('Do open')}\n\nWords."
    lines, old = (folder / "graph.jsonl").read_bytes().splitlines(), before.splitlines()
    assert [number for number, line in enumerate(lines) if line != old[number]] == [0, 1]


def test_a_graph_with_a_bad_line_is_read_and_not_written(desk: Desk) -> None:
    folder = put(desk, task("t"))
    with (folder / "graph.jsonl").open("a") as file:
        file.write("{half\n")
    ran = desk.ok("contract", "ensure")
    assert "would write t" in ran.out
    assert "line 2: not valid JSON" in ran.err
    assert "line 2: not valid JSON" in desk.ok("contract", "show").err
    assert "nothing is written until that is put right" in refused(desk, 5, "ensure", "--apply")


def test_a_workgraphs_work_is_begun_and_ended_by_wg(desk: Desk) -> None:
    folder = put(desk, task("t"))
    assert "`wg add`, then `leeboard contract ensure --apply`" in refused(desk, 2, "start", "--goal", "x")
    assert "t belongs to a workgraph: use wg" in refused(desk, 2, "end")
    assert record(folder, "t")["status"] == "in-progress"


def test_only_the_graph_and_our_folder_change(desk: Desk) -> None:
    """SP-02, SP-03: the lock beside the graph is the one wg takes."""
    folder = put(desk, task("t"), task("o", "open"))
    for name, content in (("config.toml", "x"), ("agents/a.json", "{}"), ("messages/t.jsonl", "m\n")):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(content)
    commit(desk)
    before = dict(files(desk.repo))
    desk.ok("contract", "ensure", "--apply")
    desk.ok("contract", "set-touch", "docs/**")
    GitRepository(desk.repo).write("src/b.py", "y = 2\n")
    desk.run("check", "--write-log", "--create-followups")
    after = dict(files(desk.repo))
    changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    kept = {name for name in changed if not name.startswith((".git/", ".workgraph/.speedrift/"))}
    assert kept == {".workgraph/graph.jsonl", ".workgraph/graph.lock", "src/b.py"}
    assert record(folder, "t")["status"] == "in-progress"


@pytest.mark.parametrize("store", STORES)
def test_an_agent_may_widen_but_not_unseen(desk: Desk, store: str) -> None:
    """O-20."""
    commit(desk)
    folder = put(desk, task("t", description=new_block("Do t", touch=("docs/**",))), store=store)
    desk.ok("contract", "set-touch", "docs/**", "src/**", env=AGENT)
    line = "touch set to 'docs/**' 'src/**' by an agent"
    assert record(folder, "t")["log"][0]["message"] == f"Speedrift: {line}"
    GitRepository(desk.repo).write("src/b.py", "y = 2\n")
    ran = desk.ok("check", "--json")
    assert json.loads(ran.out)["telemetry"]["touch_changes"] == [f"Speedrift: {line}"]
    assert line in desk.ok("check").out


def test_an_agent_may_not_end_or_overrule(desk: Desk) -> None:
    commit(desk)
    (begun,) = desk.ok("contract", "start", "--goal", "Fix it", "--touch", "src/**", "--json", env=AGENT).objects
    assert touch_of(desk.repo / ".leeboard", "fix-it") == ("src/**",)
    assert json.loads(desk.run("check", "--json").out)["telemetry"]["touch_changes"] == [
        "Speedrift: touch set to 'src/**' by an agent"
    ]
    assert "only a person may run `leeboard contract end`" in refused(desk, 2, "end", env=AGENT)
    assert desk.ok("contract", "show", "--json").objects == [begun]
    desk.ok("contract", "end")
    (desk.repo / "leeboard.toml").write_text('[contract]\ntouch = ["src/**"]\n')
    assert "only a person may run `leeboard contract start`" in refused(desk, 2, "start", "--goal", "y", env=AGENT)
    assert desk.ok("contract", "show", "--json").objects[0]["source"] == "settings"
    desk.ok("contract", "start", "--goal", "y")


def test_through_the_program_where_it_is_on_the_path(desk: Desk) -> None:
    folder = put(desk, task("t", description=new_block("Do t")), store=".wg")
    program = put_wg(desk.home / "bin")
    path = {"PATH": f"{program}:{os.environ['PATH']}", "WG_AGENT_ID": "a"}
    ran = desk.ok("contract", "set-touch", "src/**", env=path)
    assert [call["words"][2] for call in calls(program)] == ["log", "edit"]
    assert (touch_of(folder, "t"), ran.err) == (("src/**",), "")
    put_wg(program, "fails")
    ran = desk.ok("contract", "set-touch", "docs/**", env=path)
    assert touch_of(folder, "t") == ("docs/**",)
    assert "wg edit did not do it (Error: IPC socket is gone): written to" in ran.err
    put_wg(program, "garbage")
    ran = desk.ok("contract", "ensure", "--apply", env=path)
    assert ran.err == ""


def test_alone_it_shows_what_it_can(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    assert desk.ok("contract").out == "no contract\n"
    assert "set-touch" in desk.ok("contract", "--help").out
    assert desk.run("contract", "shw").code == 2
    desk.ok("contract", "start", "--goal", "Fix it", "--touch", "src/**")
    assert desk.ok("contract", "show", "--json").objects[0]["contract"]["touch"] == ["src/**"]
