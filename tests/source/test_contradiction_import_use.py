"""Imports that only bring errors, types and constants, and those that are used."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.source.contradiction import only_names
from leeboard.source.name_scan import ScannedImport, scan_imports
from leeboard.text.language import language_of

NAMED = (
    ("a.py", "from requests.exceptions import Timeout\n"),
    ("a.py", "from requests import ConnectionError, HTTPError\n"),
    ("a.py", "from sqlite3 import PARSE_DECLTYPES\n"),
    ("a.py", "import requests\n\ntry:\n    get()\nexcept requests.exceptions.Timeout:\n    pass\n"),
    ("a.py", "import requests\n\nif status == requests.codes.ok:\n    pass\n"),
    ("a.py", "import requests as rq\n\ndef f() -> rq.Response:\n    return get()\n"),
    ("a.py", "from requests import Response\n\ndef f(answer: Response) -> bool:\n    return answer.ok\n"),
    ("a.py", "from requests import (\n    Response,\n)\n\ndef f(answer: Response) -> bool:\n    return answer.ok\n"),
    ("a.ts", "import { AxiosResponse } from 'axios'\n\nfunction f(): Promise<AxiosResponse> { return get() }\n"),
    ("a.ts", "import { AxiosError } from 'axios'\n\nif (e instanceof AxiosError) { stop() }\n"),
    ("a.ts", "import axios, { AxiosResponse } from 'axios'\n\nif (axios.isAxiosError(e)) { stop() }\n"),
    (
        "a.go",
        'package a\n\nimport "database/sql"\n\nfunc f(db *sql.DB, err error) bool { return err == sql.ErrNoRows }\n',
    ),
)
USED = (
    ("a.py", "import requests\n"),
    ("a.py", "import requests\n\nrequests.get('x')\n"),
    ("a.py", "import requests as rq\n\nrq.get('x')\n"),
    ("a.py", "from requests import Session\n\nsession = Session()\n"),
    ("a.py", "from requests import get, Timeout\n\ntry:\n    get('x')\nexcept Timeout:\n    pass\n"),
    ("a.py", "from peewee import Model\n\nclass Refund(Model):\n    pass\n"),
    ("a.py", "import requests\n\nfetch = requests.get\n"),
    ("a.ts", "import axios from 'axios'\n\naxios.get('x')\n"),
    ("a.js", "const got = require('got')\n\ngot('x')\n"),
    ("a.ts", "import { Model } from 'orm'\n\nclass Refund extends Model {}\n"),
    ("a.go", 'package a\n\nimport "database/sql"\n\nfunc f() { sql.Open("x", "y") }\n'),
    ("a.rb", "require 'faraday'\n\nFaraday.get('x')\n"),
)


def found(path: str, text: str) -> bool:
    language = language_of(path, text)
    (item,) = scan_imports(text, language)[:1]
    return only_names(item, text, language)


@pytest.mark.parametrize(("path", "text"), NAMED)
def test_names_alone(path: str, text: str) -> None:
    assert found(path, text)


@pytest.mark.parametrize(("path", "text"), USED)
def test_use(path: str, text: str) -> None:
    assert not found(path, text)


@given(st.text(max_size=300), st.sampled_from(["python", "typescript", "go", "java", "ruby", ""]))
def test_never_raises(text: str, language: str) -> None:
    only_names(ScannedImport("a.b", 1, ("C",)), text, language)
    only_names(ScannedImport(text[:20], 1), text, language)
