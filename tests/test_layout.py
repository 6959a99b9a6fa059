"""The shape of the tree: tests mirror sources, nothing grows too large, every exception says why."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "leeboard"
TESTS = ROOT / "tests"
SOURCES = sorted(PACKAGE.rglob("*.py"))
SCRIPTS = sorted([*(ROOT / "tools").rglob("*.py"), *(ROOT / "benchmarks").rglob("*.py")])
TEST_FILES = sorted(path for path in TESTS.rglob("*.py") if "fixtures" not in path.relative_to(TESTS).parts)
ALL_CODE = [*SOURCES, *SCRIPTS, *TEST_FILES]

WITHOUT_A_SOURCE = {"e2e", "fixtures", "replays", "tools"}
NOTHING_NAMES = {"util", "utils", "helper", "helpers", "common", "manager", "base", "service", "misc"}
BROAD_EXCEPT_ALLOWED = {
    "leeboard/judge/score.py",
    "leeboard/judge/signals.py",
    "leeboard/surfaces/edge.py",
    "leeboard/surfaces/hook.py",
    "leeboard/surfaces/mcp/calls.py",
    "leeboard/surfaces/proxy/exchange.py",
    "leeboard/surfaces/proxy/judging.py",
    "leeboard/surfaces/proxy/process.py",
    "leeboard/surfaces/proxy/watch.py",
    "leeboard/surfaces/cli/main.py",
}
FILE_STOP, TEST_FILE_STOP, FILE_REVIEW = 500, 800, 300
BODY_STOP, BODY_REVIEW = 60, 30
PARAMETERS_STOP = 6
# Split in two, so that this file does not name a host itself.
HOSTS = [first + "." + second for first, second in (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "com"))]
HOSTS += ["npmjs" + ".org", "crates" + ".io", "rubygems" + ".org", "proxy.golang" + ".org", "yarnpkg" + ".com"]
NOT_OURS = {".git", ".venv", "node_modules", "__pycache__", "dist", "build", ".hypothesis"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def spelled(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def functions(path: Path) -> Iterator[Function]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, Function):
            yield node


def public_classes(path: Path) -> Iterator[str]:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.name


def body_lines(function: Function) -> int:
    body = function.body[1:] if ast.get_docstring(function, clean=False) is not None else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def parameters(function: Function) -> int:
    names = [arg.arg for arg in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]
    return len([name for name in names if name not in {"self", "cls"}])


def has_behaviour(path: Path) -> bool:
    """Types, Protocols and constants alone leave nothing that a test could see fail."""
    statements = (statement for function in functions(path) for statement in function.body)
    return any(not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)) for node in statements)


def comments(path: Path) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def complaints(about: Callable[[Path], Iterator[str]], files: list[Path]) -> str:
    return "\n".join(f"{spelled(path)}{complaint}" for path in files for complaint in about(path))


def with_words(pattern: str, files: list[Path]) -> list[Path]:
    """Those that have it anywhere: to search a text is a hundredth of the work of taking it apart."""
    return [path for path in files if re.search(pattern, path.read_text(encoding="utf-8"))]


def test_every_public_module_has_its_tests() -> None:
    """In `test_<module>.py`, or in several files that begin so."""
    wanted = [
        path.relative_to(PACKAGE)
        for path in SOURCES
        if not path.stem.startswith("_") and "data" not in path.relative_to(PACKAGE).parts and has_behaviour(path)
    ]
    there = {path.relative_to(TESTS) for path in TEST_FILES}
    missing = [
        path.as_posix()
        for path in wanted
        if not any(test.parent == path.parent and is_test_of(test.stem, path.stem) for test in there)
    ]
    assert not missing, "modules without their test file:\n" + "\n".join(missing)


def test_every_test_has_its_module() -> None:
    sources = [path.relative_to(PACKAGE) for path in SOURCES]
    mirrored = [path.relative_to(TESTS) for path in TEST_FILES if path.stem.startswith("test_")]
    orphans = [
        path.as_posix()
        for path in mirrored
        if len(path.parts) > 1 and path.parts[0] not in WITHOUT_A_SOURCE
        if not any(path.parent == source.parent and is_test_of(path.stem, source.stem) for source in sources)
    ]
    assert not orphans, "tests of modules that are not there:\n" + "\n".join(orphans)


def is_test_of(test: str, module: str) -> bool:
    name = f"test_{module.removeprefix('_')}"
    return test == name or test.startswith(f"{name}_")


def test_files_stay_small(record_property: Callable[[str, object], None]) -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in ALL_CODE}
    stops = {path: TEST_FILE_STOP if path in TEST_FILES else FILE_STOP for path in ALL_CODE}
    for path, length in lengths.items():
        if length > FILE_REVIEW and path not in TEST_FILES:
            record_property("review", f"{spelled(path)}: {length} lines")
    too_long = [f"{spelled(path)}: {length} lines" for path, length in lengths.items() if length > stops[path]]
    assert not too_long, "\n".join(too_long)


def test_functions_stay_small(record_property: Callable[[str, object], None]) -> None:
    too_long = []
    for path in ALL_CODE:
        for function in functions(path):
            length = body_lines(function)
            note = f"{spelled(path)}:{function.lineno} {function.name}: {length} lines"
            if length > BODY_STOP:
                too_long.append(note)
            elif length > BODY_REVIEW:
                record_property("review", note)
    assert not too_long, "\n".join(too_long)


def test_functions_take_few_parameters() -> None:
    def about(path: Path) -> Iterator[str]:
        for function in functions(path):
            if parameters(function) > PARAMETERS_STOP:
                yield f":{function.lineno} {function.name} takes {parameters(function)} parameters"

    found = complaints(about, [*SOURCES, *SCRIPTS])
    assert not found, found


def test_names_say_what_is_inside() -> None:
    def about(path: Path) -> Iterator[str]:
        words = {part.removeprefix("test_").strip("_") for part in path.relative_to(ROOT).with_suffix("").parts}
        yield from (f": '{word}' says nothing" for word in sorted(words & NOTHING_NAMES))

    found = complaints(about, ALL_CODE)
    assert not found, found


def test_a_public_class_name_exists_once() -> None:
    homes = defaultdict[str, list[str]](list)
    for path in SOURCES:
        for name in public_classes(path):
            homes[name].append(spelled(path))
    found = "\n".join(f"{name}: {', '.join(paths)}" for name, paths in sorted(homes.items()) if len(paths) > 1)
    assert not found, found


def test_every_silenced_check_says_why() -> None:
    silencer = re.compile(r"#\s*(?:noqa|type:\s*ignore)")
    with_reason = re.compile(r"#\s*(?:noqa: [A-Z]+[0-9]+(?:, ?[A-Z]+[0-9]+)*|type: ignore\[[\w, -]+\])\s+[-#]\s*\w")

    def about(path: Path) -> Iterator[str]:
        for line, comment in comments(path):
            if silencer.search(comment) and len(with_reason.findall(comment)) != len(silencer.findall(comment)):
                yield f":{line} {comment}"

    found = complaints(about, with_words(silencer.pattern, ALL_CODE))
    assert not found, "a silenced check names its code and its reason:\n" + found


def test_every_ruff_exception_says_why() -> None:
    section, unexplained = "", []
    for line in (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line
        names_a_code = re.search(r'"[A-Z]+[0-9]*"', line)
        if section.startswith("[tool.ruff") and names_a_code and "select" not in line and not re.search(r"# \w+", line):
            unexplained.append(line.strip())
    assert not unexplained, "ruff exceptions without a reason:\n" + "\n".join(unexplained)


def test_nothing_is_left_for_later() -> None:
    later = r"\b(TODO|FIXME|XXX)\b"

    def about(path: Path) -> Iterator[str]:
        for line, comment in comments(path):
            if re.search(later, comment):
                yield f":{line} {comment}"

    found = complaints(about, with_words(later, ALL_CODE))
    assert not found, found


def test_no_test_is_skipped() -> None:
    ways = {"skip", "skipif", "xfail", "importorskip", "SkipTest"}

    def about(path: Path) -> Iterator[str]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in ways:
                yield f":{node.lineno} {ast.unparse(node)}"

    found = complaints(about, with_words("|".join(ways), TEST_FILES))
    assert not found, found


def swallows_everything(node: ast.AST) -> bool:
    """A handler that ends by raising again only cleans up, and may catch what it likes."""
    broad = re.compile(r"\b(Base)?Exception\b")
    match node:
        case ast.ExceptHandler(type=caught, body=body):
            named = ast.unparse(caught) if caught else "Exception"
            return bool(broad.search(named)) and ast.unparse(body[-1]) != "raise"
        case ast.Call(func=called):
            return ast.unparse(called).endswith("suppress") and bool(broad.search(ast.unparse(node)))
    return False


def test_broad_excepts_stand_at_the_edges_only() -> None:
    def about(path: Path) -> Iterator[str]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if swallows_everything(node):
                yield f": {ast.unparse(node).splitlines()[0]}"

    others = [path for path in SOURCES if spelled(path) not in BROAD_EXCEPT_ALLOWED]
    found = complaints(about, with_words(r"\bexcept\b|suppress", others))
    assert not found, found


def test_no_registry_host_is_named() -> None:
    def about(path: Path) -> Iterator[str]:
        text = path.read_bytes().decode("utf-8", errors="replace").lower()
        yield from (f": names {host}" for host in HOSTS if host in text)

    ours = [path for path in ROOT.rglob("*") if not NOT_OURS.intersection(path.relative_to(ROOT).parts)]
    caches = re.compile(r"^\.\w+_cache/")
    found = complaints(about, [path for path in ours if path.is_file() and not caches.match(spelled(path))])
    assert not found, found
