from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.secrets.redaction import REDACTED
from leeboard.text.names import (
    distinctive_identifiers,
    folders,
    import_statements,
    imported_names,
    keywords,
    path_like,
    path_words,
    singular,
    split_words,
    stem,
)

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("src/a.py:12:3: error in (lib/b.ts), see `x/y.go`", ["src/a.py", "lib/b.ts", "x/y.go"]),
        ('  File "/srv/app/src/b.py", line 3, in run', ["/srv/app/src/b.py"]),
        ('{"file": "a/b.json"} OUT=x/y.sh --out=dist/a.js', ["a/b.json", "x/y.sh", "dist/a.js"]),
        ("modified:   README.md\n\tnew file: src/new_thing", ["README.md", "src/new_thing"]),
        ("src/x.ts(12,5): error", ["src/x.ts"]),
        ("[src/a.py](src/a.py)", ["src/a.py"]),
        (r"C:\proj\src\a.py and src\lib\b.ts", ["src/lib/b.ts", "C:/proj/src/a.py"]),
        (r"first\nsrc/second.py\tsrc/third.py", ["src/second.py", "src/third.py"]),
        ("./x ~/notes/y ../up/z.py", ["./x", "~/notes/y", "../up/z.py"]),
        ("app/[id]/page.tsx app/(shop)/cart.tsx app/[[...slug]]/p.tsx", ["app/[id]/page.tsx", "app/(shop)/cart.tsx", "app/[[...slug]]/p.tsx"]),
        ("文档/说明.md src/größe.py", ["文档/说明.md", "src/größe.py"]),
        ("请修改src/app.py文件。", ["src/app.py"]),
        (".env .github/workflows/ci.yml .gitignore", [".env", ".github/workflows/ci.yml", ".gitignore"]),
        ("src/a.py src/a.py src/a.py.", ["src/a.py"]),
    ],
)  # fmt: skip
def test_paths_are_found(text: str, expected: list[str]) -> None:
    assert path_like(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "client/server and/or input/output TCP/IP CI/CD I/O",
        "on 2024/01/02 about 1/2 of v1.2.3 and 10.0.0.1 at 3.14",
        "https://example.test/a/b.py and http://x/y.ts",
        "me@example.com",
        "Node.js, Next.js and Vue.js",
        "self.value.other(x) foo.bar() obj.method",
        "e.g. this, i.e. that, etc.",
        "example.com and github.com/owner/repo",
        "... / // . .. /. ./",
        "",
    ],
)
def test_prose_and_code_are_no_paths(text: str) -> None:
    assert path_like(text) == []


def test_the_number_of_paths_is_bounded() -> None:
    text = " ".join(f"src/file{number}.py" for number in range(500))
    assert len(path_like(text)) == 160
    assert path_like(text, limit=3) == ["src/file0.py", "src/file1.py", "src/file2.py"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("getUserToken_v2", ["get", "user", "token", "v2"]),
        ("HTTPServer", ["http", "server"]),
        ("kebab-case-name", ["kebab", "case", "name"]),
        ("Größe über Łódź", ["größe", "über", "łódź"]),
        ("getGröße", ["get", "größe"]),
        ("Исправь ошибку", ["исправь", "ошибку"]),
        ("修改login的页面", ["login"]),
    ],
)
def test_words_are_split(name: str, words: list[str]) -> None:
    assert list(split_words(name)) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("fix auth token bug", ("auth", "token", "bug")),
        ("please make the parseInvoice function faster", ("parse", "invoice", "faster")),
        ("Behebe bitte den Fehler in der Größenberechnung", ("behebe", "fehler", "größenberechnung")),
        ("Größe", ("größe",)),
        ("исправь ошибку в авторизации", ("исправь", "ошибку", "авторизации")),
        ("请修复 LoginForm 组件", ("login", "form")),
        ("123 4567", ()),
    ],
)
def test_keywords_carry_the_subject(text: str, words: tuple[str, ...]) -> None:
    """AD-53."""
    assert keywords(text) == words


