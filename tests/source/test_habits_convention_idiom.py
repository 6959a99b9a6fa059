from __future__ import annotations

from leeboard.model.symbol import Habit
from leeboard.source.habits import FileUse, Uses, count_functions, is_class_file, is_sibling, learn_idioms
from leeboard.source.name_scan import scan_names, scan_style


def file(path: str, text: str) -> FileUse:
    return FileUse(path, "python", (), scan_names(text, "python"), scan_style(text, "python"))


def folder(text: str, count: int = 6) -> list[FileUse]:
    return [file(f"app/handlers/p{number}.py", text) for number in range(count)]


def found(files: list[FileUse]) -> dict[str, Habit]:
    return {habit.role: habit for habit in learn_idioms(Uses(files))}


ERRORS = file("app/errors.py", "class AppError(Exception): ...\n")


def test_the_error_a_folder_raises() -> None:
    assert found([ERRORS, *folder("def a():\n    raise AppError\n")])["errors in app/handlers"].usual == "AppError"
    assert not found(folder("def a():\n    raise ValueError\n"))
    assert not found(folder("def a():\n    raise AppError\n")), "nobody defines it here"


def test_asynchronous_functions() -> None:
    waits = "async def a(): ...\nasync def b(): ...\n"
    plain = "def a(): ...\ndef b(): ...\n"
    assert found(folder(waits))["functions in app/handlers"].usual == "async"
    assert "functions in app/handlers" in found([*folder(waits), file("app/handlers/new.py", plain)])
    assert not found([*folder(waits), *(file(f"app/handlers/new{n}.py", plain) for n in range(2))])


def test_a_class_in_each_file() -> None:
    made = "class A:\n    def a(self): ...\n"
    assert found(folder(made))["shape of app/handlers"].usual == "class"
    assert not found(folder(made, 4))
    assert not found([*folder(made), *(file(f"app/handlers/f{n}.py", "def a(): ...\n") for n in range(2))])


def test_what_serves_the_others_is_no_sibling() -> None:
    assert is_sibling("app/jobs/totals.py")
    assert not any(is_sibling(f"app/jobs/{name}.py") for name in ("__init__", "_private", "job_utils", "types"))


def test_kinds_of_files() -> None:
    both = file("a.py", "class A:\n    def a(self): ...\ndef b(): ...\n")
    assert not is_class_file(both)
    assert count_functions(both) == 2
