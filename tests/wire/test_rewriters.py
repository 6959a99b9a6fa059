"""Which answers are rewritten."""

from __future__ import annotations

import msgspec
import pytest

from leeboard.wire.rewriters import open_rewriter
from leeboard.wire.stream import StreamRewriter
from leeboard.wire.whole import WholeRewriter
from tests.wire.answers import facts


@pytest.mark.parametrize("api", ["anthropic", "responses", "chat"])
def test_by_how_the_answer_comes(api: str) -> None:
    asked = msgspec.convert({**msgspec.to_builtins(facts("chat")), "api": api}, type(facts("chat")))
    assert isinstance(open_rewriter(asked, "text/event-stream; charset=utf-8"), StreamRewriter)
    assert isinstance(open_rewriter(asked, "Application/JSON"), WholeRewriter)
    assert isinstance(open_rewriter(asked, "application/vnd.model+json"), WholeRewriter)


@pytest.mark.parametrize("label", ["text/html", "text/plain; charset=utf-8", "application/octet-stream", ""])
def test_who_asked_for_a_stream_reads_one_whatever_it_is_called(label: str) -> None:
    assert isinstance(open_rewriter(facts("anthropic"), label), StreamRewriter)
    assert open_rewriter(facts("anthropic", streaming=False), label) is None


def test_answers_to_background_requests_are_left_alone() -> None:
    asked = msgspec.structs.replace(facts("anthropic"), kind="background", background="title")
    assert open_rewriter(asked, "text/event-stream") is None
