"""An id that leads to nothing is told from one that does: in files, in sessions, and of rules that judge no texts."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from leeboard.app.person.known_id import file_named, why_unknown
from leeboard.store.sqlite import open_store
from tests.leak import live_key
from tests.surfaces.cli.leaking import leak

if TYPE_CHECKING:
    from pathlib import Path

    from tests.surfaces.cli.conftest import Desk

WEAK = "import hashlib\n\n\ndef login(password):\n    return hashlib.md5(password) == PASSWORD\n"


@pytest.mark.parametrize(
    ("id_", "said"),
    [
        ("weak_crypto:a.py:login:weak hash:MD5", ""),
        ("weak_crypto:a.py:logon:weak hash:MD5", "did you mean 'weak_crypto:a.py:login:weak hash:MD5'?"),
        ("injection:a.py:login:sql:run", "nothing is known by this id; `leeboard scan a.py --verbose`"),
        ("injection:b.py:login:sql:run", "it names no file"),
        ("injection:../a.py", "it names no file"),
        ("scope_drift:a.py", ""),
        ("scope_drift:b.py", ""),
        ("secret_found:a.py:0123456789abcdef", "nothing is known by this id"),
    ],
)
def test_in_a_file(tmp_path: Path, id_: str, said: str) -> None:
    (tmp_path / "a.py").write_text(WEAK)
    with closing(open_store(str(tmp_path / "l.db"))) as store:
        told = why_unknown(store, str(tmp_path), id_)
    assert said in told
    assert bool(told) == bool(said)


def test_a_name_may_have_colons(tmp_path: Path) -> None:
    (tmp_path / "a:b.py").write_text(WEAK)
    assert file_named(str(tmp_path), "a:b.py:login:weak hash:MD5") == "a:b.py"
    assert file_named(str(tmp_path), "a.py:login") == ""


def test_what_a_session_was_refused_is_known_though_it_is_in_no_file(desk: Desk) -> None:
    assert "deny" in leak(desk)
    (desk.repo / "src").mkdir(exist_ok=True)
    (desk.repo / "src" / "pay.py").write_text(f'pay(key="{live_key(1)}")\n')
    (found,) = desk.run("scan", "src/pay.py", "--json").objects
    (desk.repo / "src" / "pay.py").unlink()
    assert "nothing is known" not in desk.ok("allow", found["id"], "--reason", "sandbox").err
    assert "nothing is known" in desk.ok("allow", f"{found['id'][:-4]}0000", "--reason", "sandbox").err
