"""What a project's file for agents forbids, and what it only tells."""

from __future__ import annotations

import pytest

from leeboard.speech.limits.written import LONGEST, MOST, project_limits

GUIDE = """# Guide for agents

Read the README first.

## Rules
- Do NOT modify `docs/state.md`
- Do not edit files under `vendor/`.
- Don't use npm; use pnpm.
- Never run `prisma migrate reset`.

Don't:
- edit .github/workflows/
"""


def test_each_limit_has_the_line_it_stands_on() -> None:
    assert [(one.text, one.source) for one in project_limits(GUIDE, "AGENTS.md")] == [
        ("DO NOT modify `docs/state.md`", "AGENTS.md:6"),
        ("DO NOT edit files under `vendor/`", "AGENTS.md:7"),
        ("DO NOT use npm", "AGENTS.md:8"),
        ("DO NOT run `prisma migrate reset`", "AGENTS.md:9"),
        ("DO NOT edit .github/workflows/", "AGENTS.md:12"),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "NEVER create files unless they're absolutely necessary for achieving your goal.",
        "NEVER proactively create documentation files (*.md) or README files.",
        "Never edit `lib/generated/` directly.",
        "Do not commit unless asked.",
        "Do **not** run commands, tests, or network calls.",
        "Treat this repo as read-only; do not modify files.",
        "Don't run the tests, CI does.",
        "When asked to fix tests: only change tests, not the code they're testing.",
        "Only edit src/ in feature branches.",
        "Never commit secrets.",
        "Append only: never edit a migration that has shipped.",
        "The generator does not touch `src/a.py`.",
        'Do NOT touch the "Known Failures" section',
    ],
)
def test_what_depends_or_only_tells_is_left_out(line: str) -> None:
    assert project_limits(f"# Guide\n\n- {line}\n\n{line}\n", "CLAUDE.md") == ()


@pytest.mark.parametrize(
    "block", ["    do not edit src/a.py", "```\ndo not edit src/a.py\n```", "<!-- do not edit src/a.py -->"]
)
def test_what_is_shown_forbids_nothing(block: str) -> None:
    assert project_limits(f"# Guide\n\n{block}\n", "CLAUDE.md") == ()


def test_no_more_is_taken_than_has_room() -> None:
    many = "\n".join(f"- Do not edit src/file_{number}.py" for number in range(50))
    assert len(project_limits(many, "AGENTS.md")) == MOST
    assert project_limits("x\n" * LONGEST + "- Do not edit src/a.py", "AGENTS.md") == ()


@pytest.mark.parametrize(
    ("line", "taken"),
    [
        ("Do not push. NEVER push to the remote without explicit user command.", ("DO NOT push",)),
        ("Do not push. Only push when asked.", ()),
        ("Do not edit `src/a.py`. Unless told, leave it.", ()),
        ("Never push if the tests fail.", ()),
    ],
)
def test_a_condition_counts_for_its_own_sentence_and_the_one_it_is_about(line: str, taken: tuple[str, ...]) -> None:
    assert tuple(one.text for one in project_limits(f"# Guide\n\n- {line}\n", "CLAUDE.md")) == taken
