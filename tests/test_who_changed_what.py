"""Whoever reads and writes files in whatever order: each change by somebody else is named once, and nothing else is."""

from __future__ import annotations

import itertools
import os
import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tests.hooked_agent import HookedAgent, run

FILES = ("a.py", "b.py")
ACTORS = (("s", ""), ("s", "helper"), ("t", ""))
UNKNOWN = "unknown: a person or another program"
LINTER = "a formatter, a linter or a person"
Actor = tuple[str, str]


class Model:
    """What each agent knows of each file, and who wrote what is in it."""

    def __init__(self) -> None:
        self.text: dict[str, str] = {}
        self.writer: dict[str, Actor | None] = {}
        self.known: dict[tuple[Actor, str], str] = {}
        self.told: dict[tuple[Actor, str], str] = {}
        self.vague: set[str] = set()
        """Files that were given back what some agent wrote: they may be put down to it, or to nobody."""

    def is_stale(self, actor: Actor, name: str) -> bool:
        return self.known.get((actor, name), self.text[name]) != self.text[name]

    def author(self, actor: Actor, name: str) -> str:
        writer = self.writer[name]
        if writer is None:
            return UNKNOWN
        return "another agent of this session" if writer[0] == actor[0] else "another session of this project"


class Work(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.before = {name: os.environ.get(name) for name in ("LEEBOARD_STATE_DIR", "LEEBOARD_CONFIG_DIR")}
        os.environ["LEEBOARD_STATE_DIR"] = str(self.folder / "state")
        os.environ["LEEBOARD_CONFIG_DIR"] = str(self.folder / "config")
        self.repo = self.folder / "repo"
        self.repo.mkdir()
        run(self.repo, "git init -q .")
        self.model = Model()
        self.fresh = (f"value_{number}" for number in itertools.count())
        self.agents = {actor: HookedAgent(self.repo, *actor) for actor in ACTORS}

    def teardown(self) -> None:
        for name, value in self.before.items():
            os.environ.pop(name) if value is None else os.environ.__setitem__(name, value)
        shutil.rmtree(self.folder)

    @initialize()
    def begin(self) -> None:
        for name in FILES:
            self._saved(name, f"{next(self.fresh)} = 1\nprint(1)\n", None)
        for session in ("s", "t"):
            assert self.agents[session, ""].prompt("work on a.py and b.py") == ""

    def _saved(self, name: str, text: str, writer: Actor | None) -> None:
        (self.repo / name).write_text(text, encoding="utf-8")
        self.model.text[name], self.model.writer[name] = text, writer
        self.model.vague.discard(name)

    def _check(self, words: str, actor: Actor, name: str) -> None:
        """Before a call of the agent that writes the file."""
        text = self.model.text[name]
        fresh = self.model.is_stale(actor, name) and self.model.told.get((actor, name)) != text
        assert ("changed_underneath" in words) == fresh, words
        if fresh:
            author = self.model.author(actor, name)
            assert name in self.model.vague or author in words or (author == UNKNOWN and LINTER in words)
            assert f"+ 1: {text.partition(chr(10))[0]}" in words

    def _wrote(self, actor: Actor, name: str) -> None:
        text = (self.repo / name).read_text(encoding="utf-8")
        self.model.text[name], self.model.writer[name] = text, actor
        self.model.known[actor, name] = text
        self.model.vague.discard(name)

    @rule(actor=st.sampled_from(ACTORS), name=st.sampled_from(FILES))
    def agent_reads(self, actor: Actor, name: str) -> None:
        self.agents[actor].read(name)
        self.model.known[actor, name] = self.model.text[name]

    @rule(actor=st.sampled_from(ACTORS), name=st.sampled_from(FILES))
    def agent_edits(self, actor: Actor, name: str) -> None:
        old = self.model.text[name].partition("\n")[0]
        words = self.agents[actor].edit(name, old, f"{next(self.fresh)} = 2").words
        self._check(words, actor, name)
        self._wrote(actor, name)

    @rule(actor=st.sampled_from(ACTORS), name=st.sampled_from(FILES))
    def agent_writes_whole(self, actor: Actor, name: str) -> None:
        words = self.agents[actor].write(name, f"{next(self.fresh)} = 3\nprint(1)\n").words
        self._check(words, actor, name)
        self._wrote(actor, name)

    @rule(actor=st.sampled_from(ACTORS), name=st.sampled_from(FILES))
    def agent_names_it_in_the_shell(self, actor: Actor, name: str) -> None:
        words = self.agents[actor].bash(f"sed -i '1s/.*/{next(self.fresh)} = 4/' {name}").words
        self._check(words, actor, name)
        knew = (actor, name) in self.model.known
        self._wrote(actor, name)
        if not knew:
            del self.model.known[actor, name]

    @rule(actor=st.sampled_from(ACTORS), name=st.sampled_from(FILES))
    def agent_runs_a_script(self, actor: Actor, name: str) -> None:
        """Nobody can see from the line what it will change."""
        stale, knew = self.model.is_stale(actor, name), (actor, name) in self.model.known
        script = self.folder / "script.sh"
        script.write_text(f"sed -i '1s/.*/{next(self.fresh)} = 5/' {name}\n", encoding="utf-8")
        words = self.agents[actor].bash(f"sh {script}").words
        assert "changed_underneath" not in words
        known = self.model.known.get((actor, name), "")
        self._wrote(actor, name)
        if stale or not knew:
            self.model.known.pop((actor, name))
            self.model.known |= {(actor, name): known} if knew else {}
        of_session = any(one[0] == actor[0] and place == name for one, place in self.model.known)
        if stale or not of_session:
            self.model.writer[name] = None

    @rule(name=st.sampled_from(FILES))
    def person_edits(self, name: str) -> None:
        rest = self.model.text[name].partition("\n")[2]
        self._saved(name, f"{next(self.fresh)} = 6\n{rest}", None)

    @rule(actor=st.sampled_from(ACTORS), name=st.sampled_from(FILES))
    def person_takes_it_back(self, actor: Actor, name: str) -> None:
        """To what some agent knows: for that one nothing has changed."""
        if (actor, name) in self.model.known and self.model.writer[name] is None:
            self._saved(name, self.model.known[actor, name], None)
            self.model.vague.add(name)

    @rule(session=st.sampled_from(("s", "t")))
    def user_speaks(self, session: str) -> None:
        actor = (session, "")
        words = self.agents[actor].prompt(f"go on with {next(self.fresh)}")
        for name in FILES:
            text, writer = self.model.text[name], self.model.writer[name]
            by_others = writer is None or writer[0] != session
            fresh = self.model.is_stale(actor, name) and by_others and self.model.told.get((actor, name)) != text
            named = f"\n{name}: " in words
            assert named == fresh or (fresh and name in self.model.vague), (name, words)
            if named:
                self.model.told[actor, name] = text

    @invariant()
    def files_are_as_the_model_has_them(self) -> None:
        for name, text in self.model.text.items():
            assert (self.repo / name).read_text(encoding="utf-8") == text


TestWork = Work.TestCase
TestWork.settings = settings(
    max_examples=15, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
