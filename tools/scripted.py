"""Scripted sessions: a short text that reads like a coding session, written out as the client's own transcript.

One step per line at column 0; lines indented by two spaces are its body. `#` starts a comment.

    @ text             the human (body: further lines)        attach path     a file the prompt mentioned with @
    ~ text / ? text    assistant's words / thinking           claudemd        CLAUDE.md of the repository
    read path [:9+40]  body: the excerpt, from line 9         write path      body: the content
    edit path          body: `- old`, `+ new`, `  both`       edit* path      the same with replace_all
    grep re [:: path]  body: paths, or path:line:text         glob re [:: path]
    $ command          body: `| ` more command, else output   ls path         short for `$ ls path`
    notebook path cell body: the cell's new source            fetch url / web query / tool Name {json}
    todo a; b; c       one task each                          done 2          task 2 is finished
    agent Type: prompt body: the sub-agent's own steps        deny [words]    the person refuses the call above
    compact [auto]     body: the summary                      /name args      body: what a custom command expands to
    interrupt          the person presses escape              & step          same assistant message as the step above

A `!` after a verb makes the call fail (`$!`, `read!`, `edit!`); its body is then the error text (for `edit!` the edit).
"""

from __future__ import annotations

import re

import msgspec

from leeboard.errors import WireError
from tools.scripted_records import Chain
from tools.scripted_tools import Call, Files, tool_call

_STEP = re.compile(r"(?P<verb>[@~?$]|/[\w:-]+|[a-z]+)(?P<mark>[!*]?)(?:\s+(?P<head>.*))?$")
_SPOKEN = ("@", "~", "?")
_TOOLS = ("read", "write", "edit", "grep", "glob", "$", "ls", "notebook", "fetch", "web", "tool", "todo", "done")
_REST = ("agent", "deny", "compact", "interrupt", "attach", "claudemd")


class Step(msgspec.Struct, frozen=True):
    """One line of a script with what is indented under it."""

    verb: str
    mark: str
    head: str
    body: tuple[str, ...]
    joined: bool
    line: int


def parse(text: str) -> list[Step]:
    """The steps of a script; a line that is none raises WireError naming its number."""
    steps: list[Step] = []
    body: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.startswith("  ") or not line.strip():
            body.append(line[2:].rstrip())
            continue
        _close(steps, body)
        if not line.startswith("#"):
            steps.append(_step(line, number))
    _close(steps, body)
    return steps


def _step(line: str, number: int) -> Step:
    joined = line.startswith("& ")
    match = _STEP.match(line[2:] if joined else line)
    verb = match["verb"] if match else ""
    if match is None or not (verb.startswith("/") or verb in _SPOKEN or verb in _TOOLS or verb in _REST):
        raise WireError(f"line {number} is no step of a scripted session: {line[:80]!r}")
    return Step(verb, match["mark"], (match["head"] or "").rstrip(), (), joined, number)


def _close(steps: list[Step], body: list[str]) -> None:
    while body and not body[-1]:
        body.pop()
    if body and steps:
        steps[-1] = msgspec.structs.replace(steps[-1], body=steps[-1].body + tuple(body))
    body.clear()


def transcript(text: str, *, session: str, repo: str, forced_reads: bool = True) -> bytes:
    """The transcript JSONL of a script, the same bytes every time.

    The client refuses to edit a file it has not read, so a Read stands before each such edit. Without `forced_reads`
    only the reads of the script are there, as other clients and shell edits leave it.
    """
    chain = Chain(session, f"/home/dev/{repo}")
    chain.open_session()
    _Scribe(chain, Files(chain.cwd), forced_reads=forced_reads).play(parse(text))
    return b"".join(chain.lines)


class _Scribe:
    """Groups steps into messages: text and thinking open one, calls join it, results follow when it is complete."""

    def __init__(self, chain: Chain, files: Files, *, forced_reads: bool) -> None:
        self.chain = chain
        self.files = files
        self.forced_reads = forced_reads
        self.words: list[Step] = []
        self.calls: list[tuple[Call, list[Step]]] = []
        self.last_words = ""

    def play(self, steps: list[Step]) -> None:
        for step in steps:
            if step.verb in ("~", "?"):
                self._speak(step)
            elif step.verb in _TOOLS or step.verb == "agent":
                self._call(step)
            elif step.verb == "deny":
                self._deny(step)
            else:
                self._flush()
                self._outside(step)
        self._flush()

    def _speak(self, step: Step) -> None:
        if self.calls:
            self._flush()
        self.words.append(step)
        if step.verb == "~":
            self.last_words = _text(step)

    def _call(self, step: Step) -> None:
        if self.calls and not step.joined:
            self._flush()
        if step.verb == "edit" and self.forced_reads and self.files.known(self.files.full(step.head)) is None:
            old = tuple(line[2:] for line in step.body if line[:1] != "+")
            self._call(msgspec.structs.replace(step, verb="read", mark="", body=old))
            self._call(step)
            return
        inner = parse("\n".join(step.body)) if step.verb == "agent" else []
        self.calls += [(call, inner) for call in tool_call(step.verb, step.mark, step.head, step.body, self.files)]

    def _deny(self, step: Step) -> None:
        if not self.calls:
            raise WireError(f"line {step.line}: nothing to deny")
        call, inner = self.calls.pop()
        self.calls.append((call.refused(step.head), inner))

    def _flush(self) -> None:
        if self.words or self.calls:
            self.chain.open_message(stop="tool_use" if self.calls else "end_turn")
        for step in self.words:
            self.chain.say(_text(step), thinking=step.verb == "?")
        uses = [self.chain.use(call) for call, _ in self.calls]
        calls, self.calls, self.words = self.calls, [], []
        for use, (call, inner) in zip(uses, calls, strict=True):
            self.chain.result(use, self._run_agent(use, call, inner) if call.agent_type else call)

    def _run_agent(self, use: str, call: Call, inner: list[Step]) -> Call:
        chain = self.chain.side(use, str(call.input["prompt"]))
        side = _Scribe(chain, self.files, forced_reads=self.forced_reads)
        side.play(inner)
        self.chain.join(side.chain)
        return call.reported(side.last_words, side.chain.agent)

    def _outside(self, step: Step) -> None:
        if step.verb == "@":
            self.chain.prompt(_text(step))
        elif step.verb == "compact":
            self.chain.compact("\n".join(step.body), trigger=step.head or "manual")
        elif step.verb == "interrupt":
            self.chain.interrupt()
        elif step.verb == "attach":
            self.chain.attach_file(self.files.full(step.head), "\n".join(step.body))
            self.files.keep(self.files.full(step.head), "\n".join(step.body))
        elif step.verb == "claudemd":
            self.chain.instructions("\n".join(step.body))
        else:
            self.chain.command(step.verb, step.head, "\n".join(step.body))


def _text(step: Step) -> str:
    return "\n".join((step.head, *step.body) if step.head else step.body)
