"""package.json and what stands beside it."""

from __future__ import annotations

import pytest

from leeboard.contracts.manifest.scripting import read_deno_json, read_package_json, read_pnpm_workspace, specifier


def test_package_json() -> None:
    text = """{
  "name": "app", "version": "1.2.3",
  "scripts": {"lodash": "echo"},
  "dependencies": {"react": "^18", "@scope/pkg": "1.x", "own": "workspace:*", "near": "file:../near", "old": "npm:real@1"},
  "devDependencies": {"vite": "5"},
  "peerDependencies": {"react-dom": ">=18"},
  "optionalDependencies": {"fsevents": "2"},
  "bundledDependencies": ["tar"],
  "overrides": {"minimist": "1.2.8"},
  "resolutions": {"qs": "6"},
  "engines": {"node": ">=20"}
}"""
    assert [(one.name, one.version) for one in read_package_json(text)] == [
        ("react", "^18"),
        ("@scope/pkg", "1.x"),
        ("real", "1"),
        ("vite", "5"),
        ("react-dom", ">=18"),
        ("fsevents", "2"),
        ("tar", ""),
    ]


@pytest.mark.parametrize(
    ("spec", "found"),
    [
        ("npm:chalk@5.3.0", ("npm", "chalk", "5.3.0")),
        ("npm:@a/b", ("npm", "@a/b", "")),
        ("npm:/preact@10/hooks", ("npm", "preact", "10")),
        ("jsr:@std/assert@^1", ("jsr", "@std/assert", "^1")),
        ("https://deno.land/std@0.200.0/path/mod.ts", ("url", "deno.land/std", "0.200.0")),
        ("https://deno.land/x/oak@v12/mod.ts", ("url", "deno.land/x/oak", "v12")),
        ("https://me:word@esm.sh/react@18", ("url", "esm.sh/react", "18")),
        ("./src/", None),
    ],
)
def test_specifier(spec: str, found: tuple[str, str, str] | None) -> None:
    read = specifier(spec)
    assert ((read.ecosystem, read.name, read.version) if read else None) == found


def test_deno_json() -> None:
    text = """{ // config
  "imports": {"@std/assert": "jsr:@std/assert@1", "~/": "./src/"},
  "scopes": {"https://x/": {"chalk": "npm:chalk@5"}},
}"""
    assert [one.name for one in read_deno_json(text)] == ["@std/assert", "chalk"]


def test_pnpm_workspace() -> None:
    text = "packages:\n  - 'a/*'\ncatalog:\n  react: ^18\ncatalogs:\n  old:\n    react-dom: ^17\n"
    assert [(one.name, one.version) for one in read_pnpm_workspace(text)] == [("react", "^18"), ("react-dom", "^17")]
