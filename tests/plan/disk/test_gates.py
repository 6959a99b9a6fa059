from __future__ import annotations

import sys
from pathlib import Path

import pytest

from leeboard.errors import StateError
from leeboard.io.parents import GATE_MARK
from leeboard.model.studio import GateCommand
from leeboard.model.unit import GateRun
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.gates import keep_runs, known_runs, run_gates, time_limit
from tests.dead_process import wait_until_gone
from tests.git_repository import GitRepository


def gate(command: str, folder: str = "") -> GateCommand:
    return GateCommand(name=command, command=command, dir=folder)


def test_each_is_run_once_and_says_how_it_ended(repository: GitRepository) -> None:
    """SH-33: all run, whatever the first ones said."""
    commands = [gate("sh -c 'echo no; exit 3'"), gate("true"), gate("true"), gate("test -f a", "sub")]
    repository.write("sub/a", "")
    failed, passed, inside = run_gates(commands, repository.root, "x", git=True)
    assert (failed.passed, failed.code, failed.tail) == (False, 3, "no\n")
    assert (passed.passed, passed.code) == (True, 0)
    assert (inside.passed, inside.dir) == (True, "sub")


@pytest.mark.parametrize(
    ("command", "folder", "missing", "tail"),
    [
        ("nosuchtool", "", "nosuchtool", ""),
        ("sh -c nosuchtool", "", "nosuchtool", "not found"),
        ("./gone.sh", "", "", "not found"),
        ("true", "../..", "", "leads out"),
        ("true", "/", "", "leads out"),
        ("true", "gone", "", "is no folder"),
    ],
)
def test_what_can_not_run_is_no_failure_of_the_work(
    repository: GitRepository, command: str, folder: str, missing: str, tail: str
) -> None:
    """SH-58: a missing tool is said, and where a gate points nowhere it does not pass."""
    (run,) = run_gates([gate(command, folder)], repository.root, "x", git=True)
    assert not run.passed
    assert run.missing == missing
    assert tail in run.tail


@pytest.mark.parametrize(
    ("settings", "seconds"), [("gate_timeout: 0.2", 0.2), ("", 600.0), ("gate_timeout: no", 600.0)]
)
def test_the_project_says_how_long_a_gate_may_take(repository: GitRepository, settings: str, seconds: float) -> None:
    repository.write(".haiku/settings.yml", settings)
    assert time_limit(PlanFolder(repository.root)) == seconds


def test_what_a_gate_starts_is_an_agents_however_it_gets_away(repository: GitRepository) -> None:
    """A script that an agent changed decides nothing: in a session of its own and without its environment neither."""
    said = repository.path / "said"
    repository.write(
        "decide.py",
        f"import sys\nsys.path[:] = {sys.path!r}\nfrom leeboard.app.hook_origin import agent_above\n"
        f"open({str(said)!r}, 'w').write(agent_above() or 'nobody')\n",
    )
    away = f"( env -i setsid {sys.executable} -I -S decide.py & ); while [ ! -s said ]; do :; done"
    (run,) = run_gates([gate(away)], repository.root, "x", git=True)
    assert run.passed, run.tail
    assert said.read_text() == GATE_MARK


def test_a_gate_that_kills_its_warden_has_failed_and_leaves_nothing(repository: GitRepository) -> None:
    left = "env -i setsid sh -c 'echo $$ > left.new; mv left.new left; exec sleep 600' &"
    (run,) = run_gates([gate(f"{left} while [ ! -s left ]; do :; done; kill -9 $PPID")], repository.root, "x", git=True)
    assert not run.passed
    wait_until_gone(int((repository.path / "left").read_text()))


def test_a_gate_that_takes_longer_has_failed(repository: GitRepository) -> None:
    (run,) = run_gates([gate("sleep 1000")], repository.root, "x", git=True, seconds=0.2)
    assert (run.passed, run.code) == (False, None)
    assert "killed after 0.2 s" in run.tail


def test_a_result_belongs_to_its_tree(repository: GitRepository) -> None:
    folder, places = PlanFolder(repository.root), {"": repository.root}
    keep_runs(folder, "x", "build", run_gates([gate("true"), gate("false")], repository.root, "x", git=True))
    known = known_runs(folder, "x", "build", places, git=True)
    assert [run.passed for run in known] == [True, False]
    repository.write("app.py", "changed = 1\n")
    assert known_runs(folder, "x", "build", places, git=True) == ()
    repository.run("checkout", "-q", "app.py")
    assert known_runs(folder, "x", "build", places, git=True) == known


