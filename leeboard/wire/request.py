"""What a request to a model tells: whose it is, which session and agent it belongs to, and what is new in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from leeboard.clients.human_words import human_words
from leeboard.data import load
from leeboard.errors import WireError
from leeboard.model.text import digest, lazy
from leeboard.wire.conversation import Turn, key_of, places, read_turns
from leeboard.wire.seam import Api, CallResult, RequestFacts
from leeboard.wire.sse import read_object, write_json

_PATHS: tuple[tuple[str, Api], ...] = (
    ("/messages", "anthropic"),
    ("/messages/count_tokens", "anthropic"),
    ("/responses", "responses"),
    ("/responses/compact", "responses"),
    ("/chat/completions", "chat"),
)
_FOLDER = lazy(r"(?:Primary w|W)orking directory: ([^\n]+)|<cwd>([^<\n]+)</cwd>")
_SUB_AGENT_MARK = "cc_is_subagent=true"
_SMALL_ANSWER = 256
_LONGEST_NAME = 200
"""Characters of the name of a session or an agent. Those of real clients have less than a hundred."""
_MOST_TURNS_WITH_FOLDER = 6
"""Clients tell the folder before or at the beginning of a conversation."""


class _Background(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    begins: dict[str, tuple[str, ...]]
    says: dict[str, tuple[str, ...]]
    named: dict[str, tuple[str, ...]]


_TABLE = load("wire/background", _Background)


def read(method: str, path: str, headers: Mapping[str, str], body: bytes) -> RequestFacts | None:
    """The facts; None for a request that is no model's turn or that can not be read.

    The path may have a query and anything before the API's own part. A body that is compressed can not be read.
    """
    api = _api(method, path)
    told = {name.lower(): value for name, value in headers.items()}
    if api is None or told.get("content-encoding", "identity").lower() != "identity":
        return None
    try:
        fields = read_object(body)
    except WireError:
        return None
    turns = read_turns(api, fields)
    identity = _Identity(told, fields)
    newest = _newest_prompt(turns)
    answered = _last(turns, "model") + 1
    named = places(turns)
    background = _background(path, told, fields, turns)
    first = next((words for turn in turns if (words := _words(turn))), "")
    folder = _folder(fields, turns, identity.metadata)
    return RequestFacts(
        api=api,
        kind="background" if background else "work",
        background=background,
        client=identity.client,
        session_id=_short(identity.session()) or digest(f"{folder}\0{first}", size=16),
        agent_id=_short(identity.agent()) or (f"sub-{digest(first)}" if identity.is_nameless_sub_agent else ""),
        parent_agent_id=identity.parent(),
        turn_id=told.get("x-claude-code-prompt-id") or _text(identity.metadata.get("turn_id")),
        cwd=folder,
        model=_text(fields.get("model")),
        streaming=fields.get("stream") is True,
        prompt=_words(turns[newest]) if newest >= 0 else "",
        prompt_key=key_of(turns[newest], _last_call(turns[:newest])) if newest >= 0 else "",
        first_prompt=first,
        is_new_prompt=newest >= answered,
        anchor=named[-1].names[-1] if named else "",
        anchors=frozenset(name for place in named for name in place.names),
        results=_results(turns[answered:]),
        tools=tuple(_tool_names(fields)),
        server_keeps_history=bool(fields.get("previous_response_id") or fields.get("conversation")),
        messages=len(turns),
        digest=digest(write_json(fields.get("input" if api == "responses" else "messages")), size=16),
    )


def _api(method: str, path: str) -> Api | None:
    if method.upper() != "POST":
        return None
    plain = path.partition("?")[0].rstrip("/")
    return next((api for end, api in _PATHS if plain.endswith(end)), None)


def _short(name: str) -> str:
    """A name that others go by; of one that is longer than any client's a digest, since it is kept with every step."""
    return name if len(name) <= _LONGEST_NAME else digest(name, size=16)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


# Whose request it is.


