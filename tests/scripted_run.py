"""A whole piece of work, played over a real MCP client: two stages, and everything that can come between.

The agent remembers nothing: it asks for the next action, does what that says, and asks again. What it brings forth
depends on the action alone. The person answers and decides with `leeboard flow`, and with nothing else.
"""

from __future__ import annotations

import contextlib
import fcntl
import io
import json
import os
import re
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from leeboard.app.hook_origin import AGENT_MARKS
from leeboard.plan.disk.read import look
from leeboard.surfaces.cli import main
from tests.git_repository import ENVIRONMENT, GitRepository
from tests.mcp_agent import Answer

NOWHERE = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - as long as there are tests
ROOT = Path(__file__).resolve().parents[1]
SERVER = (sys.executable, "-m", "leeboard.surfaces.mcp")
SLUG = "word-book"
MOST_ASKED = 200
CREATE = {"title": "Write a word book", "description": "A short one.", "slug": SLUG, "studio": "small"}
STUDIO = {
    "STUDIO.md": "---\nname: Small\nslug: small\ndescription: For tests.\nstages: [shape, build]\n---\n",
    "stages/shape/STAGE.md": "---\nname: shape\nhats: [author]\nreview: ask\nelaboration: collaborative\n---\n",
    "stages/shape/hats/author.md": "Write it down.\n",
    "stages/shape/discovery/WORDS.md": (
        "---\nname: WORDS\nlocation: .haiku/intents/{intent-slug}/knowledge/WORDS.md\n---\nWhich words there are.\n"
    ),
    "stages/build/STAGE.md": (
        "---\nname: build\nhats: [builder, checker]\nfix_hats: [fixer]\nreview: [external, ask]\n"
        "elaboration: autonomous\nunit_types: [text]\n---\n"
    ),
    "stages/build/hats/builder.md": "---\nrun_quality_gates: true\n---\nBuild it.\n",
    "stages/build/hats/checker.md": "Check it.\n",
    "stages/build/fix-hats/fixer.md": "Fix it.\n",
    "stages/build/review-agents/critic.md": "Find fault.\n",
}
UNITS: dict[str, dict[str, tuple[str, str]]] = {
    "shape": {"unit-01-outline": ("Write the outline", "outputs: [outline.txt]")},
    "build": {
        "unit-05-index": (
            "Index all words",
            (
                "outputs: [index.txt]\ndepends_on: [unit-03-nouns, unit-04-verbs]\n"
                "quality_gates: [{name: index is right, command: grep -q right index.txt}]"
            ),
        ),
        "unit-03-nouns": ("List the nouns", "outputs: [nouns.txt]\ndepends_on: [unit-01-front, unit-02-back]"),
        "unit-04-verbs": ("List the verbs", "outputs: [verbs.txt]\ndepends_on: [unit-01-front, unit-02-back]"),
        "unit-01-front": (
            "Write the front",
            "outputs: [front.txt]\nquality_gates: [{name: nothing left to do, command: '! grep -n LATER *.txt'}]",
        ),
        "unit-02-back": ("Write the back", "outputs: [back.txt]"),
    },
}
"""Those that others depend on come last: a plan that is half written lacks a dependency, and can not be approved."""
SHARED = {"unit-01-front", "unit-02-back"}
"""They change the same line."""
REVISITED = "unit-02-appendix"
TOLD = {"start_stage", "intent_approved", "advance_stage", "revisited", "gate_review", "intent_complete"}
"""Actions that leave the agent nothing to do but to ask again."""
ANSWERED = {"elaborate", "elaboration_insufficient", "gate_review"}
"""Actions that wait for the person."""
PAGE = "---\ntitle: {title}\ninputs: [intent.md]\n{fields}\n---\nWrite it.\n\n- [ ] it can be read\n"


