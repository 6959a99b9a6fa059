"""What a repository brings acts only once its user trusted it: through real clones, hooks and commands."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.git_repository import ENVIRONMENT, GitRepository
from tests.hook_process import HookProcess, hook_payload
from tests.plan_tree import ALONE, FORM, INTENT, SLUG, STAGE, STAGE_PAGE, UNIT
from tests.warm_command import run_command

ROOT = Path(__file__).resolve().parents[1]
TOP = f".haiku/intents/{SLUG}"
PAGE = f"{TOP}/stages/{STAGE}/units/{FORM}.md"
LOOSE = 'profile = "observe"\n\n[rules.credential]\nenabled = false\n'
SECRET = "ghp_" + "Ab3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"


class Clone:
    """Somebody else's repository, cloned by a person who has hooks on."""

    def __init__(self, folder: Path) -> None:
        self.theirs = GitRepository(folder / "theirs")
        self.theirs.write("src/login.py", "one\n")
        self.theirs.commit("begin")
        self.process = HookProcess(folder=str(folder / "machine"))
        self.marker = folder / "it-ran"
        self.folder = folder
        self.calls = 0

    def plan(self, gate: str = "") -> None:
        """Active, with one unit at work and a gate that leaves a mark."""
        state = {"stage": STAGE, "status": "active", "phase": "execute", "started_at": "2026-01-01T00:00:00Z"}
        self.theirs.write(f"{TOP}/intent.md", INTENT)
        self.theirs.write(f"{TOP}/stages/{STAGE}/state.json", json.dumps(state))
        self.theirs.write(PAGE, UNIT.format(title="The form", gate=gate or f"touch {self.marker}", hat="builder"))
        self.theirs.write(".haiku/studios/shop/STUDIO.md", "---\nname: Shop\nstages: [build]\n---\n")
        self.theirs.write(".haiku/studios/shop/stages/build/STAGE.md", STAGE_PAGE)
        self.theirs.commit("a plan")

    def take(self) -> GitRepository:
        self.theirs.run("clone", "--quiet", self.theirs.root, str(self.folder / "mine"))
        return self.mine

    @property
    def mine(self) -> GitRepository:
        return GitRepository(self.folder / "mine")

    def hook(self, name: str, session: str = "s", **fields: Any) -> dict[str, Any]:
        payload = hook_payload(name, **{"cwd": self.mine.root, "session_id": session, **fields})
        done = self.process.run(payload, ALONE)
        assert (done.returncode, done.stderr) == (0, b"")
        answer = json.loads(done.stdout) if done.stdout else {}
        assert isinstance(answer, dict)
        return answer

    def call(self, name: str, tool: str, given: dict[str, object], session: str = "s") -> dict[str, Any]:
        return self.hook(name, session, tool_name=tool, tool_input=given, tool_use_id=f"t{self.calls}")

    def session(self, session: str = "s") -> list[dict[str, Any]]:
        """An ordinary one: it begins, is asked for something, writes a file, starts an agent, and stops."""
        self.calls += 1
        heard = [self.hook("SessionStart", session, source="startup")]
        heard.append(self.hook("UserPromptSubmit", session, prompt="Fix src/login.py."))
        given: dict[str, object] = {"file_path": str(self.mine.path / "src/login.py"), "content": f"{self.calls}\n"}
        heard.append(self.call("PreToolUse", "Write", given, session))
        self.mine.write("src/login.py", f"{self.calls}\n")
        heard.append(self.call("PostToolUse", "Write", given, session))
        heard.append(self.call("PreToolUse", "Task", {"prompt": f"do {FORM}", "subagent_type": "general"}, session))
        heard.append(self.hook("Stop", session, stop_hook_active=False, last_assistant_message="done"))
        return heard

    def run(self, *words: str, cwd: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
        """A command of the person, who sits in a terminal."""
        own = self.process.environment({**ALONE, "PYTHONPATH": str(ROOT)}) | ENVIRONMENT | env
        done = run_command(words, cwd or self.mine.path, own)
        return subprocess.CompletedProcess(words, done.returncode, done.stdout.decode(), done.stderr.decode())

    def trust(self) -> None:
        done = self.run("trust", "--yes")
        assert done.returncode == 0, done.stderr + done.stdout

    def asleep(self) -> list[str]:
        """The places that nobody trusted."""
        done = self.run("trust", "show", "--json")
        found = [json.loads(line) for line in done.stdout.splitlines()]
        assert done.returncode == int(any(not one["trusted"] for one in found))
        return [one["place"] for one in found if not one["trusted"]]

    def record(self) -> Path:
        (found,) = Path(self.process.state_dir, "trust").glob("*.json")
        return found


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path)


