"""Choices by what a value is, as a value: the arms that name it are an allow-list, the others hand it on."""

from __future__ import annotations

import pytest

from tests.security.taint.surest_flow import surest

_RUST = """use axum::extract::{Query, State};
async fn list(State(pool): State<PgPool>, Query(asked): Query<Asked>) -> Json<Vec<Row>> {
    let part = CHOICE;
    let sql = format!("SELECT id FROM boats ORDER BY {part}");
    sqlx::query(&sql).fetch_all(&pool).await
}
"""
_CSHARP = """using Microsoft.AspNetCore.Mvc;
public class BoatController : Controller {
    public IActionResult Get(string sort) {
        var column = CHOICE;
        return Ok(_db.Boats.FromSqlRaw("SELECT * FROM Boats ORDER BY " + column));
    }
}
"""
_JAVA = """@RestController
class Boats {
  @GetMapping("/boats")
  Object list(@RequestParam String sort) {
    String column = CHOICE;
    return jdbc.queryForList("SELECT * FROM boats ORDER BY " + column);
  }
}
"""
_KOTLIN = """@RestController
class Boats(val jdbc: JdbcTemplate) {
    @GetMapping("/boats")
    fun list(@RequestParam sort: String): Any {
        val column = CHOICE
        return jdbc.queryForList("SELECT * FROM boats ORDER BY $column")
    }
}
"""
_PHP = "<?php\n$sort = $_GET['sort'];\n$column = CHOICE;\n$pdo->query(\"SELECT * FROM boats ORDER BY $column\");\n"
_RUBY = """class BoatsController < ApplicationController
  def index
    name = CHOICE
    @boats = Boat.where("name = '#{name}'")
  end
end
"""


@pytest.mark.parametrize(
    ("language", "text", "handed_on", "named"),
    [
        (
            "rust",
            _RUST,
            'match asked.sort.as_str() { "new" => "made", other => other }',
            'match asked.sort.as_str() { "new" | "old" => asked.sort.as_str(), _ => "id" }',
        ),
        (
            "rust",
            _RUST,
            "match &asked.name { Some(name) => format!(\"name = '{}'\", name), None => String::new() }",
            'match &asked.name { Some(name) => "name", None => "id" }',
        ),
        (
            "rust",
            _RUST,
            "if let Some(name) = &asked.name { format!(\"'{name}'\") } else { String::new() }",
            'if let Some(name) = &asked.name { "name" } else { "id" }',
        ),
        (
            "csharp",
            _CSHARP,
            'sort switch { "new" => "Made", _ => sort }',
            'sort switch { "a" or "b" => sort, _ => "c" }',
        ),
        (
            "java",
            _JAVA,
            'switch (sort) { case "new" -> "made"; default -> sort; }',
            'switch (sort) { case "new", "old" -> sort; default -> { yield "id"; } }',
        ),
        (
            "kotlin",
            _KOTLIN,
            'when (sort) { "new" -> "made"\n else -> sort }',
            'when (sort) { "new", "old" -> sort\n else -> "id" }',
        ),
        (
            "php",
            _PHP,
            "match ($sort) { 'new' => 'made', default => $sort }",
            "match (true) { in_array($sort, ['a', 'b'], true) => $sort, default => 'id' }",
        ),
        (
            "ruby",
            _RUBY,
            'case params[:n] when "a" then "b" else params[:n] end',
            'case params[:n] when "a", "b" then params[:n] else "c" end',
        ),
        ("ruby", _RUBY, 'if params[:n] then params[:n] else "x" end', 'if params[:n] then "y" else "x" end'),
    ],
)
def test_an_arm_that_names_the_value_lets_only_that_through(
    language: str, text: str, handed_on: str, named: str
) -> None:
    assert surest(text.replace("CHOICE", handed_on), language) > 0.5
    assert surest(text.replace("CHOICE", named), language) < 0.5


def test_what_a_branch_does_before_its_value_is_looked_at() -> None:
    text = _RUBY.replace(
        "CHOICE", 'if ready\n      system("ls #{params[:d]}")\n      "a"\n    else\n      "b"\n    end'
    )
    assert surest(text, "ruby") > 0.85


def test_a_choice_of_many_arms_is_followed_without_going_deeper_for_each() -> None:
    arms = ", ".join(f'"{number}" => "x{number}"' for number in range(60))
    assert surest(_RUST.replace("CHOICE", f"match asked.sort.as_str() {{ {arms}, other => other }}"), "rust") < 0.5
