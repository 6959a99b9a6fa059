"""What is let stand is one place: a function of the same name in another class, or another route, is new."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def view(name: str, verb: str) -> str:
    query = f"\"{verb} FROM users WHERE name = '\" + request.args['n'] + \"'\""
    return f"class {name}(MethodView):\n    def get(self):\n        return db.session.execute({query})\n\n\n"


def route(path: str, verb: str) -> str:
    return f'app.get("{path}", (req, res) => {{\n  db.query("{verb} FROM t WHERE a = " + req.query.a);\n}});\n'


def login(name: str) -> str:
    return f"class {name}:\n    def login(self, password):\n        return hashlib.md5(password) == self.{name}\n\n\n"


FLASK = "from flask import request\nfrom flask.views import MethodView\nfrom app import db\n\n\n"
EXPRESS = 'const app = require("express")();\nconst db = require("mysql").createConnection({});\n'
PAIRS = {
    "app.py": (FLASK, view("Members", "SELECT *"), view("Wipe", "DELETE")),
    "app.js": (EXPRESS, route("/search", "SELECT *"), route("/drop/:id", "DELETE")),
    "old.py": ("import hashlib\n\n\n", login("Members"), login("Guests")),
}
IDS = {
    "app.py": (
        "injection:app.py:Members.get:sql:db.session.execute",
        "injection:app.py:Wipe.get:sql:db.session.execute",
    ),
    "app.js": ("injection:app.js:<get /search>:sql:db.query", "injection:app.js:<get /drop/:id>:sql:db.query"),
    "old.py": ("weak_crypto:old.py:Members.login:weak hash:MD5", "weak_crypto:old.py:Guests.login:weak hash:MD5"),
}


def ids(desk: Desk, path: str, *parts: str) -> list[object]:
    (desk.repo / path).write_text("".join(parts))
    return [found["id"] for found in desk.run("scan", path, "--json").objects]


@pytest.mark.parametrize("path", PAIRS)
@pytest.mark.parametrize("door", ["allow", "baseline"])
def test_one_that_is_let_stand_does_not_cover_another(desk: Desk, path: str, door: str) -> None:
    head, old, new = PAIRS[path]
    first, second = IDS[path]
    assert ids(desk, path, head, old) == [first]
    if door == "allow":
        desk.ok("allow", first, "--reason", "an old page")
    else:
        desk.ok("scan", path, "--write-baseline")
    assert ids(desk, path, head, old) == []
    assert ids(desk, path, head, new, old) == [second], "though it stands first"
    assert ids(desk, path, head, new) == [second], "though the other is gone"


@pytest.mark.parametrize(
    ("handler", "named"),
    [
        ('app.route("/book").post((req, res) => { cp.exec("ls " + req.query.b); });', "<post /book>"),
        ('app.get(PATHS, (req, res) => { cp.exec("ls " + req.query.b); });', "<lambda>"),
        (
            'app.get("/a", (req, res) => { find((found) => { list((all) => { cp.exec("ls " + req.query.b); }); }); });',
            "<get /a>.<lambda>",
        ),
        ('app.get("/a", function list(req, res) { cp.exec("ls " + req.query.b); });', "<get /a>"),
    ],
)
def test_a_handler_without_a_name_is_named_by_its_route(desk: Desk, handler: str, named: str) -> None:
    head = 'const app = require("express")();\nconst cp = require("child_process");\n'
    assert ids(desk, "app.js", head, handler) == [f"injection:app.js:{named}:command:cp.exec"]


def test_a_function_inside_of_a_method_is_named_by_its_class(desk: Desk) -> None:
    inner = "        def ask():\n            db.session.execute('DELETE FROM ' + request.args['n'])\n        ask()\n"
    found = ids(desk, "app.py", FLASK, "class Wipe(MethodView):\n    def get(self):\n", inner)
    assert found == ["injection:app.py:Wipe.get.ask:sql:db.session.execute"]


@pytest.mark.parametrize("path", PAIRS)
def test_an_id_can_be_pasted_into_a_shell(desk: Desk, path: str) -> None:
    head, old, _new = PAIRS[path]
    (desk.repo / path).write_text(head + old)
    (pasted,) = re.findall(r"id: (.+)", desk.run("scan", path, "--verbose").out)
    assert shlex.split(pasted) == [IDS[path][0]]
    assert (pasted[0] == "'") == bool(set(" <>") & set(pasted))


def test_an_id_that_nothing_is_known_by_is_told(desk: Desk) -> None:
    head, old, new = PAIRS["app.py"]
    (desk.repo / "app.py").write_text(head + old)
    first, second = IDS["app.py"]
    assert "nothing is known" not in desk.ok("allow", first, "--reason", "an old page").err
    ran = desk.ok("allow", first.replace(":sql:", ":shell:"), "--reason", "an old page")
    assert f"did you mean {first}?" in " ".join(ran.err.split())
    ran = desk.ok("allow", "injection:gone.py:f:sql:run", "--reason", "an old page", "--json")
    assert len(ran.objects) == 1
    assert "names no file" in " ".join(ran.err.split())
    (desk.repo / "app.py").write_text(head + old + new)
    assert "nothing is known" not in desk.ok("allow", second, "--reason", "an old page").err


def test_an_allowance_of_the_project_that_matches_nothing_is_named(desk: Desk) -> None:
    head, old, new = PAIRS["app.py"]
    (desk.repo / "app.py").write_text(head + old)
    (desk.repo / "old.py").write_text("".join(PAIRS["old.py"]))
    first, second = IDS["app.py"]
    desk.ok("allow", first, "--project", "--reason", "an old page")
    desk.ok("allow", "weak_crypto", "--path", "later/**", "--project", "--reason", "an old protocol")
    desk.ok("allow", "scope_drift:app.py", "--project", "--reason", "an old page")
    assert "no longer" not in desk.run("scan", ".").out
    (desk.repo / "app.py").write_text(head + new)
    assert "no longer" not in desk.run("scan", "old.py").out
    said = " ".join(desk.run("scan", ".").out.split())
    assert f"1 entry of leeboard-allowed.json no longer matches anything: {first};" in said
    assert second not in said.partition("no longer")[2]
