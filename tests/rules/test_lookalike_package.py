"""What may be installed though its name is near to another."""

from __future__ import annotations

from leeboard.testing.scenario import play


def refused(*lines: str) -> bool:
    return any("lookalike_package" in said.rules for said in play(lines).proposed())


def test_a_name_that_the_user_wrote_passes() -> None:
    assert refused("@ call the API", "$ pip install reqeusts")
    assert not refused("@ call the API with reqeusts", "$ pip install reqeusts")


def test_a_package_that_the_project_declares_passes() -> None:
    assert refused("repo package.json | {}", "@ fix it", "$ npm i expresss")
    assert not refused('repo package.json | {"dependencies": {"expresss": "1"}}', "@ fix it", "$ npm i expresss")


def test_the_finding_names_what_may_be_meant() -> None:
    said = [one for one in play(("@ fix it", "$ pip install reqeusts")).proposed() if one.message]
    assert "requests" in said[0].message
