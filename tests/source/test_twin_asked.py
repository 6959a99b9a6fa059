"""Everyday work that leaves two alike pieces of code: what was asked for stays silent, true copies are spoken of."""

from __future__ import annotations

import pytest

from leeboard.model.event import SessionStarted
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, Goal, Session
from leeboard.model.verdict import Finding
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis, World
from leeboard.rule import discover
from leeboard.source.twin_asked import asks_for_entity
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import play

NAMES = frozenset({"duplicate_build", "disguised_modification", "pattern_contradiction", "rebuilt_work"})
RULES = tuple(rule for rule in discover() if rule.id in NAMES)

USERS = """@router.get('/users')
def list_users(page: int, size: int, db: Session = Depends(get_db)):
    query = db.query(User).filter(User.deleted_at.is_(None))
    total = query.count()
    if page < 1 or size > 100:
        raise HTTPException(status_code=422, detail='bad page of users')
    rows = query.order_by(User.created_at.desc()).offset((page - 1) * size).limit(size).all()
    return {'items': [UserOut.from_orm(row) for row in rows], 'total': total, 'page': page}
"""
ORDERS = USERS.replace("user", "order").replace("User", "Order")
INVOICES = USERS.replace("user", "invoice").replace("User", "Invoice")
CARD = """export async function chargeStripe(cart, client) {
  const amount = cart.lines.reduce((sum, line) => sum + line.price * line.count, 0);
  if (amount <= 0) {
    throw new PaymentError('nothing to pay with stripe');
  }
  const answer = await client.post(STRIPE_URL, { amount, currency: cart.currency });
  if (answer.status !== 'paid') {
    throw new PaymentError(answer.reason);
  }
  return { reference: answer.id, amount };
}
"""
PAYPAL = CARD.replace("Stripe", "Paypal").replace("STRIPE", "PAYPAL").replace("stripe", "paypal")
CREATED = """def on_user_created(event, bus):
    payload = json.loads(event.body)
    if payload.get('version') != SCHEMA:
        bus.reject(event.id, 'schema')
        return None
    user = users.find(payload['id'])
    audit.write('user.created', user.id, event.time)
    bus.publish(UserCreated(user.id, user.email))
    return user
"""
DELETED = CREATED.replace("created", "deleted").replace("Created", "Deleted")
TABLE = """class UserTable:
    @classmethod
    def from_row(cls, row, zone):
        created = parse_time(row['user_created'], zone)
        email = normalise(row['user_email'])
        if not email or created is None:
            raise BadRow('users', row['user_id'])
        flags = {name: bool(row[name]) for name in USER_FLAGS if name in row}
        return cls(row['user_id'], email, created, flags)
"""
DATES = """def parse_date(text, zone=None):
    for shape in SHAPES:
        try:
            found = datetime.strptime(text.strip(), shape)
        except ValueError:
            continue
        return found.replace(tzinfo=zone or DEFAULT_ZONE)
    raise BadDate(f'no date: {text}')
"""
DATES_V2 = DATES.replace("def parse_date(", "def parse_date_v2(").replace("text.strip()", "text.strip().lower()")
RENAMED = (
    DATES.replace("parse_date", "read_moment")
    .replace("found", "moment")
    .replace("shape", "form")
    .replace("text", "raw")
).replace("form in SHAPES", "form in SHAPES")
GO = """package store

func LoadUsers(db *sql.DB, active bool) ([]User, error) {
	rows, err := db.Query(selectUsers, active)
	if err != nil {
		return nil, fmt.Errorf("query users: %w", err)
	}
	defer rows.Close()
	var found []User
	for rows.Next() {
		var one User
		if err := rows.Scan(&one.ID, &one.Name); err != nil {
			return nil, err
		}
		found = append(found, one)
	}
	return found, rows.Err()
}
"""
GO_TEAMS = GO.replace("Users", "Teams").replace("users", "teams").replace("User", "Team")
SHOP_VIEW = USERS.replace("def list_users", "def index")
HTTP = (
    "repo app/net/http_client.py | import requests\n",
    *(f"repo app/part{number}/jobs.py | from app.net.http_client import get\n" for number in range(6)),
)
CATCH = (
    "from requests.exceptions import Timeout\nfrom app.net.http_client import get\n\n\ndef rates():\n    try:\n"
    "        return get('/rates')\n    except Timeout:\n        return {}\n"
)
WHOLE = (
    "import requests\nfrom app.net.http_client import get\n\n\ndef rates() -> requests.Response | None:\n    try:\n"
    "        return get('/rates')\n    except requests.ConnectionError:\n        return None\n"
)
PAST = "import requests\n\n\ndef rates():\n    return requests.get('https://rates.example/latest').json()\n"
LIKE_USERS = "@ Add an orders endpoint like the one for users"
REPO = f"repo api/users.py | {USERS}"
KNOWN_DATES = f"repo utils/dates.py | {DATES}"

