"""What the wire room hands to those who carry the traffic, and to those who judge it.

A carrier (the server of the proxy) does this, and needs no other function of the room:

    facts = request.read(method, path, headers, body)        # None: not a model's turn, pass through untouched
    spliced = splice.splice(body, facts, insertions)         # corrections put in; `spliced.body` is what to send
    rewriter = rewriters.open_rewriter(facts, content_type)  # None: the answer is none we can read, pass through

    for each chunk of the answer:  carried = rewriter.feed(chunk); write carried.data; have carried.calls judged
    for each ruling:               write rewriter.rule(call.id, ruling)
    when upstream has ended:       carried = rewriter.close(cut=...), then rulings as before until `holding` is False

Every method returns at once. Rulings may come in any order and at any time, also after `close`. As long as `holding`
is True nothing may be written but `keep_alive`; each piece of data ends where such a comment may stand. When every call
is released, all that was written is what upstream sent, byte for byte.

If a method raises, or whenever the carrier wants to be done with it: `rewriter.give_up()` returns the bytes that were
kept back, with those of the very chunk that was being fed, and the rest of the answer is to be passed on as it comes.
"""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

Api = Literal["anthropic", "responses", "chat"]
"""Anthropic Messages, OpenAI Responses, OpenAI Chat Completions."""

HELD_LIMIT = 64 * 1024 * 1024
"""How many bytes of one answer may wait. A written file of 10 MB can come in frames of four times that."""


class CallResult(msgspec.Struct, frozen=True):
    """What a tool call came to, as the client tells the model."""

    id: str
    """The id of the call."""
    text: str
    """Cut after 20,000 characters."""
    is_error: bool = False
    """Only Anthropic's format says so; elsewhere the text has to be read."""


class RequestFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What one request to a model tells about the session it belongs to."""

    api: Api
    kind: Literal["work", "background"]
    """Background requests are not judged, counted or added to, and their answers are not rewritten."""
    background: str = ""
    """Why it is one: probe, title, warmup, suggestion, count_tokens, compaction, no_tools, auxiliary."""
    client: str = ""
    """claude_code, codex, opencode, or empty."""
    session_id: str
    """The same as the hooks' where the client tells it; else made of the first human words. Never empty."""
    agent_id: str = ""
    """Empty for the main agent; for Claude Code's sub-agents the same as in the hooks."""
    parent_agent_id: str = ""
    turn_id: str = ""
    """The client's own name of the human turn (prompt id, turn id), where it tells one."""
    cwd: str = ""
    """The folder the agent works in, where the request tells it."""
    model: str = ""
    streaming: bool = False
    prompt: str = ""
    """The newest words a human typed, without what the client put around them; they may be many requests old. In a
    request of a sub-agent they are its parent's."""
    prompt_key: str = ""
    """Names those words: equal in every request that has them as the newest, another when they are said again."""
    first_prompt: str = ""
    """The first words a human typed in this conversation, as far as it is still sent."""
    is_new_prompt: bool = False
    """The request ends with those words: no call was answered since."""
    anchor: str = ""
    """Where a correction for this request goes: the id of the last call answered in the newest message of the user,
    else a digest of that message. Empty where there is no place for one."""
    anchors: frozenset[str] = frozenset()
    """Every anchor in the conversation. A correction whose anchor is not here any more was compacted away."""
    results: tuple[CallResult, ...] = ()
    """The answers to the last message of the model."""
    tools: tuple[str, ...] = ()
    """The names of the tools that the client declared."""
    server_keeps_history: bool = False
    """The conversation lies with the provider (`previous_response_id`): a call that is taken out of the answer would
    be missed there. Sense only."""
    messages: int = 0
    """How many messages or items the conversation has."""
    digest: str = ""
    """Equal for a retry of the same conversation, whatever headers and model it is sent with."""


class Insertion(msgspec.Struct, frozen=True):
    """Words to be put into the conversation, right after what the anchor names."""

    anchor: str
    text: str


class Spliced(msgspec.Struct, frozen=True):
    """A request with words put in, or the very same bytes where it was not possible."""

    body: bytes
    placed: tuple[Insertion, ...] = ()
    """Those of the insertions that are in the body."""


