"""The engine of the classes A to D as a whole: what it remembers, in which order it works, what it ends in."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

from leeboard.io.places import database
from leeboard.judge.urgency import by_threshold
from leeboard.model.event import ContextCompacted, MessageSaid, SessionEnded, Stopped, ToolFinished
from leeboard.model.ledger import Entry, Kind
from leeboard.model.lookup import Registry
from leeboard.model.outcome import Judged
from leeboard.model.touch import Diffs
from leeboard.model.verdict import Action, Evidence, Finding, Signal
from leeboard.model.world import World
from leeboard.report.detections import detections_of, markdown_of
from leeboard.rule import LoadedRule, Rule, Sample, discover, read_rule
from leeboard.speech.red_flags import red_flags
from leeboard.store.memory import MemoryStore
from leeboard.store.sqlite import open_store
from leeboard.surfaces.cli.session import report
from leeboard.testing.scenario import Played, play, tell
from leeboard.testing.scenario_lines import ROOT, SESSION, events_of
from tests.leak import live_key

RULES = discover()
SIGNALLING = [rule for rule in RULES if rule.channel == "signal"]

SLUGIFY = """def slugify(title, limit=60):
    plain = unicodedata.normalize('NFKD', title).encode('ascii', 'ignore').decode()
    words = re.findall(r'[a-z0-9]+', plain.lower())
    slug = '-'.join(words)
    if len(slug) > limit:
        slug = slug[:limit].rsplit('-', 1)[0]
    return slug or 'untitled'
"""
VERIFY = """def verify_jwt(token, key):
    header, body, sign = token.split('.')
    expected = hmac_sign(header + body, key)
    if expected != sign:
        raise InvalidToken('signature')
    claims = json.loads(decode(body))
    if claims['exp'] < now():
        raise InvalidToken('expired')
    return claims
