"""`leeboard check`, run as people and build servers run it: real git, real graphs, real processes."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest

from tests.git_repository import GitRepository
from tests.surfaces.cli.conftest import ROOT, Desk, Ran

CONTRACT = '```wg-contract\nmode = "core"\ntouch = ["src/**"]\nmax_files = 3\nmax_loc = 50\n```\n\nWords.'


class Site:
    """A repository with a workgraph and one task in progress."""

    def __init__(self, desk: Desk, description: str = CONTRACT, folder: str = ".workgraph", **fields: Any) -> None:
        self.desk = desk
        self.git = GitRepository(desk.repo)
        self.git.write("src/a.py", "a = 1\n")
        self.git.write("docs/a.md", "a\n")
        self.git.run("add", "-A")
        self.git.commit()
        self.folder = desk.repo / folder
        self.folder.mkdir()
        task = {"kind": "task", "id": "t1", "title": "The task", "status": "in-progress", "description": description}
        self.put(task | fields)

    def put(self, *records: dict[str, Any]) -> None:
        (self.folder / "graph.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records))

    def record(self, task_id: str) -> dict[str, Any]:
        lines = (self.folder / "graph.jsonl").read_text().splitlines()
        return next(record for record in map(json.loads, lines) if record["id"] == task_id)

    def check(self, *words: str, code: int = 3, **how: Any) -> dict[str, Any]:
        ran = self.desk.run("check", "--json", *words, **how)
        assert (ran.code, "Traceback" in ran.err) == (code, False), ran.err + ran.out
        (report,) = ran.objects
        return report


@pytest.fixture
def site(desk: Desk) -> Site:
    return Site(desk)


def kinds(report: dict[str, Any]) -> list[str]:
    return [found["kind"] for found in report["findings"]]


def test_green(site: Site) -> None:
    site.git.write("src/a.py", "a = 2\n")
    report = site.check(code=0)
    assert (report["score"], report["findings"], report["task_id"], report["git_root"]) == (
        "green",
        [],
        "t1",
        str(site.desk.repo),
    )
    assert report["contract"] == {"mode": "core", "touch": ["src/**"], "max_files": 3, "max_loc": 50}


def test_every_state_counts_and_a_commit_hides_nothing(site: Site) -> None:
    """SP-22: one file in each state, and then all of them committed."""
    site.check(code=0)
    site.git.write("docs/committed.md", "x\n")
    site.git.run("add", "docs")
    site.git.commit()
    site.git.write("docs/staged.md", "x\n")
    site.git.run("add", "docs")
    site.git.write("docs/a.md", "changed\n")
    site.git.write("docs/untracked.md", "x\n")
    report = site.check()
    outside = {"docs/a.md", "docs/committed.md", "docs/staged.md", "docs/untracked.md"}
    assert set(report["findings"][0]["details"]["out_of_scope"]) == outside
    assert report["telemetry"]["files_by_state"] == {"committed": 1, "staged": 1, "unstaged": 1, "untracked": 1}
    site.git.run("add", "-A", "docs")
    site.git.commit()
    again = site.check()
    assert set(again["findings"][0]["details"]["out_of_scope"]) == outside
    assert again["telemetry"]["commits_since_start"] == 2


def test_a_task_begins_where_its_start_says(desk: Desk) -> None:
    """Seen late, with commits since: the baseline is the commit that was current then."""
    site = Site(desk, started_at="2026-01-01T12:00:00Z")
    first = site.git.run("rev-parse", "HEAD")
    site.git.run(
        "commit", "-q", "--amend", "--no-edit", "--date=2026-01-01T00:00:00Z", GIT_COMMITTER_DATE="2026-01-01T00:00:00Z"
    )
    first = site.git.run("rev-parse", "HEAD")
    site.git.write("docs/late.md", "x\n")
    site.git.run("add", "docs")
    site.git.run("commit", "-qm", "late", GIT_COMMITTER_DATE="2026-01-02T00:00:00Z")
    report = site.check()
    assert report["telemetry"]["base_commit"] == first
    assert report["findings"][0]["details"]["out_of_scope"] == ["docs/late.md"]


def test_a_base_somebody_names(site: Site) -> None:
    first = site.git.run("rev-parse", "HEAD")
    site.git.write("docs/b.md", "x\n")
    site.git.run("add", "docs")
    site.git.commit()
    assert site.check("--base", "HEAD", code=0)["findings"] == []
    assert kinds(site.check("--base", first)) == ["scope_drift"]
    ran = site.desk.run("check", "--base", "no-such-thing")
    assert ran.code == 2
    assert "no-such-thing" in ran.err


def test_the_stores_of_tasks_are_invisible(site: Site) -> None:
    """SP-23."""
    site.git.run("add", "-f", ".workgraph")
    site.git.write(".workgraph/notes.md", "x\n" * 500)
    assert site.check(code=0)["telemetry"]["files_changed"] == 0


@pytest.mark.parametrize(
    ("description", "kind", "score"),
    [
        ("no block at all", "missing_contract", "yellow"),
        ("```wg-contract\nmode =\n```", "invalid_contract", "red"),
        ('```wg-contract\nmode = "CORE"\n```', "invalid_contract", "red"),
        ('```wg-contract\nmax_files = "x"\n```', "invalid_contract", "red"),
        ("```wg-contract\nschema = 99\n```", "invalid_contract", "red"),
    ],
)
def test_contracts_that_are_none(desk: Desk, description: str, kind: str, score: str) -> None:
    """SP-10, SP-11, SP-21."""
    report = Site(desk, description).check()
    assert (kinds(report), report["score"]) == ([kind], score)


def test_unparsable_is_told_as_such(desk: Desk) -> None:
    assert "not valid TOML" in Site(desk, "```wg-contract\nmode =\n```").check()["contract"]["parse_error"]


@pytest.mark.parametrize(("fail_on", "code"), [("yellow", 3), ("red", 0)])
def test_fail_on(site: Site, fail_on: str, code: int) -> None:
    """SP-06, O-11."""
    site.git.write("docs/a.md", "x\n")
    assert site.check("--fail-on", fail_on, code=code)["score"] == "yellow"


def test_red_fails_on_red(site: Site) -> None:
    for number in range(7):
        site.git.write(f"src/{number}.py", "x\n")
    report = site.check("--fail-on", "red")
    assert (kinds(report), report["score"]) == (["churn_files"], "red")


def test_nothing_is_blocked_or_changed(site: Site) -> None:
    """SP-02, SP-03, SP-06: after a run only graph.jsonl and .speedrift/ are others."""
    site.git.write("docs/a.md", "x\n")
    before, task = site.git.run("status", "--porcelain"), site.record("t1")
    site.check("--write-log", "--create-followups")
    assert site.git.run("status", "--porcelain") == before
    after = site.record("t1")
    assert {key for key in after if after[key] != task.get(key)} == {"log", "before", "last_interaction_at"}
    assert {path.name for path in site.folder.iterdir()} <= {"graph.jsonl", "graph.lock", ".speedrift"}


def test_without_the_words_nothing_is_written_onto_tasks(site: Site) -> None:
    """SP-38."""
    site.git.write("docs/a.md", "x\n")
    before = (site.folder / "graph.jsonl").read_bytes()
    site.check()
    assert (site.folder / "graph.jsonl").read_bytes() == before


def test_follow_ups_are_made_once_and_refreshed(site: Site) -> None:
    """SP-40, SP-41."""
    site.git.write("docs/a.md", "x\n")
    assert site.check("--create-followups")["actions"]["created"] == ["drift-scope-t1"]
    assert site.check("--create-followups")["actions"] == {
        "logged": None,
        "created": [],
        "refreshed": [],
        "held_back": [],
    }
    site.git.write("docs/b.md", "x\n")
    assert site.check("--create-followups")["actions"]["refreshed"] == ["drift-scope-t1"]
    assert "docs/b.md" in site.record("drift-scope-t1")["description"]


def test_the_log_has_one_line_for_each_change(site: Site) -> None:
    """SP-46."""
    site.git.write("docs/a.md", "x\n")
    for _ in range(3):
        site.check("--write-log")
    site.git.run("checkout", "-q", "--", "docs")
    site.check("--write-log", code=0)
    said = [entry["message"] for entry in site.record("t1")["log"]]
    assert said == [
        "Speedrift: yellow (scope_drift) | next: revert out-of-scope changes or expand touch globs",
        "Speedrift: OK (no findings)",
    ]


def test_a_pit_stop_after_the_third_counted_check(site: Site) -> None:
    """SP-18, SP-32, SP-43, SP-44: looks at an unchanged tree are one look."""
    made: list[list[str]] = []
    for number in (1, 1, 1, 2, 3):
        site.git.write("docs/a.md", f"{number}\n")
        made.append(site.check("--create-followups")["actions"]["created"])
    assert made == [["drift-scope-t1"], [], [], [], ["speedrift-pit-t1"]]
    task = site.record("speedrift-pit-t1")
    assert (task["title"], task["after"]) == ("pit-stop: The task", ["t1"])
    state = json.loads((site.folder / ".speedrift" / "state.json").read_text())["tasks"]["t1"]
    assert (state["streak"], state["pit_stop_created"]) == (3, True)
    assert site.record("t1")["status"] == "in-progress"


def test_off_course_for_twice_as_long_is_red(site: Site) -> None:
    for number in range(6):
        site.git.write("docs/a.md", f"{number}\n")
        report = site.check()
    assert (report["score"], kinds(report)) == ("red", ["scope_drift", "drift_persists"])


def test_staged_alone(site: Site) -> None:
    site.git.write("docs/a.md", "x\n")
    assert site.check("--staged", code=0)["findings"] == []
    site.git.run("add", "docs")
    site.git.write("docs/b.md", "x\n")
    assert site.check("--staged")["findings"][0]["details"]["out_of_scope"] == ["docs/a.md"]
    assert not (site.folder / ".speedrift").exists()


def test_acceptance_is_run_on_request_and_counts_for_its_tree(desk: Desk) -> None:
    """SP-05, SP-15."""
    site = Site(desk, '```wg-contract\ntouch = ["src/**"]\nacceptance = ["test ! -e src/bad"]\n```')
    site.git.write("src/a.py", "a = 2\n")
    told = site.check(code=0)
    assert [(one["kind"], one["severity"]) for one in told["findings"]] == [("acceptance_unmet", "info")]
    site.desk.trust()
    assert site.check("--run-acceptance", code=0)["findings"] == []
    assert site.check(code=0)["findings"] == [], "it is known for this tree"
    site.git.run("add", "-A", "src")
    site.git.commit()
    assert site.check(code=0)["findings"] == [], "a commit does not change the tree"
    site.git.write("src/bad", "x\n")
    assert site.check(code=0)["findings"][0]["severity"] == "info", "a pass on another tree does not count"
    assert site.check("--run-acceptance")["score"] == "red"


def test_sarif(site: Site) -> None:
    site.git.write("docs/a.md", "x\n")
    ran = site.desk.run("check", "--sarif")
    (run,) = json.loads(ran.out)["runs"]
    (result,) = run["results"]
    assert (ran.code, result["ruleId"], result["level"]) == (3, "file_scope", "warning")
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "docs/a.md"
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "file_scope"


def test_github(site: Site) -> None:
    site.git.write("docs/a.md", "x\n")
    ran = site.desk.run("check", "--github")
    assert ran.out.startswith("::warning file=docs/a.md,title=leeboard scope_drift LB-S008::docs/a.md is outside")


def test_junit(site: Site) -> None:
    site.git.write("docs/a.md", "x\n")
    suite = fromstring(site.desk.run("check", "--junit").out)
    failed = [case.get("name") for case in suite if case.find("failure") is not None]
    assert failed == ["scope_drift"]
    assert {"churn_files", "dependency_drift"} <= {case.get("name") for case in suite}


def test_for_people(site: Site) -> None:
    site.git.write("docs/a.md", "x\n")
    ran = site.desk.run("check", env={"NO_COLOR": "1"})
    assert ran.out.splitlines()[:3] == [
        "t1: The task",
        f"score: yellow   1 file, +1 -1 lines since {site.git.run('rev-parse', 'HEAD')[:10]}",
        "- [warn] scope_drift (file_scope LB-S008): docs/a.md is outside the contract, which lets the work touch src/**.",
    ]
    assert "> revert out-of-scope changes or expand touch globs" in ran.out


def wrong(ran: Ran, code: int, said: str) -> None:
    assert ran.code == code, ran.err + ran.out
    assert said in ran.err
    assert "Traceback" not in ran.err
    assert not ran.out


def test_several_tasks_in_progress(site: Site) -> None:
    task = site.record("t1")
    other = task | {"id": "t2", "description": '```wg-contract\ntouch = ["docs/**"]\n```'}
    site.put(task, other)
    wrong(site.desk.run("check"), 1, "2 tasks are in progress (t1, t2): say which with --task")
    site.git.write("docs/a.md", "x\n")
    site.git.write("lib/b.py", "x\n")
    report = site.check("--task", "t1")
    assert report["findings"][0]["details"] | {"fingerprints": []} == {
        "out_of_scope": ["lib/b.py"],
        "told": ["docs/a.md"],
        "fingerprints": [],
    }
    assert report["telemetry"]["shared_files"] == ["docs/a.md"]


def test_a_task_there_is_not(site: Site) -> None:
    wrong(site.desk.run("check", "--task", "t11"), 2, "there is no task t11; did you mean t1?")


def test_no_repository_is_an_error_and_never_green(desk: Desk, tmp_path: Path) -> None:
    bare = tmp_path / "nothing"
    bare.mkdir()
    ran = desk.run("check", cwd=bare)
    assert ran.code == 1
    assert "repository" in ran.err


def test_no_commit_yet(desk: Desk) -> None:
    (desk.repo / "leeboard.toml").write_text('[contract]\ntouch = ["src/**"]\n')
    (desk.repo / "a.py").write_text("x\n")
    report = desk.run("check", "--json").objects[0]
    assert report["findings"][0]["details"]["out_of_scope"] == ["a.py", "leeboard.toml"]


def test_a_broken_graph_is_said_and_the_check_goes_on(site: Site) -> None:
    path = site.folder / "graph.jsonl"
    path.write_bytes(path.read_bytes() + b"{half\n")
    site.git.write("docs/a.md", "x\n")
    ran = site.desk.run("check", "--json", "--write-log")
    assert ran.code == 3
    assert "line 2" in ran.err
    assert "not done, will be tried again" in ran.err


def test_a_corrupt_state_is_kept_aside_and_said(site: Site) -> None:
    folder = site.folder / ".speedrift"
    folder.mkdir()
    (folder / "state.json").write_text('{"tasks": {"t1": ')
    ran = site.desk.run("check", "--json")
    assert ran.code == 0
    assert "set aside" in ran.err
    assert len(list(folder.glob("state.json.corrupt-*"))) == 1


@pytest.mark.parametrize("words", [("--fail-on", "green"), ("--nonsense",), ("--timeout", "0")])
def test_wrong_use(site: Site, words: tuple[str, ...]) -> None:
    wrong(site.desk.run("check", *words), 2, "check --help")


def test_two_forms_at_once(site: Site) -> None:
    wrong(site.desk.run("check", "--junit", "--sarif"), 2, "--sarif and --junit are two forms of the same output")


def test_a_language_without_a_grammar(site: Site) -> None:
    """SP-04: scope and churn need no parser."""
    site.git.write("odd/x.zig", "x\n" * 60)
    assert kinds(site.check()) == ["scope_drift", "churn_loc"]


def test_work_that_began_before_the_first_commit(desk: Desk) -> None:
    git = GitRepository(desk.repo)
    desk.ok("contract", "start", "--goal", "Begin", "--touch", "src/**")
    git.write("docs/a.md", "x\n")
    git.run("add", "-A")
    git.commit()
    for _ in range(2):
        ran = desk.run("check", "--json")
        assert ran.code == 3, ran.err
        assert ran.objects[0]["findings"][0]["details"]["out_of_scope"] == ["docs/a.md"]


def test_what_others_landed_is_no_part_of_this_work(desk: Desk, tmp_path: Path) -> None:
    """By a merge, and by a rebase; a push to the work's own branch hides nothing."""
    site = Site(desk)
    elsewhere = GitRepository(tmp_path / "elsewhere")
    elsewhere.run("config", "receive.denyCurrentBranch", "ignore")
    site.git.run("branch", "-m", "main")
    site.git.run("remote", "add", "origin", elsewhere.root)
    site.git.run("push", "-q", "origin", "main")
    site.git.run("switch", "-q", "-c", "work")
    site.check(code=0)
    site.git.write("docs/own.md", "x\n")
    site.git.run("add", "docs")
    site.git.commit()
    elsewhere.run("reset", "-q", "--hard")
    elsewhere.write("lib/theirs.py", "x = 1\n")
    elsewhere.run("add", "-A")
    elsewhere.commit()
    site.git.run("fetch", "-q", "origin")
    for how in (("merge", "-q", "--no-edit", "origin/main"), ("rebase", "-q", "origin/main")):
        site.git.run(*how)
        assert site.check()["findings"][0]["details"]["out_of_scope"] == ["docs/own.md"]
    site.git.run("push", "-q", "origin", "work")
    assert site.check()["findings"][0]["details"]["out_of_scope"] == ["docs/own.md"]


