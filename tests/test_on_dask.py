"""Archives on a real Dask cluster of two workers: byte for byte what the processes of this machine give."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from leeboard.app.backtest.chosen_settings import BARE
from leeboard.app.backtest.run import Basis, JudgedFile, run_sessions
from leeboard.app.engine import cluster as engine
from leeboard.app.engine.cluster import opened_cluster
from leeboard.app.session_files import SessionSource, find_sources
from leeboard.errors import EffectError
from tests.dask_cluster import ROOT, Certificates, DaskCluster, dask_cluster
from tests.leak import live_key
from tests.recorded_sessions import record, staying, straying
from tests.surfaces.cli.conftest import Desk

_LOGIN = "import hashlib, os\nh = hashlib.md5(password)\nos.system(input())\n"


@pytest.fixture(scope="module")
def dask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    with dask_cluster(tmp_path_factory.mktemp("dask")) as running:
        yield running


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.fixture
def sources(tmp_path: Path) -> tuple[SessionSource, ...]:
    texts = {f"s{number:02}": (straying if number % 3 else staying)(f"s{number}") for number in range(24)}
    return find_sources([str(record(tmp_path / "sessions", **texts))])


def test_the_three_commands_print_the_same(desk: Desk, dask: DaskCluster, tmp_path: Path) -> None:
    sessions = record(tmp_path / "sessions", a=straying("a"), b=staying("b"), c=b"not a session\n", d=straying("d"))

    for name, text in (("login.py", _LOGIN), (".env", f"STRIPE_KEY={live_key(1)}\n"), ("data.bin", "a\0b")):
        (desk.repo / name).write_text(text)
    for words in (("replay", str(sessions), "--json", "--totals"), ("scan", "--sarif")):
        here, there = desk.run(*words, "-j", "1"), desk.run(*words, "--on", dask.address)
        assert (there.out, there.code) == (here.out, here.code)
        assert there.out
    shared = ("backtest", str(sessions), "--json", "--page", "1")
    here = desk.run(*shared)
    shutil.rmtree(desk.home / ".cache" / "leeboard")
    there = desk.run(*shared, "--on", dask.address)
    assert (there.out, there.code) == (here.out, here.code)
    assert "dashboard" not in there.err, "without bokeh it shows nothing"


def test_a_scheduler_with_certificates_lets_in_who_has_one(desk: Desk, tmp_path: Path) -> None:
    sessions = record(tmp_path / "sessions", a=straying("a"), b=staying("b"))
    ours, others = Certificates(tmp_path / "ours"), Certificates(tmp_path / "others")
    words = ("replay", str(sessions), "--json", "--totals")
    here = desk.run(*words, "-j", "1")
    with dask_cluster(tmp_path / "dask", workers=1, certificates=ours) as encrypted:
        assert encrypted.address.startswith("tls://")
        there = desk.run(*words, "--on", encrypted.address, env=ours.settings)
        assert (there.out, there.code) == (here.out, here.code)
        assert "not encrypted" not in there.err
        for settings in (others.settings, {}):
            refused = desk.run(*words, "--on", encrypted.address, env=settings)
            assert refused.code == 5, refused.err
            assert "tls:// needs the certificates that Dask's own settings name" in refused.err
            assert "Traceback" not in refused.err


def judged(sources: tuple[SessionSource, ...], judge: str, cluster: engine.Cluster | None = None) -> list[JudgedFile]:
    return list(run_sessions(sources, Basis(chosen=BARE, for_all=True, judge=judge), 1, cluster))


@pytest.fixture
def _user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STATE", "CONFIG", "CACHE", "RUNTIME"):
        monkeypatch.setenv(f"LEEBOARD_{name}_DIR", str(tmp_path / "user" / name.lower()))


@pytest.mark.usefixtures("_user")
def test_a_worker_that_is_killed_is_named_and_its_work_done_by_another(
    sources: tuple[SessionSource, ...], dask: DaskCluster
) -> None:
    here, said = judged(sources, "here"), list[str]()
    lost = dask.add_worker()
    with opened_cluster(dask.address, said.append) as cluster:
        basis = Basis(chosen=BARE, for_all=True, judge="there")
        running = run_sessions(sources, basis, 1, cluster)
        there = [next(running)]
        dask.kill_worker(lost)
        there += running
        assert there == here
        again = list(run_sessions(sources, basis, 1, cluster))
        assert [one.was_finished for one in again] == [True] * len(sources)
        assert [one.heard for one in again] == [one.heard for one in here]
    assert said == [f"the Dask worker {lost} was lost: what it had to do is done again by another"]


def test_what_can_not_be_done_is_said_with_the_next_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "REACH_SECONDS", 0.5)
    with dask_cluster(tmp_path / "dask", workers=0) as empty:
        with pytest.raises(EffectError, match=r"has no worker: start one with `dask worker tcp://"):
            list(_each(empty.address))
        other = tmp_path / "other"
        shutil.copytree(ROOT / "leeboard", other / "leeboard", ignore=shutil.ignore_patterns("__pycache__"))
        (other / "leeboard" / "rules" / "tangent.py").write_text("# changed")
        worker = empty.add_worker(str(other))
        with pytest.raises(EffectError, match=rf"the Dask worker {worker} has another Leeboard"):
            list(_each(empty.address))


def _each(address: str) -> Iterator[int]:
    with opened_cluster(address, lambda _words: None) as cluster:
        yield from cluster.each(abs, [-1])