"""
CHECK = (
    VERIFY.replace("verify_jwt", "check_session")
    .replace("token", "value")
    .replace("claims", "found")
    .replace("body", "middle")
    .replace("expected", "wanted")
)
ORM = tuple(f"repo shop/p{number}.py | from sqlalchemy.orm import Session" for number in range(48))
"""One way to the database in all files: a second one is a full contradiction, 5 x 0.8 = 4.0 once it is written."""
START = ("@ add the monthly totals", "read a.py", "read b.py", "read c.py")
NEXT = "read d.py"


def second_orm(name: str) -> str:
    return f"write shop/{name}.py | from peewee import Model"


class Run:
    """A session that was played, with all that was kept of it."""

    def __init__(self, *lines: str, rules: tuple[LoadedRule, ...] = RULES) -> None:
        self.store = MemoryStore()
        self.played: Played = play(lines, store=self.store, rules=rules)

    def kept(self, kind: Kind) -> list[Entry]:
        return list(self.store.newest(SESSION, kind, 99))[::-1]

    def judged(self, *states: str) -> list[Judged]:
        return [one for one in self.store.signals(SESSION) if not states or one.state in states]

    def found(self) -> list[Finding]:
        verdicts = [told.verdict.id for told in self.played.told if told.verdict]
        return [finding for one in dict.fromkeys(verdicts) for finding in self.store.findings(one)]

    def spoken(self) -> list[int]:
        return [verdict.turn for verdict in self.played.spoken() if " urgency=" in verdict.message]


# Session state


def test_a_session_opens_with_three_interrupts_and_nothing_on_record() -> None:
    """SW-03, SW-143."""
    session = Run("@ add the monthly totals").played.session
    assert (session.turns, session.interrupt_budget, session.fired, session.logged) == (0, 3, 0, 0)


def test_nothing_is_forgotten_at_a_compaction() -> None:
    """SW-01: turn 1 is known in turn 5, with a compaction in between."""
    lines = (
        "@ add slugs, and do not touch the tests",
        f"write text/slug.py | {SLUGIFY}",
        "~ I'll use REST instead of GraphQL. While I'm here, I'll clean up the mailer.",
        "grep slug -> text/slug.py:1",
        "read a.py",
    )
    events = events_of((*lines, "read b.py", "read c.py"))
    cut = len(events_of(lines))
    store = MemoryStore()
    for event in (*events[:cut], ContextCompacted(session=SESSION, cwd=ROOT), *events[cut:]):
        tell(event, store, rules=RULES)
    session = store.session(SESSION)
    assert session is not None
    assert (session.turns, session.logged > 0, session.seen != ()) == (5, True, True)
    assert session.contract.objective == "add slugs, and do not touch the tests"
    assert [constraint.text for constraint in session.contract.constraints] == ["DO NOT touch the tests"]
    kinds: tuple[Kind, ...] = ("built", "change", "decided", "flag", "fetched", "read")
    oldest = {kind: store.newest(SESSION, kind, 99)[-1].turn for kind in kinds}
    assert oldest == {"built": 1, "change": 1, "decided": 2, "flag": 2, "fetched": 2, "read": 3}


def test_a_turn_is_one_assistant_message_with_its_calls() -> None:
    """SW-02: the last message only says something, and then the agent stops."""
    lines = ("@ add slugs", "~ First a look.", "read a.py", "& read b.py", "& grep slug -> x", "write c.py | x = 1")
    assert Run(*lines).played.session.turns == 2
    assert Run(*lines, "@ go on", "read d.py", "stop").played.session.turns == 4


def test_what_fired_waits_and_was_logged_is_kept_with_class_urgency_and_turn() -> None:
    """SW-04, SW-05, SW-06, SW-144."""
    lines = (second_orm("one"), "grep e -> f", "grep e -> f", NEXT, f"write shop/slug.py | {CHECK}")
    run = Run(*ORM, f"repo auth/tokens.py | {VERIFY}", *START, *lines)

    def rows(state: str) -> list[tuple[str, str, int]]:
        return [(one.subclass, one.urgency, one.turn) for one in run.judged(state)]

    assert rows("fired") == [("A2", "4.0", 4)]
    assert run.judged("fired")[0].spoken_turn == 5
    assert ("A1", "2.7", 8) in rows("waiting")
    assert ("C1", "0.5", 6) in rows("logged")
    assert run.played.session.interrupt_budget == 2
    assert len(run.judged("logged")) == run.played.session.logged


def test_what_was_read_is_in_the_registry() -> None:
    """SW-07: with its turn and lines."""
    run = Run("@ look", "read src/a.py", "$ sed -n 3,9p src/b.py -> text")
    assert [(entry.key, entry.turn, entry.line, entry.amount) for entry in run.kept("read")] == [
        ("src/a.py", 1, 0, 0),
        ("src/b.py", 2, 3, 9),
    ]


def test_what_was_built_is_in_the_registry() -> None:
    """SW-08: with file, line, turn and fingerprint."""
    (entry,) = Run("@ add slugs", "read a.py", f"write text/slug.py | import re\n\n\n{SLUGIFY}").kept("built")
    assert (entry.key, entry.path, entry.line, entry.turn) == ("slugify", "text/slug.py", 4, 2)
    assert entry.data


def test_what_was_fetched_is_in_the_registry() -> None:
    """SW-09."""
    run = Run("@ look", "grep token -> src/a.py:1", "$ curl -s https://example.org/rates -> {}")
    assert [(entry.turn, entry.key) for entry in run.kept("fetched")] == [
        (1, "grep token"),
        (2, "https://example.org/rates"),
    ]


def test_what_was_decided_is_in_the_registry() -> None:
    """SW-10."""
    (entry,) = Run("@ add a cache", "~ We go with Redis for the cache.").kept("decided")
    assert (entry.text, entry.turn, "redis" in entry.key) == ("redis", 1, True)


def test_the_baseline_is_what_was_asked_first() -> None:
    """SW-11: the task and its limits, from the first prompts."""
    first = "add retries to src/http/client.py. Don't add dependencies."
    one = Run(f"@ {first}", NEXT).played.session
    assert (one.goals[0].text, one.contract.objective) == (first, first)
    assert [constraint.text for constraint in one.contract.constraints] == ["DO NOT add dependencies"]
    two = Run(f"@ {first}", NEXT, "@ Only change src/http/.", NEXT, NEXT).played.session
    assert two.goals[0].text == first
    assert [constraint.text for constraint in two.contract.constraints] == [
        "DO NOT add dependencies",
        "ONLY change src/http/",
    ]


# The five steps


def test_a_red_flag_is_kept_with_turn_phrase_and_sentence() -> None:
    """SW-12, SW-19."""
    text = "First the tests. For now, I'll hardcode the key. Then the rest."
    run = Run("@ add payments", "read a.py", f"~ {text}", "read b.py")
    assert [(entry.turn, entry.key, entry.text) for entry in run.kept("flag")] == [
        (2, "RF-B1", "For now, I'll hardcode the key.")
    ]


PHRASES = {
    "RF-A1": "I'll build the parser from scratch.",
    "RF-A2": "Let me create a new service for mails.",
    "RF-A3": "I don't see this functionality, so I'll add it.",
    "RF-A4": "I'll implement my own LRU cache.",
    "RF-B1": "For now, I'll hardcode the key.",
    "RF-B2": "The user sends the ID directly in the query.",
    "RF-B3": "MD5 should be fine for this.",
    "RF-B4": "I'll use exec() to run it.",
    "RF-C1": "Let me check that file again.",
    "RF-C2": "I need to search for the handler.",
    "RF-C3": "Let me reconsider the storage.",
    "RF-C4": "I think I already did this.",
    "RF-D1": "While I'm here, I'll clean up the imports.",
    "RF-D2": "I should also add a --json flag.",
    "RF-D3": "I'll also include support for YAML.",
    "RF-D4": "Let me explore how sessions work before I write anything.",
}


def test_there_are_sixteen_phrases_four_for_each_class() -> None:
    """SW-17."""
    assert [name[3] for name in PHRASES] == [letter for letter in "ABCD" for _ in range(4)]
    for name, text in PHRASES.items():
        assert name in {flag.id for flag in red_flags(text)}
    said = Run("@ go", *(f"~ {text}" for text in PHRASES.values())).kept("flag")
    assert {entry.key for entry in said} == set(PHRASES)


@pytest.mark.parametrize(
    "line",
    [
        "write a.py | # For now, I'll hardcode the key.\nX = 1",
        '$ echo "For now, I\'ll hardcode the key."',
        "$! pytest -> For now, I'll hardcode the key.",
        "~ It says:\n```\nFor now, I'll hardcode the key.\n```",
        "@ For now, I'll hardcode the key.",
    ],
)
def test_phrases_are_looked_for_in_plans_alone(line: str) -> None:
    """SW-18: not in code, shell lines, output or the user's words."""
    assert Run("@ add payments", line).kept("flag") == []


