"""A1: what is built though it is there; what resembles something for a good reason stays silent."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from leeboard.app.replay import RecordedFiles
from leeboard.model.event import SessionStarted
from leeboard.model.ledger import Entry, Kind
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, Session
from leeboard.model.verdict import Finding
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis, World
from leeboard.rule import discover
from leeboard.rules.duplicate_build import holds
from leeboard.source.index.symbols import MemorySymbols
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import play

RULES = tuple(rule for rule in discover() if rule.id == "duplicate_build")

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
RENAMED = """def check_session(value, secret):
    first, middle, last = value.split('.')
    wanted = hmac_sign(first + middle, secret)
    if wanted != last:
        raise InvalidToken('signature')
    found = json.loads(decode(middle))
    if found['exp'] < now():
        raise InvalidToken('expired')
    return found
"""
ANEW = """def check_session(value, secret):
    first, middle, last = value.split('.')
    payload = first + middle
    wanted = compute_mac(payload, secret)
    if last != wanted:
        raise InvalidToken('signature')
    text = decode(middle)
    found = json.loads(text)
    if clock() > found['exp']:
        raise InvalidToken('expired')
    return found
"""
LEXER = """def verify_jwt(source, at):
    while at < len(source) and source[at].isspace():
        at += 1
    kind = KINDS.get(source[at], 'name')
    end = at + 1
    while end < len(source) and kind == 'name':
        end += 1
    return kind, source[at:end], end
"""
GROUPS = """export function groupByKind(products, min) {
  const groups = {};
  for (const product of products) {
    if (product.price < min || product.archived) {
      continue;
    }
    const kind = product.kind || 'other';
    groups[kind] = groups[kind] || [];
    groups[kind].push(product.name);
  }
  return groups;
}
"""
BUCKETS = (
    GROUPS.replace("groupByKind", "bucketItems")
    .replace("products", "items")
    .replace("groups", "out")
    .replace("min", "least")
)
USERS = """package store

