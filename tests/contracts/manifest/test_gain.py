"""What a changed file gained: in every format an addition, another version, a removal and a change of something else."""

from __future__ import annotations

import msgspec
import pytest

from leeboard.app.replay import RecordedFiles
from leeboard.contracts.manifest.gain import Gain, declared_around, gain_of
from leeboard.model.touch import FileChange
from tests.tree_rules import SPELL


class Case(msgspec.Struct, frozen=True):
    """A file; what is replaced to add the package, to change a version, to change something else."""

    path: str
    text: str
    name: str
    add: tuple[str, str]
    bump: tuple[str, str]
    other: tuple[str, str]


DECLARING = [
    Case(
        "pyproject.toml",
        '[project]\nname = "app"\nversion = "1.0"\ndependencies = [\n    "httpx>=0.27",\n]\n[tool.ruff]\nline-length = 88\n',
        "pypi:attrs",
        ('"httpx>=0.27",\n', '"httpx>=0.27",\n    "attrs",\n'),
        ("0.27", "0.28"),
        ("line-length = 88", 'line-length = 120\n[tool.mypy]\nplugins = ["pydantic.mypy"]'),
    ),
    Case(
        "pyproject.toml",
        '[tool.poetry]\nname = "app"\nversion = "1.0"\n[tool.poetry.dependencies]\npython = "^3.11"\nhttpx = "^0.27"\n',
        "pypi:attrs",
        ('httpx = "^0.27"\n', 'httpx = "^0.27"\n\n[tool.poetry.group.dev.dependencies]\nattrs = "*"\n'),
        ("^0.27", "^0.28"),
        ('version = "1.0"', 'version = "1.1"'),
    ),
    Case(
        "requirements/dev.txt",
        "-r base.txt\npytest==8.0 ; python_version > '3.8'\n",
        "pypi:tox",
        ("pytest", "tox\npytest"),
        ("8.0", "8.1"),
        ("-r base.txt\n", "# for developers\n-r base.txt\n--no-binary :all:\n"),
    ),
    Case(
        "setup.cfg",
        "[options]\ninstall_requires =\n    httpx>=0.27\n[flake8]\nmax-line-length = 88\n",
        "pypi:attrs",
        ("    httpx", "    attrs\n    httpx"),
        ("0.27", "0.28"),
        ("88", "120"),
    ),
    Case(
        "setup.py",
        "from setuptools import setup\nsetup(name='app', version='1', install_requires=['httpx>=0.27'])\n",
        "pypi:attrs",
        ("['httpx", "['attrs', 'httpx"),
        ("0.27", "0.28"),
        ("version='1'", "version='2', keywords=['attrs']"),
    ),
    Case(
        "Pipfile",
        '[packages]\nhttpx = "==0.27"\n[requires]\npython_version = "3.11"\n',
        "pypi:attrs",
        ("httpx", 'attrs = "*"\nhttpx'),
        ("0.27", "0.28"),
        ("3.11", "3.12"),
    ),
    Case(
        "environment.yml",
        "name: app\nchannels:\n  - conda-forge\ndependencies:\n  - numpy=1.26\n",
        "conda:scipy",
        ("  - numpy", "  - scipy\n  - numpy"),
        ("1.26", "2.0"),
        ("conda-forge", "defaults"),
    ),
    Case(
        "web/package.json",
        '{\n  "name": "app",\n  "version": "1.0.0",\n  "scripts": {"test": "vitest"},\n  "dependencies": {\n    "react": "^18.0.0"\n  }\n}\n',
        "npm:@scope/dates",
        ('"react"', '"@scope/dates": "1.0.0",\n    "react"'),
        ("^18.0.0", "^19.0.0"),
        ('"test": "vitest"', '"test": "jest", "lint": "eslint ."'),
    ),
    Case(
        "deno.jsonc",
        '{\n  // imports\n  "imports": {"chalk": "npm:chalk@5"},\n  "tasks": {"dev": "deno run a.ts"},\n}\n',
        "jsr:@std/path",
        ('"chalk"', '"path": "jsr:@std/path@1", "chalk"'),
        ("chalk@5", "chalk@6"),
        ("a.ts", "b.ts"),
    ),
    Case(
        "crates/a/Cargo.toml",
        '[package]\nname = "a"\nversion = "0.1.0"\n[dependencies]\nserde = { version = "1.0" }\n',
        "cargo:tokio",
        ("serde", 'tokio = "1"\nserde'),
        ('"1.0"', '"1.1"'),
        ("0.1.0", "0.2.0"),
    ),
    Case(
        "go.mod",
        "module example.com/app\n\ngo 1.22\n\nrequire (\n\tgithub.com/a/b v1.0.0\n)\n",
        "go:github.com/c/d",
        ("\tgithub.com/a/b", "\tgithub.com/c/d v0.1.0\n\tgithub.com/a/b"),
        ("github.com/a/b v1.0.0", "github.com/a/b/v2 v2.0.0"),
        ("go 1.22", "go 1.23"),
    ),
    Case(
        "Gemfile",
        "source 'https://host'\nruby '3.2'\ngem 'rails', '~> 7.0'\n",
        "gem:sidekiq",
        ("gem 'rails'", "gem 'sidekiq'\ngem 'rails'"),
        ("7.0", "7.1"),
        ("3.2", "3.3"),
    ),
    Case(
        "app.gemspec",
        'Gem::Specification.new do |s|\n  s.version = "1"\n  s.add_dependency "rack", "~> 2.0"\nend\n',
        "gem:rake",
        ("  s.add", '  s.add_development_dependency "rake"\n  s.add'),
        ("2.0", "3.0"),
        ('"1"', '"2"'),
    ),
    Case(
        "pom.xml",
        "<project>\n<version>1.0</version>\n<dependencies>\n<dependency><groupId>a.b</groupId><artifactId>c</artifactId><version>2.0</version></dependency>\n</dependencies>\n</project>\n",
        "maven:d.e:f",
        (
            "<dependencies>\n",
            "<dependencies>\n<dependency><groupId>d.e</groupId><artifactId>f</artifactId></dependency>\n",
        ),
        ("2.0", "2.1"),
        ("<version>1.0</version>", "<version>1.1</version><name>App</name>"),
    ),
    Case(
        "app/build.gradle.kts",
        'version = "1.0"\ndependencies {\n    implementation("a.b:c:2.0")\n}\n',
        "maven:d.e:f",
        ("    impl", '    testImplementation("d.e:f:1")\n    impl'),
        ("c:2.0", "c:2.1"),
        ('version = "1.0"', 'version = "1.1"'),
    ),
    Case(
        "gradle/libs.versions.toml",
        '[libraries]\none = { module = "a.b:c", version = "2.0" }\n',
        "maven:d.e:f",
        ("one =", 'two = "d.e:f:1"\none ='),
        ("2.0", "2.1"),
        ("one =", "other-name ="),
    ),
    Case(
        "src/App.csproj",
        '<Project>\n<PropertyGroup><Nullable>enable</Nullable></PropertyGroup>\n<ItemGroup>\n<PackageReference Include="Serilog" Version="3.0" />\n</ItemGroup>\n</Project>\n',
        "nuget:Polly",
        ("<ItemGroup>\n", '<ItemGroup>\n<PackageReference Include="Polly" Version="8" />\n'),
        ("3.0", "3.1"),
        ("enable", "disable"),
    ),
    Case(
        "composer.json",
        '{"require": {"php": "^8.1", "monolog/monolog": "^3.0"}, "autoload": {}}',
        "composer:guzzlehttp/guzzle",
        ('"php"', '"guzzlehttp/guzzle": "^7", "php"'),
        ("^3.0", "^3.1"),
        ("^8.1", "^8.2"),
    ),
    Case(
        "mix.exs",
        'def project, do: [version: "0.1.0"]\ndefp deps do\n  [\n    {:phoenix, "~> 1.6"}\n  ]\nend\n',
        "hex:jason",
        ("    {:phoenix", '    {:jason, "~> 1.4"},\n    {:phoenix'),
        ("1.6", "1.7"),
        ("0.1.0", "0.2.0"),
    ),
    Case(
        "pubspec.yaml",
        "name: app\nversion: 1.0.0\ndependencies:\n  http: ^1.1.0\n",
        "pub:dio",
        ("  http", "  dio: ^5.0.0\n  http"),
        ("^1.1.0", "^1.2.0"),
        ("version: 1.0.0", "version: 1.0.1"),
    ),
    Case(
        "Package.swift",
        'let package = Package(name: "App", dependencies: [\n  .package(url: "https://host/a/b", from: "1.0.0"),\n])\n',
        "swift:host/c/d",
        ("  .package", '  .package(url: "https://host/c/d.git", from: "1.0.0"),\n  .package'),
        ('from: "1.0.0"', 'from: "2.0.0"'),
        ('"App"', '"Other"'),
    ),
    Case(
        "flake.nix",
        '{\n  description = "x";\n  inputs.nixpkgs.url = "github:NixOS/nixpkgs/23.05";\n}\n',
        "nix:numtide/flake-utils",
        ("  inputs", '  inputs.utils.url = "github:numtide/flake-utils";\n  inputs'),
        ("23.05", "23.11"),
        ('"x"', '"y"'),
    ),
    Case(
        "Dockerfile",
        "FROM python:3.11-slim AS build\nRUN pip install .\nFROM build\n",
        "docker:redis",
        ("FROM build", "FROM redis:7"),
        ("3.11", "3.12"),
        ("RUN pip install .", "RUN pip install --no-cache-dir ."),
    ),
    Case(
        "compose.yaml",
        "services:\n  db:\n    image: postgres:15\n    restart: always\n",
        "docker:redis",
        ("  db:", "  cache:\n    image: redis:7\n  db:"),
        (":15", ":16"),
        ("always", "no"),
    ),
    Case(
        ".github/workflows/ci.yml",
        "on: push\njobs:\n  test:\n    steps:\n      - uses: actions/checkout@v3\n      - run: make\n",
        "actions:codecov/codecov-action",
        ("      - run", "      - uses: codecov/codecov-action@v4\n      - run"),
        ("@v3", "@v4"),
        ("run: make", "run: make check"),
    ),
]
LOCKING = [
    Case(
        "uv.lock",
        '[[package]]\nname = "app"\nversion = "1"\nsource = { editable = "." }\n\n[[package]]\nname = "idna"\nversion = "3.6"\n',
        "pypi:attrs",
        ('[[package]]\nname = "idna"', '[[package]]\nname = "attrs"\nversion = "1"\n\n[[package]]\nname = "idna"'),
        ("3.6", "3.7"),
        ('version = "1"\n', 'version = "2"\n'),
    ),
    Case(
        "Pipfile.lock",
        '{"_meta": {"hash": {"sha256": "0"}}, "default": {"idna": {"version": "==3.6"}}}',
        "pypi:attrs",
        ('"idna"', '"attrs": {}, "idna"'),
        ("3.6", "3.7"),
        ('"sha256": "0"', '"sha256": "1"'),
    ),
    Case(
        "package-lock.json",
        '{"name": "app", "version": "1.0.0", "packages": {"": {"name": "app"}, "node_modules/a": {"version": "1.1.0"}}}',
        "npm:b",
        ('"node_modules/a"', '"node_modules/b": {}, "node_modules/a"'),
        ("1.1.0", "1.2.0"),
        ('"version": "1.0.0"', '"version": "1.0.1"'),
    ),
    Case("yarn.lock", 'a@^1:\n  version "1.0"\n', "npm:b", ("a@^1", "b@^1:\n\na@^1"), ("a@^1", "a@^2"), ("1.0", "1.1")),
    Case(
        "pnpm-lock.yaml",
        "lockfileVersion: '9.0'\npackages:\n  a@1.0.0:\n    resolution: {}\n",
        "npm:b",
        ("  a@", "  b@1.0.0:\n  a@"),
        ("a@1.0.0", "a@1.0.1"),
        ("9.0", "9.1"),
    ),
    Case(
        "bun.lock",
        '{"packages": {"a": ["a@1.0.0"],},}',
        "npm:b",
        ('"a":', '"b": ["b@1"], "a":'),
        ("1.0.0", "1.0.1"),
        ("{", '{"configVersion": 1, '),
    ),
    Case(
        "deno.lock",
        '{"version": "5", "npm": {"a@1.0.0": {}}}',
        "npm:b",
        ('"a@', '"b@1": {}, "a@'),
        ("1.0.0", "1.0.1"),
        ("5", "6"),
    ),
    Case(
        "Cargo.lock",
        'version = 3\n[[package]]\nname = "a"\nversion = "1.0"\nsource = "registry+https://host/index"\n',
        "cargo:b",
        ("[[package]]", '[[package]]\nname = "b"\nsource = "registry+https://host/index"\n[[package]]'),
        ("1.0", "1.1"),
        ("version = 3", "version = 4"),
    ),
    Case(
        "go.sum", "a/b v1.0.0 h1:0=\n", "go:c/d", ("a/b", "c/d v1.0.0 h1:1=\na/b"), ("v1.0.0", "v1.1.0"), ("=\n", "=")
    ),
    Case(
        "Gemfile.lock",
        "GEM\n  specs:\n    a (1.0)\n\nBUNDLED WITH\n   2.4\n",
        "gem:b",
        ("    a (", "    b (2)\n    a ("),
        ("1.0", "1.1"),
        ("2.4", "2.5"),
    ),
    Case("gradle.lockfile", "a:b:1.0=x\n", "maven:c:d", ("a:b", "c:d:1=x\na:b"), ("1.0", "1.1"), ("=x", "=x,y")),
    Case(
        "packages.lock.json",
        '{"version": 1, "dependencies": {"net8.0": {"A": {"resolved": "1.0"}}}}',
        "nuget:B",
        ('"A"', '"B": {}, "A"'),
        ("1.0", "1.1"),
        ('"version": 1', '"version": 2'),
    ),
    Case(
        "composer.lock",
        '{"content-hash": "0", "packages": [{"name": "a/b", "version": "1.0"}]}',
        "composer:c/d",
        ("[{", '[{"name": "c/d"}, {'),
        ("1.0", "1.1"),
        ('"0"', '"1"'),
    ),
    Case(
        "mix.lock",
        '%{\n  "a": {:hex, :a, "1.0", "00"},\n}\n',
        "hex:b",
        ('  "a"', '  "b": {:hex, :b, "1", "00"},\n  "a"'),
        ("1.0", "1.1"),
        ('"00"', '"11"'),
    ),
    Case(
        "pubspec.lock",
        'packages:\n  a:\n    source: hosted\n    version: "1.0"\nsdks:\n  dart: "3"\n',
        "pub:b",
        ("  a:", '  b:\n    version: "1"\n  a:'),
        ("1.0", "1.1"),
        ('"3"', '"4"'),
    ),
    Case(
        "Package.resolved",
        '{"pins": [{"location": "https://host/a/b", "state": {"version": "1.0"}}], "version": 2}',
        "swift:host/c/d",
        ("[{", '[{"location": "https://host/c/d"}, {'),
        ("1.0", "1.1"),
        ('"version": 2', '"version": 3'),
    ),
    Case(
        "flake.lock",
        '{"nodes": {"a": {"locked": {"rev": "00"}, "original": {"owner": "x", "repo": "a"}}, "root": {}}, "root": "root"}',
        "nix:x/b",
        ('"a":', '"b": {"original": {"owner": "x", "repo": "b"}}, "a":'),
        ("00", "11"),
        ('"root": {}', '"root": {"inputs": {}}'),
    ),
]


