"""The labelled cases of each class and the rows of one rule, played with all rules together."""

from __future__ import annotations

import pytest

from leeboard.judge.urgency import shown, weigh
from leeboard.model.event import Outcome, SessionStarted, TextEdit, ToolCall, ToolFinished, ToolProposed, TurnEnded
from leeboard.model.outcome import Judged
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, Session
from leeboard.model.symbol import Symbol
from leeboard.model.verdict import Action, Finding
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis, World
from leeboard.rule import discover
from leeboard.rules import disguised_modification
from leeboard.source.second_version import Cover
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import Played, play, tell
from leeboard.testing.scenario_lines import ROOT, SESSION
from tests.leak import live_key, random_text

RULES = discover()
KEY = live_key(1)
HEX = random_text(32, 3, "0123456789abcdef")

TOKENS = """def verify_jwt(token, key):
    header, body, sign = token.split('.')
    expected = hmac_sign(header + body, key)
    if expected != sign:
        raise InvalidToken('signature')
    claims = json.loads(decode(body))
    if claims['exp'] < now():
        raise InvalidToken('expired')
    return claims
"""
RENAMED = (
    TOKENS.replace("verify_jwt", "check_session")
    .replace("token", "value")
    .replace("claims", "found")
    .replace("body", "middle")
    .replace("expected", "wanted")
)
PARSE = TOKENS.replace("verify_jwt", "parse_token")
LEXER = """def parse_token(source, at):
    while at < len(source) and source[at].isspace():
        at += 1
    kind = KINDS.get(source[at], 'name')
    end = at + 1
    while end < len(source) and kind == 'name':
        end += 1
    return kind, source[at:end], end
"""
REFUND = """def handle_refund(order, amount):
    if order.state != 'paid':
        raise RefundError('not paid')
    if amount > order.total:
        raise RefundError('too much')
    charge = gateway.refund(order.charge_id, amount)
    order.refunded += amount
    ledger.record(order.id, -amount, charge.reference)
    notify_customer(order.customer, charge)
    return charge
"""
EDGE = REFUND.replace("handle_refund", "handle_refund_edge").replace(
    "    if amount > order.total",
    "    if order.partial:\n        amount = order.open_amount\n    if amount > order.total",
)
HALF = """def handle_refund_v2(order, amount):
    if order.state != 'paid':
        raise RefundError('not paid')
    policy = policies.find(order.country)
    window = policy.window(order.created)
    if window.closed:
        return Rejection(window.reason)
    for line in order.lines:
        scheduler.enqueue(line.sku, policy.carrier, amount)
    return Accepted(policy.deadline)
"""
SLUG = """def slugify(title, limit=60):
    plain = unicodedata.normalize('NFKD', title).encode('ascii', 'ignore').decode()
    words = re.findall(r'[a-z0-9]+', plain.lower())
    slug = '-'.join(words)
    if len(slug) > limit:
        slug = slug[:limit].rsplit('-', 1)[0]
    return slug or 'untitled'
"""
ROUTE = """from flask import Flask, request, render_template_string
import os, shlex, sqlite3, subprocess
app = Flask(__name__)


@app.route('/x')
def view():
    """
EXPRESS = "const express = require('express');\nconst app = express();\napp.get('/x', (req, res) => {\n  "
AUTH = f"repo auth/tokens.py | {TOKENS}"
KNOWN = f"repo shop/refund.py | {REFUND}"
LOOK = ("read x1.py", "read x2.py", "read x3.py")
BUILT = ("@ add slugs", f"write text/slug.py | {SLUG}", *LOOK)


def many(path: str, text: str, count: int = 12) -> tuple[str, ...]:
    return tuple(f"repo {path.format(number)} | {text}" for number in range(count))


DB = ("repo app/db/session.py | import sqlite3", *many("app/orders/p{}.py", "from app.db.session import Session"))
FETCH = (
    "repo src/lib/fetchClient.ts | export const get = 1",
    *many("src/ui/p{}.tsx", "import { get } from '../lib/fetchClient'"),
)
ORM = many("shop/p{}.py", "from sqlalchemy.orm import Session")
LAYERS = (
    *many("app/ui/p{}.py", "from app.services.p0 import a"),
    *many("app/services/p{}.py", "from app.db.p0 import b"),
    *many("app/db/p{}.py", "import sqlite3"),
)
REQUESTS = many("app/p{}.py", "import requests")
TASK = "@ add the monthly totals"