def words_of(heard: list[dict[str, Any]]) -> str:
    return json.dumps([{key: value for key, value in one.items() if key != "systemMessage"} for one in heard])


def test_a_plan_that_came_with_a_clone_runs_nothing_and_is_told_to_nobody(clone: Clone) -> None:
    clone.plan()
    clone.take()
    heard = clone.session()
    assert not clone.marker.exists()
    for word in (SLUG, FORM, "Log in with a link", "The form", "haiku"):
        assert word not in words_of(heard), word
    clone.trust()
    heard = clone.session("later")
    assert clone.marker.exists(), "the very same plan acts once it is trusted"
    assert "Log in with a link" in words_of(heard)


def test_what_a_fresh_clone_says_it_says_in_one_line_once(clone: Clone) -> None:
    clone.plan()
    clone.theirs.write("leeboard.toml", LOOSE)
    clone.theirs.commit("settings")
    clone.take()
    first, second = clone.hook("SessionStart", "a", source="startup"), clone.hook("SessionStart", "b", source="startup")
    assert set(first) == {"systemMessage"}, "the person hears it, and not the agent"
    assert "`leeboard trust`" in first["systemMessage"]
    assert "\n" not in first["systemMessage"]
    assert second == {}
    clone.mine.write("leeboard.toml", f"{LOOSE}\n[rules.injection]\nenabled = false\n")
    assert "systemMessage" in clone.hook("SessionStart", "c", source="startup"), "another state is said again, once"


