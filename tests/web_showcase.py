"""A small world with something of everything that a page shows: for the browser tests and for screenshots."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.hook_origin import AGENT_MARKS
from leeboard.app.person.gate import GateWord, record_decision
from leeboard.app.person.upload import BroughtFile, bring
from leeboard.app.plan.engine import Engine
from leeboard.plan.disk.truth.human_write import HumanWritten
from tests.git_repository import ENVIRONMENT, GitRepository
from tests.hooked_agent import HookedAgent, save
from tests.mcp_agent import STUDIO, Agent
from tests.trusting import in_trust

SLUG, OTHER, ASKING, PLANNED = "count-words", "show-tides", "moor-a-boat", "light-the-mole"
STUDIO_PAGES = {
    **STUDIO,
    "stages/build/STAGE.md": STUDIO["stages/build/STAGE.md"].replace("review: ask", "review: [ask, external]"),
}
UNIT = """---
title: {title}
type: code
depends_on: [{after}]
inputs: [intent.md]
outputs: [{output}]
touch: [{output}]
quality_gates:
  - name: compiles
    command: python3 -m py_compile {output}
---
Write `{output}`.

- [ ] {output} is there
- [ ] it says what it does
"""
UNITS = (
    ("unit-01-splitting", "Split a text into words", "splitting.py", ""),
    ("unit-02-reading", "Read a file of any size", "reading.py", ""),
    ("unit-03-counting", "Count words and how often", "counting.py", "unit-01-splitting"),
    ("unit-04-command", "A command that prints it", "command.py", "unit-02-reading, unit-03-counting"),
)
CODE = '''"""{title}."""

from __future__ import annotations


def {name}(text: str) -> list[str]:
    """Words are split at white space, nothing else."""
    return [word for word in text.split() if word]
'''
REPORT = """Read all four modules and their gates.

- **Splitting** keeps apostrophes; the intent does not say otherwise.
- Nothing reads the whole file at once.

| module | lines | verdict |
|---|---:|---|
| splitting | 8 | fine |
| reading | 8 | fine |

No finding.
"""
GLOSSARY = b"# Words\n\nA *word* is what stands between white space, with its apostrophes.\n"
REQUEST = """Say what a word is

- splitting.py:7: `Words are split at white space, nothing else.`
  People ask about apostrophes; the docstring should tell.