def test_a_look_from_another_base_counts_for_nothing(site: Site) -> None:
    site.git.write("docs/a.md", "x\n")
    for _ in range(3):
        site.check()
        site.check("--base", "HEAD")
    assert site.check()["streak"] == 1


def test_without_any_contract_nothing_is_counted(desk: Desk) -> None:
    GitRepository(desk.repo).write("a", "x")
    for _ in range(7):
        assert desk.run("check", "--json").objects[0]["score"] == "yellow"


def test_settings_that_are_no_toml_are_no_missing_contract(desk: Desk) -> None:
    GitRepository(desk.repo).write("leeboard.toml", "[contract\ntouch = 3\n")
    report = desk.run("check", "--json").objects[0]
    assert (kinds(report), report["score"]) == (["invalid_contract"], "red")


def test_another_tasks_files_are_not_in_the_budget(site: Site) -> None:
    task = site.record("t1")
    site.put(task, task | {"id": "t2", "description": '```wg-contract\ntouch = ["docs/**"]\n```'})
    for number in range(9):
        site.git.write(f"docs/{number}.md", "x\n")
    assert kinds(site.check("--task", "t1", code=0)) == ["scope_drift"]


def test_the_shipped_commit_hook_shows_and_blocks_only_on_demand(site: Site) -> None:
    """O-11: the entry of the hook definition, run as it stands there."""
    text = (ROOT / ".pre-commit-hooks.yaml").read_text()
    entry = re.search(r"entry: >-\n((?:    .*\n)+)", text)
    assert entry is not None
    words = shlex.split(" ".join(entry[1].split()))
    program = site.desk.home / "bin" / "leeboard"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m leeboard "$@"\n')
    program.chmod(0o755)
    env = {"PATH": f"{program.parent}:{site.desk.env['PATH']}"}
    for number in range(7):
        site.git.write(f"src/{number}.py", "x\n")
    site.git.run("add", "src")
    codes = {args: site.desk.execute((*words, *args), env=env).code for args in ((), ("--fail-on=red",))}
    assert codes == {(): 0, ("--fail-on=red",): 3}


