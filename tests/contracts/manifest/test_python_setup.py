"""setup.cfg and setup.py."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.contracts.manifest.package import UnreadableManifest
from leeboard.contracts.manifest.python import read_setup_cfg, read_setup_py


def test_setup_cfg() -> None:
    text = """[metadata]
name = app
description =
    requests of users
[options]
packages = find:
install_requires =
    requests>=2
    # a comment
    click
setup_requires = wheel
[options.extras_require]
dev = pytest
docs =
    sphinx
[flake8]
ignore =
    E501
"""
    assert [one.name for one in read_setup_cfg(text)] == ["requests", "click", "wheel", "pytest", "sphinx"]


def test_setup_py() -> None:
    text = """
from setuptools import setup
CORE = ["requests>=2", *MORE]
MORE = ("click",)
EXTRA = {"dev": ["pytest"], "all": CORE + ["rich"]}
setup(name="app", install_requires=CORE + ["attrs"], extras_require=EXTRA, tests_require=read("x"), keywords=["no"])
"""
    assert [one.name for one in read_setup_py(text)] == ["requests", "click", "attrs", "pytest", "rich"]


@pytest.mark.parametrize("text", ["setup(", "print 'x'", "\0", "(" * 500])
def test_what_is_no_python(text: str) -> None:
    with pytest.raises(UnreadableManifest):
        list(read_setup_py(text))


def test_names_that_multiply_are_read_once() -> None:
    lines = [f"a{n} = [{', '.join([f'a{n + 1}'] * 20)}]" for n in range(30)]
    text = "\n".join([*lines, "a30 = ['x']", "a31 = a31", "setup(install_requires=a0, setup_requires=a31)"])
    assert [one.name for one in read_setup_py(text)] == ["x"]


@given(st.text())
def test_never_raises_anything_else(text: str) -> None:
    list(read_setup_cfg(text))
    with suppress(UnreadableManifest):
        list(read_setup_py(text))
