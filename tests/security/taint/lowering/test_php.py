"""PHP: pairs of unsafe code and its fixed twin."""

from __future__ import annotations

import pytest

from leeboard.security.taint import ir
from leeboard.security.taint.flow import find_flows
from leeboard.security.taint.lowering.php import GRAMMAR
from leeboard.security.taint.table import Kind
from leeboard.source.syntax import parse

PAIRS: tuple[tuple[str, Kind, bool, str, str], ...] = (
    (
        "superglobal into a query",
        "sql",
        True,
        """
    <?php
    $id = $_GET['id'];
    $result = mysqli_query($conn, "SELECT * FROM users WHERE id = $id");
        """,
        """
    <?php
    $id = $_GET['id'];
    $stmt = $conn->prepare("SELECT * FROM users WHERE id = ?");
    $stmt->bind_param('i', $id);
    $stmt->execute();
        """,
    ),
    (
        "parameter of a method into a query",
        "sql",
        False,
        """
    <?php
    class Users {
        public function find($name) {
            return $this->db->query("SELECT * FROM users WHERE name = '" . $name . "'");
        }
    }
        """,
        """
    <?php
    class Users {
        public function find($name) {
            $stmt = $this->db->prepare("SELECT * FROM users WHERE name = :name");
            $stmt->execute(['name' => $name]);
            return $stmt->fetchAll();
        }
    }
        """,
    ),
    (
        "command",
        "command",
        True,
        """
    <?php
    system('ping -c 1 ' . $_POST['host']);
        """,
        """
    <?php
    system('ping -c 1 ' . escapeshellarg($_POST['host']));
        """,
    ),
    (
        "html",
        "html",
        True,
        """
    <?php
    echo '<h1>Hello ' . $_GET['name'] . '</h1>';
        """,
        """
    <?php
    echo '<h1>Hello ' . htmlspecialchars($_GET['name'], ENT_QUOTES) . '</h1>';
        """,
    ),
    (
        "path",
        "path",
        True,
        """
    <?php
    $page = $_GET['page'];
    readfile('/srv/pages/' . $page);
        """,
        """
    <?php
    $page = $_GET['page'];
    $path = realpath('/srv/pages/' . $page);
    if ($path === false || strpos($path, '/srv/pages/') !== 0) {
        die('bad path');
    }
    readfile($path);
        """,
    ),
    (
        "inclusion",
        "code",
        True,
        """
    <?php
    include $_GET['module'] . '.php';
        """,
        """
    <?php
    $module = $_GET['module'];
    if (!in_array($module, ['home', 'news'], true)) {
        exit('bad module');
    }
    include $module . '.php';
        """,
    ),
    (
        "deserialisation",
        "deserialise",
        True,
        """
    <?php
    $data = unserialize($_COOKIE['data']);
        """,
        """
    <?php
    $data = json_decode($_COOKIE['data'], true);
        """,
    ),
    (
        "code",
        "code",
        False,
        """
    <?php
    function calculate($expression) {
        return eval('return ' . $expression . ';');
    }
        """,
        """
    <?php
    function calculate($expression) {
        if (!preg_match('/^[0-9+*]+$/', $expression)) {
            return null;
        }
        return eval('return ' . $expression . ';');
    }
        """,
    ),
    (
        "redirect",
        "redirect",
        True,
        """
    <?php
    header('Location: ' . $_GET['next']);
        """,
        """
    <?php
    $allowed = ['/home' => true, '/profile' => true];
    $next = $_GET['next'];
    if (!isset($allowed[$next])) {
        $next = '/home';
    }
    header('Location: ' . $next);
        """,
    ),
)
"""Name, kind, whether a request brings the value, the unsafe code, the fixed code."""


def _found(code: str) -> dict[Kind, float]:
    tree = parse(code.replace("\n    ", "\n"), "php")
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
        (_call("in_array", A, B), ir.Compare(1, "in", A, B)),
        (_call("isset", ir.Index(1, A, B)), ir.Compare(1, "in", B, A)),
        (_call("filter_var", A, ir.Name(1, "FILTER_VALIDATE_INT")), _call("filter_var.FILTER_VALIDATE_INT", A)),
        (_call("header", ir.Binary(1, "+", _text("Location: "), A)), _call("header.location", A)),
        (_call("header", A), _call("header", A)),
        (_call("curl_setopt", A, ir.Name(1, "CURLOPT_URL"), B), _call("curl_setopt.CURLOPT_URL", B)),
        (
            _call("str_replace", ir.Container(1, "list", ((None, _text("\n")),)), _text(""), A),
            _call("text.without_newlines", A),
        ),
    ],
)
def test_calls_get_their_plain_form(call: ir.Call, wanted: ir.Expr) -> None:
    assert GRAMMAR.idiom(call) == wanted