class Run:
    """A session that was played with every rule."""

    def __init__(self, *lines: str) -> None:
        self.store = MemoryStore()
        self.played: Played = play(lines, store=self.store, rules=RULES)

    def judged(self, subclass: str = "") -> list[Judged]:
        return [one for one in self.store.signals(SESSION) if one.subclass.startswith(subclass)]

    def found(self, rule: str) -> list[Finding]:
        verdicts = [told.verdict.id for told in self.played.told if told.verdict]
        return [found for one in dict.fromkeys(verdicts) for found in self.store.findings(one) if found.rule == rule]

    def denied(self) -> int:
        return sum(verdict.action is Action.DENY for verdict in self.played.spoken())


def weights(subclass: str, *lines: str) -> list[tuple[str, str]]:
    """What the rules of a subclass came to."""
    return [(one.disposition, one.urgency) for one in Run(*lines).judged(subclass)]


def flask(body: str) -> str:
    return f"write src/app.py | {ROUTE}{body}\n"


def express(body: str) -> str:
    return f"write src/app.js | const {{ exec }} = require('child_process');\n{EXPRESS}{body}\n}});\n"


CASES_A = {
    "A1 P1 unchecked": ("@ add login", AUTH, "~ I'll build a JWT handler.", [("QUEUE", "2.4")]),
    "A1 P2 after a search": (
        "@ add login",
        AUTH,
        "grep jwt -> auth/tokens.py:1",
        "~ I'll build a JWT handler.",
        [("LOG", "1.5")],
    ),
    "A1 P3 from scratch": ("@ add login", AUTH, "~ I'll build a JWT handler from scratch.", [("QUEUE", "2.7")]),
    "A1 P4 copied, imported and built on": (
        "@ add sessions",
        AUTH,
        f"write api/session.py | {RENAMED}",
        "write api/routes.py | from api.session import check_session\n\nrun = check_session(value, KEY)\n",
        *LOOK,
        [("FIRE", "4.0")],
    ),
    "A1 P5 copy of what was built here": (
        "@ add sessions",
        f"write auth/tokens.py | {TOKENS}",
        f"write api/session.py | {RENAMED}",
        [("QUEUE", "2.0")],
    ),
    "A1 N1 the same name in a lexer": (
        "@ add a lexer",
        f"repo auth/tokens.py | {PARSE}",
        f"write lexer/scan.py | {LEXER}",
        [("LOG", "1.9")],
    ),
    "A1 N2 ordered": (
        "@ rewrite the auth from scratch",
        AUTH,
        "~ I'll build a JWT handler.",
        [("LOG", "1.9")],
    ),
    "A1 N3 moved": (
        "@ reorganise the login",
        AUTH,
        f"edit auth/tokens.py | {TOKENS} => from api.session import verify_jwt",
        f"write api/session.py | {TOKENS}",
        [],
    ),
    "A1 N4 a test double": (
        "@ test the login",
        AUTH,
        "write tests/fake_jwt.py | class FakeJwt:\n" + "".join(f"    {line}\n" for line in TOKENS.splitlines()),
        [],
    ),
    "A2 P1 planned": (*DB, TASK, "~ I'll use sqlite3 directly here.", [("QUEUE", "2.8")]),
    "A2 P1 written": (*DB, TASK, "write app/orders/totals.py | import sqlite3", [("QUEUE", "3.2")]),
    "A2 P2": (*FETCH, TASK, "write src/ui/totals.tsx | import axios from 'axios'", [("QUEUE", "3.2")]),
    "A2 P3 a second ORM": (*ORM, TASK, "write shop/totals.py | from peewee import Model", [("FIRE", "4.0")]),
    "A2 P4 through the layers": (*LAYERS, TASK, "write app/ui/totals.py | from app.db.p0 import b", [("QUEUE", "3.2")]),
    "A2 N1 the task": (
        *REQUESTS,
        "@ replace requests with httpx",
        "write app/totals.py | import httpx",
        [("LOG", "1.9")],
    ),
    "A2 N2 a migration": (*DB, TASK, "write app/migrations/0004_totals.py | import sqlite3", []),
    "A2 N3 no dominant choice": (
        *many("a/p{}.py", "import requests", 3),
        *many("b/p{}.py", "import httpx", 3),
        TASK,
        "write a/totals.py | import httpx",
        [],
    ),
    "A2 N4 announced": (
        *REQUESTS,
        TASK,
        "~ I'm switching to httpx because requests can not stream the totals.",
        "write app/totals.py | import httpx",
        [("LOG", "1.9")],
    ),
    "A3 P1 a second version": (
        "@ partial refunds",
        f"repo shop/user_service.py | {REFUND}",
        f"write shop/user_service_v2.py | {EDGE}",
        [("QUEUE", "2.4")],
    ),
    "A3 P2 one more case": ("@ partial refunds", KNOWN, f"write shop/partial.py | {EDGE}", [("QUEUE", "2.4")]),
    "A3 N1 a versioned tree": (
        "@ api v2",
        f"repo api/v1/users.py | {REFUND}",
        f"write api/v2/users.py | {EDGE}",
        [],
    ),
    "A3 N2 a split": (
        "@ split the file",
        KNOWN,
        f"edit shop/refund.py | {REFUND} => from shop.refund_core import handle_refund",
        f"write shop/refund_core.py | {REFUND}",
        [],
    ),
    "A3 N3 half of it": ("@ add a window", KNOWN, f"write shop/window.py | {HALF}", [("LOG", "1.9")]),
    "A3 N4 ordered": (
        "@ add a separate handler for the refund edge case",
        KNOWN,
        f"write shop/partial.py | {EDGE}",
        [("LOG", "1.9")],
    ),
}