def gained(before: str, after: str, path: str) -> Gain:
    change = FileChange(path=path, kind="modified")
    return gain_of(change, RecordedFiles(SPELL, {path: after}), RecordedFiles(SPELL, {path: before}))


def changed(case: Case, how: tuple[str, str]) -> str:
    assert how[0] in case.text
    return case.text.replace(*how, 1)


def named(gain: Gain) -> list[str]:
    assert not gain.problem
    return [f"{entry.ecosystem}:{entry.name}" for entry in (*gain.added, *gain.transitive)]


@pytest.mark.parametrize("case", [*DECLARING, *LOCKING], ids=lambda case: case.path)
def test_added(case: Case) -> None:
    gain = gained(case.text, changed(case, case.add), case.path)
    assert named(gain) == [case.name]
    assert not gain.removed
    assert bool(gain.added) is (case in DECLARING)


@pytest.mark.parametrize("case", [*DECLARING, *LOCKING], ids=lambda case: case.path)
def test_removed(case: Case) -> None:
    gain = gained(changed(case, case.add), case.text, case.path)
    assert not named(gain)
    assert [f"{entry.ecosystem}:{entry.name}" for entry in gain.removed] == ([case.name] if case in DECLARING else [])


@pytest.mark.parametrize("case", [*DECLARING, *LOCKING], ids=lambda case: case.path)
def test_another_version(case: Case) -> None:
    gain = gained(case.text, changed(case, case.bump), case.path)
    assert not named(gain)
    assert not gain.removed
    assert len(gain.bumped) == (1 if case in DECLARING else 0)


