"""What each rule of the guard costs where it has nothing to say: the CPU time of its look, its facts and its `detect`.

Whoever asks for a fact first pays for it, as in a hook. The figure of a rule is that of its dearest event. The user has
set a limit, the settings protect files, the project has a rule of its own, and shell lines run in a real repository: no
rule is passed over for want of those.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from pathlib import Path

from benchmarks.measure import Ratio
from leeboard.app.replay import RecordedFiles
from leeboard.io.git.unsaved import UnsavedWork
from leeboard.judge.footing import rests_on
from leeboard.model.event import Event, PromptGiven, Stopped, TextEdit, ToolCall, ToolFinished, ToolProposed
from leeboard.model.policy import Policy
from leeboard.model.verdict import Finding
from leeboard.model.workspace import Workspace
from leeboard.model.world import World
from leeboard.rule import Detect, Header, LoadedRule, discover
from leeboard.settings.own_rules.file import parse_rules
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import ScenarioPlace, tell
from leeboard.testing.scenario_lines import ROOT, SESSION

GUARD = (
    *("lost_work", "irreversible_command", "protected_file", "lookalike_package", "secret_sent", "weakened_test"),
    *("dropped_guard", "unproven_claim", "stuck_loop", "swallowed_failure", "planted_words", "own_rule", "own_refusal"),
    *("broken_constraint", "changed_underneath"),
)
REPOSITORY = str(Path(__file__).resolve().parents[1])
ROUNDS = 15
LINES, SIGNS = 300, 60_000
_PROMPT = "Add the option --plain to src/options.py. Don't touch src/db.py and never push."
_OWN = """
id: no-print
language: python
message: use the logger
rule: {pattern: print($$$A)}
when: {path: "lib/**"}
then: refuse
"""
_numbers = count()


def measure() -> Iterator[Ratio]:
    """One line for each rule, in milliseconds."""
    taken: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for turn in range(ROUNDS + 1):
        for kind, events in _events():
            for rule, seconds in _costs(events).items():
                if turn:  # the first round only warms up
                    taken[rule][kind].append(seconds)
    for rule in GUARD:
        by_kind = {kind: statistics.median(seconds) * 1000 for kind, seconds in taken[rule].items()}
        dearest = max(by_kind, key=lambda kind: by_kind[kind], default="")
        detail = f"dearest: {dearest}" if dearest else "asked about none of these events"
        yield Ratio(name=f"ms of {rule}, silent", ratio=by_kind.get(dearest, 0.0), aim=1, detail=detail)


def _events() -> Iterator[tuple[str, tuple[Event, ...]]]:
    """Each another text than before: nothing is answered from memory."""
    number = next(_numbers)
    source = Path(argparse.__file__ or "").read_text(encoding="utf-8").split("\n")
    code = "\n".join([*source[number : number + LINES], f"# {number}"])
    old, new = f"    total = {number}\n", f"    total = {number} + 1\n    return total\n"
    line = f"cd src && grep -rn 'def add_{number}' . | head -20 && git status --short && python -m pytest -q tests"
    words = "The installer reads the settings file, and then it starts the server with what the user has set there. "
    foreign = (
        "Die Datei wird gelesen, und für jede Zeile läuft die Prüfung – „Größe“ heißt hier Länge; 設定を読みます。 "
    )
    yield "a shell line", _call("Bash", "bash", cwd=REPOSITORY, command=line, output=f"{number} passed in 0.2s\n")
    yield "an Edit", _call("Edit", "edit", paths=("src/options.py",), edits=(TextEdit(old, new),))
    yield "a Write of 300 lines", _call("Write", "write", paths=("src/options.py",), edits=(TextEdit("", code),))
    test = (TextEdit(old, f"def test_total_{number}():\n    assert total() == {number}\n"),)
    yield "an Edit of a test", _call("Edit", "edit", paths=("tests/test_options.py",), edits=test)
    yield "a fetched page", _call("WebFetch", "other", query="https://x.example", output=_page(words, number))
    yield "a page not in ASCII", _call("WebFetch", "other", query="https://x.example", output=_page(foreign, number))
    yield "the end", (Stopped(session=SESSION, cwd=ROOT, text=f"Option {number} is there, as you wanted it."),)
    checked = _call("Bash", "bash", command="python -m pytest -q", output=f"{number + 1} passed in 0.2s\n")
    end = Stopped(session=SESSION, cwd=ROOT, text=f"All {number + 1} tests pass.")
    yield "the end, with a claim", (*checked, end)


def _page(words: str, number: int) -> str:
    """With the words now and then that make a closer look necessary."""
    part = f"{words * 20}The system prompt of the agent now has {number} parts. "
    return part * (SIGNS // len(part))


def _call(tool: str, action: str, output: str = "", cwd: str = ROOT, **fields: object) -> tuple[Event, ...]:
    call = ToolCall(id=f"t{next(_numbers)}", tool=tool, action=action, **fields)  # type: ignore[arg-type]  # fields of a call
    proposed = ToolProposed(session=SESSION, key=f"c{call.id}", cwd=cwd, call=call)
    finished = ToolFinished(session=SESSION, key=f"r{call.id}", cwd=cwd, call=call, outcome="done", output=output)
    return proposed, finished


def _costs(events: Iterable[Event]) -> dict[str, float]:
    """CPU seconds of each rule that was asked, over the events together."""
    spent: dict[str, float] = defaultdict(float)
    rules = tuple(_Watched(loaded, spent) for loaded in discover() if loaded.id in GUARD)
    store, files = MemoryStore(), RecordedFiles(Workspace(ROOT).spell, {"src/options.py": "def add():\n    pass\n"})
    own_rules = parse_rules(_OWN, "own.yml").rules
    place = ScenarioPlace(files=files, first=files, own_rules=own_rules, unsaved=UnsavedWork())
    policy = Policy(protected=("infra/**", "*.lock"))
    tell(PromptGiven(session=SESSION, key="p", cwd=ROOT, text=_PROMPT), store, policy, place=place, rules=rules)
    spent.clear()
    for event in events:
        files.observe(event)
        tell(event, store, policy, place=place, rules=(_Looks(rules, spent), *rules))
    if spent.pop("spoke", 0):
        raise ValueError(f"a rule speaks where all should be silent: {events}")
    return spent


class _Watched(LoadedRule):
    """A rule that notes what it costs: from the moment it is reached for, so its facts count too."""

    def __init__(self, loaded: LoadedRule, spent: dict[str, float]) -> None:
        header = Header(
            traits=loaded.traits, listens=tuple(loaded.listens), wants=loaded.wants, holds_wants=loaded.holds_wants
        )
        super().__init__(f"leeboard.rules.{loaded.id}", header)
        self._spent = spent

    @property
    def detect(self) -> Detect:
        began, detect = time.process_time(), super().detect

        def timed(*facts: object) -> list[Finding]:
            found = list(detect(*facts))
            self._spent[self.id] += time.process_time() - began
            if found:
                self._spent["spoke"] += 1
            return found

        return timed


class _Looks(LoadedRule):
    """Asked about everything, to measure what the looks cost by which the others are passed over."""

    def __init__(self, rules: tuple[LoadedRule, ...], spent: dict[str, float]) -> None:
        super().__init__("looks", Header(listens=tuple({name for rule in rules for name in rule.listens})))
        self.channel = "signal"
        self._rules, self._spent = rules, spent

    @property
    def detect(self) -> Callable[[Event, World], list[Finding]]:
        return self._look

    def _look(self, event: Event, world: World) -> list[Finding]:
        for rule in self._rules:
            if type(event).__name__ in rule.listens and (what := rule.traits.only_where):
                began = time.process_time()
                rests_on(what, world, _no_fact)
                self._spent[rule.id] += time.process_time() - began
        return []


def _no_fact(name: str) -> object:
    """The looks of the guard's rules are at the event alone; one that asks for more has to be measured with it."""
    raise LookupError(f"a look at {name} is not measured here")