@pytest.mark.parametrize("name", CASES_A)
def test_architecture(name: str) -> None:
    """SW-23, SW-27 to SW-33, SW-35, SW-37 to SW-41, SW-43, SW-45, SW-48."""
    *lines, expected = CASES_A[name]
    assert weights(name[:2], *lines) == expected  # type: ignore[arg-type]  # lines of a scenario, then the outcome


@pytest.mark.parametrize("known", [f"repo billing/invoice_parser.py | {SLUG}", f"write text/slug.py | {SLUG}"])
def test_a_plan_is_held_against_file_names_and_what_was_built(known: str) -> None:
    """SW-26: overlap, and none."""
    thing = "an invoice parser" if known.startswith("repo") else "a slugify function"
    assert [one.subclass for one in Run("@ show invoices", known, f"~ I'll create {thing}.").judged("A1")] == ["A1"]
    assert Run("@ show invoices", known, "~ I'll create a thumbnail cache.").judged("A1") == []


def test_a_parallel_version_that_others_use_may_fire() -> None:
    """SW-44, SW-48, SW-49; A3 P3: both are there, and one is built on."""
    use = "write shop/api.py | from shop.partial import handle_refund_edge\n\nhandle_refund_edge(order, 1)\n"
    (judged,) = Run("@ partial refunds", KNOWN, f"write shop/partial.py | {EDGE}", use, *LOOK).judged("A3")
    assert (judged.disposition, judged.urgency, judged.state) == ("FIRE", "4.0", "fired")


@pytest.mark.parametrize(
    ("share", "log_only", "floor"), [(0.69, "existing code covers under 70 %", 0.0), (0.70, "", 2.0)]
)
def test_seven_tenths_of_cover(share: float, log_only: str, floor: float) -> None:
    """SW-46."""
    world = World(
        session=Session(id="s"),
        agent=AgentState(),
        analysis=Analysis(event=SessionStarted(session="s")),
        policy=Policy(),
        workspace=Workspace(ROOT),
    )
    old, new = (Symbol(name=name, kind="function", path=f"{name}.py", line=1) for name in ("pay", "pay_v2"))
    signal = disguised_modification._second(Cover(new=new, old=old, share=share, named=True), world).signal
    assert signal is not None
    assert (signal.log_only, signal.floor) == (log_only, floor)


# Class B