class _Identity:
    """What headers and metadata say of client, session and agent."""

    def __init__(self, headers: dict[str, str], fields: dict[str, Any]) -> None:
        self._headers = headers
        self._fields = fields
        self.metadata = _object(headers.get("x-codex-turn-metadata", ""))

    @property
    def client(self) -> str:
        agent = self._headers.get("user-agent", "").lower()
        if "x-claude-code-session-id" in self._headers or agent.startswith("claude-cli/"):
            return "claude_code"
        if self.metadata or self._headers.get("originator", "").startswith("codex") or agent.startswith("codex"):
            return "codex"
        return "opencode" if agent.startswith("opencode/") else ""

    def session(self) -> str:
        """Empty where nothing tells."""
        headers = self._headers
        return (
            headers.get("x-claude-code-session-id")
            or self._told_to_anthropic()
            or headers.get("session-id")
            or headers.get("session_id")
            or _text(self.metadata.get("session_id"))
            or headers.get("x-parent-session-id")
            or headers.get("x-session-id")
            or _text(self._fields.get("prompt_cache_key"))
        )

    def agent(self) -> str:
        """Empty for the main agent."""
        headers = self._headers
        if "x-parent-session-id" in headers:
            return headers.get("x-session-id", "")
        thread = headers.get("thread-id") or _text(self.metadata.get("thread_id"))
        is_sub_agent = "x-codex-parent-thread-id" in headers or "parent_thread_id" in self.metadata
        return headers.get("x-claude-code-agent-id") or (thread if is_sub_agent else "")

    @property
    def is_nameless_sub_agent(self) -> bool:
        """Versions of Claude Code that do not name a sub-agent yet mark its requests in the first line of all."""
        system = self._fields.get("system")
        match system:
            case [{"text": str(line)}, *_]:
                return _SUB_AGENT_MARK in line
        return False

    def parent(self) -> str:
        """Empty where the parent is the main agent, or there is none."""
        headers = self._headers
        parent = headers.get("x-codex-parent-thread-id") or _text(self.metadata.get("parent_thread_id"))
        parent = parent or headers.get("x-claude-code-parent-agent-id", "")
        return "" if parent == self.session() else parent

    def _told_to_anthropic(self) -> str:
        metadata = self._fields.get("metadata")
        user = _text(metadata.get("user_id")) if isinstance(metadata, dict) else ""
        return _text(_object(user).get("session_id")) or user.partition("_session_")[2]


def _object(text: str) -> dict[str, Any]:
    try:
        return read_object(text) if text.startswith("{") else {}
    except WireError:
        return {}


def _folder(fields: dict[str, Any], turns: list[Turn], metadata: dict[str, Any]) -> str:
    """A client's metadata goes before what its prompts say, and those before what anybody may have typed."""
    workspaces = metadata.get("workspaces")
    if isinstance(workspaces, dict) and len(workspaces) == 1:
        return str(next(iter(workspaces)))
    system = fields.get("system") or fields.get("instructions")
    first = turns[:_MOST_TURNS_WITH_FOLDER]
    texts = [
        *read_turns("anthropic", {"messages": [{"role": "system", "content": system}]})[0].texts,
        *(text for turn in first if turn.role == "other" for text in turn.texts),
        *(text for turn in first if turn.role == "user" for text in turn.texts if text.startswith("<")),
    ]
    found = next((match for text in texts if (match := _FOLDER.search(text))), None)
    return (found[1] or found[2]).strip() if found else ""


# What is new in it.


def _words(turn: Turn) -> str:
    if turn.role != "user":
        return ""
    return "\n\n".join(words for text in turn.texts if (words := human_words(text)))


def _newest_prompt(turns: list[Turn]) -> int:
    return next((number for number in reversed(range(len(turns))) if _words(turns[number])), -1)


def _last(turns: list[Turn], role: str) -> int:
    return next((number for number in reversed(range(len(turns))) if turns[number].role == role), -1)


def _last_call(turns: list[Turn]) -> str:
    return next((turn.results[-1].id for turn in reversed(turns) if turn.results), "")


def _results(turns: list[Turn]) -> tuple[CallResult, ...]:
    return tuple(result for turn in turns for result in turn.results)


def _tool_names(fields: dict[str, Any]) -> Iterable[str]:
    tools = fields.get("tools") or fields.get("functions")
    for tool in tools if isinstance(tools, list) else ():
        match tool:
            case {"function": {"name": str(name)}} | {"custom": {"name": str(name)}} | {"name": str(name)}:
                yield name
            case {"type": str(kind)}:
                yield kind


# Whether it is work.


def _background(path: str, headers: dict[str, str], fields: dict[str, Any], turns: list[Turn]) -> str:
    """The class of a request that is none of the agent's work; empty for work."""
    plain = path.partition("?")[0].rstrip("/")
    if plain.endswith("/count_tokens"):
        return "count_tokens"
    if plain.endswith("/responses/compact"):
        return "compaction"
    limits = [fields.get(key) for key in ("max_tokens", "max_completion_tokens", "max_output_tokens")]
    limit = next((limit for limit in limits if isinstance(limit, int)), _SMALL_ANSWER + 1)
    if limit <= 1:
        return "probe"
    if found := _named(headers) or _by_words(turns):
        return found
    if not any(True for _ in _tool_names(fields)):
        return "title" if limit <= _SMALL_ANSWER else "no_tools"
    return ""


def _named(headers: dict[str, str]) -> str:
    kinds = (
        headers.get("x-claude-code-request-class", ""),
        headers.get("x-openai-subagent", ""),
        _text(_object(headers.get("x-codex-turn-metadata", "")).get("request_kind")),
    )
    return next((name for name, known in _TABLE.named.items() if any(kind in known for kind in kinds)), "")


def _by_words(turns: list[Turn]) -> str:
    newest = next((turn for turn in reversed(turns) if turn.role == "user" and turn.texts), None)
    if newest is None:
        return ""
    texts = [text.lstrip() for text in newest.texts]
    for name, beginnings in _TABLE.begins.items():
        if any(text.startswith(beginnings) for text in texts):
            return name
    said = "\n".join(text for text in texts if not text.startswith("<")).strip()
    return next((name for name, known in _TABLE.says.items() if said in known), "")
