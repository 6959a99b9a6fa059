from __future__ import annotations

from leeboard.shell.expansion import UNKNOWN
from leeboard.shell.programs import wrappers
from leeboard.shell.scope import Effects, Follow, Run, ShellScope


def run(directory: str | None = "/w", **variables: str) -> Run:
    return Run(Effects(), ShellScope(directory, dict(variables)))


def test_cd_moves_and_forgets() -> None:
    seen: list[str | None] = []
    here = run()
    for args in (["-P", "a"], ["-"], []):
        wrappers.cd(here, args)
        seen.append(here.scope.directory)
    assert seen == ["/w/a", None, "~"]


def test_popd_returns_where_pushd_started() -> None:
    here = run()
    wrappers.pushd(here, ["a"])
    wrappers.popd(here, [])
    assert here.scope.directory == "/w"


def test_pushd_without_a_name_goes_nobody_knows_where() -> None:
    here = run()
    wrappers.pushd(here, [])
    assert here.scope.directory is None


def test_names_are_set_and_forgotten() -> None:
    here = run(A="1")
    wrappers.declare(here, ["-x", "B=2", "A+=3", "C"])
    assert here.scope.variables == {"A": UNKNOWN, "B": "2"}
    wrappers.forget(here, ["-r", "B"])
    assert here.scope.variables["B"] == UNKNOWN
    wrappers.printf(here, ["-v", "D", "x"])
    assert here.scope.variables["D"] == UNKNOWN


def test_text_is_run_as_code() -> None:
    here = run()
    wrappers.evaluate(here, ["rm", "a b"])
    wrappers.trap(here, ["rm c", "EXIT"])
    wrappers.trap(here, ["-", "EXIT"])
    assert here.follow == [Follow(code="rm a b", same_shell=True)]
    assert list(here.effects.deferred) == ["rm c"]


def test_only_activation_is_harmless_to_source() -> None:
    here = run()
    wrappers.source(here, [".venv/bin/activate"])
    assert not here.effects.opaque
    wrappers.source(here, ["x.sh"])
    assert here.effects.opaque
