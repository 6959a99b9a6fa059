"""New code against the habits of the repository: what is found, how it weighs, and what is left alone."""

from __future__ import annotations

import pytest

from leeboard.model.verdict import Finding, Signal
from leeboard.rule import read_rule
from leeboard.rules import pattern_contradiction
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import play

RULES = (read_rule(pattern_contradiction),)


def repo(pattern: str, text: str, count: int = 6) -> tuple[str, ...]:
    return tuple(f"repo {pattern.format(number)} | {text}" for number in range(count))


def found(*lines: str) -> list[Finding]:
    store = MemoryStore()
    told = play(lines, store=store, rules=RULES).told
    verdicts = dict.fromkeys(one.verdict.id for one in told if one.verdict is not None)
    return [finding for verdict in verdicts for finding in store.findings(verdict) if finding.signal]


def signal(*lines: str) -> Signal:
    (finding,) = found(*lines)
    assert finding.signal is not None
    return finding.signal


DB = ("repo app/db/session.py | import sqlite3", *repo("app/orders/p{}.py", "from app.db.session import Session", 12))
FETCH = (
    "repo src/lib/fetchClient.ts | export const get = 1",
    *repo("src/ui/p{}.tsx", "import { get } from '../lib/fetchClient'"),
)
AXIOS = repo("src/api/p{}.ts", "import axios from 'axios'")
ORM = repo("shop/p{}.py", "from sqlalchemy.orm import Session")
GORM = repo("internal/p{}.go", 'import "gorm.io/gorm"')
JUNIT = repo("src/test/java/P{}Test.java", "import org.junit.jupiter.api.Test;")
LAYERS = (
    *repo("app/ui/p{}.py", "from app.services.p0 import a"),
    *repo("app/services/p{}.py", "from app.db.p0 import b"),
    *repo("app/db/p{}.py", "import sqlite3"),
)
ERRORS = ("repo app/errors.py | class AppError(Exception): ...", *repo("app/jobs/p{}.py", "def a(): raise AppError()"))
TASK = "@ add the monthly totals"

FIRES = {
    "raw library beside its wrapper (P1)": (*DB, TASK, "write app/orders/totals.py | import sqlite3"),
    "an edit brings it in": (*DB, TASK, "edit app/orders/p0.py | Session => Session\nimport sqlite3"),
    "axios beside fetchClient (P2)": (*FETCH, TASK, "write src/ui/totals.tsx | import axios from 'axios'"),
    "a second client": (*AXIOS, TASK, "write src/api/totals.ts | import got from 'got'"),
    "a second ORM (P3)": (*ORM, TASK, "write shop/totals.py | from peewee import Model"),
    "a second ORM in Go": (*GORM, TASK, 'write internal/totals.go | import "entgo.io/ent"'),
    "the interface reaches into the database (P4)": (*LAYERS, TASK, "write app/ui/totals.py | from app.db.p0 import b"),
    "the database calls the interface": (*LAYERS, TASK, "write app/services/totals.py | from app.ui.p0 import a"),
    "another test framework": (
        *JUNIT,
        TASK,
        "write src/test/java/TotalsTest.java | import org.testng.annotations.Test;",
    ),
    "another error than its siblings": (*ERRORS, TASK, "write app/jobs/totals.py | def a(): raise Exception('x')"),
    "ruled out in writing": (
        "repo CLAUDE.md | Do not use moment; use date-fns.",
        TASK,
        "write src/a.ts | import moment from 'moment'",
    ),
    "a plan to go past the wrapper": (*DB, TASK, "~ I'll use sqlite3 directly here."),
    "a plan for a service that is there": (
        "repo app/payment_service.py | class PaymentService: ...",
        TASK,
        "~ I'll create a new payment service for the totals.",
    ),
}

