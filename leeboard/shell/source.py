"""Makes a shell text small and plain enough for the grammar.

The grammar needs time and memory quadratic in some inputs (a kilobyte of pipes is nothing, a hundred of them
are gigabytes), so what it is given is bounded. Here-documents become marked redirections and long quoted
texts become numbers: both are data, and the grammar reads here-documents less well than bash does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

import msgspec

from leeboard.model.text import lazy
from leeboard.shell.expansion import HERE, KEPT, MARKS, closing

MAX_TEXT = 262_144
"""More than a system takes as one argument."""
MAX_SKELETON = 4_096
MAX_PIECES = 65_536
"""Characters outside of quotes and here-documents that are read at all, in pieces of the size above."""
_LONG_QUOTE = 200

_COMMAND = lazy(
    r"""\\.|'[^']*'|\$'(?:[^'\\]++|\\.)*'|'|"(?:[^"\\`$]++|\\.|\$(?!\())*"|"|\$?\(\(|\$\(|\$\{|\(|\)|`|\}|\n"""
    r"""|(?<![^\s;&|()])\#[^\n]*|\[[^]\s'"`]{1,80}<<[^]\s'"`]{1,80}\]|<<<[ \t]*|<<-?""",
    re.DOTALL | re.VERBOSE,
)
_DOUBLE = lazy(r'\\.|"|\$\(\(|\$\(|\$\{|`', re.DOTALL)
_DELIMITER = lazy(r"""[ \t]*((?>(?:'[^'\n]*'|"(?:[^"\n`\\]|\\.)*"|\\.|[^\s;&|<>()'"\\`])+))(?![(`'"\\])""")
_QUOTING = lazy(r"""'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)""")
_ENDLESS = 8
"""Here-documents that nothing ends whose text is kept."""
_HERE = f"<'{HERE}'"
_SUBSTITUTION = lazy(r"\\.|\$\((?!\()|`", re.DOTALL)


class ShellSource(msgspec.Struct):
    """`kept` holds what was taken out of `text`; a number between KEPT characters stands in its place."""

    text: str
    kept: list[str]


class _UnreadableError(Exception):
    """Quotes do not end, or the word that ends a here-document is none."""


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


def prepare(text: str) -> ShellSource | None:
    """None where the text can not be made small enough or does not end as it began."""
    source = shortened(text)
    return source if source is not None and len(source.text) <= MAX_SKELETON else None


def shortened(text: str) -> ShellSource | None:
    """As small as it gets; None where it does not end as it began."""
    if "<<" not in text and len(text) <= MAX_SKELETON:
        return ShellSource(text, [])
    try:
        return _Preparation(text).run()
    except _UnreadableError:
        return None


def cleaned(text: str) -> str:
    """Without what would be taken for marks of our own, or can not be written down: mere letters to a shell."""
    return MARKS.sub("\ufffd", text).encode("utf-8", "replace").decode()


class _Preparation:
    def __init__(self, text: str) -> None:
        self.text = text
        self.pieces: list[str] = []
        self.kept: list[str] = []
        self.stack: list[str] = []
        self.pending: list[_HereDocument] = []
        self.endless = 0
        self.at = 0

    def run(self) -> ShellSource:
        while mark := (_DOUBLE if self.inside == '"' else _COMMAND).search(self.text, self.at):
            self.pieces.append(self.text[self.at : mark.start()])
            self.at = mark.end()
            self.take(mark[0], mark.start())
        self.pieces.append(self.text[self.at :])
        if self.pending:
            self.at = len(self.text)
            self.bodies()
        return ShellSource("".join(self.pieces), self.kept)

    @property
    def inside(self) -> str:
        return self.stack[-1] if self.stack else ""

    def take(self, mark: str, start: int) -> None:
        if mark == "'":
            raise _UnreadableError
        if mark in {"((", "$(("}:
            self.skip_arithmetic(start)
        elif mark in {"<<", "<<-"}:
            self.here_document(mark)
        elif mark.startswith("<<<"):
            self.pieces.append(_HERE)
        elif mark == "\n" and self.pending:
            self.pieces.append(mark)
            self.bodies()
        elif mark[0] == "#" and "`" not in (*mark, *self.stack):
            return
        elif len(mark) > _LONG_QUOTE and mark[0] in "'\"":
            self.pieces.append(mark[0] + self.keep(mark[1:-1]) + mark[0])
        else:
            self.turn(mark)
            self.pieces.append(mark)

    def turn(self, mark: str) -> None:
        """Follow brackets and quotes, so that it is known where here-documents may stand."""
        if mark == self.inside:
            self.stack.pop()
        elif mark in {'"', "`"}:
            self.stack.append(mark)
        elif mark in {"$(", "("}:
            self.stack.append(")")
        elif mark == "${":
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
        delimiter = _QUOTING.sub(lambda part: part[1] or part[2] or part[3] or "", found[1])
        self.pending.append(_HereDocument(len(self.pieces), delimiter, delimiter != found[1], operator == "<<-"))
        self.pieces.append("")

    def bodies(self) -> None:
        """A document that nothing ends goes on to the end of the text: a shell warns, and runs it.

        Where bash knows better than we do where it ends, commands follow. So what stands there is read as such too.
        Few of those are kept whole: each holds all that follows.
        """
        for document in self.pending:
            last = self.end_of(document)
            if last:
                body = self.text[self.at : last.start()]
            else:
                self.endless += 1
                body = self.text[self.at :].removesuffix("\n") + "\n" if self.endless <= _ENDLESS else ""
            if document.strip_tabs:
                body = re.sub(r"(?m)^\t+", "", body)
            self.pieces[document.piece] = self.here_text(body, quoted=document.quoted)
            self.at = last.end() + 1 if last else self.at
        self.pieces.append("\n")
        self.pending.clear()

    def end_of(self, document: _HereDocument) -> re.Match[str] | None:
        """Searched for only where such a line is still to come: a text may be nothing but documents."""
        last_lines = self.last_bare_lines if document.strip_tabs else self.last_lines
        if last_lines.get(document.delimiter, -1) < self.at:
            return None
        indent = r"\t*" if document.strip_tabs else ""
        return lazy(rf"^{indent}{re.escape(document.delimiter)}$", re.MULTILINE).search(self.text, self.at)

    @cached_property
    def last_lines(self) -> dict[str, int]:
        """Where each line stands for the last time."""
        places: dict[str, int] = {}
        at = 0
        for line in self.text.split("\n"):
            places[line] = at
            at += len(line) + 1
        return places

    @cached_property
    def last_bare_lines(self) -> dict[str, int]:
        """The same without the tabs before them."""
        bare: dict[str, int] = {}
        for line, at in self.last_lines.items():
            bare[line.lstrip("\t")] = max(at, bare.get(line.lstrip("\t"), -1))
        return bare

    def here_text(self, body: str, *, quoted: bool) -> str:
        if quoted:
            return f"{_HERE}'{self.keep(body)}' "
        kept = self.keep(body.replace('"', '\\"'))
        return f'{_HERE}"{kept}"{"".join(_substitutions(body))} '


def _substitutions(body: str) -> list[str]:
    found: list[str] = []
    at = 0
    while mark := _SUBSTITUTION.search(body, at):
        at = mark.end()
        if mark[0] in {"$(", "`"}:
            at = closing(body, at - 1)
            if at < 0:
                break  # a shell complains of it, and goes on behind the document
            found.append(body[mark.start() : at])
    return found


# Cuts a shell text that is too long for the grammar into parts that are not.
#
# The cuts are where one statement ends and the next begins, outside of quotes, brackets and compound statements. A
# statement that is too long by itself is cut at its operators, and a compound one loses its frame: its commands are
# then read one after the other, which tells what they touch though not when.


_TOGETHER = 1_024
"""Short statements are given to the grammar together: each call of it costs."""
_MARK = lazy(
    r"\\.|'[^']*'|[\"`]|\$?\(\(|\$\(|[<>]\(|\$\{|[()]|&&|\|\||&>>?|[<>]&|;;&?|;&|[;&|\n]|(?<![^\s;&|(])[A-Za-z{}!]+(?=[\s;&|()]|$)",
)
_OPENS = frozenset({"if", "for", "while", "until", "select", "case", "{"})
_CLOSES = frozenset({"fi", "done", "esac", "}"})
_LEADS = frozenset({"if", "then", "else", "elif", "while", "until", "do", "{", "!", "time", *_CLOSES})
_LEAD = lazy(
    r"\s*(?:(?:if|then|else|elif|while|until|do|time|[{}!]|fi|done|esac)(?=\s)"
    r"|(?:case\s[^;&|\n]{1,200}?\sin\s{1,9})?\(?[^\s()'\"$=]{1,200}\)(?=\s))"
)
"""What stands before a command in a compound one, the pattern of a case too."""
_DEEPEST = 40
_HEADS = frozenset({"for", "select", "case", "function"})
_ENDS = frozenset({"\n", ";", "&", ";;", ";;&", ";&"})
_OPERATORS = frozenset({*_ENDS, "&&", "||", "|"})


class Piece(msgspec.Struct, frozen=True):
    text: str
    whole: bool = True
    """False for what was taken out of its statement."""


def pieces_of(text: str, longest: int) -> Iterator[Piece]:
    """In order. What can not be cut is longer than `longest` still."""
    together = ""
    for statement in _statements(text):
        if len(together) + len(statement) > _TOGETHER and together.strip():
            yield Piece(together)
            together = ""
        if len(statement) <= longest:
            together += statement
        else:
            yield from (Piece(part, whole=False) for part in _parts(statement))
    if together.strip():
        yield Piece(together)


def telling_pieces(source: ShellSource, telling: re.Pattern[str], longest: int) -> Iterator[Piece]:
    """The statements that it fits, in what was taken out of them too, each by itself."""
    for statement in _statements(source.text):
        if not _tells(statement, source.kept, telling):
            continue
        if len(statement) <= longest:
            yield Piece(statement.strip())
        else:
            yield from (Piece(part, whole=False) for part in _parts(statement) if _tells(part, source.kept, telling))


def _tells(text: str, kept: list[str], telling: re.Pattern[str]) -> bool:
    return telling.search(text) is not None or any(telling.search(kept[int(n)]) for n in _NUMBER.findall(text))


_NUMBER = lazy(rf"{KEPT}(\d+){KEPT}")


def _statements(text: str) -> Iterator[str]:
    """The statements of a line, each with the mark that ends it."""
    depth, start, is_first = 0, 0, True
    for mark, _, end in _marks(text):
        if is_first and mark in _OPENS:
            depth += 1
        elif is_first and mark in _CLOSES:
            depth = max(depth - 1, 0)
        if mark in _ENDS and not depth:
            yield text[start:end]
            start = end
        is_first = mark in _OPERATORS or mark in _LEADS or mark == ")"
    yield text[start:]


def _parts(statement: str, depth: int = 0) -> Iterator[str]:
    """Its commands, without what frames them."""
    start = 0
    for mark, at, end in (*_marks(statement), ("\n", len(statement), len(statement))):
        if mark in _OPERATORS:
            part = _unframed(statement[start:at])
            start = end
            if part.startswith("(") and depth < _DEEPEST and closing(part, 0) == len(part):
                yield from _parts(part[1:-1], depth + 1)
            elif part:
                yield part


def _unframed(part: str) -> str:
    at = 0
    while lead := _LEAD.match(part, at):
        at = lead.end()
    rest = part[at:].strip()
    return "" if rest.split(None, 1)[:1] and rest.split(None, 1)[0] in _HEADS | _LEADS else rest


def _marks(text: str) -> Iterator[tuple[str, int, int]]:
    """What may end a statement or frame one; quotes and brackets are passed over whole."""
    at = 0
    while found := _MARK.search(text, at):
        mark, begin, at = found[0], found.start(), found.end()
        if mark in {'"', "`"} or (mark[-1] in "({" and mark != "{"):
            opener = begin + len(mark) - 1 - mark.endswith("((")
            end = closing(text, opener)
            if end < 0:
                return  # it has no end: nothing behind it stands by itself
            at = end
        else:
            yield mark, begin, at