class Person:
    """Speaks and decides in a terminal of their own. Two things they see only when the work stands before them."""

    def __init__(self, root: Path, env: Mapping[str, str]) -> None:
        self._root = root
        self._env = {name: value for name, value in env.items() if name not in AGENT_MARKS}
        self.decided: list[str] = []

    @contextlib.contextmanager
    def at_desk(self) -> Iterator[None]:
        """In the project, on the machine it is on."""
        before = dict(os.environ)
        try:
            os.environ.clear()
            os.environ.update(self._env)
            with contextlib.chdir(self._root):
                yield
        finally:
            os.environ.clear()
            os.environ.update(before)

    def flow(self, *words: str) -> tuple[int, str]:
        """Exit code, and what was printed."""
        out = io.StringIO()
        with self.at_desk(), contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            code = main.run(["flow", *words])
        return code, out.getvalue()

    def answer(self, action: Mapping[str, Any]) -> None:
        """What the work waits for. A question is answered, a gate is decided."""
        if action["action"] in {"elaborate", "elaboration_insufficient"}:
            for number in range(action["turns"], action["required"]):
                assert self.flow("say", f"Answer {number + 1}: as short as it can be.")[0] == 0
            return
        assert action["action"] == "gate_review", action
        code, shown = self.flow("review", "--json")
        assert code == 0, shown
        seen = json.loads(shown)
        assert seen["decisions"], seen
        self._decide(seen)

    def _decide(self, seen: Mapping[str, Any]) -> None:
        at = (seen["stage"], seen["phase"], seen["visit"])
        words: tuple[str, ...] = ("review", "--approve")
        match at:
            case ("build", "gate", 1):
                words = ("review", "--request-changes", "The front has no date.")
            case ("build", "gate", 2):
                words = ("revisit", "shape", "--reason", "An appendix is missing.")
        code, said = self.flow(*words)
        assert code == 0, said
        self.decided.append(" ".join((*map(str, at), words[0], words[1])))


Call = Callable[..., Any]


