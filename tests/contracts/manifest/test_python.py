"""pyproject.toml and Pipfile."""

from __future__ import annotations

from leeboard.contracts.manifest.python import read_pipfile, read_pyproject

PYPROJECT = """
[build-system]
requires = ["hatchling>=1.2"]
[project]
name = "My.App"
version = "1.0"
dependencies = ["msgspec>=0.19", "sibling"]
[project.optional-dependencies]
cli = ["click"]
all = ["my-app[cli]"]
[dependency-groups]
dev = ["pytest>=8", {include-group = "lint"}]
lint = ["ruff"]
[tool.uv]
dev-dependencies = ["mypy"]
[tool.uv.sources]
sibling = { workspace = true }
[tool.rye]
dev-dependencies = ["black"]
[tool.pdm.dev-dependencies]
test = ["hypothesis"]
[tool.hatch.envs.docs]
dependencies = ["mkdocs"]
extra-dependencies = ["mike"]
[tool.poetry.dependencies]
python = "^3.11"
httpx = { version = "^0.27", extras = ["http2"] }
local = { path = "../local" }
many = [{ version = "1", python = "<3.12" }, { version = "2" }]
[tool.poetry.dev-dependencies]
tox = "*"
[tool.poetry.group.docs.dependencies]
sphinx = "^7"
[tool.ruff.lint]
select = ["ALL"]
"""


def test_every_place_that_names_packages() -> None:
    assert {one.name: one.version for one in read_pyproject(PYPROJECT)} == {
        "hatchling": ">=1.2",
        "msgspec": ">=0.19",
        "click": "",
        "pytest": ">=8",
        "ruff": "",
        "mypy": "",
        "black": "",
        "hypothesis": "",
        "mkdocs": "",
        "mike": "",
        "httpx": "^0.27",
        "many": "1, 2",
        "tox": "*",
        "sphinx": "^7",
    }


def test_odd_types_are_passed_over() -> None:
    assert list(read_pyproject('project = 1\ntool = []\ndependency-groups = {a = "x"}')) == []


def test_pipfile() -> None:
    text = """
[[source]]
url = "https://host/simple"
name = "main"
[packages]
requests = "*"
local = {path = "."}
tool = {git = "https://host/tool.git", ref = "main"}
[dev-packages]
pytest = ">=8"
[docs]
sphinx = "*"
[requires]
python_version = "3.11"
"""
    assert [(one.name, one.version) for one in read_pipfile(text)] == [
        ("requests", "*"),
        ("tool", "main"),
        ("pytest", ">=8"),
        ("sphinx", "*"),
    ]
