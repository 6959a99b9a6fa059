from __future__ import annotations

import subprocess
import sys
from importlib.machinery import PathFinder
from pathlib import Path

import msgspec
import pytest

from leeboard.surfaces.hook_client import _package
from leeboard.surfaces.quick_imports import QuickFinder

RUN = """
import sys
sys.path.insert(0, {folder!r})
import leeboard
from leeboard.quick_imports import import_quickly
import_quickly({folder!r} + "/leeboard")
import leeboard.deep.part as part
print(part.VALUE, part.__file__, part.__spec__.cached, leeboard.deep.__path__, type(part.__loader__).__name__)
"""


@pytest.mark.parametrize(
    "name", ["leeboard.surfaces.edge", "leeboard.app", "leeboard.clients.claude_code", "leeboard.rule"]
)
def test_a_module_is_found_as_the_interpreter_finds_it(name: str) -> None:
    found = QuickFinder(_package()).find_spec(name)
    folder = f"{Path(_package()).parent}/{name.rpartition('.')[0].replace('.', '/')}"
    expected = PathFinder.find_spec(name, [folder])
    assert found is not None
    assert expected is not None
    assert (found.origin, found.cached, found.has_location) == (expected.origin, expected.cached, True)
    assert found.submodule_search_locations == expected.submodule_search_locations


@pytest.mark.parametrize("name", ["json", "msgspec.json", "leeboardish.part", "leeboard.nothing_of_that_name"])
def test_what_is_not_ours_is_left_to_the_interpreter(name: str) -> None:
    assert QuickFinder(_package()).find_spec(name) is None


def test_no_module_has_the_name_of_a_folder() -> None:
    package = Path(_package())
    both = [path for path in package.rglob("*.py") if path.with_suffix("").is_dir()]
    assert both == [], "the interpreter takes the folder, and the quick way the file"


def copy_of_package(tmp_path: Path) -> Path:
    package = tmp_path / "leeboard"
    (package / "deep").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "deep" / "__init__.py").touch()
    (package / "deep" / "part.py").write_text("VALUE = 1\n", encoding="ascii")
    source = Path(_package(), "surfaces", "quick_imports.py").read_text(encoding="utf-8")
    (package / "quick_imports.py").write_text(source, encoding="utf-8")
    return package


def imported(tmp_path: Path) -> str:
    line = (sys.executable, "-I", "-S", "-c", RUN.format(folder=str(tmp_path)))
    return subprocess.run(line, check=True, capture_output=True, text=True).stdout


def test_changed_source_and_damaged_bytecode_are_loaded_as_ever(tmp_path: Path) -> None:
    part = copy_of_package(tmp_path) / "deep" / "part.py"
    first = imported(tmp_path)
    assert first.startswith(f"1 {part} ")
    assert first.endswith("QuickLoader\n")
    assert imported(tmp_path) == first, "from bytecode"
    part.write_text("VALUE = 22\n", encoding="ascii")
    assert imported(tmp_path).startswith("22 ")
    for bytecode in (part.parent / "__pycache__").glob("part.*"):
        whole = bytecode.read_bytes()
        for damaged in (b"", whole[:10], whole[::-1]):
            bytecode.write_bytes(damaged)
            assert imported(tmp_path).startswith("22 ")


ANNOTATED = """
import sys
sys.path.append({folder!r})
sys.path.append({site!r})
if {quickly}:
    from leeboard.surfaces.quick_imports import spare_imports
    spare_imports()
import msgspec
from msgspec import _utils
from leeboard.surfaces import edge
edge.load_everything()

def below(kind):
    for one in kind.__subclasses__():
        yield one
        yield from below(one)

for kind in (one for one in below(msgspec.Struct) if one.__module__.startswith("leeboard.")):
    try:
        said = {{name: str(found) for name, found in _utils.get_class_annotations(kind).items()}}
    except NameError as error:
        said = error
    print(kind.__module__, kind.__qualname__, said)
"""


def test_annotations_mean_what_they_mean_to_everybody_else() -> None:
    def told(*, quickly: bool) -> list[str]:
        text = ANNOTATED.format(folder=str(Path(_package()).parent), site=_site(), quickly=quickly)
        line = (sys.executable, "-I", "-S", "-c", text)
        return sorted(subprocess.run(line, check=True, capture_output=True, text=True).stdout.splitlines())

    plainly = told(quickly=False)
    assert len(plainly) > 100
    assert told(quickly=True) == plainly


def _site() -> str:
    return str(Path(msgspec.__file__).parents[1])