class ScriptedAgent:
    """Does one action. `call` calls a tool; what it answers decides everything."""

    def __init__(self, root: Path, call: Call) -> None:
        self._home = GitRepository(root)
        self._call = call

    async def act(self, action: Mapping[str, Any]) -> None:
        match action["action"]:
            case "elaborate" | "elaboration_insufficient" | "unresolved_dependencies":
                await self._plan(action)
            case "start_unit" | "start_units":
                for unit in action.get("units") or [action["unit"]]:
                    await self._call("unit_start", unit=unit)
            case "continue_unit" | "continue_units":
                for unit in action["units"] if action["action"] == "continue_units" else [action]:
                    await self._work(unit)
            case _:
                await self._settle(action)

    async def _settle(self, action: Mapping[str, Any]) -> None:
        """What somebody found."""
        match action["action"]:
            case "review":
                await self._review(action)
            case "feedback_triage":
                for item in action["items"]:
                    await self._call("feedback_update", feedback_id=item["feedback_id"], resolution="inline_fix")
            case "review_fix":
                await self._fix(action["items"][0], action["hat"])
            case "manual_change_assessment":
                await self._classify(action)
            case _:
                self._act_alone(action)

    def _act_alone(self, action: Mapping[str, Any]) -> None:
        """What takes no tool."""
        match action["action"]:
            case "discovery_missing":
                self._home.write(f".haiku/intents/{SLUG}/knowledge/WORDS.md", "All of them.\n")
            case "resolve_merge_conflicts":
                tree = GitRepository(action["worktree"])
                tree.write("title.txt", "A word book, front and back\n")
                commit(tree, "title.txt", "Have both in the title")
            case "fix_quality_gates" if action.get("unit"):
                self._write(action["unit"], 2, GitRepository(_tree(self._home, action["unit"])))
            case "fix_quality_gates":
                self._home.write("index.txt", "all words, the right way round\n")
                commit(self._home, "index.txt", "Do what was left for later")
            case other:
                assert other in TOLD, action

    async def _plan(self, action: Mapping[str, Any]) -> None:
        stage = action["stage"]
        known = (await self._call("unit_list"))["units"]
        there = {unit["unit"] for unit in known}
        for unit, (title, fields) in UNITS[stage].items():
            if unit not in there:
                await self._call("unit_write", unit=unit, content=PAGE.format(title=title, fields=fields))
        for item in action.get("pending_feedback", ()):
            if item["resolution"] == "stage_revisit":
                fields = f"outputs: [appendix.txt]\ncloses: [{item['feedback_id']}]"
                await self._call(
                    "unit_write", unit=REVISITED, content=PAGE.format(title="Write the appendix", fields=fields)
                )

    async def _work(self, unit: Mapping[str, Any]) -> None:
        name, hat, bolt = unit["unit"], unit["hat"], unit["bolt"]
        if (name, hat, bolt) == ("unit-02-back", "checker", 1):
            await self._call("unit_reject_hat", unit=name, hat=hat, bolt=bolt, reason="The back is too short.")
            return
        if hat in {"author", "builder"}:
            self._write(name, bolt, GitRepository(unit["worktree"]))
        if unit["criteria_unmet"]:
            await self._call("unit_set", unit=name, field="criteria", value=unit["criteria_unmet"])
        await self._call("unit_advance_hat", unit=name, hat=hat, bolt=bolt)

    def _write(self, unit: str, bolt: int, tree: GitRepository) -> None:
        """What a unit brings forth in a bolt: the first index is wrong, and the second leaves something for later."""
        name = f"{unit.split('-')[2]}.txt"
        text = f"{unit} in bolt {bolt}\n"
        if unit == "unit-05-index":
            text = "words, upside down\n" if bolt == 1 else "words, the right way round, some LATER\n"
        tree.write(name, text)
        commit(tree, name, f"Write {name}")
        if unit in SHARED and not (tree.path / "title.txt").read_text().startswith("A word book, front and back"):
            tree.write("title.txt", f"A word book, with its {unit.split('-')[2]}\n")
            commit(tree, "title.txt", f"Name the {unit.split('-')[2]} in the title")

    async def _review(self, action: Mapping[str, Any]) -> None:
        visit = (await self._call("stage_get"))["visits"]
        for agent in action["agents"]:
            found: dict[str, Any] = {"verdict": "pass", "report": "Read all of it: nothing to say."}
            if visit == 1:
                filed = await self._call(
                    "feedback", title="The nouns have no end", body="nouns.txt", origin="adversarial-review"
                )
                found = {"verdict": "findings", "report": "One thing.", "findings": [filed["feedback_id"]]}
            await self._call("review_report", agent=agent["name"], **found)

    async def _classify(self, action: Mapping[str, Any]) -> None:
        """It wrote them itself, where no hook saw it."""
        found = [{"path": item["path"], "outcome": "ignore"} for item in action["findings"]]
        await self._call(
            "classify_drift", tick_id=action["tick_id"], classifications=found, agent_rationale="Expected."
        )

    async def _fix(self, item: Mapping[str, Any], hat: str) -> None:
        name = "nouns.txt" if "nouns" in item["feedback_title"] else "front.txt"
        before = (self._home.path / name).read_text()
        self._home.write(name, before if "mended" in before else f"{before}mended\n")
        commit(self._home, name, f"Mend {name} ({item['feedback_id']})")
        await self._call("feedback_advance_hat", feedback_id=item["feedback_id"], hat=hat, bolt=item["bolt"])


def _tree(home: GitRepository, unit: str) -> Path:
    return home.path / ".haiku" / "worktrees" / SLUG / unit


