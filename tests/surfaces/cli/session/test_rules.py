from __future__ import annotations

from typing import TYPE_CHECKING

from leeboard.rule import discover

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def test_every_rule_is_listed(desk: Desk) -> None:
    out = desk.ok("rules").out
    for rule in discover():
        assert f"{rule.code}  {rule.id} " in out
    found = desk.ok("rules", "--json").objects
    assert [one["id"] for one in found] == [rule.id for rule in discover()]
    assert [one["id"] for one in found if one["denies"]] == [rule.id for rule in discover() if rule.rule.denies]


def test_when_a_rule_refuses_is_told(desk: Desk) -> None:
    lines = desk.ok("rules", env={"COLUMNS": "120"}).out.splitlines()
    rows = {line.split()[1]: tuple(line.split()[2:4]) for line in lines[1:] if line.startswith("LB-")}
    assert rows["self_allowance"] == ("-", "always")
    assert rows["scope_drift"] == ("-", "enforce")
    assert rows["broken_constraint"] == ("-", "always")
    assert rows["credential"] == ("security", "certain")
    assert rows["duplicate_build"] == ("architecture", "never")


def test_a_rule_of_ones_own_is_written_tested_trusted_and_counts(desk: Desk) -> None:
    desk.ok("init", "-q")
    assert "wrote .leeboard/rules/no-eval.yml" in desk.ok("rules", "new", "no-eval").out
    place = desk.repo / ".leeboard/rules/no-eval.yml"
    place.write_text(
        "id: no-eval\nlanguage: python\nmessage: no eval\nrule: {pattern: eval($$$)}\nthen: refuse\n"
        "samples: {fires: [{path: a.py, code: eval(x)}], silent: [{path: a.py, code: 'f(\"eval(x)\")'}]}\n"
    )
    assert "1 rules, 2 samples, 0 that do not hold" in desk.ok("rules", "test").out
    desk.trust()
    desk.hook("UserPromptSubmit", prompt="Fix app.py")
    write = {"file_path": str(desk.repo / "app.py"), "content": "eval(x)\n"}
    refused = desk.hook("PreToolUse", tool_name="Write", tool_input=write, tool_use_id="toolu_9")
    assert "no eval (no-eval, .leeboard/rules/no-eval.yml:1)" in refused
    assert "LB-S042" in refused
    assert "no eval" in desk.ok("explain", "no-eval").out


def test_a_sample_that_does_not_hold_ends_with_1_and_a_bad_file_with_2(desk: Desk) -> None:
    folder = desk.repo / ".leeboard/rules"
    folder.mkdir(parents=True)
    (folder / "a.yml").write_text("id: a\nmessage: m\nwhen: {path: x/**}\nsamples: {fires: [{path: y}]}\n")
    ran = desk.run("rules", "test", "--json")
    assert (ran.code, ran.objects[0]["failed"], ran.objects[0]["untested"]) == (1, 1, [])
    assert ".leeboard/rules/a.yml:4: a should be one that speaks of this sample" in desk.run("rules", "test").out
    (folder / "b.yml").write_text("id: b\nmesage: m\n")
    ran = desk.run("rules", "test")
    assert ran.code == 2
    assert ".leeboard/rules/b.yml:2: mesage: is not known; did you mean message?" in ran.out


def test_a_name_that_is_taken_is_refused(desk: Desk) -> None:
    desk.ok("rules", "new", "mine")
    ran = desk.run("rules", "new", "mine")
    assert (ran.code, "is there already" in ran.err) == (2, True)