def test_one_chunk_brings_all_that_is_to_be_remembered() -> None:
    """SW-16: files read, functions and classes, fetches, decisions, all of one turn."""
    code = f"class Slugs:\n    pass\n\n\n{SLUGIFY}"
    said = "~ We go with Redis for the cache."
    run = Run("@ add slugs", said, "& read a.py", "& grep slug -> x", f"& write text/slug.py | {code}")
    assert [entry.key for entry in run.kept("read")] == ["a.py"]
    assert {entry.key for entry in run.kept("built")} == {"slugs", "slugify"}
    assert [entry.key for entry in run.kept("fetched")] == ["grep slug"]
    assert [entry.text for entry in run.kept("decided")] == ["redis"]
    everything = [entry for kind in ("read", "built", "fetched", "decided") for entry in run.kept(kind)]
    assert {entry.turn for entry in everything} == {1}


def probe(event: MessageSaid | ToolFinished, world: World, diffs: Diffs, registry: Registry) -> Iterator[Finding]:
    """A rule that tells what is known when it is asked."""
    seen = [
        entry
        for kind in ("built", "flag", "decided", "change")
        for entry in registry.newest(kind, 9)
        if entry.turn == world.agent.turn and entry.agent == event.agent
    ]
    if seen:
        told = ", ".join(f"{entry.kind} {entry.key}" for entry in seen)
        yield Finding(
            rule="probe",
            subject=f"turn {world.agent.turn}: {told}, {len(diffs)} diffs, {world.session.turns} turns",
            evidence=(Evidence(told),),
            signal=Signal(subclass="C3", rework_cost=1, self_correct_prob=0.5),
        )


MODULE = ModuleType("leeboard.rules.probe")
MODULE.__dict__.update(detect=probe, RULE=Rule(summary="x", channel="signal", subclass="C3"), FIRES=(), SILENT=())