def commit(repository: GitRepository, path: str, message: str) -> None:
    """One file, if it changed. A git that a killed server left working is waited for."""
    for _ in range(100):
        try:
            if not repository.run("status", "--porcelain", "--", path):
                return
            repository.run("add", "--", path)
            merging = (Path(repository.run("rev-parse", "--absolute-git-dir")) / "MERGE_HEAD").exists()
            repository.run("commit", "--quiet", "-m", message, *(() if merging else ("--", path)))
        except AssertionError as error:
            if ".lock'" not in str(error):
                raise
            time.sleep(0.05)
        else:
            return
    raise AssertionError(f"{repository.root} stays locked")


def make_project(folder: Path) -> GitRepository:
    made = GitRepository(folder)
    made.write("title.txt", "A word book\n")
    for path, text in STUDIO.items():
        made.write(f".haiku/studios/small/{path}", text)
    made.commit("Begin a word book")
    return made


def environment(state: Path, gate_seconds: str) -> dict[str, str]:
    """Of a machine of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "LEEBOARD_"))}
    kept = {name: value for name, value in kept.items() if name not in AGENT_MARKS}
    own = {"LEEBOARD_STATE_DIR": str(state), "LEEBOARD_GATE_SECONDS": gate_seconds, "PYTHONPATH": str(ROOT)}
    return kept | ENVIRONMENT | own


@contextlib.asynccontextmanager
async def connected(command: Sequence[str], root: Path, env: Mapping[str, str]) -> AsyncIterator[ClientSession]:
    """The protocol's own client, and a server that has just been started."""
    server = StdioServerParameters(command=command[0], args=[*command[1:]], cwd=str(root), env=dict(env))
    async with (
        stdio_client(server, errlog=NOWHERE) as (read, write),
        ClientSession(read, write, read_timeout_seconds=60) as session,
    ):
        await session.initialize()
        yield session


async def called(session: ClientSession, tool: str, arguments: Mapping[str, Any], **how: Any) -> Answer:
    result = await session.call_tool(f"haiku_{tool}", dict(arguments), **how)
    return Answer(result.model_dump(by_alias=True))


HISTORY = (
    "Begin a word book",
    *("begin stage shape", "shape from elaborate to execute"),
    *("start unit-01-outline", "Write the outline", "complete unit-01-outline"),
    *("shape from execute to review", "shape from review to gate", "complete stage shape"),
    *("begin stage build", "build from elaborate to execute", "start unit-01-front", "start unit-02-back"),
    *("Write the front", "complete unit-01-front", "Write the back", "complete unit-02-back"),
    *("start unit-03-nouns", "start unit-04-verbs", "List the nouns", "complete unit-03-nouns"),
    *("List the verbs", "complete unit-04-verbs", "start unit-05-index", "Index all words", "complete unit-05-index"),
    *("build from execute to review", "Do what was left for later", "Mend nouns.txt (FB-01)"),
    *("build from review to gate", "build from gate to review", "Mend front.txt (FB-02)", "build from review to gate"),
    *("revisit stage shape for FB-01", "shape from elaborate to execute", "start unit-02-appendix"),
    *("Write the appendix", "complete unit-02-appendix", "shape from execute to review", "shape from review to gate"),
    *("complete stage shape", "begin stage build", "build from elaborate to execute", "build from execute to review"),
    *("build from review to gate", "complete stage build", "complete"),
)
"""What the intent's branch tells from its first parent to the last, the mark of the engine's own commits aside."""
ASSESSED = "classify changed files"
"""How a commit begins that may come at any time: files were written where no hook saw it."""
DECIDED = [
    *("shape elaborate 1 review --approve", "shape gate 1 review --approve", "build elaborate 1 review --approve"),
    *("build gate 1 review --request-changes", "build gate 2 revisit shape", "shape elaborate 2 review --approve"),
    *("shape gate 2 review --approve", "build elaborate 3 review --approve", "build gate 3 review --approve"),
]
FILES = {
    "appendix.txt": "unit-02-appendix in bolt 1",
    "back.txt": "unit-02-back in bolt 2",
    "front.txt": "unit-01-front in bolt 1\nmended",
    "index.txt": "all words, the right way round",
    "nouns.txt": "unit-03-nouns in bolt 1\nmended",
    "outline.txt": "unit-01-outline in bolt 1",
    "title.txt": "A word book, front and back",
    "verbs.txt": "unit-04-verbs in bolt 1",
}
PASSES = {
    "unit-01-outline": ["author advance"],
    "unit-02-appendix": ["author advance"],
    "unit-01-front": ["builder advance", "checker advance"],
    "unit-02-back": ["builder advance", "checker reject", "builder advance", "checker advance"],
    "unit-03-nouns": ["builder advance", "checker advance"],
    "unit-04-verbs": ["builder advance", "checker advance"],
    "unit-05-index": ["builder advance", "builder reject", "builder advance", "checker advance"],
}
VISITS = {
    "shape": [("initial", "advanced"), ("user-revisit", "advanced")],
    "build": [("initial", "user-revisit"), ("user-revisit", "external-changes"), ("external-changes", "advanced")],
}
"""How each visit of a stage began and ended."""
FINDINGS = dict.fromkeys(("The nouns have no end", "The front has no date.", "An appendix is missing."), "closed")
"""What a person filed is theirs to close: whoever approves the stage says that it is settled."""