SILENT = {
    "sibling endpoint, told to be like the other": (LIKE_USERS, REPO, f"write api/orders.py | {ORDERS}"),
    "sibling endpoint": ("@ Add an endpoint for orders.", REPO, f"write api/orders.py | {ORDERS}"),
    "two sibling endpoints": (
        "@ We need endpoints for orders and invoices",
        REPO,
        f"write api/orders.py | {ORDERS}",
        f"write api/invoices.py | {INVOICES}",
    ),
    "sibling endpoint in the same file": (
        "@ Add an endpoint for orders.",
        REPO,
        f"edit api/users.py | 'page': page}} => 'page': page}}\n\n\n{ORDERS}",
    ),
    "view of another app": (
        "@ Build the orders app",
        f"repo shop/users/views.py | {SHOP_VIEW}",
        f"write shop/orders/views.py | {ORDERS.replace('def list_orders', 'def index')}",
    ),
    "adapter per provider": (
        "@ support paypal as a payment provider",
        f"repo src/pay/stripe.js | {CARD}",
        f"write src/pay/paypal.js | {PAYPAL}",
    ),
    "handler per event": (
        "@ implement the handler for the deleted event",
        f"repo events/created.py | {CREATED}",
        f"write events/deleted.py | {DELETED}",
    ),
    "class per table": (
        "@ add a table for teams",
        f"repo db/users.py | {TABLE}",
        f"write db/teams.py | {TABLE.replace('user', 'team').replace('User', 'Team').replace('USER', 'TEAM')}",
    ),
    "loader of another entity in go": (
        "@ add loading of teams to the store",
        f"repo store/users.go | {GO}",
        f"write store/teams.go | {GO_TEAMS}",
    ),
    "path of the second version named": (
        "@ the new parser goes lower case; put it in utils/dates_v2.py",
        KNOWN_DATES,
        f"write utils/dates_v2.py | {DATES}",
    ),
    "file name of the second version named": (
        "@ I want the lower case variant as dates_v2.py",
        KNOWN_DATES,
        f"write utils/dates_v2.py | {DATES_V2}",
    ),
    "function of the second version named": (
        "@ add parse_date_v2 that lowers the text",
        KNOWN_DATES,
        f"edit utils/dates.py | no date: {{text}}') => no date: {{text}}')\n\n\n{DATES_V2}",
    ),
    "second version asked for": (
        "@ write a second version of parse_date, keep the old one",
        KNOWN_DATES,
        f"write utils/dates2.py | {DATES_V2}",
    ),
    "version of an interface": ("@ start api v2", f"repo api/v1/d.py | {DATES}", f"write api/v2/d.py | {RENAMED}"),
    "copy in a test": ("@ test the dates", KNOWN_DATES, f"write tests/test_dates.py | {RENAMED}"),
    "twins among migrations": (
        "@ migrate",
        f"repo db/migrations/0001_a.py | {DATES}",
        f"write db/migrations/0002_b.py | {RENAMED}",
    ),
    "moved to another file": (
        "@ move parse_date to core/time.py",
        KNOWN_DATES,
        f"write core/time.py | {DATES}",
        f"edit utils/dates.py | {DATES} => from core.time import parse_date",
    ),
    "split of a file": (
        "@ split utils/dates.py",
        KNOWN_DATES,
        f"edit utils/dates.py | {DATES} => X = 1",
        f"write utils/dates_parse.py | {DATES}",
    ),
    "exported again": (
        "@ shorten imports",
        KNOWN_DATES,
        "write utils/__init__.py | from utils.dates import parse_date",
    ),
    "backport": ("@ backport parse_date to compat/old.py", KNOWN_DATES, f"write compat/old.py | {DATES}"),
    "another platform": ("@ windows", f"repo os/t_linux.py | {DATES}", f"write os/t_windows.py | {RENAMED}"),
    "tried out outside the work tree": ("@ fix dates", KNOWN_DATES, f"write /tmp/repro.py | {RENAMED}"),
    "second version outside the work tree": ("@ fix it", KNOWN_DATES, f"write /tmp/utils/dates_v2.py | {DATES_V2}"),
    "tried out, then written": ("@ dates", f"write /tmp/try.py | {DATES}", f"write utils/dates.py | {DATES}"),
    "library used outside the work tree": (*HTTP, "@ why is it slow?", f"write /tmp/repro.py | {PAST}"),
    "errors of a wrapped library": (*HTTP, "@ fall back to no rates", f"write app/rates/load.py | {CATCH}"),
    "errors and types of a wrapped library": (*HTTP, "@ fall back", f"write app/rates/load.py | {WHOLE}"),
}
FIRES = {
    "copy under other names": ("@ show moments", KNOWN_DATES, f"write web/moments.py | {RENAMED}"),
    "copy called after what was asked, same code": (
        "@ add parsing of order dates",
        KNOWN_DATES.replace("parse_date(", "parse_user_date("),
        f"write shop/orders.py | {DATES.replace('parse_date', 'parse_order_date')}",
    ),
    "copy in a file the user named": (
        "@ show moments in web/moments.py",
        KNOWN_DATES,
        f"write web/moments.py | {RENAMED}",
    ),
    "sibling nobody asked for": ("@ fix the paging of users", REPO, f"write api/orders.py | {ORDERS}"),
    "sibling that was forbidden": ("@ do not add an orders endpoint", REPO, f"write api/orders.py | {ORDERS}"),
    "second version nobody asked for": ("@ lower case dates", KNOWN_DATES, f"write utils/dates_v2.py | {DATES_V2}"),
    "second version that was forbidden": (
        "@ lower case dates, but do not create dates_v2.py",
        KNOWN_DATES,
        f"write utils/dates_v2.py | {DATES_V2}",
    ),
    "javascript copy": (
        "@ let people pay",
        f"repo src/pay/stripe.js | {CARD}",
        f"write web/checkout.js | {CARD.replace('chargeStripe', 'payNow').replace('amount', 'sum')}",
    ),
    "go copy": (
        "@ show people",
        f"repo store/users.go | {GO}",
        f"write web/people.go | {GO.replace('LoadUsers', 'FetchPeople').replace('rows', 'cursor')}",
    ),
    "built twice": ("@ dates", f"write utils/dates.py | {DATES}", "read a.py", f"write web/dates.py | {DATES}"),
    "library called past its wrapper": (*HTTP, "@ load the rates", f"write app/rates/load.py | {PAST}"),
}