def test_the_state_is_current_before_anything_is_scored() -> None:
    """SW-13: a rule sees what its own turn, and the very event, brought."""
    lines = ("@ add slugs", "read a.py", "~ For now, I'll hardcode it.", f"write text/slug.py | {SLUGIFY}")
    run = Run(*lines, rules=(read_rule(MODULE),))
    assert [one.subject for one in run.judged()] == [
        "turn 2: flag RF-B1, 0 diffs, 2 turns",
        "turn 2: built slugify, flag RF-B1, change text/slug.py, 1 diffs, 2 turns",
    ]


def test_five_steps_in_their_order() -> None:
    """SW-14, SW-22: segments, registry, flags, rules, urgency; each rests on what the one before it left."""
    text = "While I'm here, I'll clean up the mailer.\n```\nI'll also refactor the parser.\n```"
    run = Run("@ fix the auth bug", "read a.py", "read b.py", "read c.py", f"~ {text}")
    assert [entry.text for entry in run.kept("plan")] == ["While I'm here, I'll clean up the mailer."]
    assert [entry.key for entry in run.kept("flag")] == ["RF-D1"]
    (found,) = [finding for finding in run.found() if finding.signal]
    assert found.evidence[0].text.endswith(run.kept("flag")[0].text)
    (judged,) = run.judged()
    assert judged.trace == (*(item.text for item in found.evidence), "D1 PLAN: 2 x 0.4 = 0.8", "LOG")
    assert (judged.disposition, judged.state, run.spoken()) == ("LOG", "logged", [])


CHUNK = (
    f"write shop/more.py | import hashlib\n\n\n{CHECK}\n\n{SLUGIFY}\n\ndef login(password):\n"
    "    parser.add_argument('--colour')\n    return hashlib.md5(password).hexdigest()\n"
)
FOUR_CLASSES = (
    f"repo auth/tokens.py | {VERIFY}",
    "@ fix the totals in shop/report.py",
    f"write text/slug.py | {SLUGIFY}",
    "read a.py",
    "read b.py",
    "~ I'll also add a colour option.",
    CHUNK,
)


def test_four_classes_in_one_chunk_are_four_results() -> None:
    """SW-20, SW-158: in the order A to D, each on its own, none dropped."""
    run = Run(*FOUR_CLASSES)
    judged = [(one.subclass, one.disposition) for one in run.judged() if one.path == "shop/more.py"]
    assert judged == [("A1", "QUEUE"), ("B3", "QUEUE"), ("C2", "QUEUE"), ("D2", "QUEUE")]


def test_the_order_of_the_rules_changes_no_result() -> None:
    """SW-20: no rule hears of another."""
    forth, back = Run(*FOUR_CLASSES), Run(*FOUR_CLASSES, rules=RULES[::-1])
    assert forth.judged() == back.judged()
    alone = [one for rule in SIGNALLING for one in Run(*FOUR_CLASSES, rules=(rule,)).found()]
    together = [one for one in forth.found() if one.signal]
    assert {one.fingerprint: one.signal for one in alone} == {one.fingerprint: one.signal for one in together}


def test_the_same_session_gives_the_same_decisions() -> None:
    """Ids, traces and all."""
    one, other = (Run(*FOUR_CLASSES, NEXT, NEXT, NEXT) for _ in range(2))
    assert repr(one.judged()) == repr(other.judged())
    assert [verdict.message for verdict in one.played.spoken()] == [v.message for v in other.played.spoken()]


FIRING = [(rule, sample) for rule in SIGNALLING for sample in rule.fires]


@pytest.mark.parametrize(("rule", "sample"), FIRING, ids=[f"{rule.id}-{sample.name}" for rule, sample in FIRING])
def test_what_an_evaluation_yields(rule: LoadedRule, sample: Sample) -> None:
    """SW-21: signal, subclass, confidence, rework cost, probability; of every rule."""
    found = [finding for finding in Run(*sample.lines, rules=RULES).found() if finding.rule == rule.id]
    assert found
    for finding in found:
        signal = finding.signal
        assert isinstance(signal, Signal)
        assert signal.subclass == rule.traits.subclass
        assert isinstance(finding.confidence, float)
        assert isinstance(signal.rework_cost, int)
        assert isinstance(signal.self_correct_prob, float)
        assert 0 < finding.confidence <= 1
        assert 1 <= signal.rework_cost <= 5
        assert 0 < signal.self_correct_prob <= 1


