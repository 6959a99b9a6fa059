"""A person and several agents at work on the same files of a repository, as a state machine without its rules."""

from __future__ import annotations

import itertools
import os
import shutil
import tempfile
import time
from pathlib import Path

import msgspec
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant

from tests.hooked_agent import JSON, HookedAgent, run, save
from tests.worked_files import ABSENT, Actor, Model, Pair

FILES = ("a.py", "b.py")
ACTORS = (("s", ""), ("s", "helper"), ("t", ""))
ENFORCED = "t"


class Open(msgspec.Struct, kw_only=True):
    """A call that was proposed and has not come back."""

    actor: Actor
    name: str
    kind: str
    call: JSON
    shown: str
    """What is in the file when the call looks at it."""
    began: float = msgspec.field(default_factory=time.monotonic)

    @property
    def may_write_anything(self) -> bool:
        return self.kind in {"sed", "script"}


class SharedWork(RuleBasedStateMachine):
    """A repository, agents in it, and what has to be told to them before they write."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.before = {name: os.environ.get(name) for name in ("LEEBOARD_STATE_DIR", "LEEBOARD_CONFIG_DIR")}
        os.environ["LEEBOARD_STATE_DIR"] = str(self.folder / "state")
        os.environ["LEEBOARD_CONFIG_DIR"] = str(self.folder / "config")
        self.repo = self.folder / "repo"
        self.repo.mkdir()
        self.model = Model()
        self.open: list[Open] = []
        self.fresh = (f"value_{number}" for number in itertools.count())
        self.agents = {
            actor: HookedAgent(self.repo, *actor, profile="enforce" if actor[0] == ENFORCED else "advise")
            for actor in ACTORS
        }

    def teardown(self) -> None:
        for name, value in self.before.items():
            os.environ.pop(name) if value is None else os.environ.__setitem__(name, value)
        shutil.rmtree(self.folder)

    @initialize()
    def begin(self) -> None:
        for name in FILES:
            self.saved(name, self.new_text())
        assert run(self.repo, "git init -q -b main . && git add -A && git commit -qm begin").returncode == 0
        for session in ("s", "t"):
            assert self.agents[session, ""].prompt("work on a.py and b.py") == ""

    def new_text(self) -> str:
        return f"{next(self.fresh)} = 1\nprint(1)\nprint(2)\nlast_{next(self.fresh)} = 1\n"

    def saved(self, name: str, text: str) -> None:
        """By the person."""
        if text == ABSENT:
            (self.repo / name).unlink(missing_ok=True)
        else:
            save(self.repo / name, text)
        self.model.change(name, text, None)
        self.is_beside(name)

    def is_beside(self, name: str, actor: Actor | None = None) -> None:
        """While a command runs that may have done it, nobody can tell."""
        for one in self.open:
            if one.may_write_anything and one.actor != actor:
                self.model.hazy.add((one.actor, name))
                self.model.vague.add(name)

    def is_there(self, name: str) -> bool:
        return self.model.text[name] != ABSENT

    def is_busy(self, actor: Actor) -> bool:
        return any(one.actor == actor for one in self.open)

    def checked(self, words: str, pair: Pair, *, whole: bool = True, denied: bool = False) -> None:
        """Before a call of the agent that writes the file."""
        model, (actor, name), text = self.model, pair, self.model.text[pair[1]]
        named = f"{name} was changed" in words
        if pair not in model.hazy:
            news = model.is_news(pair, whole=whole)
            insists = actor[0] == ENFORCED and model.matters(pair, whole=whole) and (news or self.is_there(name))
            assert named == news or (insists and (named or pair in model.wrote)), (pair, words)
            assert not insists or denied or pair in model.wrote, (pair, words)
            assert not denied or insists, (pair, words)
            if named and name not in model.vague:
                assert any(author in words for author in model.authors(pair)), (model.authors(pair), words)
            if (
                named
                and self.is_there(name)
                and model.known[pair] != ABSENT
                and first_line(text) != first_line(model.known[pair])
            ):
                assert f"+ 1: {first_line(text)}" in words
        if named:
            model.told[pair] = text

    def took_over(self, pair: Pair, *, whole: bool) -> None:
        """The file is as a call of the agent left it."""
        place = self.repo / pair[1]
        text = place.read_text(encoding="utf-8") if place.exists() else ABSENT
        self.model.writes(pair, text, whole=whole)
        self.is_beside(pair[1], pair[0])

    @invariant()
    def files_are_as_the_model_has_them(self) -> None:
        for name, text in self.model.text.items():
            place = self.repo / name
            assert (place.read_text(encoding="utf-8") if place.exists() else ABSENT) == text


def first_line(text: str) -> str:
    return text.partition("\n")[0]
