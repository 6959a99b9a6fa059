from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leeboard.errors import ConfigError
from leeboard.model.policy import Policy
from leeboard.settings.settings import Settings
from leeboard.settings.toml import merge_environment, parse, parse_tolerantly
from tests.call_count import calls

WHOLE = """\
profile = "enforce"
idle_minutes = 90

[rules.scope_drift]
enabled = false

[rules.circling]
enabled = true

[rules.tangent]

[goal]
scope = ["src/**", "tests/**"]
constraints = ["do not touch migrations"]

[truth]
track = ["docs/requirements/**", "!docs/requirements/drafts/"]
"""


def test_whole_file() -> None:
    assert parse(WHOLE, "leeboard.toml") == Settings(
        policy=Policy(profile="enforce", idle_seconds=5_400, disabled_rules=("scope_drift",)),
        scope=("src/**", "tests/**"),
        constraints=("do not touch migrations",),
        track=("docs/requirements/**", "!docs/requirements/drafts/"),
        said=(
            "profile",
            "idle_minutes",
            "rules.scope_drift",
            "rules.circling",
            "goal.scope",
            "goal.constraints",
            "truth.track",
        ),
    )


@pytest.mark.parametrize("text", ["", "# nothing\n", "[rules]\n[goal]\n", "\ufeff"])
def test_what_is_not_said_has_its_default(text: str) -> None:
    assert parse(text, "leeboard.toml") == Settings()
    assert Settings().policy == Policy()
    assert Settings().enabled


def test_table_of_a_pyproject() -> None:
    text = '[project]\nname = "x"\nprofile = 3\n\n[tool.leeboard]\nprofile = "observe"\n[tool.leeboard.goal]\nscope = ["a"]\n'
    settings = parse(text, "/repo/pyproject.toml")
    assert (settings.policy.profile, settings.scope) == ("observe", ("a",))
    assert parse('[project]\nname = "x"\n[tool.other]\n', r"C:\repo\pyproject.toml") == Settings()


@pytest.mark.parametrize(("minutes", "seconds"), [("0.5", 30), ("1", 60), ("1_440", 86_400)])
def test_idle_minutes_may_be_a_fraction(minutes: str, seconds: int) -> None:
    assert parse(f"idle_minutes = {minutes}", "leeboard.toml").policy.idle_seconds == seconds


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('\nprofle = "observe"', "f.toml:2: profle is not a setting; did you mean profile?"),
        ("zzz = 1", "f.toml:1: zzz is not a setting; valid are profile, idle_minutes, rules, goal"),
        ('profile = "enforced"', "f.toml:1: profile is 'enforced'; did you mean enforce?"),
        ("profile = true", "f.toml:1: profile is true; valid are observe, advise, enforce"),
        ('idle_minutes = "5"', "f.toml:1: idle_minutes must be a number of minutes above zero, not '5'"),
        ("idle_minutes = true", "f.toml:1: idle_minutes must be a number of minutes above zero, not true"),
        ("idle_minutes = 0", "not 0"),
        ("idle_minutes = -3", "not -3"),
        ("idle_minutes = inf", "not inf"),
        ("idle_minutes = nan", "not nan"),
        ("idle_minutes = 1e300", "not 1e+300"),
        ("rules = 3", "f.toml:1: rules must be a table, not 3"),
        ("[rules]\n\ntangent = false", "f.toml:3: rules.tangent must be a table, not false"),
        ('[rules.tangent]\nenabled = "no"', "f.toml:2: rules.tangent.enabled must be true or false, not 'no'"),
        ('[rules."tangent"]\nenabled = 0', "f.toml:2: rules.tangent.enabled must be true or false, not 0"),
        ("rules.tangent.enabled = 1", "f.toml:1: rules.tangent.enabled must be true or false, not 1"),
        ("[rules.circlin]\nenabled = false", "f.toml:1: rules.circlin is not a rule; did you mean circling?"),
        ("[rules]\nzzz.enabled = false", "f.toml:2: rules.zzz is not a rule; `leeboard rules` lists them"),
        (
            "[rules.circling]\nenabled = true\nenabld = false",
            "f.toml:3: rules.circling.enabld is not a setting; did you mean enabled?",
        ),
        ("[rules.circling]\nzzz = 1", "f.toml:2: rules.circling.zzz is not a setting; valid are enabled"),
        ("rules = { tangent = { enabled = 1 } }", "f.toml:1: rules.tangent.enabled must be true or false, not 1"),
        ("[[goal]]\nscope = []", "f.toml:1: goal must be a table, not a list"),
        ("[goal]\nscopes = []", "f.toml:2: goal.scopes is not a setting; did you mean scope?"),
        ('[goal]\nscope = "src/**"', "f.toml:2: goal.scope must be a list of texts, not 'src/**'"),
        ("[goal]\nscope = [1]", "f.toml:2: goal.scope must be a list of texts; 1 is none"),
        ('[goal]\nconstraints = [""]', "f.toml:2: goal.constraints must be a list of texts; '' is none"),
        ("[truth]\ntracks = []", "f.toml:2: truth.tracks is not a setting; did you mean track?"),
        ('[truth]\ntrack = "docs/**"', "f.toml:2: truth.track must be a list of texts, not 'docs/**'"),
        ('[truth]\ntrack = ["/etc/**"]', "f.toml:2: truth.track must stay inside of the project; '/etc/**' does not"),
        ("[protect]\nglobs = []", "f.toml:2: protect.globs is not a setting; valid are files"),
        (
            '[protect]\nfiles = ["/etc/**"]',
            "f.toml:2: protect.files must stay inside of the project; '/etc/**' does not",
        ),
        ('[truth]\ntrack = ["a/../../b"]', "f.toml:2: truth.track must stay inside of the project"),
        ("[goal]\nconstraints = [{}]", "f.toml:2: goal.constraints must be a list of texts; a table is none"),
        ("a = 1\nb =", "f.toml: not valid TOML: Invalid value (at end of document)"),
        ("\x00", "f.toml: not valid TOML"),
        ("profile = " + "[" * 20_000, "f.toml: not valid TOML"),
    ],
)
def test_error_names_file_line_key_and_the_way_out(text: str, words: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(words)):
        parse(text, "f.toml")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[tool.leeboard]\nprofil = 1", "pyproject.toml:2: profil is not a setting; did you mean profile?"),
        ("[tool]\nleeboard = 1", "pyproject.toml:2: tool.leeboard must be a table, not 1"),
        ("tool = 1", "pyproject.toml:1: tool must be a table, not 1"),
        ("profil = 1\n[tool.leeboard.goal]\nscop = 1", "pyproject.toml:3: goal.scop is not a setting"),
    ],
)
def test_error_in_a_pyproject(text: str, words: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(words)):
        parse(text, "pyproject.toml")