func LoadUsers(db *sql.DB, active bool) ([]User, error) {
	rows, err := db.Query(selectUsers, active)
	if err != nil {
		return nil, fmt.Errorf("query users: %w", err)
	}
	defer rows.Close()
	var users []User
	for rows.Next() {
		var u User
		if err := rows.Scan(&u.ID, &u.Name); err != nil {
			return nil, err
		}
		users = append(users, u)
	}
	return users, rows.Err()
}
"""
PEOPLE = (
    USERS.replace("LoadUsers", "FetchPeople")
    .replace("users", "found")
    .replace("rows", "cursor")
    .replace("query found", "query users")
    .replace("package store", "package web")
)
AUTH = f"repo auth/tokens.py | {TOKENS}"
IMPORTERS = tuple(f"repo web/page{number}.py | from auth.tokens import verify_jwt\n" for number in range(3))


def found(*lines: str) -> list[Finding]:
    """What the rule says of the last line."""
    store = MemoryStore()
    played = play(lines, store=store, rules=RULES, policy=Policy())
    before = sum(1 for one in lines[:-1] if not one.startswith("repo "))
    seen = [finding for told in played.told if told.verdict for finding in store.findings(told.verdict.id)]
    assert before >= 0
    crashed = [finding for finding in seen if finding.rule != "duplicate_build"]
    assert not crashed, crashed
    return seen


def spoken(*lines: str) -> list[Finding]:
    return [finding for finding in found(*lines) if finding.signal and not finding.signal.log_only]


FIRES = {
    "build": ("@ add login", AUTH, "~ I'll build a JWT handler."),
    "create": ("@ add login", AUTH, "~ I'll create a JWT verifier."),
    "implement": ("@ add login", AUTH, "~ I'll implement JWT verification."),
    "let me write": ("@ add login", AUTH, "~ Let me write a JWT helper."),
    "add a new": ("@ add login", AUTH, "~ I'll add a new JWT module."),
    "from scratch": ("@ add login", AUTH, "~ I'll build a JWT handler from scratch."),
    "python copy": ("@ add sessions", AUTH, f"write api/session.py | {RENAMED}"),
    "python copy in an edit": (
        "@ add sessions",
        AUTH,
        "repo api/session.py | LIMIT = 3\n",
        f"edit api/session.py | LIMIT = 3 => LIMIT = 3\n\n\n{RENAMED}",
    ),
    "written anew with other helpers": ("@ add sessions", AUTH, f"write api/session.py | {ANEW}"),
    "javascript copy": ("@ add pages", f"repo src/groups.js | {GROUPS}", f"write web/buckets.js | {BUCKETS}"),
    "typescript copy of javascript": (
        "@ add pages",
        f"repo src/groups.js | {GROUPS}",
        f"write web/buckets.ts | {BUCKETS}",
    ),
    "go copy": ("@ add pages", f"repo store/users.go | {USERS}", f"write web/people.go | {PEOPLE}"),
    "copy of what the session built": (
        "@ add sessions",
        f"write auth/tokens.py | {TOKENS}",
        f"write api/session.py | {RENAMED}",
    ),
    "copy in a heredoc": ("@ add sessions", AUTH, f"$ cat > api/session.py <<'EOF'\n{RENAMED}EOF"),
    "named after what was built": ("@ add slugs", f"write auth/tokens.py | {TOKENS}", "~ Let me write a JWT verifier."),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name: str) -> None:
    assert spoken(*FIRES[name])


def test_a_copy_is_told_of_once_and_with_its_partner() -> None:
    """Of two functions that are alike in nothing but their folder, the one that was copied is named."""
    beside = f"repo auth/scan.py | {LEXER}"
    written = f"write api/session.py | {RENAMED}"
    told = spoken("@ add sessions", AUTH, beside, written, "read api/session.py", "edit api/session.py | now => clock")
    assert [finding.subject for finding in told] == ["api/session.py:check_session~auth/tokens.py:verify_jwt"]


SILENT = {
    "siblings that move together": (
        "@ put the token checks into a package of their own",
        f"write auth/tokens.py | {TOKENS}\n\n{RENAMED}",
        f"write checks/tokens.py | {TOKENS}\n\n{RENAMED}",
    ),
    "another purpose": ("@ add a lexer", AUTH, f"write lexer/scan.py | {LEXER}"),
    "ordered": ("@ rewrite the token check from scratch in api/session.py", AUTH, f"write api/session.py | {RENAMED}"),
    "test double": ("@ add sessions", AUTH, f"write tests/fake_tokens.py | {RENAMED}"),
    "fake beside the code": (
        "@ add sessions",
        AUTH,
        f"write auth/doubles.py | {RENAMED.replace('check_session', 'FakeVerify')}",
    ),
    "migration": ("@ add sessions", AUTH, f"write app/migrations/0003_tokens.py | {RENAMED}"),
    "another version": ("@ add v2", f"repo api/v1/tokens.py | {TOKENS}", f"write api/v2/session.py | {RENAMED}"),
    "another platform": ("@ port it", f"repo os/read_linux.py | {TOKENS}", f"write os/read_windows.py | {RENAMED}"),
    "another package": ("@ add", f"repo packages/a/tokens.py | {TOKENS}", f"write packages/b/session.py | {RENAMED}"),
    "vendored": ("@ add", f"repo vendor/jwt/tokens.py | {TOKENS}", f"write api/session.py | {RENAMED}"),
    "another language": ("@ add", AUTH, f"write api/session.js | {GROUPS}"),
    "small": (
        "@ add",
        "repo a.py | def name(self):\n    return self.x\n",
        "write b.py | def label(self):\n    return self.x\n",
    ),
    "parallel in one file": ("@ add", AUTH, f"edit auth/tokens.py |     return claims => return claims\n\n\n{RENAMED}"),
    "something new": ("@ add a lexer", AUTH, "~ I'll create a lexer for the query language."),
    "a test": ("@ add login", AUTH, "~ I'll write tests for the JWT handler."),
    "knows it": ("@ add login", AUTH, "~ I'll build a JWT handler on top of the existing verify_jwt."),
    "denied": ("@ add login", AUTH, "~ I won't build a JWT handler."),
    "quoted": ("@ add login", AUTH, '~ The issue says "I\'ll build a JWT handler", which is odd.'),
    "named by the user": ("@ implement verify_jwt in auth/tokens.py", AUTH, "~ I'll implement verify_jwt now."),
    "being worked on": (
        "@ fix it",
        AUTH,
        "edit auth/tokens.py | now() => later()",
        "~ I'll write the JWT check so that it passes.",
    ),
    "empty repository": ("@ start", "write a.py | " + TOKENS),
}


@pytest.mark.parametrize("name", SILENT)
def test_stays_silent(name: str) -> None:
    assert not spoken(*SILENT[name])


def test_moved_function_is_no_duplicate() -> None:
    """The old one goes with the next call: it is not there any more when the copy is judged again."""
    lines = ("@ move it", f"repo auth/tokens.py | {TOKENS}", f"edit auth/tokens.py | {TOKENS} => X = 1")
    assert not spoken(*lines, f"write api/session.py | {TOKENS}")


WEIGHTS = (
    ("SW-28 not searched", ("@ add login", AUTH, "~ I'll build a JWT handler."), 3, 0.8, 0.0),
    (
        "SW-27 searched",
        ("@ add login", AUTH, "grep jwt -> auth/tokens.py:1", "~ I'll build a JWT handler."),
        3,
        0.5,
        0.0,
    ),
    ("SW-29 from scratch", ("@ add login", AUTH, "~ I'll build a JWT handler from scratch."), 3, 0.9, 0.0),
    ("SW-31 codebase", ("@ add sessions", AUTH, f"write api/session.py | {RENAMED}"), 3, 0.8, 0.0),
    ("SW-31 established", ("@ add sessions", AUTH, *IMPORTERS, f"write api/session.py | {RENAMED}"), 4, 0.8, 0.0),
    (
        "SW-32 in session",
        ("@ add sessions", f"write auth/tokens.py | {TOKENS}", f"write api/session.py | {RENAMED}"),
        2,
        0.8,
        2.0,
    ),
    ("read first", ("@ add sessions", AUTH, "read docs/jwt.md", f"write api/session.py | {RENAMED}"), 3, 0.5, 0.0),
)


@pytest.mark.parametrize(("name", "lines", "rework", "stays", "floor"), WEIGHTS, ids=[row[0] for row in WEIGHTS])
def test_weighs(name: str, lines: tuple[str, ...], rework: int, stays: float, floor: float) -> None:
    signal = spoken(*lines)[-1].signal
    assert signal is not None
    assert (signal.rework_cost, signal.self_correct_prob, signal.floor) == (rework, stays, floor), name


def test_superficial_is_logged() -> None:
    """SW-30: the same name for another purpose."""
    seen = found("@ add a lexer", AUTH, f"write lexer/scan.py | {LEXER}")
    assert [finding.signal.log_only for finding in seen if finding.signal] == ["superficial"]


def test_user_directed_is_logged() -> None:
    seen = found("@ rewrite the token check from scratch in api/session.py", AUTH, f"write api/session.py | {RENAMED}")
    assert [finding.signal.log_only for finding in seen if finding.signal] == ["user-directed: not signaled"]


def test_names_alone_are_never_sure() -> None:
    for finding in spoken("@ add login", AUTH, "~ I'll build a JWT handler."):
        assert finding.confidence <= 0.6
        assert finding.signal is not None
        assert finding.signal.stage == "PLAN"


@pytest.mark.parametrize("name", FIRES)
def test_messages_are_short(name: str) -> None:
    for finding in spoken(*FIRES[name]):
        assert len(finding.message.split()) < 40
        assert finding.evidence[0].text.count(". ") == 0


def test_symbol_is_the_new_function() -> None:
    finding = spoken("@ add sessions", AUTH, f"write api/session.py | {RENAMED}")[-1]
    assert finding.signal is not None
    assert finding.signal.symbol == "check_session"
    assert (finding.path, finding.line) == ("api/session.py", 1)


class Rows:
    """A registry of rows in memory, newest first."""

    def __init__(self, *entries: Entry) -> None:
        self.entries = entries

    def find(self, kind: Kind, keys: Iterable[str]) -> tuple[Entry, ...]:
        wanted = set(keys)
        return tuple(entry for entry in self.entries if entry.kind == kind and entry.key in wanted)

    def newest(self, kind: Kind, limit: int) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.entries if entry.kind == kind)[:limit]


WORLD = World(
    session=Session(id="s"),
    agent=AgentState(),
    analysis=Analysis(event=SessionStarted(session="s")),
    policy=Policy(),
    workspace=Workspace("/repo"),
)
STANDS = (
    ({"auth/tokens.py": TOKENS, "api/session.py": RENAMED}, True),
    ({"auth/tokens.py": TOKENS, "api/session.py": "from auth.tokens import verify_jwt\n"}, False),
    ({"auth/tokens.py": TOKENS}, False),
    ({"auth/tokens.py": "X = 1\n", "api/session.py": RENAMED}, False),
    ({"auth/tokens.py": TOKENS, "api/session.py": f"# moved down\n\n{RENAMED}"}, True),
    ({"auth/tokens.py": TOKENS, "api/session.py": RENAMED.replace("check_session", "ensure_session")}, True),
)


@pytest.mark.parametrize(("files", "stands"), STANDS)
def test_holds_while_the_copy_is_there(files: dict[str, str], stands: bool) -> None:  # noqa: FBT001 - a column
    finding = spoken("@ add sessions", AUTH, f"write api/session.py | {RENAMED}")[-1]
    known = RecordedFiles(lambda path, _cwd: path, files)
    assert holds(finding, WORLD, Rows(), MemorySymbols(files), known) is stands


PLANS = (
    ((), False),
    ((Entry(kind="built", key="jwt_handler", path="api/jwt.py", turn=4),), True),
    ((Entry(kind="built", key="render_page", path="api/page.py", turn=4),), False),
    (
        (
            Entry(kind="built", key="jwt_handler", path="api/jwt.py", turn=4),
            Entry(kind="read", key="auth/tokens.py", path="auth/tokens.py", turn=3),
        ),
        False,
    ),
)


@pytest.mark.parametrize(("rows", "stands"), PLANS)
def test_a_plan_holds_once_it_was_carried_out(rows: tuple[Entry, ...], stands: bool) -> None:  # noqa: FBT001 - as above
    finding = spoken("@ add login", AUTH, "~ I'll build a JWT handler.")[-1]
    known = RecordedFiles(lambda path, _cwd: path, {})
    assert holds(finding, WORLD, Rows(*rows), None, known) is stands