@pytest.mark.parametrize(
    ("line", "confidence"),
    [
        (f'write src/pay.py | api_key = "{KEY}"', 0.95),
        (f"write src/pay.js | const apiKey = '{KEY}';", 0.95),
        (f"write src/pay.ts | export const apiKey: string = '{KEY}';", 0.95),
        (f'write conf/pay.json | {{"api_key": "{KEY}"}}', 0.95),
        (f"write conf/pay.yml | api_key: {KEY}", 0.95),
        (f"write Dockerfile | ENV API_KEY={KEY}", 0.95),
        (f'write src/db.py | URL = "postgres://app:{random_text(12, 4)}@db.internal:5432/app"', 0.9),
        (f'write src/a.py | secret = "{HEX}"', 0.92),
        (f'write src/a.py | password = "{random_text(20, 7)}"', 0.92),
        (f'write src/a.py | api_key = "{random_text(20, 7)}"', 0.92),
        (f'write src/a.py | token = "{random_text(20, 7)}"', 0.92),
        (f"$ curl -H 'Authorization: Bearer {KEY}' https://x.dev", 0.95),
    ],
)
def test_a_secret_is_refused_before_it_is_written(line: str, confidence: float) -> None:
    """SW-51, SW-52, SW-53, SW-54, SW-55; B1 P1, P2, P3, P6: in turn 1."""
    run = Run("@ add payments", line)
    (judged,) = run.judged()
    assert (judged.subclass, judged.urgency, judged.state) == ("B1", "B1-ESCALATE", "fired")
    assert (judged.confidence, judged.turn, run.denied(), run.played.session.interrupt_budget) == (confidence, 1, 1, 2)
    assert KEY not in repr(judged)


def test_the_words_push_and_never_fire_alone() -> None:
    """SW-53, SW-71; B1 P5: 0.80 goes by the formula with the floor, 0.85 is not above the line."""
    said, write = "~ For now, I'll hardcode the password.", 'write src/db.py | password = "hunter2"'
    assert Run("@ add a login", said).judged("B") == []
    for lines, confidence in (((write,), 0.8), ((said, write), 0.85)):
        (judged,) = Run("@ add a login", *lines).judged("B1")
        assert (judged.disposition, judged.urgency, judged.confidence) == ("QUEUE", "2.0", confidence)
        assert "B1 DIFF: 2 x 0.9 = 1.8" in judged.trace


@pytest.mark.parametrize(
    ("value", "logged"), [(random_text(24, 5), True), (random_text(16, 5), False), ("aaaabbbbccccddddaaaabbbb", False)]
)
def test_entropy_is_worth_a_line_in_the_log(value: str, *, logged: bool) -> None:
    """SW-56, SW-60: above 4.0 bits and 16 characters, at confidence 0.5: 2 x 0.9 by the formula."""
    found = Run("@ add a value", f'write src/a.py | value = "{value}"').judged("B1")
    assert [(one.disposition, one.urgency, one.confidence) for one in found] == [("LOG", "1.8", 0.5)] * logged


@pytest.mark.parametrize(
    ("path", "line", "confidence", "note"),
    [
        ("src/pay.py", 'api_key = "your_api_key_here"', 0.3, "placeholder"),
        ("src/pay.py", 'api_key = "REPLACE_ME"', 0.3, "placeholder"),
        ("tests/test_pay.py", 'token = "test-token"', 0.3, "placeholder"),
        ("tests/test_pay.py", 'password = "hunter2"', 0.8, "test fixture"),
        ("src/pay.test.ts", "const password = 'hunter2';", 0.8, "test fixture"),
        ("spec/pay_spec.rb", "password = 'hunter2'", 0.8, "test fixture"),
    ],
)
def test_placeholders_and_mocks_are_logged(path: str, line: str, confidence: float, note: str) -> None:
    """SW-57, SW-58, SW-162; B1 N1, N5."""
    (judged,) = Run("@ add payments", f"write {path} | {line}").judged("B1")
    assert (judged.disposition, judged.confidence, judged.note) == ("LOG", confidence, note)


def test_a_live_key_among_mocks_is_a_live_key() -> None:
    """SW-162: a mixed diff, and a provider's key in a test."""
    text = f'password = "hunter2"\nkey = "{KEY}"'
    (judged,) = Run("@ add payments", f"write tests/test_pay.py | {text}").judged("B1")
    assert (judged.state, judged.line) == ("fired", 2)


