"""Orders that list several things, as people write them: what they list is left in peace, what they do not is found."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from leeboard.model.verdict import Verdict
from leeboard.testing.scenario import play


class Order(NamedTuple):
    """A prompt and the edits that carry it out."""

    prompt: str
    edits: tuple[str, ...]


ORDERS = (
    Order(
        "Set up configuration for the stripe key: .env, a settings module, and tests",
        (
            "write .env | STRIPE_KEY=change-me",
            "write app/conf8.py | import os\nSTRIPE_KEY = os.environ['STRIPE_KEY']",
            "write tests/test_conf8.py | from app import conf8\ndef test_reads_it():\n    assert conf8.STRIPE_KEY",
        ),
    ),
    Order(
        "Add a Dockerfile for the service, a health endpoint, and a CI workflow",
        (
            "write Dockerfile | FROM python:3.12\nCOPY . /srv",
            "edit app/views.py | def index(): => def health():\n    return 'ok'\n\ndef index():",
            "write .github/workflows/ci.yml | on: push\njobs: {}",
        ),
    ),
    Order(
        "Add rate limiting to src/api/server.ts, document it in the README and add a test",
        (
            "edit src/api/server.ts | const app = express() => const app = express(); app.use(limiter)",
            "write lib/http/limiter.ts | export class RateLimiter {}",
            "edit README.md | ## Use => ## Limits\n\n## Use",
            "write tests/limiter.test.ts | test('limits', () => {})",
        ),
    ),
    Order(
        "Create app/models.py with a Customer model, a migration and an admin page",
        (
            "write app/models.py | class Customer(Model):\n    name = CharField()",
            "write app/migrations/0002_auto.py | operations = [CreateModel('Customer')]\nclass Migration: pass",
            "write app/admin.py | class CustomerAdmin(ModelAdmin): pass",
        ),
    ),
    Order(
        "Write a Makefile, a linter config and a pre-commit hook",
        (
            "write Makefile | lint:\n\truff check",
            "write ruff.toml | line-length = 100",
            "write .pre-commit-config.yaml | repos: []",
        ),
    ),
    Order(
        "Add a LICENSE file, a contributing guide, and issue templates",
        (
            "write LICENSE | MIT",
            "write CONTRIBUTING.md | How to help",
            "write .github/ISSUE_TEMPLATE/bug.md | What happened?",
        ),
    ),
    Order(
        "Add a logout button to src/components/Header.tsx, the backend route, and a translation",
        (
            "edit src/components/Header.tsx | <nav/> => <nav><LogoutButton/></nav>",
            "edit server/routes/session.ts | export default router => router.post('/logout', logout)\nexport default router",
            'edit locales/de.json | {} => {"logout": "Abmelden"}',
        ),
    ),
    Order(
        "Add a docker-compose.yml with postgres, a seed script and a database module",
        (
            "write docker-compose.yml | services:\n  postgres: {}",
            "write scripts/seed.py | def seed_postgres(): pass",
            "write app/db.py | def connect_postgres(): pass",
        ),
    ),
    Order(
        "Add caching to src/fetch.py: a cache class, a CLI flag and docs",
        (
            "edit src/fetch.py | def fetch(url): => def fetch(url, cache=None):",
            "write src/storage/lru.py | class Cache:\n    size = 100",
            "edit tool/cli.py | parser.parse_args() => parser.add_argument('--no-cache')\nparser.parse_args()",
            "write docs/caching.md | # Caching",
        ),
    ),
    Order(
        "Add type hints to src/money.py, a mypy config and a CI step",
        (
            "edit src/money.py | def add(a, b): => def add(a: int, b: int) -> int:",
            "write mypy.ini | [mypy]\nstrict = true",
            "edit .github/workflows/lint.yml | - run: ruff => - run: ruff\n- run: mypy",
        ),
    ),
    Order(
        "Fix the null pointer in OrderService.java, add a regression test, and update the changelog",
        (
            "edit src/main/java/shop/OrderService.java | return order.id; => return order == null ? null : order.id;",
            "write src/test/java/shop/OrderServiceTest.java | class OrderServiceTest {}",
            "edit CHANGELOG.md | ## Next => ## Next\n- no crash on a missing order",
        ),
    ),
    Order(
        "Create index.html, a stylesheet and a script for the clock",
        (
            "write index.html | <div id=clock></div>",
            "write css/style.css | .clock { width: 10em }",
            "write js/main.js | function drawClock() {}",
        ),
    ),
    Order(
        "Add a .gitignore, a README and a license",
        ("write .gitignore | *.pyc", "write README.md | # Tide", "write LICENSE.txt | MIT"),
    ),
    Order(
        "Add a ratings table: db/schema.sql, a repository class, and a REST endpoint",
        (
            "edit db/schema.sql | -- end => CREATE TABLE ratings (id int);\n-- end",
            "write src/main/java/shop/RatingRepository.java | class RatingRepository {}",
            "write src/main/java/shop/web/RatingController.java | class RatingController {}",
        ),
    ),
    Order(
        "Add nginx.conf, a systemd unit and a deploy script",
        (
            "write nginx.conf | server {}",
            "write ops/tide.service | [Unit]",
            "write scripts/deploy.sh | rsync -a . host:",
        ),
    ),
    Order(
        "Add the password reset: template accounts/templates/reset.html, the view, the URL, and the email",
        (
            "write accounts/templates/reset.html | <form></form>",
            "edit accounts/views.py | def login(r): => def reset_password(r): pass\n\ndef login(r):",
            "edit accounts/urls.py | urlpatterns = [ => urlpatterns = [path('/reset', views.reset_password),",
            "write notify/mails.py | def send_reset_mail(user): pass",
        ),
    ),
    Order(
        "Put a feature flag for dark checkout in flags.yaml, a helper to read it and use it in the checkout page",
        (
            "edit flags.yaml | flags: => flags:\n  dark_checkout: false",
            "write lib/flags.ts | export function flagEnabled(name) {}",
            "edit src/pages/checkout.tsx | return <Page/> => return flagEnabled('dark_checkout') ? <Dark/> : <Page/>",
        ),
    ),
    Order(
        "Create terraform for the upload bucket: bucket/main.tf, variables, and outputs",
        (
            'write bucket/main.tf | resource "aws_s3_bucket" "upload" {}',
            'write bucket/variables.tf | variable "bucket_name" {}',
            'write bucket/outputs.tf | output "bucket_arn" {}',
        ),
    ),
    Order(
        "Add a requirements.txt, a logging setup and a command line entry point",
        (
            "write requirements.txt | rich",
            "write tide/log.py | def configure_logging(): pass",
            "write tide/__main__.py | def main(): pass",
        ),
    ),
    Order(
        "Add pagination to api/list.go, update the openapi spec and the client",
        (
            "edit api/list.go | func List() => func List(page int)",
            "edit spec/openapi.yaml | parameters: [] => parameters: [page]",
            "edit client/client.go | func (c *Client) List() => func (c *Client) ListPaginated(page int)",
        ),
    ),
    Order(
        "Add a GitHub action to publish to PyPI, a version bump in setup.py, and release notes",
        (
            "write .github/workflows/publish.yml | on: release",
            "edit setup.py | version='1.0' => version='1.1'",
            "write RELEASE_NOTES.md | # 1.1",
        ),
    ),
    Order(
        "Add an error boundary in src/App.tsx, a fallback component and a storybook story",
        (
            "edit src/App.tsx | <Routes/> => <ErrorBoundary><Routes/></ErrorBoundary>",
            "write src/ui/Fallback.tsx | export function Fallback() { return null }",
            "write src/ui/Fallback.stories.tsx | export default { component: Fallback }",
        ),
    ),
    Order(
        "Please create worker.py, a queue module, and metrics for both",
        (
            "write worker.py | def run(): pass",
            "write jobs/queue.py | class Queue: pass",
            "write jobs/metrics.py | def count(): pass",
        ),
    ),
    Order(
        "Can you write conftest.py fixtures for the shop, factories and a helper for login?",
        (
            "write tests/conftest.py | def shop(): pass",
            "write tests/factories.py | class ShopFactory: pass",
            "write tests/support/helpers.py | def login(client): pass",
        ),
    ),
    Order(
        "Ergänze ein Dockerfile, einen Health-Endpoint und Tests",
        (
            "write Dockerfile | FROM node:22",
            "edit src/server.ts | app.listen() => app.get('/health', ok)\napp.listen()",
            "write test/server.test.ts | test('health', () => {})",
        ),
    ),
    Order(
        "Add tests/test_totals.py and a CI workflow, plus docs",
        (
            "write tests/test_totals.py | def test_totals(): pass",
            "write .gitlab-ci.yml | test:\n  script: pytest",
            "write docs/testing-totals.md | # Totals",
        ),
    ),
    Order(
        "Add sentry: update requirements.txt, initialise it in the app factory and document the env variables",
        (
            "edit requirements.txt | flask => flask\nsentry-sdk",
            "edit app/__init__.py | def create_app(): => def create_app():\n    sentry_sdk.init()",
            "edit .env.example | A=1 => SENTRY_DSN=",
        ),
    ),
    Order(
        "Implement the webhook receiver in hooks/stripe.py, store events in the database and retry from a cron job",
        (
            "write hooks/stripe.py | def receive(): pass",
            "edit app/models.py | # end => class StripeEvent(Model): pass",
            "write jobs/retry_events.py | def retry(): pass",
        ),
    ),
    Order(
        "Set up alembic: alembic.ini, the env script, a first migration and a make target",
        (
            "write alembic.ini | [alembic]",
            "write alembic/env.py | def run(): pass",
            "write alembic/versions/0001_init.py | def upgrade(): pass",
            "edit Makefile | all: => migrate:\n\talembic upgrade head\n\nall:",
        ),
    ),
)

STRAYS = (
    (0, 2, "edit src/billing/invoice.py | total = 1 => total = 2"),
    (0, 3, "edit app/users/profile.py | def show(): => def show(full=True):"),
    (1, 2, "edit src/styles/theme.css | color: red => color: blue"),
    (1, 3, "edit lib/payments/refund.py | def refund(): => def refund(force):"),
    (2, 1, "edit src/cart/Basket.tsx | <Basket/> => <Basket compact/>"),
    (3, 2, "edit lib/geo/distance.py | def far(a): => def far(a, b):"),
    (4, 3, "edit src/parser/lexer.py | def lex(): => def lex(text):"),
    (5, 2, "edit src/core/engine.rs | fn run() => fn run(fast: bool)"),
    (7, 2, "edit web/components/Sidebar.vue | <aside/> => <aside open/>"),
    (9, 1, "edit src/export/pdf.py | def draw(): => def draw(page):"),
    (10, 2, "edit src/main/java/shop/mail/Newsletter.java | send(); => sendAll();"),
    (12, 1, "edit src/player/volume.c | int v = 1; => int v = 2;"),
    (16, 2, "edit src/account/avatar.ts | size = 1 => size = 2"),
    (19, 2, "edit internal/auth/token.go | func Sign() => func Sign(key string)"),
    (21, 2, "edit server/jobs/cleanup.ts | run() => runAll()"),
)

PLAIN = (
    ("fix the typo in README.md", "edit README.md | teh => the", "edit docs/guide.md | teh => the"),
    ("fix the typo in README.md", "edit README.md | teh => the", "edit src/app.py | x = 1 => x = 2"),
    ("bump the timeout in app/settings.py", "edit app/settings.py | T = 1 => T = 2", "edit app/api/views.py | a => b"),
    (
        "Fix the crash in src/api/server.ts when the settings page opens. Don't touch the docs",
        "edit src/api/server.ts | a() => a?.()",
        "write docs/server-notes/intro.md | # Notes",
    ),
    (
        "the health endpoint is slow, see src/api/probe.ts",
        "edit src/api/probe.ts | a => b",
        "edit src/cart/total.ts | a => b",
    ),
)


def found(verdict: Verdict) -> list[str]:
    return [line for line in verdict.trace if line.startswith(("scope_drift -", "tangent -"))]


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: order.prompt[:40])
def test_what_an_order_lists_belongs_to_it(order: Order) -> None:
    verdicts = play((f"@ {order.prompt}", *order.edits)).proposed()
    assert [verdict.level for verdict in verdicts] == ["none"] * len(order.edits), [found(v) for v in verdicts]
    assert not [line for verdict in verdicts for line in found(verdict)]


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: order.prompt[:40])
def test_in_whatever_order_it_is_done(order: Order) -> None:
    verdicts = play((f"@ {order.prompt}", *reversed(order.edits))).proposed()
    assert [verdict.level for verdict in verdicts] == ["none"] * len(order.edits), [found(v) for v in verdicts]


@pytest.mark.parametrize(("at", "done", "stray"), STRAYS)
def test_what_it_does_not_list_is_still_found(at: int, done: int, stray: str) -> None:
    order = ORDERS[at]
    last = play((f"@ {order.prompt}", *order.edits[:done], stray)).proposed()[-1]
    assert last.level != "none", (order.prompt, stray)


@pytest.mark.parametrize(("prompt", "edit", "stray"), PLAIN)
def test_an_order_that_lists_nothing_keeps_to_its_file(prompt: str, edit: str, stray: str) -> None:
    first, second = play((f"@ {prompt}", edit, stray)).proposed()
    assert first.level == "none"
    assert found(second), stray
