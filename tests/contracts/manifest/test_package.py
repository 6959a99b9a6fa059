"""When two names are the same package."""

from __future__ import annotations

import pytest

from leeboard.contracts.manifest.package import Package, python_name, unquoted, without_user


@pytest.mark.parametrize(
    ("ecosystem", "one", "other", "same"),
    [
        ("pypi", "Flask_SQLAlchemy", "flask-sqlalchemy", True),
        ("pypi", "zope.interface", "zope-interface", True),
        ("npm", "lodash", "Lodash", False),
        ("npm", "lodash", "lodash-es", False),
        ("cargo", "serde_json", "serde-json", True),
        ("go", "github.com/x/y", "github.com/x/y/v2", True),
        ("go", "gopkg.in/yaml.v2", "gopkg.in/yaml.v3", True),
        ("go", "github.com/x/y", "github.com/x/z", False),
        ("nuget", "Serilog", "serilog", True),
        ("maven", "a:b", "a:B", False),
    ],
)
def test_key(ecosystem: str, one: str, other: str, *, same: bool) -> None:
    assert (Package(ecosystem, one).key == Package(ecosystem, other).key) is same


def test_names_and_addresses() -> None:
    assert python_name("A__b..C") == "a-b-c"
    assert unquoted(" 'a' ") == "a"
    assert unquoted("'a") == "'a"
    assert without_user("https://me:word@host/a@b") == "https://host/a@b"
    assert without_user("https://host/a@b") == "https://host/a@b"