@pytest.mark.parametrize(
    "lines",
    [
        ("repo .gitignore | .env", f"write .env | STRIPE_API_KEY={KEY}"),
        ('write src/pay.py | key = os.environ["API_KEY"]',),
        ('write src/pay.py | key = vault.read("secret/data/app")["api_key"]',),
        ("write src/pay.js | const key = process.env.API_KEY;",),
        (f"$ vault kv put secret/app api_key={KEY}",),
        (f'write src/a.py | COMMIT_SHA1 = "{random_text(40, 9, "0123456789abcdef")}"',),
        ('write src/a.py | text = "the quick brown fox jumps over the lazy dog"',),
        ('write src/a.py | query = "SELECT id, name FROM users WHERE age > 3"',),
        ('write src/a.py | url = "https://api.host.dev/v1/items?page=2"',),
        ('write src/form.tsx | <label htmlFor="password">Password</label>\nconst password: string = props.password;',),
    ],
)
def test_no_secret(lines: tuple[str, ...]) -> None:
    """SW-59; B1 N2, N3, N4, N6, N7."""
    assert Run("@ add payments", *lines).judged("B") == []


def test_an_environment_file_that_git_would_take() -> None:
    """SW-59; B1 P4: queued with the advice, and refused once it is handed to git."""
    start = ("repo .gitignore | node_modules", "@ add payments")
    (queued,) = Run(*start, f"write .env | STRIPE_API_KEY={KEY}").judged("B1")
    assert (queued.disposition, ".gitignore" in queued.message) == ("QUEUE", True)
    run = Run(*start, f"repo .env | STRIPE_API_KEY={KEY}", "$ git add .env")
    assert [(one.urgency, one.state) for one in run.judged("B1")] == [("B1-ESCALATE", "fired")]
    assert run.denied() == 1


SQL = "sqlite3.connect('x').execute({})"
FORMS = {
    "P1 f-string in SQL": flask(SQL.format("f\"SELECT * FROM t WHERE n = '{request.args['n']}'\"")),
    "concatenation in SQL": flask(SQL.format("\"SELECT * FROM t WHERE n = '\" + request.args['n'] + \"'\"")),
    "exec": flask("exec(request.form['code'])"),
    "eval": flask("eval(request.args['sum'])"),
    "os.system with an f-string": flask("os.system(f\"ls {request.args['d']}\")"),
    "subprocess with a joined string": flask("subprocess.run('ls ' + request.args['d'], shell=True)"),
    "render_template_string": flask("return render_template_string('<b>' + request.args['n'] + '</b>')"),
    "P2 exec in Express": express("exec('git checkout ' + req.query.branch);"),
    "P3 innerHTML": express("el.innerHTML = req.query.name;"),
    "a parameter of the route": (
        "write src/app.py | from fastapi import FastAPI\nimport os\napp = FastAPI()\n\n\n"
        "@app.get('/x')\ndef view(name: str):\n    os.system(f'ls {name}')\n"
    ),
}


@pytest.mark.parametrize("name", FORMS)
def test_an_injection_is_refused_before_it_is_written(name: str) -> None:
    """SW-51, SW-62, SW-63, SW-64, SW-65, SW-66."""
    run = Run("@ add a search", FORMS[name])
    (judged,) = run.judged("B")
    assert (judged.subclass, judged.urgency, judged.state, run.denied()) == ("B2", "B2-ESCALATE", "fired", 1)
    assert judged.confidence >= 0.9


@pytest.mark.parametrize(
    "line",
    [
        flask(SQL.format("f\"SELECT * FROM t WHERE id = {int(request.args['id'])}\"")),
        flask("os.system('ls ' + shlex.quote(request.args['d']))"),
        flask("subprocess.run(['git', 'checkout', request.args['b']])"),
        flask(SQL.format("'SELECT * FROM t WHERE n = %s', (request.args['n'],)")),
        flask("return User.query.filter_by(name=request.args['n']).first()"),
        flask("TABLE = 'users'\n    " + SQL.format("f'SELECT * FROM {TABLE}'")),
        express("const found = await knex('users').where({ name: req.query.name });"),
        express("const statement = db.prepare('SELECT * FROM t WHERE n = ?');\n  statement.all(req.query.n);"),
        express("const query = z.object({ n: z.number() }).parse(req.query);\n  exec('ls -' + query.n);"),
    ],
)
def test_what_is_checked_or_parameterised_is_no_injection(line: str) -> None:
    """SW-67, SW-69; B2 N1, N2, N3, N4, N7: casts, quoting, a schema, lists, parameters, an ORM, a builder."""
    assert Run("@ add a search", line).judged("B2") == []