@pytest.mark.parametrize("case", [*DECLARING, *LOCKING], ids=lambda case: case.path)
def test_something_else(case: Case) -> None:
    gain = gained(case.text, changed(case, case.other), case.path)
    assert (named(gain), gain.removed, gain.bumped) == ([], (), ())


def test_a_renamed_file_is_compared_with_itself() -> None:
    change = FileChange(path="req/requirements.txt", old_path="requirements.txt", kind="renamed")
    now, base = RecordedFiles(SPELL, {change.path: "a\nb"}), RecordedFiles(SPELL, {change.old_path: "a"})
    assert named(gain_of(change, now, base)) == ["pypi:b"]


@pytest.mark.parametrize(("before", "after"), [("{", "{}"), ("{}", "{")])
def test_what_can_not_be_read(before: str, after: str) -> None:
    gain = gained(before, after, "package.json")
    assert gain.problem.startswith("it is not valid JSON")
    assert gain.problem.endswith("base") is (before == "{")


def test_what_is_no_text() -> None:
    change = FileChange(path="bun.lockb", kind="modified", binary=True)
    assert (
        gain_of(change, RecordedFiles(SPELL, {}), RecordedFiles(SPELL, {})).problem == "it is not a text, or too large"
    )


def test_indirect_is_what_others_need() -> None:
    old = "module m\nrequire a/b v1.0.0 // indirect\n"
    assert not named(gained(old, "module m\nrequire a/b v1.0.0\n", "go.mod"))
    gain = gained(old, f"{old}require c/d v1.0.0 // indirect\n", "go.mod")
    assert ([one.name for one in gain.added], [one.name for one in gain.transitive]) == ([], ["c/d"])


def test_what_was_declared_around() -> None:
    base = RecordedFiles(SPELL, {"package.json": '{"dependencies": {"a": "1"}}', "web/package.json": "{", "x.txt": ""})
    assert declared_around("web/app/package.json", "npm", base) == {("npm", "a"): "package.json"}
    assert declared_around("package.json", "unknown", base) == {}