@pytest.mark.parametrize(("rule", "sample"), FIRING, ids=[f"{rule.id}-{sample.name}" for rule, sample in FIRING])
def test_every_signal_ends_in_one_of_three(rule: LoadedRule, sample: Sample) -> None:
    """SW-22: the trace holds the product, then what it came to."""
    for judged in Run(*sample.lines, rules=RULES).judged():
        assert judged.disposition in {"FIRE", "QUEUE", "LOG"}
        assert any(line.startswith(f"{judged.subclass} ") and " x " in line for line in judged.trace), rule.id
        if not judged.urgency.endswith("-ESCALATE") and not judged.note and "fires" not in str(judged.trace):
            assert by_threshold(float(judged.urgency)) == judged.disposition


# Dispatch, with the rules as they are


def test_the_fourth_interrupt_is_queued_with_the_note() -> None:
    """SW-134, SW-145, SW-147: and the fifth of the same message, with the count."""
    lines = [line for number in range(3) for line in (second_orm(f"t{number}"), NEXT, NEXT, NEXT)]
    run = Run(*ORM, *START, *lines, second_orm("t3"), f"& {second_orm('t4')}")
    assert (run.played.session.interrupt_budget, len(run.judged("fired"))) == (0, 3)
    waiting = run.judged("waiting")
    assert [(one.urgency, one.disposition) for one in waiting] == [("4.0", "QUEUE")] * 2
    assert [one.note for one in waiting] == [
        "Budget exhausted — 1 signals queued",
        "Budget exhausted — 2 signals queued",
    ]


def test_at_budget_zero_a_secret_still_fires() -> None:
    """SW-51, SW-137, SW-146: without the formula and without waiting."""
    lines = [line for number in range(3) for line in (second_orm(f"t{number}"), NEXT, NEXT, NEXT)]
    secrets = [f'write src/pay{number}.py | api_key = "{live_key(number)}"' for number in range(2)]
    run = Run(*ORM, *START, *lines, *secrets)
    assert run.played.session.interrupt_budget == -2
    assert [one.urgency for one in run.judged("fired")] == ["4.0"] * 3 + ["B1-ESCALATE"] * 2
    assert [verdict.action for verdict in run.played.spoken()][-2:] == [Action.DENY, Action.DENY]


def test_of_two_classes_in_one_turn_the_highest_fires_and_the_other_waits() -> None:
    """SW-158."""
    both = f"write shop/more.py | import hashlib\nfrom peewee import Model\n\n\ndef login(password):\n    {'return hashlib.md5(password)'}\n"
    run = Run(*ORM, *START, both, NEXT)
    assert [(one.subclass, one.urgency) for one in run.judged("fired")] == [("A2", "4.0")]
    assert [(one.subclass, one.urgency) for one in run.judged("waiting")] == [("B3", "2.0")]
    later = Run(*ORM, *START, both, NEXT, NEXT, NEXT, NEXT)
    assert [(one.subclass, one.state) for one in later.judged()] == [("A2", "fired"), ("B3", "delivered")]
    said = [verdict.message.partition('urgency="')[2].partition('"')[0] for verdict in later.played.spoken()]
    assert said == ["at once", "at pause"]


def test_a_secret_goes_before_a_higher_number() -> None:
    """SW-50, SW-159: an A at 4.0 was found first and is due in the same turn."""
    secret = f'write src/pay.py | api_key = "{live_key(1)}"'
    run = Run(*ORM, *START, second_orm("one"), secret, NEXT)
    first, second = run.played.spoken()
    assert [(one.turn, one.urgency) for one in run.judged()] == [(4, "4.0"), (5, "B1-ESCALATE")]
    assert (first.turn, first.action, 'urgency="at once"' in first.message) == (5, Action.DENY, True)
    assert (second.turn, second.action, 'urgency="at once"' in second.message) == (6, Action.INJECT, True)


@pytest.mark.parametrize(("turns", "disposition"), [(2, "LOG"), (3, "QUEUE")])
def test_c_and_d_begin_in_the_fourth_turn(turns: int, disposition: str) -> None:
    """SW-160: turn 3 and turn 4."""
    looks = [f"read x{number}.py" for number in range(turns - 1)]
    asked, more = (f"edit cli.py | pass => parser.add_argument('--{name}')" for name in ("json", "format"))
    run = Run("@ add --json to the export command in cli.py", *looks, asked, more)
    (judged,) = [one for one in run.judged() if one.subclass == "D2"]
    assert (judged.turn, judged.disposition) == (turns + 1, disposition)
    assert judged.note == ("grace: turn 3 of 3" if disposition == "LOG" else "")


