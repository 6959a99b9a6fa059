"""Kotlin: pairs of unsafe code and its fixed twin."""

from __future__ import annotations

import pytest

from leeboard.security.taint import ir
from leeboard.security.taint.flow import find_flows
from leeboard.security.taint.lowering.kotlin import lower
from leeboard.security.taint.table import Kind
from leeboard.source.syntax import parse

PAIRS: tuple[tuple[str, Kind, bool, str, str], ...] = (
    (
        "query of a handler",
        "sql",
        True,
        """
    @RestController
    class Users(val jdbc: JdbcTemplate) {
        @GetMapping("/u")
        fun find(@RequestParam name: String): List<User> {
            return jdbc.query("SELECT * FROM users WHERE name = '$name'", mapper)
        }
    }
        """,
        """
    @RestController
    class Users(val jdbc: JdbcTemplate) {
        @GetMapping("/u")
        fun find(@RequestParam name: String): List<User> {
            return jdbc.query("SELECT * FROM users WHERE name = ?", mapper, name)
        }
    }
        """,
    ),
    (
        "command",
        "command",
        False,
        """
    fun ping(host: String): Process {
        return Runtime.getRuntime().exec("ping -c 1 $host")
    }
        """,
        """
    fun ping(host: String): Process {
        if (!host.matches(Regex("[a-z0-9.]+"))) {
            throw IllegalArgumentException("host")
        }
        return Runtime.getRuntime().exec("ping -c 1 $host")
    }
        """,
    ),
    (
        "path",
        "path",
        False,
        """
    fun load(name: String): String {
        return File("/srv/files/" + name).readText()
    }
        """,
        """
    fun load(name: String): String {
        val base = File("/srv/files").canonicalFile
        val file = File(base, name).canonicalFile
        if (!file.startsWith(base)) {
            throw SecurityException("path")
        }
        return file.readText()
    }
        """,
    ),
    (
        "redirect",
        "redirect",
        True,
        """
    fun Application.module() {
        routing {
            get("/go") {
                call.respondRedirect(call.parameters["next"]!!)
            }
        }
    }
        """,
        """
    val PAGES = setOf("/home", "/profile")
    fun Application.module() {
        routing {
            get("/go") {
                val next = call.parameters["next"]!!
                if (next !in PAGES) {
                    return@get
                }
                call.respondRedirect(next)
            }
        }
    }
        """,
    ),
    (
        "shell",
        "command",
        False,
        """
    fun run(file: String) {
        ProcessBuilder("sh", "-c", "cat $file").start()
    }
        """,
        """
    fun run(file: String) {
        ProcessBuilder("cat", file).start()
    }
        """,
    ),
    (
        "number",
        "sql",
        True,
        """
    @RestController
    class Items(val jdbc: JdbcTemplate) {
        @GetMapping("/i")
        fun find(@RequestParam id: String): List<Item> {
            return jdbc.query("SELECT * FROM items WHERE id = $id", mapper)
        }
    }
        """,
        """
    @RestController
    class Items(val jdbc: JdbcTemplate) {
        @GetMapping("/i")
        fun find(@RequestParam id: String): List<Item> {
            val number = id.toInt()
            return jdbc.query("SELECT * FROM items WHERE id = $number", mapper)
        }
    }
        """,
    ),
)
"""Name, kind, whether a request brings the value, the unsafe code, the fixed code."""


def _found(code: str) -> dict[Kind, float]:
    tree = parse(code.replace("\n    ", "\n"), "kotlin")
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


CLASS = """\
class Users(val db: Db) : Base() {
    @GetMapping("/x")
    fun find(@RequestParam name: String, n: Int): String = name
}
"""


def test_a_class_with_its_methods() -> None:
    tree = parse(CLASS, "kotlin")
    assert tree is not None
    (kind,) = [stmt.type for stmt in lower(tree).body if isinstance(stmt, ir.DefineClass)]
    (method,) = kind.methods
    assert (kind.name, kind.bases, method.name, method.owner) == ("Users", ("Base",), "find", "Users")
    assert [(param.name, param.annotation) for param in method.params] == [
        ("name", "@RequestParam String"),
        ("n", "Int"),
    ]
    assert [ir.dotted(mark) for mark in method.decorators] == ["GetMapping"]
    assert isinstance(method.lower()[0], ir.Return)
