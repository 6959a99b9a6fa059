"""A pilot: an ordinary repository whose people have decided about its findings, and pull requests against it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from leeboard.surfaces.cli.main import run as run_command
from tests.git_repository import GitRepository
from tests.leak import live_key

SUM = "import hashlib\ndef stored(password):\n    return hashlib.md5(password).hexdigest()\n"
PING = 'import os\nfrom flask import request\ndef ping():\n    os.system("ping " + request.args["host"])\n'
ASK = 'from flask import request\ndef ask(db):\n    db.execute("select * from t where a = " + request.args["a"])\n'
OLD = "import hashlib\ndef legacy(password):\n    # leeboard: allow LB-B301 the old protocol asks for it\n"
OLD += "    return hashlib.md5(password).hexdigest()\n"
NEW = 'import os\nfrom flask import request\ndef trace():\n    os.system("traceroute " + request.args["host"])\n'
CONTRACT = '[contract]\ntouch = ["src/**"]\nacceptance = ["make test"]\n'

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))

    def runs(repo: GitRepository, *words: str) -> tuple[int, str]:
        monkeypatch.chdir(repo.path)
        code = run_command([*words])
        said = capfd.readouterr()
        assert "Traceback" not in said.err
        return code, said.out + said.err

    return runs


@pytest.fixture
def pilot(tmp_path: Path, run: Run) -> GitRepository:
    """On a branch for a pull request, of a project that accepted three findings and let a fourth stand by a comment."""
    repo = GitRepository(tmp_path / "repo")
    for name, text in (("sums", SUM), ("ping", PING), ("ask", ASK)):
        repo.write(f"src/{name}.py", text)
    repo.write("leeboard.toml", CONTRACT)
    code, said = run(repo, "scan", "--write-baseline")
    assert (code, "3 findings accepted in leeboard-baseline.json" in said) == (0, True)
    repo.write("src/old.py", OLD)
    repo.commit("start")
    repo.run("checkout", "-q", "-b", "work")
    return repo


def judged(run: Run, repo: GitRepository) -> tuple[int, int, int]:
    """What a build says of the branch: of all files, of what it brought in, and of its contract."""
    return (
        run(repo, "scan", "--trust")[0],
        run(repo, "scan", "--diff", "main", "--trust")[0],
        run(repo, "check", "--base", "main", "--fail-on", "red", "--trust")[0],
    )


def test_what_was_decided_is_green_wherever_it_moves(pilot: GitRepository, run: Run) -> None:
    assert judged(run, pilot) == (0, 0, 0)
    pilot.write("src/ask.py", f"import json\n\n\n{ASK}")
    pilot.run("mv", "src/ping.py", "src/pings.py")
    pilot.commit("moves")
    assert judged(run, pilot) == (0, 0, 0)
    _, said = run(pilot, "scan")
    assert "1 finding left out: let stand by a comment" in said
    assert "3 findings left out: in leeboard-baseline.json" in said
    code, said = run(pilot, "scan", "--all")
    assert code == 0, "what people have let stand is told, and fails nothing"
    assert "         let stand by a comment: the old protocol asks for it" in said
    assert said.count("         in leeboard-baseline.json\n") == 3
    assert "0 findings in" in said


def test_one_new_finding_is_red(pilot: GitRepository, run: Run) -> None:
    pilot.write("src/trace.py", NEW)
    pilot.commit("new")
    assert judged(run, pilot)[:2] == (1, 1)
    _, said = run(pilot, "scan", "--diff", "main", "--json")
    (found,) = (json.loads(line) for line in said.splitlines() if line.startswith("{"))
    assert (found["path"], found["line"]) == ("src/trace.py", 4)


def test_code_that_moved_to_another_file_is_not_new(pilot: GitRepository, run: Run) -> None:
    pilot.write("src/sums.py", "import hashlib\n")
    pilot.write("src/kept.py", f"import json\nLIMIT = 3\n{SUM}")
    pilot.commit("moved")
    assert run(pilot, "scan", "--diff", "main")[0] == 0


@pytest.mark.parametrize("way", ["baseline", "comment", "allowed", "rules"])
def test_a_change_that_lets_itself_pass_stays_red(pilot: GitRepository, run: Run, way: str) -> None:
    pilot.write("src/trace.py", NEW)
    if way == "baseline":
        assert run(pilot, "scan", "--write-baseline")[0] == 0
    elif way == "comment":
        pilot.write("src/trace.py", NEW.replace("    os.s", "    # leeboard: allow LB-B201 fine so\n    os.s"))
    elif way == "allowed":
        assert run(pilot, "allow", "injection", "--project", "--reason", "fine so")[0] == 0
        assert run(pilot, "allow", "contract_changed", "--project", "--reason", "fine so")[0] == 0
    else:
        off = "[rules.injection]\nenabled = false\n[rules.contract_changed]\nenabled = false\n"
        pilot.write("leeboard.toml", f"{CONTRACT}{off}")
    pilot.commit("new, and let pass")
    assert judged(run, pilot) == (0, 1, 3)
    _, said = run(pilot, "scan", "--diff", "main", "--trust")
    assert "src/trace.py" in said
    assert "contract_changed" in said
    assert run(pilot, "scan", "--diff", "main", "--trust", "--reviewed")[0] == 0
    assert run(pilot, "check", "--base", "main", "--trust", "--reviewed", "--fail-on", "red")[0] == 0


@pytest.mark.parametrize(
    ("old", "new"), [('"src/**"', '"**"'), ('"make test"', '"true"'), (CONTRACT, 'profile = "advise"\n')]
)
def test_a_change_that_rewrites_its_contract_is_red(pilot: GitRepository, run: Run, old: str, new: str) -> None:
    pilot.write("leeboard.toml", CONTRACT.replace(old, new))
    pilot.commit("widened")
    code, said = run(pilot, "check", "--base", "main", "--fail-on", "red")
    assert (code, "score: red" in said) == (3, True)


RECIPE = "jobs:\n  guard:\n    steps:\n      - uses: OWNER/leeboard@v1\n        with:\n          scan-fail-on: queue\n"


@pytest.mark.parametrize("now", [RECIPE.replace("queue", "never"), RECIPE.partition("      -")[0], ""])
def test_a_change_of_how_the_build_runs_it_is_red(pilot: GitRepository, run: Run, now: str) -> None:
    pilot.run("checkout", "-q", "main")
    pilot.write(".github/workflows/ci.yml", RECIPE)
    pilot.commit("a build")
    pilot.run("checkout", "-q", "-B", "work")
    pilot.write(".github/workflows/ci.yml", f"{RECIPE}      - run: make test\n")
    pilot.commit("more")
    assert judged(run, pilot) == (0, 0, 0)
    pilot.write(".github/workflows/ci.yml", now)
    if not now:
        pilot.remove(".github/workflows/ci.yml")
    pilot.commit("otherwise")
    assert judged(run, pilot) == (0, 1, 3)
    assert "How leeboard runs in .github/workflows/ci.yml" in run(pilot, "scan", "--diff", "main")[1]


CI = ".github/workflows/ci.yml"


def on_a_branch(repo: GitRepository, path: str, text: str) -> None:
    """The file is there on main, and the work has begun."""
    repo.run("checkout", "-q", "main")
    repo.write(path, text)
    repo.commit("a build")
    repo.run("checkout", "-q", "-B", "work")


@pytest.mark.parametrize("to", [f"{CI}.off", "ci.yml", ".github/ci.yml", "docs/ci.yml"])
def test_a_build_file_that_is_renamed_away_is_red(pilot: GitRepository, run: Run, to: str) -> None:
    on_a_branch(pilot, CI, RECIPE)
    (pilot.path / to).parent.mkdir(exist_ok=True)
    pilot.run("mv", CI, to)
    assert run(pilot, "scan", "--staged")[0] == 1
    pilot.commit("away")
    assert judged(run, pilot) == (0, 1, 3)
    assert f"How leeboard runs in {CI} was taken out" in run(pilot, "scan", "--diff", "main")[1]


def test_one_with_another_name_of_its_kind_runs_as_before(pilot: GitRepository, run: Run) -> None:
    on_a_branch(pilot, CI, RECIPE)
    pilot.run("mv", CI, ".github/workflows/guard.yaml")
    pilot.commit("another name")
    assert judged(run, pilot) == (0, 0, 0)


@pytest.mark.parametrize("to", ["/dev/null", "../../build.yml"])
def test_a_build_file_that_becomes_a_link_is_red(pilot: GitRepository, run: Run, to: str) -> None:
    on_a_branch(pilot, CI, RECIPE)
    pilot.write("build.yml", RECIPE)
    pilot.remove(CI)
    (pilot.path / CI).symlink_to(to)
    pilot.commit("a link")
    assert judged(run, pilot) == (0, 1, 3)


@pytest.mark.parametrize(
    ("path", "before", "after", "is_red"),
    [
        (CI, RECIPE, RECIPE.replace("    steps", "    needs: never\n    steps"), True),
        (CI, RECIPE, RECIPE.replace("jobs:", "jobs:\n  docs:\n    steps:\n      - run: make docs"), False),
        (".githooks/pre-commit", "leeboard scan --staged\n", "exit 0\nleeboard scan --staged\n", True),
        ("Makefile", "guard:\n\tleeboard scan --staged\n", "guard:\n\ttrue\n", True),
        ("Makefile", "guard:\n\tleeboard scan --staged\n", "guard:\n\tleeboard scan --staged\nx:\n\ttrue\n", False),
        ("package.json", '{"scripts": {"guard": "leeboard check"}}', '{"scripts": {"guard": "true"}}', True),
        ("package.json", '{"scripts": {"guard": "leeboard check"}}', None, True),
    ],
)
def test_what_takes_a_step_of_ours_out_is_red_wherever_it_stands(
    pilot: GitRepository, run: Run, path: str, before: str, after: str | None, *, is_red: bool
) -> None:
    on_a_branch(pilot, path, before)
    if after is None:
        pilot.remove(path)
    else:
        pilot.write(path, after)
    pilot.commit("otherwise")
    assert judged(run, pilot) == ((0, 1, 3) if is_red else (0, 0, 0))


def test_a_rule_of_the_project_that_is_taken_out_is_red(pilot: GitRepository, run: Run) -> None:
    pilot.run("checkout", "-q", "main")
    pilot.write(".leeboard/rules/own.yml", "rules:\n  - id: no-print\n    message: no\n    match: print\n")
    pilot.commit("a rule")
    pilot.run("checkout", "-q", "-B", "work")
    pilot.remove(".leeboard/rules/own.yml")
    pilot.commit("without it")
    assert run(pilot, "check", "--base", "main", "--fail-on", "red")[0] == 3


def test_what_is_not_so_decides_nothing_and_is_named(pilot: GitRepository, run: Run) -> None:
    pilot.write("src/old.py", OLD.replace(" the old protocol asks for it", ""))
    pilot.write("src/ask.py", "x = 1\n")
    code, said = run(pilot, "scan")
    assert code == 1
    assert "src/old.py:3: this comment has no effect: it gives no reason" in said
    assert "1 entry of leeboard-baseline.json no longer matches anything: src/ask.py: LB-B201" in said
    pilot.write("leeboard-baseline.json", "{")
    assert run(pilot, "scan")[0] == 2


def test_who_looks_at_a_part_can_not_tell_what_became_of_a_file(pilot: GitRepository, run: Run) -> None:
    pilot.run("mv", "src/ping.py", "src/pings.py")
    assert "no longer match" not in run(pilot, "scan", "src/sums.py")[1]
    assert "no longer match" not in run(pilot, "scan", ".")[1]
    pilot.remove("src/pings.py")
    assert "no longer match" not in run(pilot, "scan", "src/sums.py")[1]
    assert "1 entry of leeboard-baseline.json no longer matches anything: src/ping.py" in run(pilot, "scan", ".")[1]


def test_a_comment_says_nothing_of_a_file_as_a_whole(pilot: GitRepository, run: Run) -> None:
    pilot.write(".env", f"# leeboard: allow LB-B101 of a sandbox\nSTRIPE_API_KEY={live_key(4)}\n")
    code, said = run(pilot, "scan", ".env")
    assert code == 1
    assert (
        ".env:1: this comment has no effect: credential LB-B101 is told of the file as a whole, which no comment in it lets stand"
        in said
    )


def test_the_baseline_is_the_same_on_every_machine_and_holds_no_secret(
    pilot: GitRepository, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pilot.write("src/keys.py", f'STRIPE_API_KEY = "{live_key(4)}"\n')
    assert run(pilot, "scan")[0] == 1
    run(pilot, "scan", "--write-baseline")
    assert live_key(4) not in (pilot.path / "leeboard-baseline.json").read_text()
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "another machine"))
    assert run(pilot, "scan")[0] == 0
    pilot.write("src/keys.py", f'STRIPE_API_KEY = "{live_key(5)}"\n')
    assert run(pilot, "scan")[0] == 1


def test_sarif_tells_what_was_decided(pilot: GitRepository, run: Run) -> None:
    pilot.write("src/ask.py", "x = 1\n")
    pilot.write(
        "src/trace.py",
        NEW.replace('os.system("traceroute " + request', "h = request").replace("])", "]\n    os.system(h)"),
    )
    _, said = run(pilot, "scan", "--sarif")
    (log,) = json.loads(said.splitlines()[0])["runs"]
    told = {one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]: one for one in log["results"]}
    states = {name: one["baselineState"] for name, one in told.items()}
    assert states == {
        "src/ask.py": "absent",
        "src/old.py": "new",
        "src/ping.py": "unchanged",
        "src/sums.py": "unchanged",
        "src/trace.py": "new",
    }
    (kept,) = told["src/old.py"]["suppressions"]
    assert kept == {"kind": "inSource", "justification": "the old protocol asks for it"}
    assert [taxon["id"] for taxon in told["src/trace.py"]["taxa"]] == ["78"]
    (flow,) = told["src/trace.py"]["codeFlows"]
    lines = [one["location"]["physicalLocation"]["region"]["startLine"] for one in flow["threadFlows"][0]["locations"]]
    assert lines == [4, 5]
    assert all(rule["help"]["markdown"] for rule in log["tool"]["driver"]["rules"])


def test_settings_that_nobody_can_read_are_told(pilot: GitRepository, run: Run) -> None:
    pilot.write("leeboard.toml", "[rules\n")
    code, said = run(pilot, "scan")
    assert (code, "leeboard.toml: not valid TOML" in said) == (0, True)


def test_code_with_a_comment_may_be_split_into_files(pilot: GitRepository, run: Run) -> None:
    pilot.remove("src/old.py")
    pilot.write("src/kept.py", f"import json\n\n\ndef more():\n    return json\n\n\n{OLD}")
    pilot.commit("split")
    assert judged(run, pilot) == (0, 0, 0)
