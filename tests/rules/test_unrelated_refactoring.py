"""Code is cleaned up that has nothing to do with the task."""

from __future__ import annotations

import pytest

from leeboard.model.outcome import Judged
from leeboard.rule import read_rule
from leeboard.rules import scope_drift, unrelated_refactoring
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import play
from leeboard.testing.scenario_lines import SESSION

RULES = (read_rule(scope_drift), read_rule(unrelated_refactoring))
TASK = "@ fix the auth bug"
START = ("read src/auth/token.ts", "edit src/auth/token.ts | a(1) => a(2)", "read src/auth/key.ts")
RENAME = "edit {} | const sum = total() => const amount = total()"
INVOICE, MAILER, CHART = "src/billing/invoice.ts", "lib/mail/sender.ts", "web/charts/axis.ts"


def judged(*lines: str, task: str = TASK) -> list[Judged]:
    store = MemoryStore()
    play((task, *START, *lines), store=store, rules=RULES)
    return list(store.signals(SESSION))


def weights(*lines: str, task: str = TASK) -> list[tuple[str, str]]:
    return [(signal.disposition, signal.urgency) for signal in judged(*lines, task=task)]


def large(path: str) -> str:
    """Thirty lines in another order."""
    lines = [f"import {{ name{number} }} from 'lib{number}'" for number in range(15)]
    old, new = "\n".join(lines), "\n".join(reversed(lines))
    return f"edit {path} | {old} => {new}"


def test_a_rename_in_another_module_is_logged() -> None:
    """P1, SW-104, SW-110."""
    (found,) = judged(RENAME.format(INVOICE))
    assert (found.disposition, found.urgency, found.path) == ("LOG", "1.2", INVOICE)
    assert "only alters how the code looks" in found.reason


@pytest.mark.parametrize(
    "change",
    [
        f"edit {INVOICE} | const a = b( c ) => const a = b(c)",
        f"edit {INVOICE} | total('x') => total(\"x\")",
        f"edit {INVOICE} | import b\nimport a => import a\nimport b",
        f"edit {INVOICE} | x = 1 // old => x = 1",
        f"edit {INVOICE} | let sum = 0; sum += x => let amount = 0; amount += x",
        "edit lib/report/totals.py | def calc(rows):\n    return rows => def compute(rows):\n    return rows",
        "edit pkg/store/disk.go | var k = load(); use(k) => var key = load(); use(key)",
    ],
)
def test_what_only_looks_different(change: str) -> None:
    """SW-107."""
    assert [signal.disposition for signal in judged(change)] == ["LOG"]


@pytest.mark.parametrize(
    "words",
    [
        "While I'm here, I'll clean up the mailer.",
        "I'll also refactor the mailer.",
        "Let me tidy this up.",
    ],
)
def test_the_words_alone_are_logged(words: str) -> None:
    """P3, SW-105."""
    assert weights(f"~ {words}") == [("LOG", "0.8")]


def test_most_of_the_work_outside_the_task_is_queued() -> None:
    """P2, SW-111: more than six tenths of the lines, in two files or more."""
    found = judged(large(INVOICE), large(MAILER))
    assert [(signal.disposition, signal.urgency) for signal in found] == [("LOG", "1.2"), ("QUEUE", "2.0")]
    assert "2 files" in found[-1].message
    assert len(found[-1].message.split()) < 40


def test_one_large_file_is_not_enough() -> None:
    assert [weight for weight, _ in weights(large(INVOICE))] == ["LOG"]


def test_half_of_the_work_is_not_enough() -> None:
    """SW-111."""
    own = "\n".join(f"check({number})" for number in range(80))
    found = judged(f"edit src/auth/token.ts | a(2) => {own}", large(INVOICE), large(MAILER))
    assert {signal.disposition for signal in found} == {"LOG"}


def test_small_changes_are_never_queued() -> None:
    found = judged(RENAME.format(INVOICE), RENAME.format(MAILER), RENAME.format(CHART))
    assert {signal.disposition for signal in found} == {"LOG"}


@pytest.mark.parametrize(
    ("task", "lines"),
    [
        ("@ fix the auth bug and also clean up the invoice code", (RENAME.format(INVOICE),)),
        ("@ fix the auth bug, then rename sum to amount in src/billing/invoice.ts", (RENAME.format(INVOICE),)),
        ("@ rename sum to amount in the whole codebase", (RENAME.format(INVOICE),)),
        (TASK, ("edit src/auth/token.ts | const a = 1 => const b = 1",)),
        (TASK, ("edit src/auth/key.ts | const a = 1 => const b = 1",)),
        (TASK, ("edit tests/billing/invoice.test.ts | const a = 1 => const b = 1",)),
        (TASK, ("edit package-lock.json | const a = 1 => const b = 1",)),
        (TASK, ("edit docs/guide.md | the one => the other",)),
        (TASK, ("$! npm test -> TypeError in src/billing/invoice.ts:3", RENAME.format(INVOICE))),
        (
            TASK,
            (
                "grep verify -> src/billing/invoice.ts:3: verify()",
                "read src/billing/invoice.ts",
                RENAME.format(INVOICE),
            ),
        ),
        (TASK, (f"edit {INVOICE} | pay(1) => pay(2)",)),
        (TASK, (f"edit {INVOICE} | now() => current()",)),
        (TASK, ("$ sed -i s/a/b/ src/auth/token.ts",)),
        (TASK, ("~ I won't clean up the mailer.",)),
        (TASK, ("~ The mailer was cleaned up by somebody.",)),
        ("@ fix the auth bug and tidy up what you touch", ("~ While I'm here, I'll clean up the mailer.",)),
    ],
)
def test_part_of_the_work_or_asked_for(task: str, lines: tuple[str, ...]) -> None:
    """N1, N2, N3, SW-108, SW-109."""
    assert weights(*lines, task=task) == []


def test_the_first_turns_are_grace() -> None:
    """N4."""
    store = MemoryStore()
    lines = (TASK, "edit src/auth/token.ts | a(1) => a(2)", large(INVOICE), large(MAILER))
    play(lines, store=store, rules=RULES)
    assert {signal.disposition for signal in store.signals(SESSION)} == {"LOG"}


def test_the_words_and_a_restyling_of_a_related_file_are_logged() -> None:
    said = "~ While I'm here, I'll clean up the names."
    found = judged(said, "edit src/auth/key.ts | const a = f() => const b = f()")
    assert [signal.disposition for signal in found] == ["LOG", "LOG"]


def test_it_ends_when_the_user_speaks() -> None:
    found = judged(
        large(INVOICE), large(MAILER), "@ good, go on with the auth bug in token.ts", "read a.ts", "read b.ts"
    )
    assert "delivered" not in {signal.state for signal in found}
