from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.plan.surface import Reason, alias, canonical, ignored_name, spelled, tops, tracked, unspelled, write_place

STAGES = ("design", "build")


@pytest.mark.parametrize(
    ("place", "found"),
    [
        ("stages/build/artifacts/a.png", ("build", "stage-output")),
        ("stages/build/outputs/deep/a.md", ("build", "stage-output")),
        ("stages/build/knowledge/a.md", ("build", "knowledge")),
        ("stages/build/discovery/a.md", ("build", "knowledge")),
        ("knowledge/a.md", (None, "knowledge")),
        ("knowledge/intent.md", (None, "knowledge")),
        ("stages/build/artifacts/state.json", ("build", "stage-output")),
        ("stages/build/knowledge/units/a.md", ("build", "knowledge")),
        ("knowledge", (None, "knowledge")),
        ("stages/build/outputs", ("build", "stage-output")),
        ("stages/other/artifacts/a.png", None),
        ("stages/build/units/unit-01-a.md", None),
        ("stages/build/feedback/01-a.md", None),
        ("stages/build/state.json", None),
        ("stages/build/baseline.json", None),
        ("intent.md", None),
        ("feedback/01-a.md", None),
        ("drift-markers.json", None),
        ("features/a.feature", None),
        ("knowledge/.DS_Store", None),
        ("knowledge/.git/config", None),
        ("knowledge/a.md~", None),
        ("knowledge/.#a.md", None),
        ("knowledge/.a.md.swp", None),
        ("knowledge/4913", None),
        ("knowledge/.hwm-tmp-1-aa.tmp", None),
    ],
)
def test_what_is_watched(place: str, found: tuple[str | None, str] | None) -> None:
    """FD-14 FD-15 FD-16 FD-17 FD-18 FD-20 FD-21: by its place, never by its name."""
    assert tracked(place, STAGES) == found


@pytest.mark.parametrize(
    ("glob", "left_out"),
    [("*.log", True), ("cache", True), ("cache/", True), ("knowledge/cache/", True), ("other/*.log", False)],
)
def test_a_project_leaves_files_out(glob: str, left_out: bool) -> None:  # noqa: FBT001 - a column of the table
    assert (tracked("knowledge/cache/a.log", STAGES, (glob,)) is None) == left_out


def test_both_names_of_outputs_are_one_path() -> None:
    """FD-15"""
    assert canonical("stages/build/outputs/a/outputs/b") == "stages/build/artifacts/a/outputs/b"
    assert alias("stages/build/artifacts/a") == "stages/build/outputs/a"
    assert canonical("knowledge/outputs/a") == alias("knowledge/outputs/a") == "knowledge/outputs/a"
    assert tops(("build",)) == (
        "knowledge",
        "stages/build/artifacts",
        "stages/build/outputs",
        "stages/build/knowledge",
        "stages/build/discovery",
    )


def test_names_that_only_look_like_those_of_editors_are_kept() -> None:
    assert [name for name in ("shop", "photo", "a3", ".env", ".gitignore") if ignored_name(name)] == [".gitignore"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (b"plain", "plain"),
        ("caf\u00e9".encode(), "caf\u00e9"),
        (b"caf\xe9", "caf\\xe9"),
        (b"a\\xff", "a\\x5cxff"),
        (b"a\\b", "a\\b"),
        (b"\\\xff", "\\\\xff"),
        ("caf\udce9", "caf\\xe9"),
    ],
)
def test_names_that_are_no_text(name: bytes | str, text: str) -> None:
    assert spelled(name) == text


@given(st.binary(max_size=30))
def test_a_spelled_name_leads_back(name: bytes) -> None:
    text = spelled(name)
    text.encode()
    assert unspelled(text).encode("utf-8", "surrogateescape") == name
    assert spelled(unspelled(text)) == text


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("knowledge/a.md", "knowledge/a.md"),
        ("./knowledge//a.md", "knowledge/a.md"),
        ("knowledge/intent.md", "knowledge/intent.md"),
        ("stages/build/outputs/a", "stages/build/artifacts/a"),
        ("stages/build/discovery/caf\\xe9", "stages/build/discovery/caf\\xe9"),
        ("/etc/passwd", Reason(reason="path_escape")),
        ("~/a", Reason(reason="path_escape")),
        ("knowledge/../../a", Reason(reason="path_escape")),
        ("knowledge/a\0b", Reason(reason="path_escape")),
        ("knowledge/a\nb", Reason(reason="path_escape")),
        ("", Reason(reason="path_escape")),
        ("./.", Reason(reason="path_escape")),
        ("knowledge/" + "a" * 256, Reason(reason="path_escape")),
        ("knowledge/" + "a/" * 600 + "b", Reason(reason="path_escape")),
        ("intent.md", Reason(reason="deny_list_match", deny_rule="intent.md")),
        ("Intent.MD", Reason(reason="deny_list_match", deny_rule="intent.md")),
        ("drift-markers.json", Reason(reason="deny_list_match", deny_rule="drift-markers.json")),
        ("write-audit.jsonl", Reason(reason="deny_list_match", deny_rule="write-audit.jsonl")),
        ("action-log.jsonl", Reason(reason="deny_list_match", deny_rule="action-log.jsonl")),
        ("stages/build/state.json", Reason(reason="deny_list_match", deny_rule="state.json")),
        ("stages/build/units/unit-01-a.md", Reason(reason="deny_list_match", deny_rule="units/*.md")),
        ("stages/gone/baseline.json", Reason(reason="deny_list_match", deny_rule="baseline.json")),
        ("stages/build/drift-assessments/x/y", Reason(reason="deny_list_match", deny_rule="drift-assessments/**")),
        ("knowledge/.GIT/hooks/a", Reason(reason="deny_list_match", deny_rule=".git*")),
        ("knowledge/.ds_store", Reason(reason="deny_list_match", deny_rule=".DS_Store")),
        ("stages/gone/knowledge/a", Reason(reason="invalid_stage")),
        ("src/a.py", Reason(reason="no_allow_match")),
        ("knowledge", Reason(reason="no_allow_match")),
        ("knowledge/sub/", Reason(reason="no_allow_match")),
        ("stages/build/artifacts", Reason(reason="no_allow_match")),
        ("stages/build/features/a", Reason(reason="no_allow_match")),
    ],
)
def test_where_a_person_may_have_something_written(path: str, found: str | Reason) -> None:
    """What denies goes before what allows."""
    assert write_place(path, STAGES) == found


@given(st.text(max_size=60))
def test_whatever_may_be_written_is_watched(path: str) -> None:
    found = write_place(f"stages/build/{path}", STAGES)
    assert isinstance(found, Reason) or tracked(unspelled(found), STAGES) is not None
