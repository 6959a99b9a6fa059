from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.text.prose_path import MARK, scan


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("fix src/a.py and lib/b.ts.", ["src/a.py", "lib/b.ts"]),
        ("@src/foo.py please", ["src/foo.py"]),
        ("`src/my file.py`, \"docs/a b.md\" and 'src/c.py'", ["src/my file.py", "docs/a b.md", "src/c.py"]),
        ("**src/a.py** and _src/b.py_", ["src/a.py", "src/b.py"]),
        ("tests/ and src/auth", ["tests/", "src/auth"]),
        ("src/**/*.ts or *.py", ["src/**/*.ts", "*.py"]),
        (r"C:\proj\src\a.py and src\b.ts", ["C:/proj/src/a.py", "src/b.ts"]),
        ("./x, ~/x and ../y.py", ["./x", "~/x", "../y.py"]),
        ("app/[id]/page.tsx and app/(group)/page.tsx", ["app/[id]/page.tsx", "app/(group)/page.tsx"]),
        ("src/größe.py 文档/说明.md", ["src/größe.py", "文档/说明.md"]),
        ("修改src/app.py文件", ["src/app.py"]),
        ("the Makefile and .env", ["Makefile", ".env"]),
        ("`pytest tests/a.py -k b`", ["tests/a.py"]),
        ("`auth/login`", ["auth/login"]),
        ("[the page](src/a.py)", ["src/a.py"]),
        ("src/a.py:12 (src/b.py)", ["src/a.py", "src/b.py"]),
        ("in /home/me/proj/src", ["/home/me/proj/src"]),
        ("package.json", ["package.json"]),
    ],
)
def test_paths_of_a_sentence(text: str, paths: list[str]) -> None:
    assert scan(text)[0] == paths


@pytest.mark.parametrize(
    "text",
    [
        "client/server and/or input/output TCP/IP CI/CD",
        "2024/01/02, 1/2, v1.2.3 and 10.0.0.1",
        "https://example.test/a/b.py me@example.com example.com/a",
        "Node.js e.g. i.e. etc. 10 a.m. U.S.",
        "foo.bar() and user.name",
        "add/edit/delete create/read/update red/green/blue",
        "application/json text/html",
        "GET /api/users and /login",
        "origin/main `origin/main`",
        "`foo.bar` `x()` `a = b/c` `-f x/y`",
        "it works.Then it stops.Go on",
        "@john and @types/node",
    ],
)
def test_prose_with_slashes_and_dots(text: str) -> None:
    assert scan(text)[0] == []


def test_each_path_leaves_its_mark() -> None:
    assert scan("the src/a.py file, `b/c d.py`") == (["src/a.py", "b/c d.py"], f"the {MARK} file, {MARK}")


@given(st.text(max_size=300))
def test_there_are_as_many_marks_as_paths(text: str) -> None:
    paths, marked = scan(text)
    assert marked.count(MARK) == len(paths)
    assert all(paths)