class WireCall(msgspec.Struct, frozen=True, kw_only=True):
    """A tool call that the model has written to its end, and that the client has not seen yet."""

    id: str
    """As the hooks and the results name it (Responses: the `call_id`)."""
    name: str
    """As the model wrote it. Of a namespaced tool: `<namespace>__<name>`, as the hooks of Codex say it."""
    input: dict[str, object] | None
    """The decoded arguments; None for a custom tool, whose input is text, and for arguments that are no JSON object."""
    input_text: str
    """The arguments as the model wrote them."""
    index: int
    """Its place among all blocks or items of the answer (Chat Completions: among the calls)."""
    unreadable: str = ""
    """Why the arguments can not be read, where they can not: whoever judges the call does not know what it does."""


class Reasoning(msgspec.Struct, frozen=True):
    """What the model thought or said before a call, or at the end of its answer. Never to be stored whole."""

    text: str
    """At most 64 KB of one block: its end."""
    kind: Literal["thinking", "text"]
    index: int
    """The block or item it stands in: what has a smaller index than a call was said before it."""


class Substitute(msgspec.Struct, frozen=True):
    """A harmless call that takes the place, and the id, of one that is withheld."""

    name: str
    """One of the tools that the client declared."""
    input: dict[str, object]


class Restoration(msgspec.Struct, frozen=True, kw_only=True):
    """A call that was withheld, as later requests are to tell of it."""

    id: str
    name: str
    input_text: str
    """The arguments as the model wrote them."""
    words: str
    """Why it was withheld, which stands for its result."""
    substitute: Substitute
    mark: str
    """What the result of the substitute has in it, where that was carried out."""


class CallRuling(msgspec.Struct, frozen=True):
    """Whether a call reaches the client, and the words that stand in its place where it does not."""

    verdict: Literal["release", "withhold"]
    text: str = ""
    """What model and human read where no call of the answer is left. Where another call is, nothing is said in the
    answer, and the words belong into the next request."""
    substitute: Substitute | None = None
    is_unchecked: bool = False
    """It is released although nobody knows what it does."""


RELEASE = CallRuling("release")
UNCHECKED = CallRuling("release", is_unchecked=True)


class Carried(msgspec.Struct, frozen=True):
    """What is to be done after a chunk of an answer: bytes to write, calls to have judged."""

    data: bytes = b""
    """To be written now."""
    calls: tuple[WireCall, ...] = ()
    """Complete, and waiting for a ruling. Each call is named once."""
    reasoning: tuple[Reasoning, ...] = ()
    """Given beside the calls that follow it, and at the end of the answer."""


class Usage(msgspec.Struct, frozen=True):
    """What the provider says the answer has cost, in tokens."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_creation: int = 0


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What an answer was, as far as it has been seen."""

    calls: int = 0
    released: tuple[str, ...] = ()
    """Ids of the calls that were written to the client as the model wrote them."""
    withheld: tuple[str, ...] = ()
    substituted: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()
    """Ids of calls that nobody ruled on and that passed nevertheless, because too much would have had to wait; `*`
    where a call could not even be told apart."""
    usage: Usage = Usage()
    stop_reason: str = ""
    """As upstream gave it."""
    is_complete: bool = False
    """The answer came to its regular end. An error or a cut leaves it False."""
    error: str = ""
    """What the provider said where it broke off by an error event."""


class ResponseRewriter(Protocol):
    """Passes an answer on while it comes, and keeps each call back until it is ruled on."""

    @property
    def holding(self) -> bool:
        """Whether bytes wait: for the rest of a call, or for a ruling."""

    @property
    def waiting(self) -> frozenset[str]:
        """The ids of the calls that were named and not ruled on."""

    @property
    def summary(self) -> Summary:
        """What has been seen and done so far."""

    @property
    def keep_alive(self) -> bytes:
        """What may be written between two pieces of data, so that the client does not take us for dead.

        It is empty where nothing may be: an answer that is no stream, or one that was given up.
        """

    def feed(self, chunk: bytes) -> Carried:
        """Takes what upstream sent. What can not concern us is in `data` at once."""

    def rule(self, call_id: str, ruling: CallRuling) -> bytes:
        """What is to be written now that this call is ruled on.

        A second ruling, or one on a call that is not waiting, changes nothing.
        """

    def close(self, *, cut: bool = False) -> Carried:
        """Upstream has ended; with `cut` before its regular end. A call that is not complete is never written."""

    def give_up(self) -> bytes:
        """What was kept back and not withheld, as it came. From then on chunks pass as they are."""