@pytest.mark.parametrize("how", ["--assume-unchanged", "--skip-worktree"])
def test_what_git_was_told_not_to_look_at_is_not_green(site: Site, how: str) -> None:
    site.git.run("update-index", how, "docs/a.md")
    site.git.write("docs/a.md", "changed\n")
    report = site.check()
    assert (kinds(report), report["findings"][0]["details"]["unseen"]) == (["not_analysed"], ["docs/a.md"])


def test_a_replaced_commit_hides_nothing(site: Site) -> None:
    site.check(code=0)
    base = site.git.run("rev-parse", "HEAD")
    site.git.write("docs/a.md", "changed\n")
    site.git.run("commit", "-qam", "w")
    site.git.run("replace", base, "HEAD")
    assert kinds(site.check()) == ["scope_drift"]


def test_a_folder_that_only_looks_like_a_linked_work_tree_is_looked_into(site: Site) -> None:
    site.git.write("lib/.git", "gitdir: ../.git\n")
    site.git.write("lib/new.py", "x = 1\n")
    assert site.desk.run("check", "--json").code != 0


def test_a_repository_that_looks_elsewhere_is_an_error(site: Site, tmp_path: Path) -> None:
    (tmp_path / "else").mkdir()
    site.git.run("config", "core.worktree", str(tmp_path / "else"))
    wrong(site.desk.run("check"), 1, "core.worktree")