SILENT = {
    "through the wrapper": (*DB, TASK, "write app/orders/totals.py | from app.db.session import Session"),
    "the wrapper itself": (*DB, TASK, "write app/db/pool.py | import sqlite3"),
    "a script": (*DB, TASK, "write scripts/totals.py | import sqlite3"),
    "a migration (N2)": (*DB, TASK, "write app/migrations/0004_totals.py | import sqlite3"),
    "a test": (*DB, TASK, "write tests/test_totals.py | import sqlite3"),
    "no dominant choice (N3)": (
        *repo("a/p{}.py", "import requests", 3),
        *repo("b/p{}.py", "import httpx", 3),
        TASK,
        "write a/totals.py | import httpx",
    ),
    "the dominant choice": (*AXIOS, TASK, "write src/api/totals.ts | import axios from 'axios'"),
    "few files": (
        *repo("src/api/p{}.ts", "import axios from 'axios'", 4),
        TASK,
        "write src/api/totals.ts | import got from 'got'",
    ),
    "types alone": (*AXIOS, TASK, "write src/api/totals.ts | import type { Got } from 'got'"),
    "for performance": (
        *DB,
        TASK,
        "write app/orders/totals.py | import sqlite3  # bulk insert, the session is too slow",
    ),
    "with the layers": (*LAYERS, TASK, "write app/ui/totals.py | from app.services.p1 import a"),
    "mocks": (
        *repo("tests/test_p{}.py", "import pytest"),
        TASK,
        "write tests/test_totals.py | from unittest import mock",
    ),
    "another language": (*AXIOS, TASK, "write app/totals.py | import requests"),
    "a new package": (
        *AXIOS,
        TASK,
        'write packages/totals/package.json | {"name": "totals"}',
        "write packages/totals/src/a.ts | import got from 'got'",
    ),
    "it was there before": (
        *DB,
        "repo app/orders/old.py | import sqlite3",
        TASK,
        "edit app/orders/old.py | sqlite3 => sqlite3, json",
    ),
    "a service nobody has": (*DB, TASK, "~ I'll create a new shipping service for the totals."),
    "a plan against it": (*DB, TASK, "~ I won't use sqlite3 directly here."),
    "no index": (TASK, "write app/orders/totals.py | import sqlite3"),
    "its siblings' error": (*ERRORS, TASK, "write app/jobs/totals.py | def a(): raise AppError('x')"),
}

LOGGED = {
    "the task replaces it (N1)": (
        "@ replace axios with got in the api",
        "write src/api/totals.ts | import got from 'got'",
    ),
    "the user names it": ("@ load the totals, use got for it", "write src/api/totals.ts | import got from 'got'"),
    "the agent announces it (N4)": (
        "@ load the totals",
        "~ I'm switching to got because axios can not stream the totals.",
        "write src/api/totals.ts | import got from 'got'",
    ),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name: str) -> None:
    (finding,) = found(*FIRES[name])
    assert finding.signal is not None
    assert not finding.signal.log_only
    assert len(finding.message.split()) < 40
    assert finding.evidence[0].text.endswith(".")


@pytest.mark.parametrize("name", SILENT)
def test_stays_silent(name: str) -> None:
    assert not found(*SILENT[name])


@pytest.mark.parametrize("name", LOGGED)
def test_an_intended_change_is_only_logged(name: str) -> None:
    """SW-37, SW-38."""
    (finding,) = found(*AXIOS, *LOGGED[name])
    assert finding.signal is not None
    assert finding.signal.log_only
    assert any(item.text.startswith("validator: ") for item in finding.evidence)


@pytest.mark.parametrize(
    ("name", "rework", "stage"),
    [
        ("a plan for a service that is there", 3, "PLAN"),
        ("raw library beside its wrapper (P1)", 4, "DIFF"),
        ("axios beside fetchClient (P2)", 4, "DIFF"),
        ("the interface reaches into the database (P4)", 4, "DIFF"),
        ("a second ORM (P3)", 5, "DIFF"),
        ("the database calls the interface", 5, "DIFF"),
    ],
)
def test_what_it_costs(name: str, rework: int, stage: str) -> None:
    """SW-39."""
    made = signal(*FIRES[name])
    assert (made.rework_cost, made.stage, made.subclass) == (rework, stage, "A2")


def test_who_has_the_usual_way_in_mind_may_correct_itself() -> None:
    """SW-40."""
    write = "write app/orders/totals.py | import sqlite3"
    assert signal(*DB, TASK, write).self_correct_prob == 0.7
    assert signal(*DB, TASK, "~ The orders go through app/db/session.py today.", write).self_correct_prob == 0.5


def test_it_is_the_same_finding_when_lines_move() -> None:
    (one,) = found(*DB, TASK, "write app/orders/totals.py | import sqlite3")
    (other,) = found(*DB, TASK, "write app/orders/totals.py | import json\n\nimport sqlite3")
    assert one.fingerprint == other.fingerprint
    assert (one.line, other.line) == (1, 3)


def test_plans_are_never_sure() -> None:
    (plan,) = found(*FIRES["a plan to go past the wrapper"])
    assert plan.confidence <= 0.6
