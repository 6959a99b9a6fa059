"""What is said before a cluster is reached; `tests/test_on_dask.py` has a real one."""

from __future__ import annotations

import socket
import sys

import pytest

from leeboard.app.engine.cluster import check_address, code_digest, opened_cluster
from leeboard.errors import ConfigError, EffectError


@pytest.mark.parametrize("address", ["local", "tcp://scheduler:8786", "tls://10.0.0.1:8786", "tcp://[::1]:8786"])
def test_addresses(address: str) -> None:
    check_address(address)


@pytest.mark.parametrize("address", ["scheduler:8786", "http://scheduler:8786", "tcp://", "tcp://host:port", "LOCAL"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(ConfigError, match=r"--on takes local, tcp://host:port or tls://host:port"):
        check_address(address)


@pytest.mark.parametrize(("scheme", "more"), [("tcp", ""), ("tls", "distributed.comm.tls")])
def test_a_scheduler_that_can_not_be_reached_is_named_with_the_next_step(scheme: str, more: str) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"{scheme}://127.0.0.1:{closed.getsockname()[1]}"
        with (
            pytest.raises(EffectError, match=rf"scheduler at {address} can not be reached \(.*refused.*{more}") as told,
            opened_cluster(address, lambda _words: None),
        ):
            pass
    assert "start one with `dask scheduler`, or leave out --on" in str(told.value)


def test_without_its_packages_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(EffectError, match=r"with its extra `cluster`"), opened_cluster("local", print):
        pass


def test_a_plain_connection_to_another_machine_is_said_to_be_readable() -> None:
    said: list[str] = []
    with pytest.raises(EffectError), opened_cluster("tcp://scheduler.invalid:8786", said.append):
        pass
    (told,) = said
    assert "scheduler.invalid:8786 is not encrypted: what is sent there can be read on its way" in told


def test_the_code_has_one_digest() -> None:
    assert code_digest() == code_digest()
    assert len(code_digest()) == 32
