"""The real client does not write a secret, and what was queued reaches the model with its next request."""

from __future__ import annotations

import pytest

from tests.e2e.desk import Desk
from tests.e2e.model_script import Script, Use, read, say, use
from tests.leak import live_key

pytestmark = pytest.mark.e2e

KEY = live_key(1)
SECRET = f'STRIPE_API_KEY = "{KEY}"\n'
SAFE = 'import os\n\nSTRIPE_API_KEY = os.environ["STRIPE_API_KEY"]\n'
WEAK = "import hashlib\n\n\ndef hash_password(password):\n    return hashlib.md5(password.encode()).hexdigest()\n"


def write(path: str, content: str) -> Use:
    return Use("Write", {"file_path": path, "content": content})


def test_a_live_key_is_refused_before_it_is_written_and_the_fix_goes_through(desk: Desk) -> None:
    """SW-137: under the default profile, in the first turn."""
    path = desk.path("src/pay.py")
    script = Script(main=(use(write(path, SECRET)), use(write(path, SAFE)), say("It is read from the environment.")))
    run = desk.run("add payments in src/pay.py", script)
    (refused,), (passed,) = run.main[1].results, run.main[2].results
    assert refused["is_error"] is True
    for part in ("src/pay.py:1", ".env", 'urgency="at once"', "leeboard allow s"):
        assert part in refused["content"]
    assert KEY[8:20] not in refused["content"]
    assert passed.get("is_error") is not True
    assert desk.read("src/pay.py") == SAFE
    session = desk.session(run.session)
    assert (run.code, session.interrupt_budget, session.fired) == (0, 2, 1)


def test_it_never_reaches_the_disk(desk: Desk) -> None:
    run = desk.run("add payments", Script(main=(use(write(desk.path("src/pay.py"), SECRET)), say("Not written."))))
    assert not (desk.repo / "src" / "pay.py").exists()
    assert desk.session(run.session).fired == 1
    kept = b"".join(path.read_bytes() for path in desk.state.rglob("*") if path.is_file())
    assert KEY[8:20].encode() not in kept


def test_what_was_queued_is_in_the_request_after_the_next_turn_and_said_once(desk: Desk) -> None:
    """SW-163, SW-142: one turn to notice by itself, then it is told."""
    steps = (use(write(desk.path("src/login.py"), WEAK)), *(use(read(desk.path("app.py"))),) * 3, say("Done."))
    run = desk.run("add a login in src/login.py", Script(main=steps))
    signals = [[words for words in request.our_words if 'code="LB-B301"' in words] for request in run.main]
    assert [len(found) for found in signals] == [0, 0, 1, 1, 1], "from then on it is part of the conversation, once"
    assert "src/login.py:5" in signals[2][0]
    assert desk.session(run.session).interrupt_budget == 3