def test_interrupts_are_two_turns_apart_at_least() -> None:
    """SW-165: whatever waits."""
    lines = [second_orm(f"t{number}") for number in range(8)]
    spoken = Run(*ORM, *START, *lines, NEXT, NEXT, NEXT, NEXT).spoken()
    assert len(spoken) > 2
    assert all(later - sooner > 2 for sooner, later in pairwise(spoken))


def test_what_the_user_ordered_is_logged_in_these_words() -> None:
    """SW-161."""
    lines = ("@ rewrite the auth from scratch", f"repo auth/tokens.py | {VERIFY}", f"write auth/session.py | {CHECK}")
    (judged,) = [one for one in Run(*lines).judged() if one.rule == "duplicate_build"]
    assert (judged.disposition, judged.note) == ("LOG", "user-directed: not signaled")
    assert "LOG: user-directed: not signaled" in judged.trace


def test_only_the_exact_exposure_can_be_ordered() -> None:
    """SW-161: a general word does not open the door to a secret."""
    key = live_key(1)
    write = f'write src/pay.py | api_key = "{key}"'
    (general,) = Run("@ just hardcode the api key for now", write).judged()
    assert general.state == "fired"
    (exact,) = Run(f"@ put {key} into src/pay.py as api_key", write).judged()
    assert (exact.state, exact.note) == ("logged", "user-directed: not signaled")


# The report


def test_a_report_is_due_when_the_session_ends() -> None:
    """SW-150."""
    store = MemoryStore()
    assert play(START, store=store).session.finished == 0
    tell(SessionEnded(session=SESSION, cwd=ROOT), store)
    session = store.session(SESSION)
    assert session is not None
    assert session.finished == 3


@pytest.mark.parametrize(("text", "due"), [("The task is complete.", True), ("Which file do you mean?", False)])
def test_a_report_is_due_when_the_agent_says_that_it_is_done(text: str, *, due: bool) -> None:
    """SW-150."""
    store = MemoryStore()
    play(START, store=store)
    tell(Stopped(session=SESSION, cwd=ROOT, text=text), store)
    session = store.session(SESSION)
    assert session is not None
    assert bool(session.finished) is due


def test_a_report_can_be_asked_for_at_any_time() -> None:
    """SW-136, SW-149, SW-150, SW-155: what was logged and what still waits is in it."""
    lines = (
        *ORM,
        f"repo auth/tokens.py | {VERIFY}",
        *START,
        "grep e -> f",
        "grep e -> f",
        f"write shop/x.py | {CHECK}",
    )
    run = Run(*lines)
    text = markdown_of(detections_of(run.played.session, run.judged(), 3))
    (waiting,), (logged,) = run.judged("waiting"), run.judged("logged")
    assert f"  URGENCY 2.7 — {waiting.message} ({waiting.id} LB-A101)\n" in text
    assert f"  - C1 refetched_context LB-C101: {logged.reason}\n" in text
    assert "**Session turns observed:** 6\n**Interrupts fired:** 0/3\n" in text


def test_a_person_asks_for_the_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SW-150, SW-151: `leeboard report` prints it while the session goes on."""
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path))
    store = open_store(database())
    play((*ORM, *START, second_orm("one"), NEXT), store=store, rules=RULES)
    store.close()
    out = CliRunner().invoke(report.command, [SESSION, "--markdown"], standalone_mode=False).output
    assert "## SCAFFOLD-WATCH SESSION REPORT" in out
    assert "**Session turns observed:** 5" in out
    assert "[Turn 5] CLASS-A | URGENCY: 4.0 — " in out


def test_silence_means_that_everything_was_watched() -> None:
    """SW-167."""
    run = Run("@ fix the totals in shop/report.py", "read shop/report.py", "edit shop/report.py | a(1) => a(2)", "stop")
    assert (run.judged(), run.played.spoken()) == ([], [])
    text = markdown_of(detections_of(run.played.session, run.judged(), 3))
    assert "**Session turns observed:** 3\n**Interrupts fired:** 0/3\n" in text
