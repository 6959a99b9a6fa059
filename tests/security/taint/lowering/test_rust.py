"""Rust: pairs of unsafe code and its fixed twin."""

from __future__ import annotations

import pytest

from leeboard.security.taint import ir
from leeboard.security.taint.flow import find_flows
from leeboard.security.taint.lowering.rust import GRAMMAR
from leeboard.security.taint.table import Kind
from leeboard.source.syntax import parse

PAIRS: tuple[tuple[str, Kind, bool, str, str], ...] = (
    (
        "query by format",
        "sql",
        False,
        """
    pub async fn find(pool: &PgPool, name: &str) -> Result<Vec<User>, Error> {
        let sql = format!("SELECT * FROM users WHERE name = '{}'", name);
        sqlx::query_as(&sql).fetch_all(pool).await
    }
        """,
        """
    pub async fn find(pool: &PgPool, name: &str) -> Result<Vec<User>, Error> {
        sqlx::query_as("SELECT * FROM users WHERE name = $1").bind(name).fetch_all(pool).await
    }
        """,
    ),
    (
        "inline argument of a format",
        "sql",
        False,
        """
    fn find(conn: &Connection, name: &str) {
        conn.execute(&format!("DELETE FROM users WHERE name = '{name}'"), []).unwrap();
    }
        """,
        """
    fn find(conn: &Connection, name: &str) {
        conn.execute("DELETE FROM users WHERE name = ?1", [name]).unwrap();
    }
        """,
    ),
    (
        "shell",
        "command",
        False,
        """
    use std::process::Command;
    fn ping(host: &str) {
        Command::new("sh").arg("-c").arg(format!("ping -c 1 {}", host)).output().unwrap();
    }
        """,
        """
    use std::process::Command;
    fn ping(host: &str) {
        Command::new("ping").arg("-c").arg("1").arg(host).output().unwrap();
    }
        """,
    ),
    (
        "path of a handler",
        "path",
        True,
        """
    #[get("/file")]
    async fn file(info: web::Query<Info>) -> String {
        std::fs::read_to_string(format!("/srv/files/{}", info.name)).unwrap()
    }
        """,
        """
    #[get("/file")]
    async fn file(info: web::Query<Info>) -> String {
        let base = Path::new("/srv/files");
        let full = base.join(&info.name).canonicalize().unwrap();
        if !full.starts_with(base) {
            return String::new();
        }
        std::fs::read_to_string(full).unwrap()
    }
        """,
    ),
    (
        "address of a request",
        "url",
        True,
        """
    async fn proxy(Query(params): Query<Params>) -> String {
        reqwest::get(params.url).await.unwrap().text().await.unwrap()
    }
        """,
        """
    async fn proxy(Query(params): Query<Params>) -> String {
        let url = params.url;
        if !ALLOWED.contains(&url) {
            return String::new();
        }
        reqwest::get(url).await.unwrap().text().await.unwrap()
    }
        """,
    ),
    (
        "html",
        "html",
        True,
        """
    async fn hello(Query(params): Query<Params>) -> Html<String> {
        Html(format!("<h1>{}</h1>", params.name))
    }
        """,
        """
    async fn hello(Query(params): Query<Params>) -> Html<String> {
        let name = html_escape::encode_text(&params.name);
        Html(format!("<h1>{}</h1>", name))
    }
        """,
    ),
    (
        "characters checked",
        "command",
        False,
        """
    fn run(name: &str) {
        Command::new("bash").args(["-c", name]).spawn().unwrap();
    }
        """,
        """
    fn run(name: &str) {
        if !name.chars().all(|c| c.is_alphanumeric()) {
            return;
        }
        Command::new("bash").args(["-c", name]).spawn().unwrap();
    }
        """,
    ),
)
"""Name, kind, whether a request brings the value, the unsafe code, the fixed code."""


def _found(code: str) -> dict[Kind, float]:
    tree = parse(code.replace("\n    ", "\n"), "rust")
    assert tree is not None
    found: dict[Kind, float] = {}
    for flow in find_flows(tree):
        found[flow.kind] = max(flow.confidence, found.get(flow.kind, 0.0))
    return found


@pytest.mark.parametrize(("kind", "from_request", "unsafe"), [pytest.param(*pair[1:4], id=pair[0]) for pair in PAIRS])
def test_unsafe_code_is_found(kind: Kind, *, from_request: bool, unsafe: str) -> None:
    found = _found(unsafe)
    assert kind in found
    assert found[kind] >= 0.55
    assert from_request or found[kind] <= 0.85


@pytest.mark.parametrize("fixed", [pytest.param(pair[4], id=pair[0]) for pair in PAIRS])
def test_its_fixed_twin_is_silent(fixed: str) -> None:
    assert {kind: sure for kind, sure in _found(fixed).items() if sure >= 0.5} == {}


A, B = ir.Name(1, "a"), ir.Name(1, "b")


def _call(name: str, *args: ir.Expr) -> ir.Call:
    return ir.Call(1, ir.Name(1, name), args)


def _method(receiver: ir.Expr, name: str, *args: ir.Expr) -> ir.Call:
    return ir.Call(1, ir.Attr(1, receiver, name), args)


def _text(value: str) -> ir.Const:
    return ir.Const(1, value)


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        (_method(A, "unwrap"), A),
        (_method(_method(A, "chars"), "all", B), _call("char.is_plain", A)),
        (
            _method(_method(ir.Name(1, "Command"), "new", _text("sh")), "arg", A),
            ir.Unknown(1, (_call("Command.shell_arg", A), _method(ir.Name(1, "Command"), "new", _text("sh")))),
        ),
        (
            _method(_method(ir.Name(1, "Command"), "new", _text("ls")), "arg", A),
            _method(_method(ir.Name(1, "Command"), "new", _text("ls")), "arg", A),
        ),
    ],
)
def test_calls_get_their_plain_form(call: ir.Call, wanted: ir.Expr) -> None:
    assert GRAMMAR.idiom(call) == wanted
