"""Who sends a request, asked of the system, and numbers in an address."""

from __future__ import annotations

import socket

import pytest
from starlette.requests import Request

from leeboard.plan.machine.refusal import refuse
from leeboard.surfaces.web.site import doubt_at, number_of, refused


@pytest.mark.parametrize(("given", "found"), [("7", 7), ("", 0), ("-1", 0), ("x", 0), ("9" * 30, 0), ("²", 0)])
def test_a_number_in_an_address(given: str, found: int) -> None:
    scope = {"type": "http", "query_string": f"n={given}".encode(), "headers": []}
    assert number_of(Request(scope), "n") == found


def test_nobody_is_taken_for_a_person_where_nobody_is() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert "hides itself" in doubt_at(("127.0.0.1", 1), server.getsockname())


def test_one_who_comes_through_ssh_may_hide_and_nobody_else_may_come_so() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        served = server.getsockname()
        assert doubt_at(("127.0.0.1", 1), served, is_elsewhere=True) == ""
        with socket.create_connection(served) as mine:
            assert "a browser of this machine" in doubt_at(mine.getsockname(), served, is_elsewhere=True)


def test_a_refusal_names_the_commands_of_a_person() -> None:
    told = refused(refuse("x", "It is not so.", "Call haiku_run_next."))
    assert (told.code, told.text) == ("x", "It is not so. Run `leeboard flow next`.")
