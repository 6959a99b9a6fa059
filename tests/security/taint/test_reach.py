"""Which functions are worth following: each that is not has a twin that is."""

from __future__ import annotations

from functools import partial
from importlib import import_module

import pytest

from leeboard.security.taint import ir
from leeboard.security.taint.entry import active_handlers, entry_values
from leeboard.security.taint.evaluate import evaluate
from leeboard.security.taint.execute import execute
from leeboard.security.taint.flow import find_flows
from leeboard.security.taint.index import PathIndex
from leeboard.security.taint.reach import Reach
from leeboard.security.taint.state import Mentions, State
from leeboard.security.taint.table import tables_for
from leeboard.source.syntax import parse


def is_worth_it(source: str, language: str, name: str = "start") -> bool:
    """Of the function of that name, called by nobody in the file."""
    tree = parse(source, language)
    assert tree is not None
    module = import_module(f"leeboard.security.taint.lowering.{language}").lower(tree)
    state = State(module, PathIndex(tables_for(language)), 10_000)
    state.evaluate, state.execute = partial(evaluate, state), partial(execute, state)
    for stmt in module.body:
        if isinstance(stmt, ir.Define):
            state.functions[stmt.function.name] = stmt.function
        elif isinstance(stmt, ir.DefineClass):
            state.classes[stmt.type.name] = stmt.type
    state.functions |= {function.name: function for function in module.functions}
    methods = [method for kind in state.classes.values() for method in kind.methods]
    state.mentions = Mentions(source)
    state.mentions.know({each.name: [each] for each in (*state.functions.values(), *methods)})
    state.handlers = active_handlers(state, source)
    state.execute(module.body, state.globals)
    function = state.functions[name]
    scope = state.scope_of(function, state.globals)
    scope.names.update(entry_values(state, function, None, "parameter"))
    return Reach(state).is_worth_it(function, scope)


@pytest.mark.parametrize(
    ("body", "worth"),
    [
        ("puts(name);", False),
        ('printf("%s", name);', False),
        ("printf(name);", True),
        ("char line[9]; memcpy(line, name, 9); for (int i = 0; i < 9; i++) line[i]++;", False),
        ("char line[9]; sprintf(line, name);", True),
    ],
    ids=["no sink", "constant format", "format of a caller", "no sink in a loop", "format for a line"],
)
def test_a_sink_by_name_that_is_given_no_constant(body: str, worth: bool) -> None:  # noqa: FBT001 - one of the cases
    assert is_worth_it(f"void start(char *name) {{ {body} }}\n", "c") is worth


def test_what_it_calls_counts() -> None:
    helper = "void helper(char *line) { system(line); }\n"
    assert is_worth_it(f"{helper}void start(char *name) {{ helper(name); }}\n", "c")
    assert not is_worth_it(f"{helper}void start(char *name) {{ other(name); }}\n", "c")


def test_functions_that_call_each_other_come_to_an_end() -> None:
    source = "void other(char *a);\nvoid start(char *a) { other(a); }\nvoid other(char *a) { start(a); }\n"
    assert not is_worth_it(source, "c")


def test_a_value_of_a_stranger_has_to_be_spoken_of() -> None:
    source = "function start(line) { logger.info(line); }\n"
    assert not is_worth_it(source, "javascript")
    assert is_worth_it("function start(line, req) { logger.info(line + req.query.name); }\n", "javascript")


def test_a_secret_that_is_logged_needs_nobody() -> None:
    assert is_worth_it("function start(user) { logger.info(user.password); }\n", "javascript")
    assert is_worth_it("function start(user) { logger.info(user['password']); }\n", "javascript")


def test_a_sink_that_is_read_is_called_elsewhere() -> None:
    assert is_worth_it("function start(lines) { lines.forEach(eval); }\n", "javascript")
    assert not is_worth_it("function start(lines) { lines.forEach(print); }\n", "javascript")


@pytest.mark.parametrize(
    "before",
    [
        "const { exec: run } = require('child_process');",
        "import { exec as run } from 'child_process';",
        "const cp = require('child_process');\nconst run = cp.exec;",
    ],
)
def test_a_sink_by_another_name(before: str) -> None:
    assert is_worth_it(f"{before}\nfunction start(line) {{ run(line); }}\n", "javascript")


def test_a_sink_in_a_table_of_the_file() -> None:
    table = "const cp = require('child_process');\nconst TOOLS = { run: cp.exec };\n"
    assert is_worth_it(f"{table}function start(line) {{ TOOLS['run'](line); }}\n", "javascript")


def test_a_field_of_a_page_that_is_set() -> None:
    assert is_worth_it("function start(name) { page.innerHTML = name; }\n", "javascript")
    assert not is_worth_it("function start(name) { page.innerHTML = ''; }\n", "javascript")


def test_a_function_inside_may_be_called_by_others() -> None:
    source = "const cp = require('child_process');\nfunction start() { return { go(line) { cp.exec(line); } }; }\n"
    assert is_worth_it(source, "javascript")


def test_handlers_that_it_registers_are_always_followed() -> None:
    source = "const app = require('express')();\nfunction start() { app.get('/', (req, res) => later(req)); }\n"
    assert is_worth_it(source, "javascript")


def test_what_makes_an_object_and_what_a_class_holds() -> None:
    source = "class Job { constructor(line) { eval(line); } }\nfunction start(line) { return new Job(line); }\n"
    assert is_worth_it(source, "javascript")


def test_flows_are_found_in_functions_inside_of_others() -> None:
    source = (
        "const cp = require('child_process');\nconst app = require('express')();\n"
        "module.exports = function () {\n  function run(line) { cp.exec(line); }\n"
        "  app.get('/', (req, res) => run(req.query.line));\n};\n"
    )
    tree = parse(source, "javascript")
    assert tree is not None
    assert [flow.kind for flow in find_flows(tree)] == ["command"]