def test_a_base_that_is_gone_is_an_error_of_its_own(site: Site) -> None:
    site.git.run("commit", "-q", "--allow-empty", "-m", "second")
    site.check(code=0)
    site.git.run("reset", "-q", "--hard", "HEAD~1")
    site.git.run("reflog", "expire", "--expire=now", "--all")
    site.git.run("gc", "-q", "--prune=now")
    wrong(site.desk.run("check"), 1, "is no longer here: name another with --base")


def test_a_secret_in_an_acceptance_command_is_not_kept(desk: Desk) -> None:
    secret = "ghp_" + "Ab3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
    site = Site(desk, f'```wg-contract\nacceptance = ["TOKEN={secret} false"]\n```')
    desk.trust()
    ran = site.desk.run("check", "--json", "--run-acceptance")
    assert ran.code == 3
    kept = "".join(path.read_text() for path in (site.folder / ".speedrift").iterdir() if path.is_file())
    assert secret not in kept
    assert secret not in json.dumps(ran.objects[0]["findings"])


def test_a_secret_in_a_line_that_another_rule_quotes_is_not_printed(site: Site) -> None:
    secret = "ghp_" + "Ab3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
    site.git.write(
        "src/b.py", f'import requests\n\n\ndef get(u):\n    return requests.get(u, auth="{secret}", timeout=5)\n'
    )
    ran = site.desk.run("check", "--json")
    assert {"hardening_in_core", "secret_found"} <= set(kinds(ran.objects[0]))
    assert secret not in ran.out
