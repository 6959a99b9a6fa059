"""Texts that other tools have labelled, read from the tests that they ship; nothing of them is run."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec
from ast_grep_py import SgNode, SgRoot

from tools import labelled_pytest

_BY_NAME: Final = (
    ("csharp", "Controller.cs"),
    ("kotlin", "App.kt"),
    ("java_", "App.java"),
    ("php", "app.php"),
    ("rust", "main.rs"),
    ("ruby", "app.rb"),
    ("go_", "main.go"),
    ("ts_", "app.ts"),
    ("js", "app.js"),
    ("node", "app.js"),
)
"""What a text without a file name is called, by what its test file is called."""


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One text, and how many weaknesses its own tool finds in it; none makes it a safe one."""

    name: str
    path: str
    text: str
    expected: int


def pytest_files(folder: Path, files: str) -> Iterator[Case]:
    """Tests in Python that write a text, scan it and assert."""
    for path in _chosen(folder, files):
        try:
            read = list(labelled_pytest.read(path.read_text(), path.name))
        except SyntaxError:
            continue
        for one in read:
            name = _named(one.path, path.name) or _python(one.text)
            if name:
                yield Case(name=one.name, path=name, text=one.text, expected=1 if one.vulnerable else 0)


def _python(text: str) -> str:
    try:
        ast.parse(text)
    except SyntaxError:
        return ""
    return "app.py"


def _named(path: str, test: str) -> str:
    """Its own name; without a folder for tests, which would excuse what stands in it."""
    if not path:
        return next((name for part, name in _BY_NAME if part in test.replace("test_", "", 1)), "")
    name = Path(path).name
    inside = (
        "" if path.startswith("/") or re.search(r"test|spec|example|fixture|\.\.", path) else str(Path(path).parent)
    )
    plain = re.sub(r"(?i)[-_.]?(?:test|spec|example|fixture)s?[-_.]?(?=.*\.)", "", name)
    return str(Path(inside) / (f"app{plain}" if plain.startswith(".") else plain))


def folders(folder: Path, files: str) -> Iterator[Case]:
    """A file below a folder `tp` holds a weakness, one below `tn` none."""
    for path in _chosen(folder, files):
        label = next((part for part in path.parts if part in {"tp", "tn"}), "")
        if label:
            name = str(path.relative_to(folder))
            yield Case(name=name, path=path.name, text=path.read_text(), expected=1 if label == "tp" else 0)


def counts(folder: Path, files: str) -> Iterator[Case]:
    """Bandit's examples: a test says how many findings of medium and high severity each file has."""
    for test in _chosen(folder, files):
        for node in ast.walk(ast.parse(test.read_text())):
            match node:
                case ast.FunctionDef(name=name, body=body) if name.startswith("test"):
                    yield from _example(name, body, test.parents[2] / "examples")


def _example(name: str, body: list[ast.stmt], examples: Path) -> Iterator[Case]:
    text = ast.unparse(ast.Module(body=body, type_ignores=[]))
    files = re.findall(r"check_example\('([\w/-]+\.py)'", text)
    severity = re.findall(r"'SEVERITY': \{[^}]*'MEDIUM': (\d+), 'HIGH': (\d+)\}", text)
    if len(files) == len(severity) == 1 and (examples / files[0]).is_file():
        expected = sum(int(one) for one in severity[0])
        text = (examples / files[0]).read_text(errors="replace")
        yield Case(name=f"{name}[{files[0]}]", path=files[0], text=text, expected=expected)


def rule_tests(folder: Path, files: str) -> Iterator[Case]:
    """ESLint's RuleTester: a list of `valid` code and one of `invalid`."""
    for path in _chosen(folder, files):
        root = SgRoot(path.read_text(), "javascript").root()
        constants = {
            name.text(): text
            for one in root.find_all(kind="variable_declarator")
            if (name := one.field("name"))
            and (value := one.field("value"))
            and (text := _js_text(value, {})) is not None
        }
        for label, expected in (("valid", 0), ("invalid", 1)):
            for number, text in enumerate(_js_cases(root, label, constants)):
                yield Case(name=f"{path.name}::{label}[{number}]", path="app.js", text=text, expected=expected)


def _js_cases(root: SgNode, label: str, constants: Mapping[str, str]) -> Iterator[str]:
    for pair in root.find_all(kind="pair"):
        key, value = pair.field("key"), pair.field("value")
        if key is None or value is None or key.text().strip("'\"") != label or value.kind() != "array":
            continue
        for one in value.children():
            code = next((field for field in one.find_all(kind="pair") if field.text().startswith("code")), None)
            text = _js_text(one if code is None else code.field("value"), constants)
            if text:
                yield text


def _js_text(node: SgNode | None, constants: Mapping[str, str]) -> str | None:
    if node is None:
        return None
    match node.kind():
        case "string":
            return re.sub(r"\\(.)", lambda found: {"n": "\n", "t": "\t"}.get(found[1], found[1]), node.text()[1:-1])
        case "template_string" if not node.find(kind="template_substitution"):
            return node.text()[1:-1].replace("\\`", "`").replace("\\$", "$")
        case "binary_expression":
            parts = [_js_text(node.field(side), constants) for side in ("left", "right")]
            return "".join(part for part in parts if part) if None not in parts else None
        case "identifier":
            return constants.get(node.text())
    return None


def _chosen(folder: Path, files: str) -> list[Path]:
    pattern = re.compile(files)
    return sorted(
        path for path in folder.rglob("*") if path.is_file() and pattern.search(path.relative_to(folder).as_posix())
    )


READERS: Final[Mapping[str, Callable[[Path, str], Iterator[Case]]]] = {
    "pytest": pytest_files,
    "folders": folders,
    "counts": counts,
    "rule-tester": rule_tests,
}