@pytest.mark.parametrize("name", ["leeboard.toml", "pyproject.toml"])
def test_settings_of_a_clone_loosen_nothing(clone: Clone, name: str) -> None:
    lines = LOOSE if name == "leeboard.toml" else "[tool.leeboard]\n" + LOOSE.replace("[rules", "[tool.leeboard.rules")
    clone.theirs.write(name, lines)
    clone.theirs.write("app.py", f'TOKEN = "{SECRET}"\n')
    clone.theirs.commit("settings")
    clone.take()
    given: dict[str, object] = {"file_path": str(clone.mine.path / "a.py"), "content": f'KEY = "{SECRET}"\n'}
    answer = clone.call("PreToolUse", "Write", given)
    assert answer["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert clone.run("scan", "app.py").returncode == 1
    assert clone.run("scan", "app.py", "--trust").returncode == 0
    status = clone.run("status").stdout
    assert name in status
    assert "asleep" in status
    assert "asleep" in clone.run("doctor").stdout
    clone.trust()
    assert clone.call("PreToolUse", "Write", given, "later") == {}
    assert clone.run("untrust").returncode == 0
    assert clone.asleep() == [name]


def test_a_clone_with_our_settings_behaves_as_one_without(clone: Clone, tmp_path: Path) -> None:
    other = Clone(tmp_path / "other")
    clone.plan()
    clone.theirs.write("leeboard.toml", f'{LOOSE}\n[goal]\nscope = ["**"]\nconstraints = ["say hello"]\n')
    clone.theirs.write(
        ".wg/graph.jsonl", json.dumps({"kind": "task", "id": "t", "title": "T", "status": "in-progress"})
    )
    clone.theirs.commit("all of it")
    for each in (clone, other):
        each.take()
    with_them, without = words_of(clone.session()), words_of(other.session())
    assert with_them.replace(str(clone.folder), "") == without.replace(str(other.folder), "")


def test_a_repository_may_tighten_without_being_asked(clone: Clone) -> None:
    clone.theirs.write("leeboard.toml", 'profile = "enforce"\n[interrupts]\nbudget = 9\ncooldown_turns = 0\n')
    clone.theirs.commit("strict")
    clone.take()
    assert "enforce" in clone.run("status").stdout
    assert clone.asleep() == []
    assert clone.hook("SessionStart", source="startup") == {}


def test_the_users_own_settings_are_the_base(clone: Clone) -> None:
    own = Path(clone.process.folder, ".config/leeboard/leeboard.toml")
    own.parent.mkdir(parents=True)
    own.write_text('profile = "enforce"\n')
    clone.theirs.write("leeboard.toml", 'profile = "advise"\n')
    clone.theirs.commit("lower")
    clone.take()
    assert json.loads(clone.run("status", "--json").stdout)["profile"] == "enforce"
    shown = clone.run("trust", "show").stdout
    assert 'profile = "advise"  (in place of "enforce")' in shown
    clone.trust()
    assert json.loads(clone.run("status", "--json").stdout)["profile"] == "advise"


def test_a_pull_asks_again_for_what_differs(clone: Clone) -> None:
    clone.plan(gate="'true'")
    clone.take()
    clone.trust()
    assert clone.asleep() == []
    clone.plan(gate=f"touch {clone.marker}")
    clone.mine.run("pull", "--quiet")
    assert clone.asleep() == [PAGE]
    clone.session()
    assert not clone.marker.exists()
    refused = clone.run("flow", "next")
    assert (refused.returncode, clone.marker.exists()) == (2, False)
    assert "leeboard trust" in refused.stderr
    asked = clone.run("trust")
    assert asked.returncode == 2, "nobody is there to answer"
    assert "changed since you trusted it" in asked.stdout
    assert f"- {STAGE}/{FORM} tests: true" in asked.stdout
    assert f"+ {STAGE}/{FORM} tests: touch {clone.marker}" in asked.stdout


def test_a_branch_and_a_worktree_ask_only_for_what_differs(clone: Clone, tmp_path: Path) -> None:
    clone.plan(gate="'true'")
    clone.theirs.write("leeboard.toml", LOOSE)
    clone.theirs.commit("settings")
    clone.theirs.run("switch", "--quiet", "-c", "other")
    clone.theirs.write("leeboard.toml", f"{LOOSE}\n[rules.injection]\nenabled = false\n")
    clone.theirs.commit("looser")
    clone.theirs.run("switch", "--quiet", "main")
    clone.take()
    clone.trust()
    linked = tmp_path / "linked"
    clone.mine.run("worktree", "add", "--quiet", str(linked), "origin/main", "--detach")
    assert clone.run("trust", "show", cwd=linked).returncode == 0
    clone.mine.run("switch", "--quiet", "other")
    assert clone.asleep() == ["leeboard.toml"]
    assert "+ rules.injection.enabled = false" in clone.run("trust", "--yes").stdout
    clone.mine.run("switch", "--quiet", "main")
    assert clone.asleep() == [], "both are trusted now"


def test_what_is_made_here_never_asks(clone: Clone) -> None:
    mine = clone.take()
    for path, text in (("STUDIO.md", "---\nname: Own\nstages: [build]\n---\n"), ("stages/build/STAGE.md", STAGE_PAGE)):
        mine.write(f".haiku/studios/own/{path}", text)
    mine.write(".haiku/studios/own/stages/build/hats/builder.md", "Write it.\n")
    mine.commit("a studio of my own")
    made = clone.run("flow", "new", "Count words", "--studio", "own", "--slug", "count")
    assert made.returncode == 0, made.stderr
    assert clone.run("flow", "next").returncode == 0
    assert clone.asleep() == []
    mine.write(".haiku/intents/count/stages/build/units/unit-01-a.md", UNIT.format(title="A", gate="x", hat="builder"))
    assert clone.asleep() == [], "whoever looks is told what the next step does"
    assert json.loads(clone.run("status", "--json").stdout)["asleep"] == []
    mine.commit("the unit")
    assert clone.asleep() == []
    clone.run("flow", "next")
    assert clone.asleep() == [], "a gate that was written here counts for a plan that was made here"
    assert clone.run("init", "--profile", "observe", "-q").returncode == 0
    assert clone.asleep() == [], "so does the profile that its user set"


def test_acceptance_commands_of_a_clone_are_not_run(clone: Clone) -> None:
    clone.theirs.write("leeboard.toml", f'[contract]\nobjective = "x"\nacceptance = ["touch {clone.marker}"]\n')
    clone.theirs.commit("a contract")
    clone.take()
    assert clone.run("check", "--fail-on", "yellow").returncode == 0, "nobody asked for them"
    done = clone.run("check", "--run-acceptance", "--fail-on", "yellow")
    assert done.returncode == 3, "what was asked for and not done is not green"
    for said in (done.stdout, done.stderr):
        assert f"not run: acceptance `touch {clone.marker}` is not trusted here yet" in " ".join(said.split())
        assert "`leeboard trust`" in said
        assert "--trust`" in said
    report = json.loads(clone.run("check", "--run-acceptance", "--json").stdout)
    assert (report["score"], report["findings"][0]["severity"]) == ("yellow", "warn")
    assert not clone.marker.exists()
    assert clone.run("check", "--run-acceptance", "--trust").returncode == 0
    assert clone.marker.exists()


def test_what_a_person_starts_here_is_run(clone: Clone) -> None:
    clone.take()
    clone.run("contract", "start", "--goal", "x", "--acceptance", f"touch {clone.marker}")
    assert clone.asleep() == []
    clone.run("check", "--run-acceptance")
    assert clone.marker.exists()


@pytest.mark.parametrize("words", [("trust", "--yes"), ("untrust",), ("check", "--trust"), ("scan", ".", "--trust")])
def test_an_agent_can_not_trust(clone: Clone, words: tuple[str, ...]) -> None:
    clone.theirs.write("leeboard.toml", LOOSE)
    clone.theirs.commit("settings")
    clone.take()
    done = clone.run(*words, CLAUDECODE="1")
    assert done.returncode == 2
    assert "only a person" in done.stderr
    assert clone.asleep() == ["leeboard.toml"]
    answer = clone.call("PreToolUse", "Bash", {"command": f"leeboard {' '.join(words)}"})
    assert answer["hookSpecificOutput"]["permissionDecision"] == "deny"


@pytest.mark.parametrize("damage", ["", "{", '{"repository": 3}', "\0" * 50, '{"repository": "/else"}'])
def test_a_damaged_record_is_no_trust_and_is_said(clone: Clone, damage: str) -> None:
    clone.theirs.write("leeboard.toml", LOOSE)
    clone.theirs.commit("settings")
    clone.take()
    clone.trust()
    assert stat.S_IMODE(clone.record().stat().st_mode) == 0o600
    clone.record().write_text(damage)
    assert clone.asleep() == ["leeboard.toml"]
    if damage:
        assert "trust record" in clone.run("status").stdout
        assert "trust record" in clone.run("trust", "show").stderr
    clone.trust()
    assert clone.asleep() == []


def test_a_record_that_is_a_link_or_no_file_is_no_trust(clone: Clone) -> None:
    clone.theirs.write("leeboard.toml", LOOSE)
    clone.theirs.commit("settings")
    clone.take()
    clone.trust()
    kept = clone.folder / "kept.json"
    clone.record().rename(kept)
    (Path(clone.process.state_dir, "trust") / clone_name(clone, kept)).symlink_to(kept)
    assert clone.asleep() == ["leeboard.toml"]
    clone.record().unlink()
    os.mkfifo(Path(clone.process.state_dir, "trust") / clone_name(clone, kept))
    assert clone.asleep() == ["leeboard.toml"]


def clone_name(clone: Clone, kept: Path) -> str:
    """The name its record had."""
    from hashlib import sha256  # noqa: PLC0415 - of the path alone

    repository = json.loads(kept.read_text())["repository"]
    assert repository == str(clone.mine.path / ".git")
    return f"{sha256(repository.encode()).hexdigest()[:32]}.json"


def test_a_linked_path_is_the_same_repository(clone: Clone, tmp_path: Path) -> None:
    clone.theirs.write("leeboard.toml", LOOSE)
    clone.theirs.commit("settings")
    clone.take()
    clone.trust()
    (tmp_path / "way").symlink_to(clone.mine.path)
    assert clone.run("trust", "show", cwd=tmp_path / "way").returncode == 0
    clone.mine.path.rename(tmp_path / "moved")
    assert clone.run("trust", "show", cwd=tmp_path / "moved").returncode == 1, "a copy elsewhere is another one"


def test_two_at_once_lose_nothing(clone: Clone) -> None:
    """Several work trees may be trusted in the same moment."""
    clone.take()
    code = (
        "import sys\nfrom leeboard.trust import record\nfrom leeboard.trust.actor import Actor\n"
        "for n in range(20):\n"
        "    a = Actor(part=f'p{sys.argv[1]}-{n}', digest='d', place='x', does='y')\n"
        f"    record.grant({clone.mine.root!r}, [a], 'person')\n"
    )
    env = clone.process.environment({"PYTHONPATH": str(ROOT)})
    started = [subprocess.Popen([sys.executable, "-c", code, str(n)], env=env) for n in range(3)]
    assert [process.wait(60) for process in started] == [0, 0, 0]
    assert len(json.loads(clone.record().read_text())["parts"]) == 60


def test_what_is_shown_can_not_speak_to_the_terminal(clone: Clone) -> None:
    gate = '"echo \\e[2J\\u202e; TOKEN=' + SECRET + ' make"'
    clone.plan(gate=gate)
    clone.take()
    out = clone.run("trust", "show").stdout
    assert "\x1b" not in out
    assert "\\x1b[2J\\u202e" in out
    clone.trust()
    assert SECRET not in out + clone.record().read_text()


@pytest.mark.parametrize(
    "line", ["git status", "ls -la", "python -m pytest -q", "sed -i s/a/b/ src/login.py", "make build", "git diff"]
)
def test_ordinary_lines_are_answered_alike_in_a_trusted_and_in_an_untrusted_repository(clone: Clone, line: str) -> None:
    clone.theirs.write("leeboard.toml", "[interrupts]\nbudget = 1\n")
    clone.theirs.commit("settings")
    clone.take()
    before = clone.call("PreToolUse", "Bash", {"command": line}, "a")
    clone.trust()
    assert clone.call("PreToolUse", "Bash", {"command": line}, "b") == before


def test_one_s_own_gates_stay_so_over_a_rebase_and_those_of_others_do_not(clone: Clone) -> None:
    clone.take()
    assert clone.run("flow", "new", "Count words", "--studio", "software", "--slug", "count").returncode == 0
    top = ".haiku/intents/count/stages/inception/units"
    clone.mine.write(f"{top}/unit-01-a.md", UNIT.format(title="A", gate="'true'", hat="builder"))
    clone.mine.commit("mine")
    clone.theirs.write(f"{top}/unit-02-b.md", UNIT.format(title="B", gate=f"touch {clone.marker}", hat="builder"))
    clone.theirs.commit("theirs")
    clone.mine.run("pull", "--quiet", "--rebase")
    assert clone.asleep() == [f"{top}/unit-02-b.md"]
    refused = clone.run("flow", "next")
    assert refused.returncode == 2
    assert f"touch {clone.marker}" in refused.stderr
    assert "unit-01-a" not in refused.stderr


def test_looking_at_a_plan_that_sleeps_says_so_first_and_leaves_no_trace(clone: Clone) -> None:
    clone.plan()
    clone.take()

    def traces() -> set[Path]:
        return {path for path in clone.mine.path.rglob("*") if ".git/index" not in str(path)}

    before, hidden = traces(), (clone.mine.path / ".git/info/exclude").read_bytes()
    shown = clone.run("flow", "status")
    assert shown.stdout.startswith(f"asleep: {SLUG} is not trusted here"), shown.stdout + shown.stderr
    assert "leeboard trust" in shown.stdout
    assert json.loads(clone.run("flow", "status", "--json").stdout)["asleep"] is True
    assert "asleep" in clone.run("flow", "status", "--all").stdout
    assert clone.run("flow", "next").returncode == 2
    assert (traces(), (clone.mine.path / ".git/info/exclude").read_bytes()) == (before, hidden)


def test_what_the_engine_writes_in_a_clone_git_does_not_see(clone: Clone) -> None:
    clone.plan(gate="'true'")
    clone.take()
    clone.trust()
    (clone.mine.path / ".haiku/locks").mkdir()  # as an earlier look may have left it
    clone.hook("SessionStart", source="startup")
    clone.hook("UserPromptSubmit", prompt="Fix src/login.py, please, and tell me what you found.")
    clone.run("flow", "status")
    clone.run("flow", "next")
    seen = clone.mine.run("status", "--porcelain", "--untracked-files=all")
    for name in ("locks", ".last_action.json", "intent-tick.json", "user-turns.jsonl"):
        assert name not in seen
    assert (clone.mine.path / f"{TOP}/intent-tick.json").exists()


def test_a_gate_from_elsewhere_is_refused_before_the_first_trace(clone: Clone) -> None:
    clone.plan(gate="'true'")
    clone.take()
    clone.trust()
    clone.plan(gate=f"touch {clone.marker}")
    clone.mine.run("pull", "--quiet")
    assert clone.run("flow", "next").returncode == 2
    assert not (clone.mine.path / ".haiku/locks").exists()