"""
QUESTION = {
    "decision": "How is a berth named?",
    "options": ["by its number", "by the boat that lies there"],
    "rationale": "Both are in use; the number outlives a boat.",
}
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000080000000808020000004b6d29dc0000001649444154789c63fccfc0f09f010d30a10b0c54"
    "0500e5a70209ce7d2f8c0000000049454e44ae426082"
)


class Showcase:
    """Projects of one user: at the gate of a stage and of a plan, with changed files, with a question, with sessions."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        own = {
            "LEEBOARD_STATE_DIR": str(folder / "state"),
            "LEEBOARD_RUNTIME_DIR": str(folder / "run"),
            "LEEBOARD_GATE_SECONDS": "0",
            "LEEBOARD_RESIDENT": "0",
            "LEEBOARD_INDEX": "0",
            "LEEBOARD_KEEP": "0",
            "HOME": str(folder),
        }
        for mark in AGENT_MARKS:
            patch.delenv(mark, raising=False)
        for name, value in (ENVIRONMENT | own).items():
            patch.setenv(name, value)
        in_trust(patch)
        self.folder, self.patch = folder, patch
        self.harbour, self.lighthouse = _project(folder / "harbour"), _project(folder / "lighthouse")
        self.quay, self.mole = _project(folder / "quay"), _project(folder / "mole")
        self.workshop = GitRepository(folder / "workshop").path

    def build(self) -> None:
        self.at_gate()
        self.asked_before()
        self.with_changes()
        self.with_question()
        self.at_plan_gate()
        self.with_sessions()

    def at_gate(self, outputs: tuple[tuple[str, str, str, str], ...] = UNITS) -> None:
        """The intent of the first project stands at the gate of its stage, with everything done."""
        agent = Agent(self.harbour)
        title = "Count the words of a file"
        text = "People want to know **how many words** a file has.\n\n- of any size\n- split at white space alone\n"
        assert not agent("intent_create", title=title, description=text, slug=SLUG, studio="small").is_error
        _through_shape(agent)
        agent.until("elaborate")
        for unit, words, output, after in outputs:
            page = UNIT.format(title=words, output=output, after=after)
            written = agent("unit_write", unit=unit, content=page)
            assert not written.is_error, written.json
        agent.until("gate_review")
        self.approve(self.harbour, SLUG)
        for unit, words, output, _ in outputs:
            agent("run_next")
            _work(agent, unit, words, output)
        _reviewed(agent)

    def asked_before(self) -> None:
        """At the gate of the first project again, after a person brought files and their request was answered."""
        agent, engine = Agent(self.harbour), self.engine(self.harbour)
        for name, data in (("GLOSSARY.md", GLOSSARY), ("chart.png", PNG)):
            file = BroughtFile(name=name, data=data, stage="build", shelf="outputs", by="kim")
            assert isinstance(bring(engine, SLUG, file), HumanWritten)
        _classify(agent, "The stage asks for them.")
        _reviewed(agent)
        word = GateWord(decision="changes_requested", by="kim", changes=REQUEST)
        assert record_decision(engine, SLUG, word) is None
        agent.until("feedback_triage")
        assert not agent("feedback_update", feedback_id="FB-01", stage="build", resolution="inline_fix").is_error
        place = self.harbour / "splitting.py"
        place.write_text(place.read_text().replace(", nothing else", ": a word has no white space in it"))
        GitRepository(self.harbour).run("commit", "-q", "-a", "-m", "say what a word is")
        assert not agent("feedback_advance_hat", feedback_id="FB-01", stage="build").is_error
        _reviewed(agent)

    def with_question(self) -> None:
        """The agent of a third project waits for a choice."""
        agent = Agent(self.quay)
        told = agent("intent_create", title="Moor a boat", description="By name.", slug=ASKING, studio="small")
        assert not told.is_error
        agent.until("elaborate")
        asked = agent("decision_record", **QUESTION, ask=True)
        assert not asked.is_error, asked.json
        agent.until("awaiting_choice")

    def at_plan_gate(self) -> None:
        """A fourth project waits before anything is built."""
        agent = Agent(self.mole)
        told = agent("intent_create", title="Light the mole", description="At dusk.", slug=PLANNED, studio="small")
        assert not told.is_error
        _through_shape(agent)
        agent.until("elaborate")
        for unit, words, output, after in UNITS[:2]:
            written = agent("unit_write", unit=unit, content=UNIT.format(title=words, output=output, after=after))
            assert not written.is_error, written.json
        agent.until("gate_review")

    def with_changes(self) -> None:
        """Of the second project one assessment is done, and another one waits."""
        agent = Agent(self.lighthouse)
        told = agent("intent_create", title="Show the tides", description="On one page.", slug=OTHER, studio="small")
        assert not told.is_error
        agent.until("elaborate")
        top = self.lighthouse / ".haiku/intents" / OTHER
        notes, picture = top / "knowledge/TIDES.md", top / "stages/shape/artifacts/chart.png"
        for place, data in ((notes, b"# Tides\n\nHigh water twice a day.\n"), (picture, PNG)):
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
        _classify(agent, "Looked at both; the stage asks for them.")
        save(notes, "# Tides\n\nHigh water *nearly* twice a day.\n\n- springs\n- neaps\n")
        agent.until("manual_change_assessment")

    def with_sessions(self) -> None:
        """One that drifts, one that is clean, in a project without a workflow."""
        for path, text in {"src/auth/token.py": "value = 1\n", "src/styles/theme.css": "a { top: 1px }\n"}.items():
            (self.workshop / path).parent.mkdir(parents=True, exist_ok=True)
            (self.workshop / path).write_text(text)
        self.drifting = HookedAgent(self.workshop, "7f3c-drifting")
        agent = self.drifting
        agent.hook("SessionStart", source="startup")
        agent.prompt("Fix the token bug in src/auth/token.py. Don't modify the schema.")
        agent.read("src/auth/token.py")
        for at in range(1, 4):
            agent.edit("src/auth/token.py", f"value = {at}", f"value = {at + 1}")
        for at in range(1, 4):
            agent.edit("src/styles/theme.css", f"top: {at}px", f"top: {at + 1}px")
        agent.edit("src/auth/token.py", "value = 4", "value = 5")
        agent.bash("ls src")
        clean = HookedAgent(self.workshop, "a901-clean")
        clean.hook("SessionStart", source="startup")
        clean.prompt("Rename value to token in src/auth/token.py.")
        clean.read("src/auth/token.py")
        clean.edit("src/auth/token.py", "value = 5", "token = 5")
        clean.hook("Stop")

    def approve(self, root: Path, slug: str) -> None:
        assert record_decision(self.engine(root), slug, GateWord(decision="approved", by="kim")) is None

    def commit(self, root: Path, message: str) -> None:
        """Long after everything else: times of commits have whole seconds."""
        GitRepository(root).commit(message, at="2099-01-01T00:00:00Z")

    def engine(self, root: Path) -> Engine:
        return Engine(str(root))


def _project(folder: Path) -> Path:
    made = GitRepository(folder)
    made.write("app.py", "first = 1\n")
    for path, text in STUDIO_PAGES.items():
        made.write(f".haiku/studios/small/{path}", text)
    made.commit("begin")
    return made.path


def _through_shape(agent: Agent) -> None:
    agent.until("elaborate")
    (unit,) = agent.plan("shape.txt")
    agent.until("start_unit")
    agent.work(unit, "shape.txt", hats=1)
    agent.until("start_stage")


def _reviewed(agent: Agent) -> None:
    agent.until("review")
    assert not agent("review_report", agent="critic", verdict="pass", report=REPORT).is_error
    agent.until("gate_review")


def _classify(agent: Agent, why: str) -> None:
    """All that somebody changed, as it is."""
    found = agent.until("manual_change_assessment")
    given = [{"path": each["path"], "outcome": "ignore", "rationale_excerpt": "It fits."} for each in found["findings"]]
    done = agent("classify_drift", tick_id=found["tick_id"], classifications=given, agent_rationale=why)
    assert not done.is_error, done.json


def _work(agent: Agent, unit: str, title: str, output: str) -> None:
    started = agent("unit_start", unit=unit)
    assert not started.is_error, started.json
    tree = Path(started["worktree"])
    (tree / output).write_text(CODE.format(title=title, name=Path(output).stem), encoding="utf-8")
    GitRepository(tree).commit(f"write {output}")
    met = [f"{output} is there", "it says what it does"]
    assert not agent("unit_set", unit=unit, field="criteria", value=met).is_error
    for _ in range(2):
        answer = agent("unit_advance_hat", unit=unit)
        assert not answer.is_error, answer.json
