"""environment.yml."""

from __future__ import annotations

from leeboard.contracts.manifest.systems import read_environment


def test_packages_of_conda_and_of_pip() -> None:
    text = """name: app
channels:
  - conda-forge
dependencies:
  - python=3.11
  - numpy>=1.26
  - conda-forge::pandas=2.2=py311
  - pip
  - pip:
    - requests==2.31
    - -r requirements.txt
variables:
  A: b
"""
    assert [(one.ecosystem, one.name, one.version) for one in read_environment(text)] == [
        ("conda", "numpy", ">=1.26"),
        ("conda", "pandas", "=2.2=py311"),
        ("pypi", "requests", "==2.31"),
    ]
    assert [one.name for one in read_environment("dependencies: [numpy, scipy=1]")] == ["numpy", "scipy"]
