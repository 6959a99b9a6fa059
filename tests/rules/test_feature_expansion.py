"""A feature is added that nobody asked for."""

from __future__ import annotations

import pytest

from leeboard.model.outcome import Judged
from leeboard.rule import read_rule
from leeboard.rules import feature_expansion
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import play
from leeboard.testing.scenario_lines import SESSION
from tests.call_count import calls

RULES = (read_rule(feature_expansion),)
TASK = "@ add --json to the export command in cli.py"
START = ("read cli.py", "read export.py", "read output.py", "read app.py")
JSON = "edit cli.py | pass => parser.add_argument('--json')"


def flag(name: str) -> str:
    return f"edit cli.py | pass # {name} => parser.add_argument('--{name}')"


def judged(*lines: str, task: str = TASK) -> list[Judged]:
    store = MemoryStore()
    play((task, *START, *lines), store=store, rules=RULES)
    return list(store.signals(SESSION))


def weights(*lines: str, task: str = TASK) -> list[tuple[str, str]]:
    return [(signal.disposition, signal.urgency) for signal in judged(*lines, task=task)]


def test_the_first_extra_is_queued() -> None:
    """P1, SW-112, SW-120: 3 x 0.5 = 1.5, raised to 2.0."""
    (found,) = judged(JSON, flag("format"))
    assert (found.disposition, found.urgency, found.path) == ("QUEUE", "2.0", "cli.py")
    assert "--format" in found.message
    assert len(found.message.split()) < 40


def test_the_second_weighs_more() -> None:
    """P2, SW-119: 3 x 0.7."""
    assert weights(JSON, flag("format"), flag("color")) == [("QUEUE", "2.0"), ("QUEUE", "2.1")]


def test_the_third_distinct_one_fires() -> None:
    """P3, SW-115, SW-121."""
    found = judged(JSON, flag("format"), f"& {flag('color')}", f"& {flag('watch')}")
    assert [(signal.disposition, signal.urgency) for signal in found][-1] == ("FIRE", "3.0")


def test_the_third_waits_while_the_last_word_is_fresh() -> None:
    """P4."""
    found = judged(JSON, flag("format"), flag("color"), flag("watch"))
    assert [(signal.disposition, signal.urgency) for signal in found][-1] == ("QUEUE", "3.0")


def test_the_same_one_counts_once() -> None:
    """N4, SW-121."""
    again = [f"edit cli{number}.py | pass => parser.add_argument('--format')" for number in range(3)]
    assert "FIRE" not in {signal.disposition for signal in judged(JSON, *again)}


@pytest.mark.parametrize(
    ("task", "said", "change"),
    [
        (
            "@ fix the totals in report.py",
            "I should also add a webhook endpoint.",
            'edit api.py | pass => @app.post("/webhook")',
        ),
        (
            "@ fix the totals in report.ts",
            "I'll also add a theme toggle button.",
            "edit ui.tsx | null => <button onClick={f}>Theme</button>",
        ),
        (
            "@ fix the totals in report.go",
            "Let me add support for metrics.",
            'edit main.go | x => mux.HandleFunc("/metrics", serve)',
        ),
        (
            "@ fix the totals in report.py",
            "I'll also include a nightly digest job.",
            "edit jobs.py | pass => @celery.task\ndef nightly_digest():\n    pass",
        ),
        (
            "@ fix the totals in report.js",
            "I will also add an audit table.",
            "edit db/schema.sql | -- => CREATE TABLE audit (id int);",
        ),
        (
            "@ fix the totals in report.py",
            "I'll make the region configurable and add support for a REGION option.",
            'edit conf.py | pass => region = os.environ.get("REGION")',
        ),
        (
            "@ fix the totals in report.ts",
            "I'll also add a doctor command.",
            "edit cli.ts | x => program.command('doctor')",
        ),
    ],
)
def test_announced_and_written_is_queued(task: str, said: str, change: str) -> None:
    """SW-113, SW-114, SW-117: in several languages and kinds."""
    found = judged(f"~ {said}", change, task=task)
    assert [signal.disposition for signal in found if signal.path] == ["QUEUE"]


@pytest.mark.parametrize(
    "words",
    [
        "I'll also add a retries option for slow networks.",
        "I should also include a dashboard page.",
        "Let me add support for a plugin mode.",
    ],
)
def test_the_words_alone_are_logged(words: str) -> None:
    """SW-113: 3 x 0.5, and no floor before it is written."""
    assert weights(JSON, f"~ {words}") == [("LOG", "1.5")]


