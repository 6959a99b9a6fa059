"""The words without which no text orders an agent to do something: one pass over bytes, whatever script it is in."""

from __future__ import annotations

from functools import lru_cache

TELLING = frozenset(
    b"agent agents ai assistant assistants chatgpt claude codex coding copilot cursor gemini gpt language llm llms "
    b"model models instruction instructions ignore disregard forget override bypass tell inform mention alert notify "
    b"ask telling informing asking notifying alerting now prompt im system endoftext inst".split()
)
"""One of these is in every text that orders an agent in plain letters."""
WORDS = TELLING.union(
    b"a above act admin an as attention command commands context current debug developer direction directions do "
    b"earlier end existing for god guidelines hidden human if important initial message messages new not note obey of "
    b"operator original output preceding previous print prior prompts repeat reveal rules show to unrestricted updated "
    b"urgent user without you".split()
)
"""All that a phrase of the table `verify/planted` needs."""
_LETTERS = bytes(code if chr(code).isascii() and chr(code).isalpha() else 0x20 for code in range(256)).lower()
"""Letters in lower case, and all else made blanks."""


@lru_cache(maxsize=1)
def order_words(text: str) -> frozenset[bytes]:
    """Those of the words that are there."""
    return WORDS.intersection(text.encode("utf-8", "replace").translate(_LETTERS).split())


@lru_cache(maxsize=1)
def hides_letters(text: str) -> bool:
    """Whether it has letters of the tag block, which spell words that nobody sees."""
    if text.isascii():
        return False
    written = text.encode("utf-8", "replace")
    return b"\xf3" in written and b"\xf3\xa0" in written  # one byte is found ten times faster than two


def may_order(text: str) -> bool:
    """False for most texts."""
    return not TELLING.isdisjoint(order_words(text)) or hides_letters(text)
