from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from leeboard.model.event import PromptGiven
from leeboard.model.known import Known
from leeboard.truth.attached import MOST_FILES, MOST_LINES, attached, mentioned
from leeboard.truth.change import changed_file
from tests.known_world import BEGAN, KEY, ROOT, HeldDisk, HeldKnowledge, world_of

TEXT = "".join(f"line {number}\n" for number in range(1, 31))


def shown(knowledge: HeldKnowledge, prompt: str, cwd: str = ROOT) -> dict[str, Known]:
    event = PromptGiven(session="s", text=prompt, cwd=cwd, time=BEGAN)
    rows = attached(world_of(event), knowledge)
    knowledge.keep(rows)
    return {row.path: row for row in rows}


def with_files(**files: str) -> HeldKnowledge:
    return HeldKnowledge(HeldDisk({name: (text, BEGAN - 9) for name, text in files.items()}))


@pytest.mark.parametrize(
    ("prompt", "seen"),
    [
        ("@src/app.py", (1, 30)),
        ("look at @src/app.py, please", (1, 30)),
        ("is it in @src/app.py?", (1, 30)),
        ("@./src/../src/app.py", (1, 30)),
        (f"@{ROOT}/src/app.py", (1, 30)),
        ('fix @"src/app.py" now', (1, 30)),
        ("first\n@src/app.py\nthen", (1, 30)),
        ("@src/app.py#L10-20", (10, 20)),
        ("@src/app.py#L10-L20.", (10, 20)),
        ('@"src/app.py#L10-20"', (10, 20)),
        ("@src/app.py#L7", (7, 7)),
        ("@src/app.py#L25-99", (25, 30)),
        ("@src/app.py#heading", (1, 30)),
    ],
)
def test_what_is_attached_is_known_as_read(prompt: str, seen: tuple[int, int]) -> None:
    rows = shown(with_files(**{"src/app.py": TEXT}), prompt)
    assert {path: row.seen for path, row in rows.items()} == {"src/app.py": (seen,)}
    assert not rows["src/app.py"].wrote


@pytest.mark.parametrize(
    "prompt",
    [
        "kim@src/app.py",
        "mail kim@app.py or x@y.org",
        "@app.route('/') goes where?",
        "npm i @types/node",
        "src/app.py",
        "(@src/app.py)",
        "@ src/app.py",
        '@"src/app.py',
        "@../src/app.py",
        "@~/src/app.py",
        "@/etc/passwd",
        "@src",
        "@.",
        "@src/app.py#L99",
        "@",
        "@@src/app.py",
    ],
)
def test_other_words_with_the_sign_are_none(prompt: str) -> None:
    assert shown(with_files(**{"src/app.py": TEXT, "route": TEXT}), prompt) == {}


def test_it_is_relative_to_where_the_agent_is() -> None:
    knowledge = with_files(**{"src/app.py": TEXT, "src/my notes.md": TEXT})
    assert set(shown(knowledge, '@app.py @"my notes.md" @../src/app.py', f"{ROOT}/src")) == {
        "src/app.py",
        "src/my notes.md",
    }


def test_parts_of_one_file_are_joined_with_what_was_known() -> None:
    knowledge = with_files(**{"a.py": TEXT})
    assert shown(knowledge, "@a.py#L1-3 and @a.py#L9-10")["a.py"].seen == ((1, 3), (9, 10))
    assert shown(knowledge, "@a.py#L4-8")["a.py"].seen == ((1, 10),)


def test_a_change_that_was_not_in_the_part_stays_news() -> None:
    knowledge = with_files(**{"a.py": TEXT})
    shown(knowledge, "@a.py")
    knowledge.disk.files["a.py"] = (TEXT.replace("line 20\n", "new\n"), BEGAN + 9)
    assert shown(knowledge, "@a.py#L1-3") == {}
    known = knowledge.known("", "a.py")
    assert known is not None
    assert changed_file(known, knowledge, KEY) is not None
    assert shown(knowledge, "@a.py#L18-22")["a.py"].seen == ((1, 30),)


def test_what_the_agent_wrote_stays_its_own_while_it_is_the_same() -> None:
    knowledge = with_files(**{"a.py": TEXT})
    row = shown(knowledge, "@a.py")["a.py"]
    knowledge.keep((replace(row, wrote=True),))
    assert shown(knowledge, "@a.py")["a.py"].wrote
    knowledge.disk.files["a.py"] = ("new\n", BEGAN + 9)
    assert not shown(knowledge, "@a.py")["a.py"].wrote


def test_an_empty_file_is_known_and_a_long_one_as_far_as_it_is_shown() -> None:
    knowledge = with_files(**{"empty.py": "", "long.py": "x\n" * (MOST_LINES + 9)})
    rows = shown(knowledge, "@empty.py @long.py")
    assert rows["empty.py"].is_whole
    assert rows["long.py"].seen == ((1, MOST_LINES),)


def test_there_is_an_end_to_how_many() -> None:
    knowledge = with_files(**{f"m{number}.py": "x\n" for number in range(MOST_FILES + 9)})
    prompt = "@nothing.py " * 99 + " ".join(f"@m{number}.py" for number in range(MOST_FILES + 9))
    assert len(shown(knowledge, prompt)) == MOST_FILES


def test_what_is_told_late_shows_nothing() -> None:
    event = PromptGiven(session="s", text="@a.py", cwd=ROOT, time=BEGAN, source="transcript")
    assert attached(world_of(event), with_files(**{"a.py": TEXT})) == ()
    heard = replace(world_of(replace(event, source="hook")), secret_key=b"")
    assert attached(heard, with_files(**{"a.py": TEXT})) == ()


@given(st.text(alphabet='@"#L-1 \nab./', max_size=60))
def test_any_prompt_can_be_given(prompt: str) -> None:
    for path, (first, last) in mentioned(prompt):
        assert f"@{path}" in prompt or f'@"{path}' in prompt
        assert (first, last) == (0, 0) or f"#L{first}" in prompt


@pytest.mark.parametrize("hostile", ["@", " @", ' @"', " @a#", "@!", ' @"a'])
def test_it_takes_time_with_the_length(hostile: str) -> None:
    assert all(path for path, _ in mentioned(hostile * 50_000)) in {True, False}
