"""What is read of a token before anybody has verified it: its head says which key it wants."""

from __future__ import annotations

import pytest

from leeboard.security.crypto.source import CryptoSource
from leeboard.security.crypto.token_reads import reads_only_the_head
from leeboard.source.syntax import parse


@pytest.mark.parametrize(
    ("language", "code", "is_head"),
    [
        ("python", "k = jwt.decode(raw, verify=False)['kid']\n", True),
        ("python", "k = jwt.decode(raw, verify=False)['nick']\n", False),
        ("python", "read = jwt.decode(raw)\nk = keys[read.get('kid')]\n", True),
        ("python", "read = jwt.decode(raw)\nk = keys[read.get('kid')]\nuser = read['nick']\n", False),
        ("python", "read = jwt.decode(raw)\nenter(read)\nk = read['kid']\n", False),
        ("python", "read = jwt.decode(raw)\n", False),
        ("javascript", "const { header } = jwt.decode(raw, { complete: true });\n", True),
        ("javascript", "const { nick } = jwt.decode(raw);\n", False),
        (
            "javascript",
            "const read = jwt.decode(raw, { complete: true });\nif (!read) leave();\nkeys.get(read.header.kid);\n",
            True,
        ),
        ("ruby", "_, header = JWT.decode(raw, nil, false)\n", True),
    ],
)
def test_what_is_read(language: str, code: str, is_head: bool) -> None:  # noqa: FBT001 - a column
    tree = parse(code, language)
    assert tree is not None
    source = CryptoSource(tree, "a")
    (call,) = (one for one in source.calls["decode"] if "jwt" in one.name.lower())
    assert reads_only_the_head(call, source) is is_head
