"""Lock files of JavaScript."""

from __future__ import annotations

import pytest

from leeboard.contracts.manifest.scripting import (
    read_bun_lock,
    read_deno_lock,
    read_package_lock,
    read_pnpm_lock,
    read_yarn_lock,
)

NPM_1 = """{"name": "app", "lockfileVersion": 1, "dependencies": {
  "a": {"version": "1.0.0", "requires": {"b": "^1"}, "dependencies": {"b": {"version": "1.1.0"}}},
  "near": {"version": "file:near"}}}"""
NPM_3 = """{"name": "app", "lockfileVersion": 3, "packages": {
  "": {"name": "app", "version": "1.0.0", "dependencies": {"a": "^1"}},
  "node_modules/a": {"version": "1.0.0"},
  "node_modules/a/node_modules/@s/b": {"version": "2.0.0"},
  "node_modules/alias": {"name": "real", "version": "3.0.0"},
  "node_modules/own": {"resolved": "packages/own", "link": true},
  "packages/own": {"name": "own", "version": "1.0.0"}}}"""


def test_npm() -> None:
    assert {(one.name, one.version) for one in read_package_lock(NPM_1)} == {("a", "1.0.0"), ("b", "1.1.0")}
    assert [one.name for one in read_package_lock(NPM_3)] == ["a", "@s/b", "real"]


def test_yarn() -> None:
    text = """# yarn lockfile v1


"@babel/core@^7.0.0", "@babel/core@^7.1.0":
  version "7.24.0"
  resolved "https://host/core.tgz#00"
  dependencies:
    lodash "^4"

lodash@^4:
  version "4.17.21"

old@npm:real@1:
  version "1.0.0"
"""
    assert [one.name for one in read_yarn_lock(text)] == ["@babel/core", "lodash", "real"]


def test_yarn_berry() -> None:
    text = """__metadata:
  version: 8

"app@workspace:.":
  version: 0.0.0-use.local
  resolution: "app@workspace:."

"lodash@npm:^4.17.0, lodash@npm:^4.17.21":
  version: 4.17.21
  resolution: "lodash@npm:4.17.21"

"ts@patch:ts@npm%3A5#optional!builtin<compat/ts>":
  version: 5.0.0
"""
    assert [one.name for one in read_yarn_lock(text)] == ["lodash", "ts"]


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("/lodash/4.17.21", "lodash"),
        ("/@babel/core/7.24.0", "@babel/core"),
        ("/react-dom/18.2.0_react@18.2.0", "react-dom"),
        ("/lodash@4.17.21", "lodash"),
        ("/@babel/core@7.24.0(supports-color@5.5.0)", "@babel/core"),
        ("lodash@4.17.21", "lodash"),
        ("'@babel/core@7.24.0'", "@babel/core"),
    ],
)
def test_pnpm(key: str, name: str) -> None:
    text = f"""lockfileVersion: '6.0'
importers:
  .:
    dependencies:
      other:
        specifier: ^1
        version: link:../other
packages:

  {key}:
    resolution: {{integrity: sha512-00}}
    dependencies:
      nested: 1.0.0
"""
    assert [one.name for one in read_pnpm_lock(text)] == [name]


def test_bun() -> None:
    text = """{
  "lockfileVersion": 1,
  "workspaces": {"": {"name": "app", "dependencies": {"a": "^1"}}},
  "packages": {
    "a": ["a@1.0.0", "", {}, "sha512-00"],
    "a/@s/b": ["@s/b@2.0.0", "", {}, "sha512-00"],
    "own": ["own@workspace:packages/own"],
  },
}"""
    assert [one.name for one in read_bun_lock(text)] == ["a", "@s/b"]


@pytest.mark.parametrize(
    "text",
    [
        '{"version": "3", "packages": {"npm": {"chalk@5.3.0": {}}, "jsr": {"@std/assert@1.0.0": {}}}}',
        '{"version": "5", "npm": {"chalk@5.3.0": {}}, "jsr": {"@std/assert@1.0.0": {}}}',
    ],
)
def test_deno(text: str) -> None:
    assert [(one.ecosystem, one.name) for one in read_deno_lock(text)] == [("npm", "chalk"), ("jsr", "@std/assert")]


def test_deno_remote() -> None:
    text = '{"remote": {"https://deno.land/std@0.2/a.ts": "00", "https://deno.land/std@0.2/b.ts": "00"}}'
    assert {one.name for one in read_deno_lock(text)} == {"deno.land/std"}