def test_what_a_run_leaves_behind_does_not_void_it(repository: GitRepository) -> None:
    """A file that git does not know may come; a tracked one that changed was not what was tested."""
    folder, places = PlanFolder(repository.root), {"": repository.root}
    keep_runs(folder, "x", "build", run_gates([gate("touch coverage.out")], repository.root, "x", git=True))
    assert len(known_runs(folder, "x", "build", places, git=True)) == 1
    keep_runs(folder, "x", "build", run_gates([gate("echo x >> app.py")], repository.root, "x", git=True))
    assert known_runs(folder, "x", "build", places, git=True) == ()


@pytest.mark.parametrize(
    "path", ["knowledge/WORDS.md", "stages/build/artifacts/plan.md", "stages/early/discovery/a.md"]
)
@pytest.mark.parametrize("git", [True, False])
def test_what_lies_in_the_intent_is_part_of_its_tree(repository: GitRepository, path: str, *, git: bool) -> None:
    """SH-34: a gate may look at it; what is committed of it counts as what is not, and what a run writes there is its own."""
    folder, places = PlanFolder(repository.root), {"": repository.root}
    place = f".haiku/intents/x/{path}"
    repository.write(place, "none yet\n")
    for word in ("wrong", "right"):
        keep_runs(folder, "x", "build", run_gates([gate(f"grep -q right {place}")], repository.root, "x", git=git))
        (run,) = known_runs(folder, "x", "build", places, git=git)
        assert not run.passed
        repository.write(place, f"{word}\n")
        assert known_runs(folder, "x", "build", places, git=git) == ()
    keep_runs(folder, "x", "build", run_gates([gate(f"echo right >> {place}")], repository.root, "x", git=git))
    repository.commit("as it is")
    assert len(known_runs(folder, "x", "build", places, git=git)) == 1


def test_a_folder_that_links_elsewhere_is_said(repository: GitRepository) -> None:
    repository.write("elsewhere/build/artifacts/a.md", "a\n")
    (repository.path / ".haiku/intents/x").mkdir(parents=True)
    (repository.path / ".haiku/intents/x/stages").symlink_to(repository.path / "elsewhere")
    with pytest.raises(StateError, match="symbolic link"):
        run_gates([gate("true")], repository.root, "x", git=True)


def test_units_have_their_own(repository: GitRepository, tmp_path: Path) -> None:
    repository.run("worktree", "add", "-q", str(tmp_path / "u"))
    folder = PlanFolder(repository.root)
    keep_runs(folder, "x", "build", run_gates([gate("true")], str(tmp_path / "u"), "x", git=True, unit="u"))
    assert known_runs(folder, "x", "build", {"": repository.root}, git=True) == ()
    places = {"": repository.root, "u": str(tmp_path / "u")}
    assert [run.unit for run in known_runs(folder, "x", "build", places, git=True)] == ["u"]


def test_the_file_does_not_grow(tmp_path: Path) -> None:
    folder = PlanFolder(str(tmp_path))
    for number in range(50):
        keep_runs(folder, "x", "build", [GateRun(name=name, command=name, tree=str(number)) for name in ("a", "b")])
    data = folder.read("intents/x/stages/build/gate-runs.json") or b""
    assert data.count(b'"tree"') == 8
    assert b'"tree": "49"' in data


@pytest.mark.parametrize("text", [b"", b"nonsense", b"[1]", b"[" * 100_000, b'{"runs": [{"name": 1}]}'])
def test_what_can_not_be_read_was_not_run(tmp_path: Path, text: bytes) -> None:
    folder = PlanFolder(str(tmp_path))
    folder.write("intents/x/stages/build/gate-runs.json", text)
    assert known_runs(folder, "x", "build", {"": str(tmp_path)}, git=False) == ()


def test_a_result_that_somebody_else_wrote_was_never_run(repository: GitRepository) -> None:
    """SH-34: neither a failure that was made a success, nor a run that never was; nor one without a signature."""
    folder, places = PlanFolder(repository.root), {"": repository.root}
    path = "intents/x/stages/build/gate-runs.json"
    keep_runs(folder, "x", "build", run_gates([gate("false")], repository.root, "x", git=True))
    kept = folder.read(path) or b""
    assert len(known_runs(folder, "x", "build", places, git=True)) == 1
    for forged in (kept.replace(b'"passed": false', b'"passed": true'), kept.replace(b'"mac"', b'"other"')):
        folder.write(path, forged)
        assert known_runs(folder, "x", "build", places, git=True) == ()
    folder.write(path.replace("build", "other"), kept)
    assert known_runs(folder, "x", "other", places, git=True) == ()