def test_keywords_are_bounded() -> None:
    assert len(keywords(" ".join(f"word{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(400)))) == 120


def test_identifiers_are_the_telling_ones() -> None:
    code = "def verify_signature(self, payload):\n    return compute_digest(payload) == self.expected_digest\n"
    assert distinctive_identifiers([code]) == ("compute_digest", "expected_digest", "verify_signature")


def test_identifiers_prefer_the_longest_and_keep_their_order() -> None:
    names = [f"identifier_{'x' * number}" for number in range(9)]
    assert distinctive_identifiers([" ".join(reversed(names))], limit=3) == distinctive_identifiers(
        [" ".join(names)], limit=3
    )
    assert len(distinctive_identifiers([" ".join(names)], limit=3)) == 3


def test_digests_and_numbers_are_no_identifiers() -> None:
    text = "sha512-" + "a1B2c3D4" * 12 + " 9fceb02d0ae598e95dc970b74767f19372d61af8 1234567 readable_name"
    assert distinctive_identifiers([text]) == ("readable_name",)


def test_identifiers_in_a_text_that_is_not_ascii() -> None:
    assert "berechneten_werte" in distinctive_identifiers(["größe = berechneten_werte"])


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("from app.auth.token import verify", ("auth", "token")),
        ("import os.path", ("path",)),
        ("import React from './components/Button'", ("react", "components", "button")),
        ("const x = require('lodash')", ("lodash",)),
        ('require_relative "lib/thing"', ("lib", "thing")),
        ("#include <sys/types.h>", ("sys", "types")),
        ("use crate::auth::Token;", ("auth", "token")),
        ('export * from "../billing/invoice"', ("billing", "invoice")),
        ('const page = await import("./lazy")', ("lazy",)),
        ("important fromage", ()),
    ],
)
def test_imports_are_known_by_their_last_segments(code: str, names: tuple[str, ...]) -> None:
    assert imported_names(code) == names


def test_imports_are_bounded() -> None:
    assert len(imported_names("\n".join(f"import package{n}.module{n}" for n in range(200)))) == 60


@pytest.mark.parametrize(
    ("path", "bare"),
    [
        ("tests/test_token.py", "token"),
        ("src/token.spec.ts", "token"),
        ("TokenTest.java", "token"),
        ("token-test.js", "token"),
        (".env", ".env"),
        ("test_", "test_"),
        ("Test.java", "test"),
        ("", ""),
    ],
)
def test_stem_drops_the_marks_of_a_test(path: str, bare: str) -> None:
    assert stem(path) == bare


def test_path_words_leave_out_what_every_tree_has() -> None:
    assert path_words("src/components/billing/InvoiceTable.tsx") == ("billing", "invoice", "table")
    assert path_words("src/index.ts") == ()


def test_the_mark_of_a_redaction_is_no_word() -> None:
    """What was taken out says nothing about what is left."""
    text = f"STRIPE_KEY={REDACTED} größe {REDACTED}"
    assert keywords(text) == ("stripe", "key", "größe")
    assert distinctive_identifiers([text, f"STRIPE_KEY={REDACTED}"]) == ("STRIPE_KEY",)
    assert path_words(f"keys/{REDACTED}.py") == ("keys",)


def test_folders_come_nearest_first() -> None:
    assert folders("a/b/c.py") == ("a/b/", "a/")
    assert folders("c.py") == ()


def test_the_statements_alone_name_what_the_whole_code_imports() -> None:
    code = (
        'import os\nfrom auth.token import sign\nuse crate::io;\nx = require("./db/pool")\nprint("import " + os.name)\n'
    )
    assert imported_names(import_statements(code)) == imported_names(code)
    assert "print" not in import_statements(code)


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    assert all(path_like(text))
    assert all(len(word) >= 3 for word in keywords(text))
    assert list(distinctive_identifiers([text])) == sorted(distinctive_identifiers([text]))
    imported_names(text)
    path_words(text)
    stem(text)
    folders(text)


_HOSTILE = r"""
from leeboard.text.names import distinctive_identifiers, imported_names, keywords, path_like, path_words, stem
seeds = ("a", "/", "a/", "../", ".", "a.", "(", "[", "[a]/", "\\", "\\n", "\n", "\n ", " ", "import ", "from a", "require('",
         "#include ", "use a::", "A", "aB", "_", "文", "文/", "文.py", "x:\\", "://")
for seed in seeds:
    text = (seed * 200_000)[:200_000]
    for read in (path_like, keywords, imported_names, path_words, stem):
        read(text)
    distinctive_identifiers([text])
"""


def test_hostile_text_takes_linear_time() -> None:
    subprocess.run([sys.executable, "-c", _HOSTILE], check=True, timeout=60, cwd=ROOT)


@pytest.mark.parametrize(
    ("word", "expected"),
    [("entries", "entry"), ("flies", "flie"), ("tests", "test"), ("class", "class"), ("bus", "bus"), ("api", "api")],
)
def test_a_noun_in_the_singular_can_be_read(word: str, expected: str) -> None:
    assert singular(word) == expected
