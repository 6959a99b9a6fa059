"""Makes a shell text small and plain enough for the grammar.

The grammar needs time and memory quadratic in some inputs (a kilobyte of pipes is nothing, a hundred of them
are gigabytes), so what it is given is bounded. Here-documents become here-strings and long quoted texts become
numbers: both are data, and the grammar reads here-documents less well than bash does.
"""

from __future__ import annotations

import re

import msgspec

from leeboard.code._shell_expansion import KEPT, MARKS, closing

MAX_TEXT = 65_536
MAX_SKELETON = 4_096
_LONG_QUOTE = 200

_COMMAND = re.compile(
    r"""\\.|'[^']*'|\$'(?:[^'\\]++|\\.)*+'|'|"(?:[^"\\`$]++|\\.|\$(?!\())*+"|"|\$?\(\(|\$\(|\$\{|\(|\)|`|\}|\n"""
    r"""|(?<![^\s;&|(])\#[^\n]*|<<<|<<-?""",
    re.DOTALL | re.VERBOSE,
)
_DOUBLE = re.compile(r'\\.|"|\$\(\(|\$\(|\$\{|`', re.DOTALL)
_DELIMITER = re.compile(r"""[ \t]*(?:'([^'\n]+)'|"([^"\n$`\\]+)"|\\([\w.-]+)|([\w.-]+))(?=[\s;&|<>()]|$)""")
_SUBSTITUTION = re.compile(r"\\.|\$\((?!\()|`", re.DOTALL)


class Source(msgspec.Struct):
    """`kept` holds what was taken out of `text`; a number between KEPT characters stands in its place."""

    text: str
    kept: list[str]


class _UnreadableError(Exception):
    """Quotes or here-documents do not end."""


class _HereDocument(msgspec.Struct):
    piece: int
    delimiter: str
    quoted: bool
    strip_tabs: bool


def readable(text: str) -> bool:
    """False for what no shell was meant to run: control characters, lone surrogates, far too much."""
    if len(text) > MAX_TEXT or MARKS.search(text):
        return False
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def prepare(text: str) -> Source | None:
    """None where the text can not be made small enough or does not end as it began."""
    if "<<" not in text and len(text) <= MAX_SKELETON:
        return Source(text, [])
    try:
        source = _Preparation(text).run()
    except _UnreadableError:
        return None
    return source if len(source.text) <= MAX_SKELETON else None


class _Preparation:
    def __init__(self, text: str) -> None:
        self.text = text
        self.pieces: list[str] = []
        self.kept: list[str] = []
        self.stack: list[str] = []
        self.pending: list[_HereDocument] = []
        self.at = 0

    def run(self) -> Source:
        while token := (_DOUBLE if self.inside == '"' else _COMMAND).search(self.text, self.at):
            self.pieces.append(self.text[self.at : token.start()])
            self.at = token.end()
            self.take(token[0], token.start())
        if self.pending:
            raise _UnreadableError
        self.pieces.append(self.text[self.at :])
        return Source("".join(self.pieces), self.kept)

    @property
    def inside(self) -> str:
        return self.stack[-1] if self.stack else ""

    def take(self, token: str, start: int) -> None:
        if token == "'":
            raise _UnreadableError
        if token in {"((", "$(("}:
            self.skip_arithmetic(start)
        elif token in {"<<", "<<-"}:
            self.here_document(token)
        elif token == "\n" and self.pending:
            self.pieces.append(token)
            self.bodies()
        elif len(token) > _LONG_QUOTE and token[0] in "'\"":
            self.pieces.append(token[0] + self.keep(token[1:-1]) + token[0])
        else:
            self.turn(token)
            self.pieces.append(token)

    def turn(self, token: str) -> None:
        """Follow brackets and quotes, so that it is known where here-documents may stand."""
        if token == self.inside:
            self.stack.pop()
        elif token in {'"', "`"}:
            self.stack.append(token)
        elif token in {"$(", "("}:
            self.stack.append(")")
        elif token == "${":
            self.stack.append("}")

    def keep(self, text: str) -> str:
        self.kept.append(text)
        return f"{KEPT}{len(self.kept) - 1}{KEPT}"

    def skip_arithmetic(self, start: int) -> None:
        end = closing(self.text, self.text.index("(", start))
        if end < 0:
            raise _UnreadableError
        self.pieces.append(self.text[start:end])
        self.at = end

    def here_document(self, operator: str) -> None:
        found = _DELIMITER.match(self.text, self.at)
        if found is None:
            raise _UnreadableError
        self.at = found.end()
        delimiter = found[1] or found[2] or found[3] or found[4]
        self.pending.append(_HereDocument(len(self.pieces), delimiter, found[4] is None, operator == "<<-"))
        self.pieces.append("")

    def bodies(self) -> None:
        for document in self.pending:
            indent = r"\t*" if document.strip_tabs else ""
            last = re.compile(rf"^{indent}{re.escape(document.delimiter)}$", re.MULTILINE).search(self.text, self.at)
            if last is None:
                raise _UnreadableError
            body = self.text[self.at : last.start()]
            if document.strip_tabs:
                body = re.sub(r"(?m)^\t+", "", body)
            self.pieces[document.piece] = self.here_string(body, quoted=document.quoted)
            self.at = last.end() + 1
        self.pieces.append("\n")
        self.pending.clear()

    def here_string(self, body: str, *, quoted: bool) -> str:
        if quoted:
            return f"<<<'{self.keep(body)}' "
        kept = self.keep(body.replace('"', '\\"'))
        return f'<<<"{kept}"{"".join(_substitutions(body))} '


def _substitutions(body: str) -> list[str]:
    found: list[str] = []
    at = 0
    while token := _SUBSTITUTION.search(body, at):
        at = token.end()
        if token[0] in {"$(", "`"}:
            at = closing(body, at - 1)
            if at < 0:
                raise _UnreadableError
            found.append(body[token.start() : at])
    return found
