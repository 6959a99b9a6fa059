"""`make rule` leaves a tree in which every check of the rules is green, with no other edit."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools import new_rule

ROOT = Path(__file__).resolve().parent.parent
LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "e2e", "replays", "sessions"
)
NEW = {"blind_retry": "", "second_parser": "A4", "silent_upgrade": "E1"}
"""Names of rules that are written, and their subclasses: none, a new one in a class that is known, one in a new class."""
SUITE = (
    "tests/test_rule.py",
    "tests/test_data.py",
    "tests/test_layout.py::test_every_public_module_has_its_tests",
    "tests/test_layout.py::test_every_test_has_its_module",
    "tests/surfaces/cli/session/test_rules.py",
    "tests/app/views/test_rules_switching_off.py",
    "tests/app/missing_store/test_answer.py",
    "tests/test_docs.py::test_generated_parts_are_up_to_date",
    "tests/test_docs.py::test_no_page_of_a_command_or_rule_outlives_it",
)
OF_EACH_RULE = (
    "tests/test_samples.py",
    "tests/test_detection_engine.py",
    "tests/test_docs.py",
    "tests/surfaces/cli/session/test_explain.py",
)
"""Those of the rules that were there are run anyway."""


class Tree:
    """A copy of this tree, in which things are run."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "tree"
        for name in ("leeboard", "tests", "tools", "docs", "benchmarks"):
            shutil.copytree(ROOT / name, self.root / name, ignore=LEFT_OUT)
        for path in ROOT.glob("*.*"):
            if path.is_file():
                shutil.copy(path, self.root)
        shutil.copy(ROOT / "Makefile", self.root)

    def run(self, *arguments: str) -> str:
        env = {**os.environ, "PYTHONPATH": str(self.root)}
        done = subprocess.run(
            (sys.executable, *arguments), cwd=self.root, env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def files(self) -> dict[str, bytes]:
        found = (path for path in self.root.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
        return {path.relative_to(self.root).as_posix(): path.read_bytes() for path in found}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    return Tree(tmp_path_factory.mktemp("new_rule"))


def test_new_rules_are_two_files_and_what_is_made_from_them(tree: Tree) -> None:
    """The suite of the rules is run over the tree as `make rule` left it."""
    before = tree.files()
    for name, subclass in NEW.items():
        tree.run("tools/new_rule.py", name, subclass)
    after = tree.files()
    written = {path for name in NEW for path in (f"leeboard/rules/{name}.py", f"tests/rules/test_{name}.py")}
    made = {f"docs/{name}" for name in ("findings.md", "leeboard.schema.json", "rules/README.md")}
    made |= {"leeboard/data/compiled/rules.json"}
    assert after.keys() - before.keys() == written | {f"docs/rules/{name}.md" for name in NEW}
    assert {path for path in before if before[path] != after[path]} == made
    own = [f"tests/rules/test_{name}.py" for name in NEW]
    tree.run("-m", "pytest", "-p", "no:cacheprovider", *SUITE, *own)
    tree.run("-m", "pytest", "-p", "no:cacheprovider", "-k", " or ".join(NEW), *OF_EACH_RULE)
    tree.run("-m", "ruff", "check", *(f"leeboard/rules/{name}.py" for name in NEW))
    tree.run("-m", "ruff", "format", "--check", *(f"leeboard/rules/{name}.py" for name in NEW))


def test_a_rule_that_is_dropped_in_is_there_at_once(tree: Tree) -> None:
    """With nothing made anew: no table knows it."""
    source = (tree.root / "leeboard" / "rules" / "circling.py").read_text(encoding="utf-8")
    dropped = tree.root / "leeboard" / "rules" / "dropped_in.py"
    changed = source.replace('code="LB-S004"', 'code="LB-F101",\n    channel="signal",\n    subclass="F1"')
    dropped.write_text(f"{changed.replace(chr(34) * 3, chr(34) * 3 + 'guards=True ', 1)}", encoding="utf-8")
    listed = [json.loads(line) for line in tree.run("-m", "leeboard", "rules", "--json").splitlines()]
    dropped.unlink()
    (found,) = [one for one in listed if one["id"] == "dropped_in"]
    assert (found["code"], found["channel"], found["subclass"]) == ("LB-F101", "signal", "F1")
    assert found["listens"] == ["ToolProposed"]


@pytest.mark.parametrize(
    ("name", "subclass", "words"),
    [
        ("", "", "give the rule a name"),
        ("No-Way", "", "can not be a rule"),
        ("class", "", "can not be a rule"),
        ("avoid_loops", "", "names the remedy"),
        ("good_name", "a1", "is no subclass"),
        ("good_name", "S1", "can not be a subclass"),
        ("good_name", "", ""),
        ("good_name", "E1", ""),
    ],
)
def test_names_that_a_rule_can_have(name: str, subclass: str, words: str) -> None:
    complaint = new_rule.problem(name, subclass)
    assert words in complaint
    assert bool(words) == bool(complaint)
