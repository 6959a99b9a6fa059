from __future__ import annotations

from tests.surfaces.cli.conftest import Desk


def test_a_part_or_all_of_it(desk: Desk) -> None:
    (desk.repo / "leeboard.toml").write_text('profile = "observe"\n')
    assert "nothing was trusted here" in desk.ok("untrust").out
    desk.trust()
    ran = desk.run("untrust", "gates:x")
    assert (ran.code, "trusted: settings:leeboard.toml" in ran.err) == (2, True)
    assert desk.ok("untrust", "settings:leeboard.toml", "--json").objects[0]["parts"] == ["settings:leeboard.toml"]
    assert desk.run("trust", "show").code == 1