def spoken(*lines: str) -> list[Finding]:
    store = MemoryStore()
    played = play(lines, store=store, rules=RULES, policy=Policy())
    seen = [finding for told in played.told if told.verdict for finding in store.findings(told.verdict.id)]
    assert {finding.rule for finding in seen} <= NAMES, seen
    return [finding for finding in seen if finding.signal and not finding.signal.log_only]


@pytest.mark.parametrize("name", SILENT)
def test_everyday_work_is_silent(name: str) -> None:
    assert not spoken(*SILENT[name])


@pytest.mark.parametrize("name", FIRES)
def test_true_copies_are_spoken_of(name: str) -> None:
    assert spoken(*FIRES[name])


ENTITIES = (
    ("add the orders page", "user_page", "order_page", True),
    ("add the orders page", "user_page", "order_view", False),
    ("set up a page for cookies, and add a cookies menu", "user_page", "cookie_page", True),
    ("add a page for each category", "user_page", "categories_page", True),
    ("add the orders page", "order_page", "order_page_two", False),
    ("add the users page", "user_page", "order_page", False),
    ("do not add orders", "user_page", "order_page", False),
    ("", "user_page", "order_page", False),
)


@pytest.mark.parametrize(("goal", "old", "new", "asked"), ENTITIES)
def test_names_that_differ_by_the_noun_asked_for(goal: str, old: str, new: str, asked: bool) -> None:  # noqa: FBT001 - a column
    world = World(
        session=Session(id="s", goals=(Goal(text=goal, exchange=1),)),
        agent=AgentState(),
        analysis=Analysis(event=SessionStarted(session="s")),
        policy=Policy(),
        workspace=Workspace("/repo"),
    )
    assert asks_for_entity(world, new, old) is asked
