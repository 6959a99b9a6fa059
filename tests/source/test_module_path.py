"""Which file an import may mean."""

from __future__ import annotations

import pytest

from leeboard.source.module_path import is_relative, keys_of_import, keys_of_path, lies_in, refers, top_of
from leeboard.source.name_scan import ScannedImport

MEANT = [
    ("leeboard.io.git", (), "leeboard/x.py", "leeboard/io/git.py"),
    ("leeboard.io", ("git",), "leeboard/x.py", "leeboard/io/git.py"),
    ("app", (), "main.py", "app/__init__.py"),
    ("shop.db", (), "src/shop/web.py", "src/shop/db.py"),
    (".db", (), "shop/web.py", "shop/db.py"),
    ("..db", (), "shop/web/a.py", "shop/db.py"),
    (".", ("db",), "shop/web.py", "shop/db.py"),
    ("./db", (), "src/web.ts", "src/db.ts"),
    ("../lib/http", (), "src/ui/web.tsx", "src/lib/http/index.ts"),
    ("@/lib/http", (), "src/ui/web.tsx", "src/lib/http.ts"),
    ("@/http", (), "src/ui/web.tsx", "src/http.ts"),
    ("./a.js", (), "src/b.ts", "src/a.ts"),
    ("example.com/shop/internal/db", (), "cmd/main.go", "internal/db/open.go"),
    ("com.acme.db.Session", (), "src/main/java/com/acme/App.java", "src/main/java/com/acme/db/Session.java"),
    ("com.acme.db.*", (), "src/main/java/com/acme/App.java", "src/main/java/com/acme/db/Session.java"),
    ("App\\Db\\Session", (), "src/Web.php", "src/Db/Session.php"),
    ("crate::db::session", (), "src/main.rs", "src/db/session.rs"),
    ("crate::db", ("session",), "src/main.rs", "src/db/session.rs"),
    ("self::parts", (), "src/db/mod.rs", "src/db/parts.rs"),
    ("./db/pool", (), "lib/shop.rb", "lib/db/pool.rb"),
    ("./pool.h", (), "src/pool.c", "src/pool.h"),
]
NOT_MEANT = [
    ("git", (), "tools/run.py", "leeboard/io/git.py"),
    ("os", (), "a.py", "src/x/y/os.py"),
    ("./db", (), "src/web.ts", "lib/db.ts"),
    ("react", (), "src/web.ts", "src/lib/react/index.ts"),
    ("fmt", (), "cmd/main.go", "fmt/print.go"),
    ("self::parts", (), "src/db/mod.rs", "src/web/parts.rs"),
    ("a.b", (), "a/b.py", "a/b.py"),
]


@pytest.mark.parametrize(("module", "names", "importer", "path"), MEANT)
def test_meant(module: str, names: tuple[str, ...], importer: str, path: str) -> None:
    item = ScannedImport(module, 1, names)
    assert refers(item, importer, path)
    assert set(keys_of_import(item)) & set(keys_of_path(path)), "it would not be looked up"


@pytest.mark.parametrize(("module", "names", "importer", "path"), NOT_MEANT)
def test_not_meant(module: str, names: tuple[str, ...], importer: str, path: str) -> None:
    assert not refers(ScannedImport(module, 1, names), importer, path)


@pytest.mark.parametrize(
    ("module", "top"),
    [
        ("sqlalchemy.orm", "sqlalchemy"),
        ("@scope/name/x", "@scope/name"),
        ("lodash/map", "lodash"),
        ("github.com/a/b/c", "github.com/a/b"),
        ("GuzzleHttp\\Client", "GuzzleHttp"),
        ("tokio::sync", "tokio"),
        ("", ""),
    ],
)
def test_the_library_of_a_module(module: str, top: str) -> None:
    assert top_of(module) == top


@pytest.mark.parametrize(
    ("module", "names", "importer", "folder", "inside"),
    [
        ("../db/pool", (), "src/ui/a.tsx", "src/db", True),
        ("@/db/pool", (), "src/ui/a.tsx", "src/db", True),
        ("app.db.session", (), "app/ui/a.py", "app/db", True),
        ("app", ("db",), "app/ui/a.py", "app/db", True),
        ("shop.db", (), "src/shop/ui/a.py", "src/shop/db", True),
        ("example.com/shop/internal/db", (), "ui/a.go", "internal/db", True),
        ("sqlite3", (), "app/ui/a.py", "app/db", False),
        ("../dbx/pool", (), "src/ui/a.tsx", "src/db", False),
    ],
)
def test_into_a_folder(module: str, names: tuple[str, ...], importer: str, folder: str, inside: bool) -> None:  # noqa: FBT001 - a table
    assert lies_in(ScannedImport(module, 1, names), importer, folder) is inside


def test_relative_spellings() -> None:
    assert is_relative("./a")
    assert is_relative("@/a")
    assert is_relative("crate::a")
    assert not is_relative("@scope/a")
