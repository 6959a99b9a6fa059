"""What the proxy says in its own name can be read by the clients of both APIs."""

from __future__ import annotations

import json

from leeboard.surfaces.proxy.envelope import REASONS, error_answer, error_event, own_answer
from tests.surfaces.proxy.running_proxy import body_of, status_of


def test_an_error_has_the_shape_of_both_apis() -> None:
    for status in REASONS:
        told = error_answer(status, "what is wrong: \u201cthis\u201d")
        assert status_of(told) == status
        read = json.loads(body_of(told))
        assert (read["type"], sorted(read["error"])) == ("error", ["code", "message", "param", "type"])
        assert read["error"]["message"] == "leeboard: what is wrong: \u201cthis\u201d"
        assert b"Content-Length: %d\r\n" % len(body_of(told)) in told


def test_a_stream_ends_with_one_frame() -> None:
    frame = error_event("it is over")
    assert frame.startswith(b"event: error\ndata: {")
    assert frame.endswith(b"}\n\n")
    assert frame.count(b"\n") == 3


def test_an_answer_of_its_own_is_json() -> None:
    assert json.loads(body_of(own_answer({"a": 1}))) == {"a": 1}