def test_what_is_less_sure_goes_by_the_formula() -> None:
    """SW-68, SW-71; B2 P4, N5, N6."""
    unknown = "write src/u.py | eval(thing.text)"
    ours = "write scripts/nightly.py | import os\n\n\ndef run(config):\n    os.system('deploy ' + config['target'])\n"
    test = FORMS["eval"].replace("src/app.py", "tests/test_app.py")
    assert weights("B2", "@ add a helper", unknown) == [("QUEUE", "2.0")]
    assert weights("B2", "@ add a job", ours) == [("LOG", "1.6")]
    assert weights("B2", "@ test it", test) == [("LOG", "1.6")]


@pytest.mark.parametrize(
    ("code", "weight"),
    [
        ("h = hashlib.md5(password)", (2, 0.5, 2.0, "QUEUE")),
        ("x = hashlib.md5(y)", (1, 0.5, 0.0, "LOG")),
        ("etag = hashlib.md5(content).hexdigest()", (1, 0.5, 0.0, "LOG")),
    ],
)
def test_weak_cryptography_goes_by_the_formula(code: str, weight: tuple[int, float, float, str]) -> None:
    """SW-78, SW-80: rework 1 or 2, 0.5, and the floor where it guards something."""
    (found,) = Run("@ add it", f"write src/a.py | {code}").found("weak_crypto")
    assert found.signal is not None
    signal = found.signal
    assert (signal.rework_cost, signal.self_correct_prob, signal.floor, weigh(found).disposition) == weight


# Class C


def told(store: MemoryStore, call: ToolCall, outcome: Outcome, output: str = "") -> None:
    """One call, in a turn of its own."""
    tell(ToolProposed(session=SESSION, cwd=ROOT, key=f"call:{call.id}", call=call), store, rules=RULES)
    result = ToolFinished(session=SESSION, cwd=ROOT, key=f"done:{call.id}", call=call, outcome=outcome, output=output)
    tell(result, store, rules=RULES)
    tell(TurnEnded(session=SESSION, cwd=ROOT, calls=(call.id,)), store, rules=RULES)


def glob_twice(*between: str) -> list[Judged]:
    store = MemoryStore()
    play(("@ fix the login", *LOOK), store=store, rules=RULES)
    queries = ("**/*.py", *between, "**/*.py")
    for number, query in enumerate(queries):
        call = ToolCall(id=f"g{number}", tool="Glob", action="read", query=query)
        told(store, call, "done", query)
    return list(store.signals(SESSION))


@pytest.mark.parametrize(("distance", "note"), [(3, ""), (10, ""), (11, "fetched more than 10 turns ago")])
def test_the_same_listing_again(distance: int, note: str) -> None:
    """SW-82, SW-86: a Glob, at distance 3, 10 and 11."""
    (found,) = glob_twice(*(f"*.{number}" for number in range(distance - 1)))
    assert (found.subclass, found.disposition, found.urgency, found.note) == ("C1", "LOG", "0.5", note)


def test_a_repeat_in_the_first_turns_is_grace() -> None:
    """C1 N6: nobody speaks of it."""
    run = Run("@ fix the login", "grep a -> b", "grep a -> b", "read x.py", "read y.py")
    assert ([one.disposition for one in run.judged("C1")], run.played.spoken()) == (["LOG"], [])


def lines_of(kept: int, count: int = 56) -> str:
    same = [f"value_{number} = compute_{number}(source_{number}, 'text {number}')" for number in range(kept)]
    return "\n".join([*same, *(f"other_{n} = derive_{n}(target_{n}, 'word {n}')" for n in range(kept, count))])


@pytest.mark.parametrize(("kept", "weight"), [(39, []), (40, [("LOG", "0.5")]), (46, [("LOG", "1.0")])])
def test_more_than_seven_tenths_of_an_earlier_change(kept: int, weight: list[tuple[str, str]]) -> None:
    """SW-92, SW-95: 0.70 is none, 0.71 is one, near-identical text is 2 x 0.5."""
    assert (
        weights("C2", "@ values", f"write a/one.py | {lines_of(56)}", *LOOK, f"write b/two.py | {lines_of(kept)}")
        == weight
    )