def test_a_feature_that_nobody_announced_is_only_noted() -> None:
    found = judged('edit api.py | pass => @app.get("/webhook")', task="@ fix the totals in report.py")
    assert [(signal.disposition, signal.note) for signal in found] == [("LOG", "may be a detail of the task")]


@pytest.mark.parametrize(
    ("task", "lines"),
    [
        (TASK, (JSON,)),
        (TASK, (JSON, "~ I should also add error handling.")),
        (TASK, (JSON, "~ I'll also add a test for the flag.")),
        (TASK, (JSON, "edit cli.py | pass => def _helper():\n    return 1")),
        (TASK, (JSON, "edit tests/test_cli.py | pass => parser.add_argument('--format')")),
        (TASK, (JSON, "edit docs/usage.md | x => parser.add_argument('--format')")),
        (TASK, (JSON, "edit cli.py | pass => # parser.add_argument('--format')")),
        (TASK, (JSON, "edit cli.py | parser.add_argument('--format') => parser.add_argument('--format', help='x')")),
        (TASK, (JSON, "write cli.py | parser.add_argument('--json')\nparser.add_argument('--old')")),
        (TASK, (JSON, "$ npm install left-pad -> added", 'edit package.json | "a": "1.0.0" => "left-pad": "1.0.0"')),
        (TASK, (JSON, 'edit run.py | pass => os.environ["GITHUB_REF"]')),
        ("@ add --json to export, and whatever else is useful while you're at it", (JSON, flag("format"))),
        ("@ add --json and other options to export", (JSON, flag("format"))),
        ("@ implement docs/plan.md, starting with --json", (JSON, flag("format"))),
        (
            "@ add login to the app",
            ("~ I'll also add a logout endpoint.", 'edit api.py | pass => @app.post("/logout")'),
        ),
        ("@ füge --json hinzu", (JSON, flag("format"))),
        (TASK, (JSON, "@ add --format too", flag("format"))),
        (TASK, (JSON, "$! cat x -> no", "$ ls -> a")),
    ],
)
def test_a_detail_or_asked_for(task: str, lines: tuple[str, ...]) -> None:
    """N1, N2, SW-116, SW-118, and what only looks like a feature."""
    assert weights(*lines, task=task) == []


def test_what_the_user_asks_for_later_no_longer_counts() -> None:
    """N3."""
    found = judged(JSON, flag("format"), "@ yes, add --format too", flag("color"), flag("watch"))
    assert "FIRE" not in {signal.disposition for signal in found}


def test_what_is_taken_out_again_is_not_spoken_of() -> None:
    lines = (JSON, flag("format"), "edit cli.py | parser.add_argument('--format') => pass", "read a.py", "read b.py")
    start = "repo cli.py | pass\npass # format\n"
    store = MemoryStore()
    play((start, TASK, *START, *lines), store=store, rules=RULES)
    assert [signal.state for signal in store.signals(SESSION)] == ["self-corrected"]


def test_without_a_goal_nothing_is_judged() -> None:
    store = MemoryStore()
    play((*START, JSON, flag("format")), store=store, rules=RULES)
    assert store.signals(SESSION) == ()


def routes(count: int) -> str:
    return "\n".join(f"@app.get('/part{at}x')" for at in range(count))


def test_of_very_many_the_rest_is_counted() -> None:
    found = judged(f"edit api.py | pass => {routes(100)}", task="@ fix the totals in report.py")
    assert len(found) == 41
    assert {signal.disposition for signal in found} == {"LOG"}
    (rest,) = (signal for signal in found if signal.subject == "api.py and more")
    assert (rest.line, rest.message.startswith("60 more features from api.py:41 on")) == (41, True)


def test_every_one_of_many_is_little_work() -> None:
    """However many are written beside one the user named, what the session holds is looked up once."""
    lines = ("@ add /users and fix the totals", *START, "edit a.py | pass => @app.get('/users')")

    def work(count: int) -> int:
        return calls(lambda: play((*lines, f"edit b.py | x => {routes(count)}"), rules=RULES, store=MemoryStore()))

    work(1)
    assert work(100) - work(0) <= 1_000 * 100
