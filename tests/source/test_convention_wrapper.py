from __future__ import annotations

import pytest

from leeboard.source.convention import learn_wrappers
from leeboard.source.habits import FileUse, Uses
from leeboard.source.name_scan import ScannedImport


def file(path: str, *modules: str) -> FileUse:
    return FileUse(path, "python", tuple(ScannedImport(module, 1) for module in modules))


def callers(module: str, count: int = 6) -> list[FileUse]:
    return [file(f"shop/orders/p{number}.py", module) for number in range(count)]


def test_a_wrapper_and_who_goes_through_it() -> None:
    (habit,) = learn_wrappers(Uses([file("shop/db/session.py", "sqlite3"), *callers("shop.db.session")]))
    assert (habit.role, habit.where, habit.others, habit.support) == (
        "wrapper of sqlite3",
        "shop/db/session.py",
        ("sqlite3",),
        6,
    )


def test_a_library_nobody_knows_has_a_wrapper_called_after_it() -> None:
    files = [file("shop/acmepay.py", "acmepay_sdk"), *callers("shop.acmepay")]
    assert [habit.role for habit in learn_wrappers(Uses(files))] == ["wrapper of acmepay_sdk"]
    two_more = [file(f"shop/x/p{number}.py", "acmepay_sdk") for number in range(2)]
    assert not list(learn_wrappers(Uses([*files, *callers("shop.acmepay", 12), *two_more])))


def test_through_the_entry_of_its_folder() -> None:
    entry = file("shop/db/__init__.py", "shop.db.session")
    (habit,) = learn_wrappers(Uses([file("shop/db/session.py", "sqlite3"), entry, *callers("shop.db")]))
    assert habit.where == "shop/db/session.py"


@pytest.mark.parametrize(
    "files",
    [
        [file("shop/db/session.py", "sqlite3"), *callers("shop.db.session", 4)],
        [
            file("shop/db/session.py", "sqlite3"),
            *callers("shop.db.session"),
            *(file(f"shop/b{n}.py", "sqlite3") for n in range(2)),
        ],
        [file("shop/text.py", "json"), *callers("shop.text")],
        [file("shop/prices.py", "requests"), *callers("shop.prices")],
        [file("shop/db/session.py", *(f"library{n}" for n in range(9)), "sqlite3"), *callers("shop.db.session")],
    ],
    ids=["too few", "two go past it", "used everywhere", "not named so", "does more"],
)
def test_no_wrapper(files: list[FileUse]) -> None:
    assert not list(learn_wrappers(Uses(files)))
