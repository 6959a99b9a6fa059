from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from leeboard.clients.tool_calls import ToolPatch, find_shell_patch, parse_patch
from leeboard.model.event import TextEdit

ONE = "*** Begin Patch\n*** Add File: a.txt\n+one\n*** End Patch"


def test_context_lines_belong_to_no_edit() -> None:
    patch = parse_patch("*** Begin Patch\n*** Update File: a\n@@\n kept\n-out\n+in\n kept too\n*** End of File\n")
    assert patch == ToolPatch(("a",), (TextEdit("out", "in"),))


def test_a_patch_without_an_end_is_read_as_far_as_it_goes() -> None:
    assert parse_patch("*** Begin Patch\n*** Update File: a\n-x") == ToolPatch(("a",), (TextEdit("x", ""),))


def test_the_folder_of_a_leading_cd_is_put_before_the_paths() -> None:
    found = find_shell_patch(f"cd pkg/sub && apply_patch <<'EOF'\n{ONE}\nEOF")
    assert found is not None
    assert found.alone
    assert found.patch.paths == ("pkg/sub/a.txt",)


def test_what_stands_before_or_after_makes_it_not_alone() -> None:
    for line in (
        f"rm x; apply_patch <<E\n{ONE}\nE",
        f"apply_patch <<E\n{ONE}\nE\nrm x",
        f"apply_patch '{ONE}' && rm x",
    ):
        found = find_shell_patch(line)
        assert found is not None
        assert not found.alone, line


def test_text_about_a_patch_is_none() -> None:
    assert find_shell_patch(f"cat > p.txt <<E\n{ONE}\nE") is None
    assert find_shell_patch("apply_patch --help") is None


@given(st.text(alphabet="*+-@ \nabEFileUpdate:<'&", max_size=300))
def test_nothing_raises(text: str) -> None:
    parse_patch(text)
    find_shell_patch(f"apply_patch <<E\n*** Begin Patch{text}")
