from __future__ import annotations

import json
from itertools import pairwise

from tools.scripted import transcript

SCRIPT = "@ fix it\n~ I will look.\nread a.py\n    x = 1\nedit a.py\n    - x = 1\n    + x = 2\n"


def test_records_hang_together_and_repeat_exactly() -> None:
    lines = transcript(SCRIPT, session="one", repo="demo").splitlines()
    records = [json.loads(line) for line in lines]
    chained = [record for record in records if record.get("uuid")]
    assert all(later["parentUuid"] == earlier["uuid"] for earlier, later in pairwise(chained))
    assert transcript(SCRIPT, session="one", repo="demo").splitlines() == lines
    assert {record["cwd"] for record in chained} == {"/home/dev/demo"}
