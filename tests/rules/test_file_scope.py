"""A change outside of what the contract lets the work touch: the edges."""

from __future__ import annotations

import pytest

from leeboard.model.contract import Contract, Mode
from leeboard.model.touch import FileChange, TreeChange
from leeboard.model.verdict import Finding
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import play
from tests.tree_rules import ROOT, changed, found, held, tree_event


def outside(*paths: str, touch: tuple[str, ...] = ("src/**",), mode: Mode = "core") -> list[Finding]:
    contract = Contract(touch=touch, mode=mode, source="task")
    return found("file_scope", held(contract), tree_event(changed(*paths)), {}, {})


def test_names_what_lies_outside_and_nothing_else() -> None:
    """SP-01, SP-14."""
    assert [one.subject for one in outside("src/a.py", "docs/a.md", "src/b/c.py", "a.md")] == ["a.md", "docs/a.md"]


@pytest.mark.parametrize(
    ("touch", "path", "inside"),
    [
        (("src/**",), "src/a/b.py", True),
        (("src/",), "src/a/b.py", True),
        (("src",), "src/a/b.py", True),
        (("./src/**",), "src/a.py", True),
        (("*.md",), "README.md", True),
        (("*.md",), "docs/README.md", False),
        (("**/*.md",), "docs/deep/README.md", True),
        (("src/**", "!src/gen/**"), "src/gen/x.py", False),
        (("src/*",), "src/a/b.py", False),
        (("src/*",), "src/.env", True),
        (("src/[id]/**",), "src/[id]/page.tsx", True),
        (("src/{a,b}/**",), "src/a/x.py", False),
        (("Src/**",), "src/a.py", False),
    ],
)
def test_globs(touch: tuple[str, ...], path: str, *, inside: bool) -> None:
    assert bool(outside(path, touch=touch)) != inside


@pytest.mark.parametrize(("mode", "count"), [("core", 1), ("harden", 1), ("perf", 1), ("explore", 0)])
def test_every_mode_but_explore_is_judged(mode: Mode, count: int) -> None:
    assert len(outside("docs/a.md", mode=mode)) == count


def test_a_moved_file_counts_with_both_names() -> None:
    moved = TreeChange(root=ROOT, files=(FileChange(path="src/b.py", old_path="lib/a.py", kind="renamed"),))
    findings = found("file_scope", held(Contract(touch=("src/**",))), tree_event(moved), {}, {})
    assert [one.subject for one in findings] == ["lib/a.py"]


@pytest.mark.parametrize(
    ("paths", "severity"),
    [
        (("a", "b", "src/c"), "warn"),
        (("a", "b", "c", "src/d", "src/e", "src/f"), "warn"),
        (("a", "b", "c", "src/d", "src/e"), "error"),
    ],
)
def test_more_than_half_of_three_or_more_is_an_error(paths: tuple[str, ...], severity: str) -> None:
    assert {one.severity for one in outside(*paths)} == {severity}


def test_what_was_asked_for_is_named_and_no_drift() -> None:
    event = tree_event(changed("docs/a.md", "lib/b.py"), directed=("docs/**",), shared=("lib/b.py",))
    findings = found("file_scope", held(Contract(touch=("src/**",))), event, {}, {})
    assert [(one.severity, one.message.rpartition(": ")[2]) for one in findings] == [
        ("info", "user-directed."),
        ("info", "another task in progress may touch it."),
    ]


def test_the_stores_of_tasks_are_no_work() -> None:
    """SP-23."""
    assert not outside(".workgraph/graph.jsonl", ".wg/x", ".leeboard/graph.jsonl", ".git/config")


def test_session_and_tree_give_one_fingerprint() -> None:
    lines = ('contract touch = ["src/**"]', "repo docs/a.md | old", "@ fix it")
    store = MemoryStore()
    told = play((*lines, "write docs/a.md | new", "check"), store=store).told
    seen = [store.findings(one.verdict.id) for one in told if one.verdict is not None]
    prints = [{f.fingerprint for f in findings if f.rule == "file_scope"} for findings in seen]
    assert [one for one in prints if one] == [{"file_scope:docs/a.md"}, {"file_scope:docs/a.md"}]
