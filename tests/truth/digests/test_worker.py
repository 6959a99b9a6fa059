from __future__ import annotations

import marshal
import os
import subprocess
import sys
from pathlib import Path

from leeboard.truth.digests import _worker
from leeboard.truth.digests.hashing import Job, offered, perform


def test_it_answers_the_turns_it_takes(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x")
    top = os.open(tmp_path, os.O_RDONLY)
    job: Job = ("hash", [(0, b"", b"a", "any", None), (0, b"", b"gone", "any", None)], float("inf"), 10**12)
    asked, answer, turns = os.memfd_create("job"), os.memfd_create("answer"), offered(2)
    os.write(asked, marshal.dumps(job))
    files = (asked, answer, turns, top)
    subprocess.run((sys.executable, "-I", "-S", _worker.__file__, *map(str, files)), pass_fds=files, check=True)
    assert marshal.loads(os.pread(answer, 1 << 20, 0)) == perform(job, [top], [0, 1])
    for file in files:
        os.close(file)


def test_it_loads_nothing_slow() -> None:
    """Its start is what a second process costs."""
    script = (
        "import sys, runpy; sys.argv = ['', '0', '0', '0'];"
        f"sys.path.append({os.path.realpath(_worker.__file__).rsplit(os.sep, 4)[0]!r});"
        "import leeboard.truth.digests.hashing, leeboard.truth.digests.hashing;"
        "print(sorted({'typing', 're', 'msgspec', 'subprocess', 'pathlib'} & set(sys.modules)))"
    )
    done = subprocess.run((sys.executable, "-I", "-S", "-c", script), check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