@settings(deadline=None)
@given(st.text(max_size=60) | st.text("[]{}=.\"'ab \n#1,rulesgoaltru", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    for path in ("leeboard.toml", "pyproject.toml"):
        try:
            told = str(parse(text, path))
        except ConfigError as error:
            told = str(error)
        assert path in told or told.startswith("Settings(")


@pytest.mark.parametrize(
    "slip",
    [
        'profle = "observe"',
        "idle_minutes = 0",
        "idle_minutes = 6O",
        "idle_minutes =",
        "rules = 3",
        "[goal]\nscop = []",
        "[goal]\nscope = [1]",
        "[goal\nscope = []",
        '[goal]\nscope = ["src/**"',
        "[rules]\ntangent = false",
        "[rules.tangnt]\nenabled = false",
        "[rules.tangent]\nenabld = false",
    ],
)
def test_one_slip_does_not_undo_the_rest(slip: str) -> None:
    found, problems = parse_tolerantly(f'profile = "enforce"\n{slip}\n', "f.toml")
    assert found.policy == Policy(profile="enforce")
    assert len(problems) == 1
    assert problems[0].startswith("f.toml")


def test_what_follows_a_slip_holds() -> None:
    text = 'idle_minutes = 6O\nprofile = "enforce"\n[goal]\nscope = ["src/**", 1]\n[rules.tangent]\nenabled = false\n'
    found, problems = parse_tolerantly(text, "f.toml")
    assert found.policy == Policy(profile="enforce", disabled_rules=("tangent",))
    assert found.scope == ("src/**",)
    assert len(problems) == 2


def test_a_broken_header_gives_its_keys_to_no_other_table() -> None:
    text = 'profile = "enforce"\n[rules.tangent]\n[rules.circling\nenabled = false\n'
    assert parse_tolerantly(text, "f.toml")[0].policy == Policy(profile="enforce")


@settings(deadline=None)
@given(st.text(max_size=60) | st.text("[]{}=.\"'ab \n\r#1,rulesgoaltru", max_size=60))
def test_any_text_is_read_tolerantly(text: str) -> None:
    for path in ("leeboard.toml", "pyproject.toml"):
        found, problems = parse_tolerantly(text, path)
        assert problems or found == parse(text, path)


def test_environment_says_the_last_word() -> None:
    settings = parse(WHOLE, "leeboard.toml")
    merged = merge_environment(settings, {"LEEBOARD_PROFILE": "observe", "PROFILE": "enforce"})
    assert merged.policy == Policy(profile="observe", idle_seconds=5_400, disabled_rules=("scope_drift",))
    assert (merged.enabled, merged.scope) == (True, settings.scope)


@pytest.mark.parametrize(
    ("word", "enabled"), [("1", False), ("true", False), (" ON ", False), ("0", True), ("", True), ("no", True)]
)
def test_off_switch(word: str, enabled: bool) -> None:  # noqa: FBT001 - a parameter of the test
    assert merge_environment(Settings(), {"LEEBOARD_OFF": word}).enabled is enabled


def test_empty_environment_changes_nothing() -> None:
    settings = parse(WHOLE, "leeboard.toml")
    assert merge_environment(settings, {}) == merge_environment(settings, {"LEEBOARD_PROFILE": ""}) == settings


@pytest.mark.parametrize(
    ("env", "words"),
    [
        ({"LEEBOARD_PROFILE": "advice"}, "LEEBOARD_PROFILE is 'advice'; did you mean advise?"),
        ({"LEEBOARD_OFF": "perhaps"}, "LEEBOARD_OFF is 'perhaps'; 1 switches Leeboard off"),
    ],
)
def test_environment_that_says_nothing_known_is_refused(env: dict[str, str], words: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(words)):
        merge_environment(Settings(), env)


def test_interrupts_have_their_numbers() -> None:
    text = "[interrupts]\nbudget = 5\ncooldown_turns = 0\ngrace_turns = 1\nqueued = 2\n"
    policy = parse(text, "leeboard.toml").policy
    numbers = (policy.interrupt_budget, policy.cooldown_turns, policy.grace_turns, policy.queue_deliveries)
    assert numbers == (5, 0, 1, 2)


@pytest.mark.parametrize("value", ["-1", "true", "2.5", '"many"', "100000"])
def test_a_number_that_is_none_leaves_the_default(value: str) -> None:
    found, problems = parse_tolerantly(f"[interrupts]\nbudget = {value}\nqueued = 1\n", "leeboard.toml")
    assert (found.policy.interrupt_budget, found.policy.queue_deliveries) == (3, 1)
    assert problems[0].startswith("leeboard.toml:2: interrupts.budget must be a whole number")


def test_a_file_that_is_far_too_large_is_refused() -> None:
    found, problems = parse_tolerantly('profile = "enforce"\n' + "#" * 70_000, "leeboard.toml")
    assert found == Settings()
    assert problems == ("leeboard.toml: not read: it has 70,020 bytes, and settings have at most 65,536",)


def test_a_broken_one_just_below_still_gives_its_line() -> None:
    found, problems = parse_tolerantly('profile = "enforce"\nidle_minutes =\n' + "#" * 60_000, "leeboard.toml")
    assert found.policy == Policy(profile="enforce")
    assert len(problems) == 1
    assert problems[0].startswith("leeboard.toml: not valid TOML")
    assert "line 2" in problems[0]


@pytest.mark.parametrize("key", ["a." * 20_000, "[a" + ".a" * 20_000 + "]", "a" + " . a" * 10_000 + " = 1"])
def test_a_key_without_end_is_named_and_what_stands_before_holds(key: str) -> None:
    found, problems = parse_tolerantly(f'profile = "enforce"\n{key}\n', "leeboard.toml")
    assert found.policy == Policy(profile="enforce")
    assert problems == ("leeboard.toml: not valid TOML: a key of so many parts (at line 2)",)


def test_there_is_an_end_to_what_is_wrong() -> None:
    def read(count: int) -> tuple[str, ...]:
        return parse_tolerantly("".join(f"part{at} = 1\n" for at in range(count)), "leeboard.toml")[1]

    assert len(read(20)) == 20
    assert (len(read(1_000)), read(1_000)[-1]) == (21, "leeboard.toml: and more")
    assert calls(lambda: read(4_000)) <= 4.2 * calls(lambda: read(1_000))


def test_a_contract_for_the_work_tree() -> None:
    settings = parse('[contract]\nmode = "perf"\ntouch = ["src/**"]\nmax_files = 3\n', "leeboard.toml")
    assert settings.contract is not None
    contract = settings.contract.contract
    assert (contract.source, contract.mode, contract.touch, contract.max_files) == ("settings", "perf", ("src/**",), 3)
    assert settings.contract.table["max_files"] == 3
    assert parse("", "leeboard.toml").contract is None


def test_a_slip_in_the_contract_is_named_and_the_rest_holds() -> None:
    settings, problems = parse_tolerantly('[contract]\ntouch = ["src/**"]\nmode = "CORE"\n', "leeboard.toml")
    assert problems == (
        "leeboard.toml:3: contract.mode is 'CORE'; did you mean 'core'? Until then it is judged as 'core'",
    )
    assert settings.contract is not None
    assert settings.contract.contract.touch == ("src/**",)
    assert [problem.line for problem in settings.contract.problems] == [3]


def test_a_rule_is_named_by_its_code_too() -> None:
    settings = parse("[rules.LB-S004]\nenabled = false\n[rules.lb-s001]\nenabled = true\n", "leeboard.toml")
    assert settings.policy.disabled_rules == ("circling",)
    assert settings.said == ("rules.circling", "rules.scope_drift")
