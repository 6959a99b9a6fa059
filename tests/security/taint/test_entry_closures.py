"""Handlers that are written where they are passed or returned: each with a twin that does no harm."""

from __future__ import annotations

import pytest

from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse

PAIRS = (
    (
        "a function that returns a handler",
        "go",
        """
package main
import ("database/sql"; "net/http")
func find(db *sql.DB) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		db.Query("SELECT * FROM u WHERE n = '" + r.URL.Query().Get("n") + "'")
	}
}
""",
        """
package main
import ("database/sql"; "net/http")
func find(db *sql.DB) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		db.Query("SELECT * FROM u WHERE n = $1", r.URL.Query().Get("n"))
	}
}
""",
    ),
    (
        "a handler in a route",
        "go",
        """
package main
import ("github.com/gin-gonic/gin"; "os")
func routes(e *gin.Engine) {
	e.GET("/f", func(c *gin.Context) { os.ReadFile("/data/" + c.Query("name")) })
}
""",
        """
package main
import ("github.com/gin-gonic/gin"; "os"; "path/filepath")
func routes(e *gin.Engine) {
	e.GET("/f", func(c *gin.Context) { os.ReadFile("/data/" + filepath.Base(c.Query("name"))) })
}
""",
    ),
    (
        "a route of a minimal API",
        "csharp",
        'app.MapGet("/ping", (string host) => { Process.Start("/bin/sh", "-c ping " + host); return "ok"; });\n',
        'app.MapGet("/ping", (int port) => { Process.Start("/bin/sh", "-c ping " + port); return "ok"; });\n',
    ),
    (
        "a closure of a route",
        "php",
        """<?php
use Illuminate\\Http\\Request;
Route::get('/find', function (Request $request) {
    return DB::select("SELECT * FROM users WHERE name = '" . $request->input('name') . "'");
});
""",
        """<?php
use Illuminate\\Http\\Request;
Route::get('/find', function (Request $request) {
    return DB::select("SELECT * FROM users WHERE name = ?", [$request->input('name')]);
});
""",
    ),
    (
        "a lambda that is given a context",
        "java",
        """
import io.javalin.Javalin;
class App { static void run(Javalin app) {
  app.get("/ping", ctx -> { Runtime.getRuntime().exec("sh -c ping " + ctx.queryParam("host")); });
} }
""",
        """
import io.javalin.Javalin;
class App { static void run(Javalin app) {
  app.get("/ping", ctx -> { new ProcessBuilder("ping", ctx.queryParam("host")).start(); });
} }
""",
    ),
)


def _sure(code: str, language: str) -> list[float]:
    tree = parse(code, language)
    assert tree is not None
    return [flow.confidence for flow in find_flows(tree) if flow.confidence > 0.85]


@pytest.mark.parametrize(("language", "unsafe"), [pytest.param(*pair[1:3], id=pair[0]) for pair in PAIRS])
def test_a_request_reaches_a_sink_in_it(language: str, unsafe: str) -> None:
    assert _sure(unsafe, language)


@pytest.mark.parametrize(("language", "safe"), [pytest.param(pair[1], pair[3], id=pair[0]) for pair in PAIRS])
def test_its_twin_is_silent(language: str, safe: str) -> None:
    assert not _sure(safe, language)


@pytest.mark.parametrize(
    ("listening", "found"),
    [
        ("window.addEventListener('message', (e) => { box.innerHTML = e.data; });", 1),
        ("window.addEventListener('message', (e) => { if (e.origin !== HOME) return; box.innerHTML = e.data; });", 0),
        ("self.addEventListener('message', (e) => { box.innerHTML = e.data; });", 0),
        ("window.addEventListener('resize', (e) => { box.innerHTML = e.data; });", 0),
    ],
)
def test_another_window_is_foreign_unless_somebody_asks_which_it_is(listening: str, found: int) -> None:
    tree = parse(f"const box = document.body;\n{listening}\n", "javascript")
    assert tree is not None
    assert len(find_flows(tree)) == found