def assert_ended(repository: GitRepository, person: Person) -> None:
    """The end of the work, however it was come to."""
    with person.at_desk():
        plan = look(repository.root, SLUG)
    assert (plan.intent.status, plan.sealed, plan.problems) == ("completed", True, ())
    units = [unit for view in plan.stages for unit in view.units]
    assert {unit.id: unit.status for unit in units} == dict.fromkeys(PASSES, "completed")
    assert {unit.id: [f"{each.hat} {each.result}" for each in unit.passes] for unit in units} == PASSES
    found = {view.spec.name: [(each.trigger, each.result) for each in view.state.iterations] for view in plan.stages}
    assert found == VISITS
    assert {item.title: item.status for view in plan.stages for item in view.feedback} == FINDINGS
    assert person.decided == DECIDED
    _assert_history(repository)
    _assert_nothing_left(repository)
    assert person.flow("repair") == (0, "nothing is wrong\n")


def _assert_history(repository: GitRepository) -> None:
    """Each commit says what it did; merges join a unit's own commits, and nobody's work is anywhere else."""
    mark = f"haiku({SLUG}): "
    told = repository.run("log", "--reverse", "--first-parent", "--format=%s").splitlines()
    found = (line.removeprefix(mark) for line in told)
    assert tuple(line for line in found if not line.startswith(ASSESSED)) == HISTORY
    merged = repository.run("log", "--first-parent", "--merges", "--format=%s").splitlines()
    titles = {title for stage in UNITS.values() for title, _ in stage.values()} | {"Write the appendix"}
    assert {line.removeprefix(mark) for line in merged} == titles
    authored = repository.run("log", "--no-merges", "--format=%s", "--invert-grep", "--grep=^haiku").splitlines()
    assert all(re.match(r"Write |Name |Mend |Do |Begin ", line) for line in authored), authored
    for path, text in FILES.items():
        assert repository.run("show", f"HEAD:{path}") == text


def _assert_nothing_left(repository: GitRepository) -> None:
    assert repository.run("branch", "--format=%(refname:short)").split() == [f"haiku/{SLUG}/main", "main"]
    assert repository.run("worktree", "list", "--porcelain").count("worktree ") == 1
    home = repository.path / ".haiku"
    assert [path.name for name in ("worktrees", "tmp") for path in (home / name).rglob("*")] == []
    assert list((repository.path / ".git").rglob("*.lock")) == []
    assert repository.run("status", "--porcelain") == ""
    assert repository.run("fsck", "--no-dangling") == ""
    for path in (home / "locks").iterdir():
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
