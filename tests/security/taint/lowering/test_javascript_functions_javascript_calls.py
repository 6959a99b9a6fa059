"""Calls of JavaScript."""

from __future__ import annotations

import pytest

from leeboard.security.taint import ir
from leeboard.security.taint.flow import find_flows
from leeboard.security.taint.lowering.javascript import lower
from leeboard.source.syntax import parse


def body(text: str) -> ir.Block:
    tree = parse(text, "javascript")
    assert tree is not None
    return lower(tree).body


def test_a_loop_by_a_callback_is_a_loop() -> None:
    (loop,) = body("xs.forEach(x => { if (!x) return; f(x); })")
    assert isinstance(loop, ir.Loop)
    assert isinstance(loop.body[0], ir.If)
    assert isinstance(loop.body[0].body[0], ir.Exit)


def test_options_are_named_arguments_as_well() -> None:
    (statement,) = body("f(a, {shell: true})")
    assert isinstance(statement, ir.ExprStmt)
    assert isinstance(statement.value, ir.Call)
    assert [name for name, _value in statement.value.keywords] == ["shell"]


def test_leaving_the_process_leaves_the_block() -> None:
    (statement,) = body("process.exit(1)")
    assert isinstance(statement, ir.Exit)


ESC = "const esc = s => String(s).replace(/[&<>\"']/g, c => MAP[c]);"


@pytest.mark.parametrize(
    ("made", "found"),
    [
        ("items.map(i => `<li>${i.name}</li>`).join('')", 0.92),
        ("items.map(i => `<li>${escapeHtml(i.name)} ${i.text}</li>`).join('')", 0.92),
        ("items.map(row).join('')", 0.92),
        ("items.reduce((all, i) => all + `<li>${i.name}</li>`, '')", 0.92),
        ("items.map(i => `<li>${escapeHtml(i.name)}</li>`).join('')", 0),
        ("items.filter(i => i.ok).map(i => { const n = escapeHtml(i.name); return `<li>${n}</li>`; }).join('')", 0),
        ("items.map(i => `<li>${esc(i.name)}</li>`).join('')", 0),
        ("items.map(safe).join('')", 0),
        ("items.map(escapeHtml).join('<br>')", 0),
        ("items.map(Number).join('<br>')", 0),
        ("items.map((item, at) => `<li>${at}</li>`).join('')", 0),
        ("items.reduce((all, i) => all + `<li>${escapeHtml(i.name)}</li>`, '')", 0),
        ("`${items.length} items`", 0),
        ("'<b>' + items.length + '</b>'", 0),
        ("`<b>${items * 100}% ${+items} ${items.toFixed(2)} ${items > 3} ${!items} ${items ? 'yes' : 'no'}</b>`", 0),
        ("`<b>${items}</b>`", 0.92),
        ("`<b>${items.total}</b>`", 0.92),
        ("`<b>${items + 1}</b>`", 0.92),
    ],
)
def test_what_a_page_is_made_of(made: str, found: float) -> None:
    rows = "const row = i => `<li>${i.name}</li>`; const safe = i => `<li>${escapeHtml(i.name)}</li>`;"
    text = f"{ESC}\n{rows}\napp.get('/', (req, res) => {{ const items = req.body.items; el.innerHTML = {made}; }});\n"
    tree = parse(text, "javascript")
    assert tree is not None
    assert max((flow.confidence for flow in find_flows(tree) if flow.trust == "request"), default=0) == found


def test_counts_of_what_a_caller_hands_on_are_numbers() -> None:
    tree = parse("function show(d) { el.innerHTML = `${d.count} of ${d.total}`; }", "javascript")
    assert tree is not None
    assert find_flows(tree) == ()


@pytest.mark.parametrize(
    ("code", "callee"),
    [
        ("/^a$/.test(x)", "regex.test"),
        ("x.match(/^a$/)", "regex.match"),
        ("schema.parse(x)", "schema.validated"),
        ("JSON.parse(x)", "JSON.parse"),
        ("Number.isInteger(x)", "type.is_number"),
        ("x.replace(/[<>]/g, '')", "text.without_markup"),
        ("util.promisify(x)", ""),
    ],
)
def test_calls_get_their_plain_form(code: str, callee: str) -> None:
    tree = parse(f"y = {code}", "javascript")
    assert tree is not None
    (assign,) = lower(tree).body
    assert isinstance(assign, ir.Assign)
    value = assign.value
    assert (ir.dotted(value.callee) if isinstance(value, ir.Call) else "") == callee
