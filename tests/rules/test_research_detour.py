"""The agent has stopped building and reads what the task does not need now."""

from __future__ import annotations

import pytest

from leeboard.model.event import ToolCall, ToolFinished, ToolProposed, TurnEnded
from leeboard.model.outcome import Judged
from leeboard.rule import read_rule
from leeboard.rules import research_detour
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import play, tell
from leeboard.testing.scenario_lines import ROOT, SESSION

RULES = (read_rule(research_detour),)
TASK = "@ add retries to src/http/client.py"
START = ("read src/http/client.py", "read src/http/errors.py", "read src/http/pool.py")
BUILD = "edit src/http/client.py | send() => retry(send)"
DOCS = tuple(f"read docs/{name}.md" for name in ("history", "roadmap", "style", "talks", "people", "press"))
INSIDE = tuple(f"read src/http/{name}.py" for name in ("a", "b", "c", "d", "e"))


def judged(*lines: str, task: str = TASK) -> list[Judged]:
    store = MemoryStore()
    play((task, *START, *lines), store=store, rules=RULES)
    return list(store.signals(SESSION))


def weights(*lines: str, task: str = TASK) -> list[tuple[str, str]]:
    return [(signal.disposition, signal.urgency) for signal in judged(*lines, task=task)]


def test_three_turns_are_queued_and_not_yet_spoken_of() -> None:
    """SW-126, SW-129, O-8."""
    (found,) = judged(BUILD, *DOCS[:3])
    assert (found.disposition, found.urgency, found.state) == ("QUEUE", "2.0", "waiting")


def test_the_fourth_turn_makes_it_spoken() -> None:
    """P1, SW-122."""
    (found,) = judged(BUILD, *DOCS[:4])
    assert (found.disposition, found.state) == ("QUEUE", "delivered")
    assert "docs/" in found.message
    assert len(found.message.split()) < 40


@pytest.mark.parametrize("turns", [3, 4, 5, 6])
def test_a_stretch_is_one_signal(turns: int) -> None:
    """P3."""
    assert [weight for weight, _ in weights(BUILD, *DOCS[:turns])] == ["QUEUE"]


def test_a_change_in_the_fourth_turn_ends_it() -> None:
    """SW-129: what was fixed before it was due is not spoken of."""
    lines = (BUILD, *DOCS[:3], "edit src/http/client.py | retry(send) => retry(send, 3)", "read src/http/x.py")
    assert [signal.state for signal in judged(*lines)] == ["self-corrected"]


@pytest.mark.parametrize(
    "lines",
    [
        ("~ Let me explore how charts work.", *(f"read web/charts/{name}.ts" for name in "abc")),
        tuple(f"read node_modules/axios/lib/{name}.js" for name in "abc"),
        tuple(f"$ cat docs/{name}.md -> text {name}" for name in "abc"),
        tuple(f"read /usr/share/doc/{name}.txt" for name in "abc"),
        tuple(f"$ curl -s https://example.org/{name} -> page {name}" for name in ("alpha", "beta", "gamma")),
        (DOCS[0], "& read docs/more.md", DOCS[1], DOCS[2]),
        (DOCS[0], "grep lighthouse -> x", DOCS[1], DOCS[2]),
    ],
)
def test_outside_of_the_work(lines: tuple[str, ...]) -> None:
    """SW-125."""
    assert weights(BUILD, *lines) == [("QUEUE", "2.0")]


@pytest.mark.parametrize("count", [3, 4])
def test_reading_on_in_the_task_is_logged(count: int) -> None:
    """P2, SW-128, SW-130: it may unblock a decision."""
    found = judged(BUILD, *INSIDE[:count])
    assert [(signal.disposition, signal.urgency) for signal in found] == [("LOG", "0.5")]
    assert "unblock" in found[0].note


def test_a_page_is_outside_and_a_page_about_the_task_is_not() -> None:
    def run(*pages: str) -> list[str]:
        store = MemoryStore()
        play((TASK, *START, BUILD), store=store, rules=RULES)
        for number, page in enumerate(pages):
            call = ToolCall(id=f"w{number}", tool="WebFetch", action="other", query=page)
            tell(ToolProposed(session=SESSION, key=f"call:{call.id}", cwd=ROOT, call=call), store, rules=RULES)
            done = ToolFinished(
                session=SESSION, key=f"done:{call.id}", cwd=ROOT, call=call, outcome="done", output=page
            )
            tell(done, store, rules=RULES)
            tell(TurnEnded(session=SESSION, cwd=ROOT, calls=(call.id,)), store, rules=RULES)
        return [signal.disposition for signal in store.signals(SESSION)]

    assert run(*(f"https://example.org/parsers/{number}" for number in "abc")) == ["QUEUE"]
    assert run(*(f"https://example.org/retries/{number}" for number in "abc")) == ["LOG"]


@pytest.mark.parametrize(
    ("task", "lines"),
    [
        (TASK, DOCS),
        (TASK, (BUILD, *DOCS[:2])),
        (TASK, (BUILD, *(f"read web/charts/{name}.ts" for name in "abcde"))),
        (TASK, (BUILD, *(f"grep {name} -> x" for name in "abcde"))),
        (TASK, (BUILD, DOCS[0], *(f"& {line}" for line in DOCS[1:]))),
        (TASK, (BUILD, "$! pytest -> 1 failed", *DOCS)),
        (TASK, (BUILD, "$ pytest -> 1 failed, 3 passed", *DOCS)),
        (TASK, (BUILD, "@ what does the roadmap say?", *DOCS)),
        (TASK, (BUILD, DOCS[0], BUILD, DOCS[1], BUILD, DOCS[2])),
        (TASK, (BUILD, DOCS[0], DOCS[1], "$ pytest -> 3 passed", DOCS[2])),
        (TASK, (BUILD, "~ That completes the client.", *DOCS)),
        (TASK, (BUILD, "~ Next, I'll add the metrics.", *DOCS)),
        ("@ investigate why src/http/client.py is slow", (BUILD, *DOCS)),
        ("@ review src/http/client.py", (BUILD, *DOCS)),
        ("@ explain the docs and fix src/http/client.py", (BUILD, *DOCS)),
        ("@ research retries, then add them to src/http/client.py", (BUILD, *DOCS)),
    ],
)
def test_no_detour(task: str, lines: tuple[str, ...]) -> None:
    """N2, N3, N4, SW-127, and what ends a stretch."""
    assert weights(*lines, task=task) == []


def test_the_first_turns_are_for_reading() -> None:
    """N1, SW-127: turns one to three never count."""
    store = MemoryStore()
    play((TASK, BUILD, *DOCS[:2], *DOCS[2:4]), store=store, rules=RULES)
    assert store.signals(SESSION) == ()


@pytest.mark.parametrize(
    "words",
    [
        "Let me explore how pools work.",
        "Let me research connection pools.",
        "I want to understand how the pool works before I go on.",
    ],
)
def test_the_words_and_several_looks_in_one_turn_are_logged(words: str) -> None:
    """SW-123, SW-124."""
    assert weights(BUILD, f"~ {words}", DOCS[0], f"& {DOCS[1]}", f"& {DOCS[2]}") == [("LOG", "0.5")]


def test_the_words_alone_are_nothing() -> None:
    assert weights(BUILD, "~ Let me explore how pools work.") == []
