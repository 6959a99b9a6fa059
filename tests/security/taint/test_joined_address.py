"""A part of an address that is joined to a base names another host only where it may begin with one."""

from __future__ import annotations

import pytest

from tests.security.taint.surest_flow import surest

NODE = "const url = require('url');\nconst axios = require('axios');\nconst base = 'https://own.org/';\napp.get('/:id', async (req, res) => {{\n  await axios.get({});\n}});\n"
PYTHON = (
    "import requests\nfrom urllib.parse import urljoin\nfrom flask import request\n\nbase = 'https://own.org/'\n"
    "@app.get('/')\ndef show():\n    return requests.get({}).text\n"
)


@pytest.mark.parametrize(
    ("address", "is_refused"),
    [
        ("url.resolve(base, `/read.php?id=${req.query.id}`)", False),
        ("url.resolve(base, 'list?id=' + req.query.id)", False),
        ("new URL(`?id=${req.query.id}`, base)", False),
        ("new URL(req.query.id, base)", True),
        ("new URL('/' + req.query.id, base)", True),
        ("new URL('//' + req.query.id, base)", True),
        ("url.resolve(req.query.host, '/read')", True),
    ],
)
def test_in_javascript(address: str, is_refused: bool) -> None:  # noqa: FBT001 - a column
    assert (surest(NODE.format(address), "javascript") > 0.5) == is_refused


@pytest.mark.parametrize(
    ("address", "is_refused"),
    [
        ("urljoin(base, '/u?id=' + request.args['id'])", False),
        ("urljoin(base, f'api/{request.args[\"id\"]}')", False),
        ("urljoin(base, request.args['id'])", True),
    ],
)
def test_in_python(address: str, is_refused: bool) -> None:  # noqa: FBT001 - a column
    assert (surest(PYTHON.format(address), "python") > 0.5) == is_refused