CASES_C2 = {
    "P1 elsewhere": ((f"write blog/posts.py | {SLUG.replace('plain', 'text')}",), [("QUEUE", "2.0")]),
    "P2 the same file": ((f"write text/slug.py | {SLUG}",), [("QUEUE", "2.0")]),
    "P3 the third time": (
        (f"write blog/posts.py | {SLUG}", f"write shop/items.py | {SLUG}"),
        [("QUEUE", "2.0"), ("QUEUE", "2.0")],
    ),
    "said of it": (("~ I'll rewrite slugify in another way.",), [("LOG", "0.5")]),
    "N1 revised": (("~ I need to revise slugify for the blog.", f"write blog/posts.py | {SLUG}"), []),
    "N2 after a failure": (("$! pytest -> E assert slugify('a') == 'b'", f"write text/slug.py | {SLUG}"), []),
}


@pytest.mark.parametrize("name", CASES_C2)
def test_the_sessions_own_work_again(name: str) -> None:
    """SW-32, SW-89, SW-90, SW-91, SW-93, SW-95."""
    lines, expected = CASES_C2[name]
    assert weights("C2", *BUILT, *lines) == expected


@pytest.mark.parametrize(("first", "weight"), [("failed", []), ("done", [("QUEUE", "2.0")])])
def test_a_failed_edit_may_be_tried_again(first: Outcome, weight: list[tuple[str, str]]) -> None:
    """C2 N4: what was not written is not written twice."""
    store = MemoryStore()
    play(("@ add slugs", *LOOK), store=store, rules=RULES)
    for number, outcome in enumerate((first, "done")):
        edits = (TextEdit("", SLUG),)
        call = ToolCall(id=f"w{number}", tool="Write", action="write", paths=("text/slug.py",), edits=edits)
        told(store, call, outcome)
    assert [(one.disposition, one.urgency) for one in store.signals(SESSION)] == weight


def test_a_different_rebuild_is_a_matter_of_class_a() -> None:
    """SW-94; C2 N3: another signature, another library; no rework, but against the usual way."""
    one = (
        "import requests\n\n\ndef load_rates(day, base):\n    answer = requests.get(URL, params={'day': day, 'base': base})\n"
        "    if answer.status_code != 200:\n        raise RatesError(answer.text)\n"
        "    return {row['code']: row['rate'] for row in answer.json()['rows']}\n"
    )
    other = (
        "import httpx\n\n\ndef load_rates(client, codes):\n    found = []\n    for code in codes:\n"
        "        with client.stream('GET', f'/rates/{code}') as answer:\n"
        "            found.extend(parse_line(line) for line in answer.iter_lines())\n    return sorted(found, key=by_day)\n"
    )
    run = Run(*REQUESTS, "@ load the rates", f"write app/rates.py | {one}", *LOOK, f"write app/more.py | {other}")
    assert [(found.subclass, found.disposition) for found in run.judged()] == [("A1", "LOG"), ("A2", "QUEUE")]


DECIDED, AGAIN = "~ I'll use REST instead of GraphQL for the public interface.", "~ Let me reconsider REST vs GraphQL."


def test_a_decision_reopened_three_times() -> None:
    """SW-81, SW-102, SW-103: 1 x 0.5, then 2 x 0.8 with the floor, then fired, and nothing else of C fires."""
    again = [line for number in range(3) for line in (f"read y{number}.py", AGAIN)]
    found = Run("@ build the service", *LOOK, DECIDED, *again).judged("C3")
    assert [(one.disposition, one.urgency) for one in found] == [("LOG", "0.5"), ("QUEUE", "2.0"), ("FIRE", "3.0")]
    products = ["C3 PLAN: 1 x 0.5 = 0.5", "C3 PLAN: 2 x 0.8 = 1.6", "C3 PLAN: 2 x 0.8 = 1.6"]
    assert all(product in one.trace for product, one in zip(products, found, strict=True))


def test_class_c_hardly_ever_fires() -> None:
    """SW-81: whatever the cost, reading again and building again are logged or queued."""
    copies = [f"write blog/p{number}.py | {SLUG}" for number in range(6)]
    looks = [line for number in range(6) for line in ("grep a -> b", f"read z{number}.py")]
    found = Run(*BUILT, *copies, *looks).judged("C")
    assert {one.subclass for one in found} == {"C1", "C2"}
    assert {one.disposition for one in found} == {"LOG", "QUEUE"}


