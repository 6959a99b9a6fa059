from __future__ import annotations

import pytest

from leeboard.security.crypto.context import knowing_comment, names_a_key, surroundings
from leeboard.security.crypto.source import CallSite, CryptoSource
from leeboard.security.crypto.uses import statement_text, target_of
from leeboard.source.syntax import parse


def read(code: str, name: str = "md5", path: str = "a.py") -> tuple[CallSite, CryptoSource]:
    tree = parse(code, "python")
    assert tree is not None
    source = CryptoSource(tree, path)
    return next(iter(source.named(name))), source


@pytest.mark.parametrize(
    ("code", "path", "context"),
    [
        ("h = hashlib.md5(password)", "a.py", "auth"),
        ("def login(x):\n    return hashlib.md5(x)", "a.py", "auth"),
        ("h = hashlib.md5(x)\nresponse.set_cookie('a', h)", "a.py", "auth"),
        ("h = hashlib.md5(x)", "src/auth/tokens.py", "auth"),
        ("etag = hashlib.md5(x)", "a.py", "checksum"),
        ("def file_checksum(x):\n    return hashlib.md5(x)", "auth.py", "checksum"),
        ("def cache_key(x):\n    return hashlib.md5(x)", "a.py", "checksum"),
        ("h = hashlib.md5(x).hexdigest()", "a.py", "neutral"),
        ("import session\nh = hashlib.md5(x)", "a.py", "neutral"),
        ("tokens = tokenizer(x)\nh = hashlib.md5(tokens)", "a.py", "neutral"),
    ],
)
def test_contexts(code: str, path: str, context: str) -> None:
    assert surroundings(*read(code, path=path)).context == context


@pytest.mark.parametrize(
    ("code", "known"),
    [
        ("# legacy md5, required by the API\nh = hashlib.md5(x)", True),
        ("h = hashlib.md5(x)  # nosec", True),
        ("h = hashlib.md5(x)  # not for security", True),
        ("# hash it\nh = hashlib.md5(x)", False),
        ("# legacy\n\n\n\n\nh = hashlib.md5(x)", False),
    ],
)
def test_comments(code: str, known: bool) -> None:  # noqa: FBT001 - a column
    assert bool(knowing_comment(*read(code))) == known


def test_where_the_result_goes() -> None:
    site, source = read("api_key = str(random.random())", "random")
    assert target_of(site, source) == "api_key"
    assert names_a_key(site, source)
    assert statement_text(site, source) == "api_key = str(random.random())"


def test_play() -> None:
    assert surroundings(*read("jitter = random.random()", "random")).plays
    assert not surroundings(*read("password = random.random()", "random")).plays
