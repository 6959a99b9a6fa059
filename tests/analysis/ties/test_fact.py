"""Facts: bounded, named, and absent where nobody can know."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from leeboard.analysis.ties.fact import MEANINGS, USUAL, Subject, facts_of, usual_after, usual_of
from leeboard.analysis.ties.sketch import marks
from leeboard.analysis.ties.work import WorkSoFar
from leeboard.model.ledger import Entry, Met

NAMES = marks(("basket_total", "discount", "voucher"))
WORK = WorkSoFar([Entry(kind="sketch", key="wrote", path="src/a.py", turn=1, data="".join(sorted(NAMES)))])
PATH = "src/b.py"


@given(st.integers(0, 16383), st.integers(0, 16383))
def test_every_fact_has_a_meaning_and_bounds(met: int, name: int) -> None:
    rows = {PATH: met, "name:b.py": name}
    facts = facts_of(Subject(path=PATH, names=NAMES, added=NAMES, parts=("basket", "total")), WORK, rows, ())
    assert set(facts) <= set(MEANINGS)
    assert all(-1 <= value <= 1 for value in facts.values())


def test_a_new_file_could_not_be_led_to() -> None:
    facts = facts_of(Subject(path=PATH, creates=True), WORK, {}, ())
    assert not {"found", "read_early", "failed"} & set(facts)
    assert "found" in facts_of(Subject(path=PATH, creates=True), WORK, {PATH: Met.LISTED}, ())


def test_a_handful_of_names_is_no_share() -> None:
    assert "known_names" not in facts_of(Subject(path=PATH, names=marks(("one",))), WORK, {}, ())


def test_names_of_the_work_are_known() -> None:
    own = facts_of(Subject(path=PATH, names=NAMES), WORK, {}, ())
    foreign = facts_of(Subject(path=PATH, names=marks(("unheard", "strange", "alien"))), WORK, {}, ())
    assert own["written_names"] > foreign["written_names"]


def test_what_is_usual_is_learned() -> None:
    assert usual_of(())["found"][0] == USUAL["found"]
    kept: tuple[float, ...] = ()
    for _time in range(20):
        kept = usual_after(kept, {"found": 1.0})
    assert usual_of(kept)["found"][0] > 0.8
    assert usual_of(kept)["near"][0] == USUAL["near"]
