from __future__ import annotations

import pytest

from leeboard.source.habits import FileUse, Uses, agree, stands_beside
from leeboard.source.name_scan import ScannedImport


def test_imports_are_resolved_to_files() -> None:
    files = [
        FileUse("app/web.py", "python", (ScannedImport("app.db", 1), ScannedImport("json", 2))),
        FileUse("app/db.py", "python", (ScannedImport("sqlite3", 1),)),
        FileUse("tests/test_web.py", "python", (ScannedImport("app.web", 1),)),
    ]
    uses = Uses(files)
    assert uses.targets["app/web.py"] == {"app.db": frozenset({"app/db.py"})}
    assert uses.users == {"app/db.py": {"app/web.py"}}
    assert list(uses.libraries(files[0])) == ["json"]
    assert [item.path for item in uses.tests] == ["tests/test_web.py"]


@pytest.mark.parametrize(
    ("path", "beside"),
    [
        ("scripts/dump.py", True),
        ("db/migrations/0003_add.py", True),
        ("V2__orders.java", True),
        ("setup.py", True),
        ("vite.config.ts", True),
        ("app/orders.py", False),
        ("src/2fa/code.ts", False),
    ],
)
def test_what_stands_beside(path: str, beside: bool) -> None:  # noqa: FBT001 - a table
    assert stands_beside(path) is beside


def test_agreement() -> None:
    assert agree(5, 6)
    assert not agree(4, 4)
    assert not agree(7, 9)