OLD = (
    "The exporter reads every invoice row from the ledger database in batches.",
    "Each batch is converted into the accounting format by the formatter module.",
    "Finished batches are uploaded to the archive bucket with a checksum manifest.",
)


@pytest.mark.parametrize(("length", "found"), [(337, 1), (351, 0)])
def test_four_tenths_of_a_plan(length: int, found: int) -> None:
    """SW-100: 225 characters of 562 are 0.40, of 576 they are 0.39."""
    more = "Operators receive a digest concerning various remarkable circumstances " * 4
    new = f"{more[:199]}.", f"{'Customers' + more[:length]}"[: length - 201] + "."
    assert sum(map(len, new)) == length
    lines = (f"~ {' '.join(OLD)}", "read y1.py", "read y2.py", "read y3.py", f"~ {' '.join((*OLD, *new))}")
    assert len(Run("@ build the service", *LOOK, *lines).judged("C3")) == found


# Class D


AUTH_TASK = ("@ fix the auth bug", "read src/auth/token.ts", "edit src/auth/token.ts | a(1) => a(2)", *LOOK)


def reordered(path: str) -> str:
    lines = [f"import {{ name{number} }} from 'lib{number}'" for number in range(30)]
    old, new = "\n".join(lines), "\n".join(reversed(lines))
    return f"edit {path} | {old} => {new}"


@pytest.mark.parametrize(("own", "ratio", "disposition"), [(37, "0.60", "LOG"), (36, "0.61", "QUEUE")])
def test_six_tenths_of_the_lines(own: int, ratio: str, disposition: str) -> None:
    """SW-111."""
    text = "\n".join(f"check({number})" for number in range(own))
    run = Run(
        *AUTH_TASK, f"edit src/auth/token.ts | a(2) => {text}", *map(reordered, ("src/billing/a.ts", "lib/mail/b.ts"))
    )
    last = run.judged("D1")[-1]
    assert (last.disposition, f"D1: unrelated ratio {ratio} over 2 unrelated files" in last.trace) == (
        disposition,
        True,
    )


def test_callers_that_a_signature_forces() -> None:
    """SW-108; D1 N2: six files that call what was changed."""
    callers = [f"src/pages/p{number}.ts" for number in range(6)]
    found = "grep verify -> " + "\n".join(f"{path}:3: verify(x)" for path in callers)
    change = "edit src/auth/token.ts | verify(a) => verify(a, b)"
    lines = (change, found, *(f"edit {path} | verify(x) => verify(x, y)" for path in callers))
    assert Run(*AUTH_TASK, *lines).judged("D1") == []


@pytest.mark.parametrize(("count", "urgency"), [(3, "0.5"), (4, "1.0"), (5, "1.5")])
def test_research_weighs_more_with_each_turn(count: int, urgency: str) -> None:
    """SW-130; D3 P3: 0.5 for each turn from the third on, and the floor where it leaves the work."""
    start = ("@ add retries to src/http/client.py", *LOOK, "edit src/http/client.py | send() => retry(send)")
    last = Run(*start, *(f"read src/http/m{number}.py" for number in range(count))).found("research_detour")[-1]
    assert last.signal is not None
    assert (shown(last.signal.rework_cost * last.signal.self_correct_prob), weigh(last).disposition) == (urgency, "LOG")
    away = Run(*start, *(f"read docs/m{number}.md" for number in range(count))).found("research_detour")[-1]
    assert (shown(weigh(away).urgency), weigh(away).disposition) == ("2.0", "QUEUE")


def test_the_same_injection_in_a_third_file_is_systemic() -> None:
    """SW-70; B2 P5: files of the whole session count, whichever call wrote them; a denied one is counted as well."""
    text = "from flask import request\nimport os\n\n\ndef view():\n    os.system('ls ' + request.args['n'])\n"
    store = MemoryStore()
    play(("@ add the views", *(f"write src/{name}.py | {text}" for name in "abc")), store=store)
    found = [
        one for verdict in store.verdicts(SESSION) for one in store.findings(verdict.id) if one.rule == "injection"
    ]
    assert [(one.path, one.signal.rework_cost) for one in found if one.signal] == [
        ("src/a.py", 2),
        ("src/b.py", 2),
        ("src/c.py", 4),
    ]
