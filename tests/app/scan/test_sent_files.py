"""Files that are sent to whoever looks at them: nothing is read there, and the same is found."""

from __future__ import annotations

import pickle
import subprocess
from pathlib import Path

import pytest

from leeboard.app.scan.file_scan import scan
from leeboard.app.scan.judged_text import scan_key
from leeboard.app.scan.sent_files import _scan_batch, _sent
from leeboard.app.scan.target import Target
from leeboard.app.scan.work import Terms
from tests.leak import live_key


@pytest.mark.parametrize("ignored", [True, False])
def test_another_machine_finds_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, ignored: bool) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    root = tmp_path / "repo"
    subprocess.run(("git", "init", "-q", str(root)), check=True)
    texts = {
        ".env": f"STRIPE_KEY={live_key(1)}\n",
        "login.py": "import hashlib\nh = hashlib.md5(password)\n",
        "data.bin": "a\0b",
        "large.py": "#" * (2 << 20) + "x",
    }
    for name, text in texts.items():
        (root / name).write_text(text)
    if ignored:
        (root / ".gitignore").write_text(".env\n")
    targets = tuple(Target(f"shown/{name}", str(root), name) for name in (*texts, "gone.py"))
    here = tuple(scan(targets, {str(root): Terms()}, 1))
    sent = pickle.dumps(tuple(_sent(target, Terms(), scan_key()) for target in targets))
    root.rename(tmp_path / "elsewhere")
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "another"))
    assert _scan_batch(pickle.loads(sent)) == here
    assert sum(len(one.found) for one in here) >= 2
