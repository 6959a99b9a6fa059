"""Which place decided a setting."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.settings_files import read_project
from leeboard.app.views.settings import SettingView, settings_page
from leeboard.trust.record import whole_run


class Files:
    def __init__(self, folder: Path) -> None:
        self.own, self.repo = folder / "config" / "leeboard.toml", folder / "repo" / "leeboard.toml"
        for file in (self.own, self.repo):
            file.parent.mkdir()

    def views(self, **env: str) -> dict[str, SettingView]:
        return {view.key: view for view in settings_page(str(self.repo.parent), env).settings}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Files:
    monkeypatch.setenv("LEEBOARD_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    return Files(tmp_path)


def test_nobody_said_anything(files: Files) -> None:
    views = files.views()
    assert {view.layer for view in views.values()} == {"default"}
    assert {view.origin for view in views.values()} == {("default",)}
    assert views["profile"].value == "advise"


def test_each_layer_goes_over_the_one_below(files: Files) -> None:
    files.own.write_text('idle_minutes = 30\nprofile = "advise"\n\n[interrupts]\nqueued = 4\n')
    files.repo.write_text('# ours\nprofile = "enforce"\n')
    views = files.views()
    assert (views["idle_minutes"].value, views["idle_minutes"].origin) == (30, (f"{files.own}:1",))
    assert (views["interrupts.queued"].layer, views["interrupts.queued"].origin) == ("user", (f"{files.own}:5",))
    assert (views["profile"].value, views["profile"].layer) == ("enforce", "project")
    assert views["profile"].origin == (f"{files.repo}:2",)
    over = files.views(LEEBOARD_PROFILE="observe", LEEBOARD_OFF="1")
    assert (over["profile"].value, over["profile"].origin) == ("observe", ("LEEBOARD_PROFILE",))
    assert (over["enabled"].value, over["enabled"].layer) == (False, "environment")
    assert files.views(LEEBOARD_PROFILE="loud")["profile"] == views["profile"]


def test_what_nobody_trusted_is_named_and_does_not_count(files: Files) -> None:
    files.own.write_text('[goal]\nscope = ["src/**"]\n[interrupts]\nbudget = 4\n')
    files.repo.write_text('[goal]\nscope = ["docs/**"]\n[interrupts]\nbudget = 1\n[rules.circling]\nenabled = false\n')
    page = settings_page(str(files.repo.parent), {})
    views = {view.key: view for view in page.settings}
    assert (views["goal.scope"].value, views["goal.scope"].layer) == (["src/**"], "user")
    assert views["goal.scope"].asleep == f"{files.repo}:2"
    assert (views["interrupts.budget"].value, views["interrupts.budget"].asleep) == (4, f"{files.repo}:4")
    assert (views["rules.circling.enabled"].value, views["rules.circling.enabled"].layer) == (True, "default")
    assert any("leeboard trust" in note for note in page.notes)
    with whole_run():
        views = files.views()
    assert views["goal.scope"].value == ["src/**", "docs/**"]
    assert views["goal.scope"].origin == (f"{files.repo}:2", f"{files.own}:2")
    assert (views["interrupts.budget"].value, views["interrupts.budget"].layer) == (1, "project")
    assert (views["rules.circling.enabled"].value, views["rules.circling.enabled"].asleep) == (False, "")


def test_a_key_of_the_judge_is_told_from_its_default(files: Files) -> None:
    files.own.write_text('[judge]\nendpoint = "https://models.example/v1"\nmodel = "small"\nbudget = 20\n')
    views = files.views()
    assert views["judge.budget"].origin == (f"{files.own}:4",)
    assert views["judge.seconds"].origin == ("default",)


def test_faults_are_told_and_the_rest_stands(files: Files) -> None:
    files.repo.parent.joinpath("pyproject.toml").write_text(
        '[tool.leeboard]\nprofile = "enforce"\nidle_minutes = "x"\n'
    )
    page = settings_page(str(files.repo.parent), {"LEEBOARD_OFF": "perhaps"})
    (profile,) = (view for view in page.settings if view.key == "profile")
    assert profile.origin == (f"{files.repo.parent}/pyproject.toml:2",)
    assert page.notes == read_project(str(files.repo.parent), {"LEEBOARD_OFF": "perhaps"}).notes
    assert len(page.notes) == 2
