"""Modules by their local names."""

from __future__ import annotations

import pytest

from leeboard.security.taint.lowering.javascript import lower
from leeboard.security.taint.lowering.javascript_functions import module_path
from leeboard.source.syntax import parse


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("'node:fs/promises'", "fs.promises"),
        ("'./lib/util.js'", "local.util"),
        ("'@a/b'", "@a/b"),
        ("'lodash/merge'", "lodash.merge"),
    ],
)
def test_paths(written: str, path: str) -> None:
    assert module_path(written) == path


@pytest.mark.parametrize(
    ("code", "imports"),
    [
        ("import fs, { join as j } from 'fs';", {"fs": "fs", "j": "fs.join"}),
        ("import * as path from 'path';", {"path": "path"}),
        (
            "const { exec, spawn: s } = require('child_process');",
            {"exec": "child_process.exec", "s": "child_process.spawn"},
        ),
        ("const run = util.promisify(require('child_process').exec);", {"run": "child_process.exec"}),
        ("const x = other('m');", {}),
    ],
)
def test_imports(code: str, imports: dict[str, str]) -> None:
    tree = parse(code, "javascript")
    assert tree is not None
    assert lower(tree).imports == imports
