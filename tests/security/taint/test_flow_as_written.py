"""Sources in the words of the file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.security.taint.flow import as_written


@pytest.mark.parametrize(
    ("label", "line", "shown"),
    [
        ("r.URL['name']", 'name := r.URL.Query().Get("name")', 'r.URL.Query().Get("name")'),
        ("r.URL['name']", "q := r.URL.Query()", "r.URL.Query()"),
        ("request FormValue['p']", 'p := r.FormValue("p")', 'r.FormValue("p")'),
        ("route variables['id']", 'f(mux.Vars(r)["id"])', 'mux.Vars(r)["id"]'),
        ("request.args['b']", "eval(request.args['b'])", "request.args['b']"),
        ("request.args['b']", "eval(request.args.get('b'))", "request.args.get('b')"),
        ("parameter 'x'", "def f(x):", "parameter 'x'"),
        ("req.query", "f(req.query.id); g(req.query.n)", "req.query"),
        ("req.query", "f(req.query.id)", "req.query.id"),
        ("the request's body", "c.Bind(&thing)", "the request's body"),
        ("request.args", "x" * 3000, "request.args"),
    ],
)
def test_the_piece_of_the_line(label: str, line: str, shown: str) -> None:
    assert as_written(label, line) == shown


@given(st.text(alphabet="ab.([])'\" $->", max_size=200), st.text(alphabet="ab.['] ", max_size=20))
def test_any_line_is_survived(line: str, label: str) -> None:
    shown = as_written(label, line)
    assert shown == label or shown in line
