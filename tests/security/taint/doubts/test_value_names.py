"""A check is one of a value where it names that value, and none where it names another field of the same request."""

from __future__ import annotations

import pytest

from tests.security.taint.surest_flow import surest

_FLASK = "from flask import request\n@app.get('/f')\ndef f():\n    {}\n    return open(p).read()\n"
_EXPRESS = "const fs = require('fs');\napp.get('/f', (req, res) => {{\n  {}\n  res.send(fs.readFileSync(p)); }});\n"


@pytest.mark.parametrize(
    ("language", "text", "body", "is_refused"),
    [
        ("python", _FLASK, "p = request.args['p']\n    if p.endswith('.txt'): return ''", False),
        ("python", _FLASK, "p = request.args['p']\n    if request.args['p'].endswith('.txt'): return ''", False),
        ("python", _FLASK, "p = request.args['p']\n    if request.args.get('q').endswith('.txt'): return ''", True),
        (
            "python",
            _FLASK,
            "a = request.args\n    p = a['p']\n    q = a['q']\n    if q.endswith('.txt'): return ''",
            True,
        ),
        ("javascript", _EXPRESS, "const { p } = req.query; if (!p.endsWith('.md')) return;", False),
        ("javascript", _EXPRESS, "const { p, q } = req.query; if (!q.endsWith('.md')) return;", True),
    ],
)
def test_whose_check_it_is(language: str, text: str, body: str, is_refused: bool) -> None:  # noqa: FBT001 - a column
    assert (surest(text.format(body), language) > 0.85) is is_refused
