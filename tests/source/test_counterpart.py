"""Good reasons for code to be alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.symbol import Symbol
from leeboard.source.counterpart import (
    apart,
    are_parallel,
    extends,
    is_called_by_name,
    is_exempt,
    is_version_of,
    may_follow,
    parts_of,
    stem_of,
    why_alike,
)

EXEMPT = (
    "tests/test_a.py",
    "app/migrations/0001_initial.py",
    "db/migrate/20240101_add.rb",
    "examples/run.py",
    "vendor/lib/a.go",
    "src/Button.stories.tsx",
    "src/locales/de.ts",
    "README.md",
    "api.pb.go",
    "/tmp/repro.py",
    "~/try.py",
    "../other/a.py",
    "C:/temp/a.py",
)
ORDINARY = ("src/a.py", "lib/version.go", "app/models/user.rb", "src/store/index.ts", "web/page.js")


@pytest.mark.parametrize("path", EXEMPT)
def test_exempt(path: str) -> None:
    assert is_exempt(path)


@pytest.mark.parametrize("path", ORDINARY)
def test_not_exempt(path: str) -> None:
    assert not is_exempt(path)


APART = (
    ("api/v1/users.py", "api/v2/users.py", True),
    ("os/read_linux.go", "os/read_windows.go", True),
    ("ui/box.ios.js", "ui/box.android.js", True),
    ("db/mysql/query.py", "db/postgres/query.py", True),
    ("packages/a/x.ts", "packages/b/y.ts", True),
    ("packages/a/x.ts", "packages/a/y.ts", False),
    ("web/a.py", "api/b.py", False),
    ("src/client/a.ts", "src/server/a.ts", False),
)


@pytest.mark.parametrize(("one", "other", "kept"), APART)
def test_apart(one: str, other: str, kept: bool) -> None:  # noqa: FBT001 - a column of the table
    assert bool(apart(one, other)) is kept
    assert bool(apart(other, one)) is kept


VERSIONS = (
    ("user_service_v2", "user_service", True),
    ("UserServiceV2", "UserService", True),
    ("parseDate2", "parseDate", True),
    ("parse_date_2", "parse_date", True),
    ("NewParser", "Parser", True),
    ("improved_refund", "refund", True),
    ("handle_refund_copy", "handle_refund", True),
    ("parse_dates", "parse_date", False),
    ("parse_date", "parse_date", False),
    ("handle_refund_edge", "handle_refund", False),
    ("v2", "", False),
)


@pytest.mark.parametrize(("new", "old", "second"), VERSIONS)
def test_versions(new: str, old: str, second: bool) -> None:  # noqa: FBT001 - as above
    assert is_version_of(new, old) is second


@given(st.text("aV2_New", max_size=12), st.text("aV2_New", max_size=8))
def test_what_may_not_follow_follows_nothing(new: str, old: str) -> None:
    assert may_follow(new) or not (is_version_of(new, old) or extends(new, old))


def test_extends() -> None:
    assert extends("handle_refund_edge", "handle_refund")
    assert not extends("handle_refund", "handle_refund")
    assert not extends("parse_json", "parse")


def test_reasons() -> None:
    run = Symbol(name="run", kind="method", path="a.py", owner="A")
    other = Symbol(name="run", kind="method", path="b.py", owner="B")
    assert why_alike(run, other, 40) == "implementation of the same interface"
    assert why_alike(run, other, 400) == ""
    assert why_alike(run, run) == "overload"
    assert why_alike(Symbol(name="FakeClock", kind="function", path="a.py"), other) == "test double"


def test_parts() -> None:
    assert parts_of("parseHTTPReply2") == ("parse", "http", "reply", "2")
    assert stem_of("a/b.test.ts") == "b"


@pytest.mark.parametrize(("name", "called"), [("main", True), ("GET", True), ("mainly", False), ("slugify", False)])
def test_what_a_runtime_calls(name: str, called: bool) -> None:  # noqa: FBT001 - as above
    assert is_called_by_name(name) is called


PARALLEL = (
    ("shop/orders/table.ts", "shop/users/table.ts", True),
    ("cmd/agents/one/hooks.go", "cmd/agents/two/hooks.go", True),
    ("text/slug.py", "blog/slug.py", False),
    ("text/slug.py", "blog/posts.py", False),
    ("web/text/slug.ts", "web/blog/posts.ts", False),
    ("web/text/helpers.ts", "web/blog/helpers.ts", False),
    ("web/text/slug.py", "shop/blog/slug.py", False),
    ("web/text/slug.py", "web/text/slug.py", False),
    ("slug.py", "slug.py", False),
)


@pytest.mark.parametrize(("one", "other", "parallel"), PARALLEL)
def test_parallel_modules(one: str, other: str, parallel: bool) -> None:  # noqa: FBT001 - as above
    assert are_parallel(one, other) is parallel
    assert are_parallel(other, one) is parallel
