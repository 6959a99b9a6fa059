"""Git looks into submodules without running what they name."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.errors import EffectError
from leeboard.io.git import settings
from leeboard.io.git.settings import programs_inside
from leeboard.io.git.work_tree import collect
from tests.git_repository import GitRepository


@pytest.fixture
def outer(tmp_path: Path) -> GitRepository:
    inner = GitRepository(tmp_path / "inner")
    inner.write("x", "1\n")
    inner.write(".gitattributes", "* filter=x\n")
    inner.commit()
    made = GitRepository(tmp_path / "outer")
    made.run("submodule", "--quiet", "add", inner.root, "sub")
    made.commit()
    return made


def test_a_work_tree_without_submodules_is_not_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = GitRepository(tmp_path / "plain")
    plain.write("x", "1\n")
    plain.commit()
    monkeypatch.setenv("PATH", "")
    assert programs_inside(plain.root) == ()


def test_a_filter_of_a_submodule_does_not_run(outer: GitRepository, tmp_path: Path) -> None:
    sub = GitRepository(outer.path / "sub")
    sub.run("config", "filter.x.clean", f"touch {tmp_path}/ran; cat")
    sub.write("x", "2\n")
    assert ("filter.x.clean", "") in programs_inside(outer.root)
    assert [file.path for file in collect(outer.root).files] == ["sub"]
    assert not (tmp_path / "ran").exists()


def test_settings_of_a_submodule_that_can_not_be_read_are_said(outer: GitRepository) -> None:
    (outer.path / ".git/modules/sub/config").write_text("[filter")
    with pytest.raises(EffectError, match=r"the submodule .*sub can not be read"):
        programs_inside(outer.root)


def test_too_deep_is_said(outer: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "DEEPEST", 0)
    with pytest.raises(EffectError, match="deeper than 0"):
        programs_inside(outer.root)


def test_an_index_in_two_parts_hides_no_submodule(outer: GitRepository) -> None:
    for number in range(300):
        outer.write(f"folder-{number}/a", "1\n")
    outer.commit("many")
    outer.run("update-index", "--split-index")
    inside = Path(outer.root, ".git/modules/sub/config")
    inside.write_text(inside.read_text(encoding="utf-8") + '[filter "x"]\n\tclean = evil\n', encoding="utf-8")
    assert any(name == "filter.x.clean" for name, _ in programs_inside(outer.root))
