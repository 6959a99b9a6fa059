"""One simple command as bash would see it: words with quotes gone and known variables filled in."""

from __future__ import annotations

import re

import msgspec

from leeboard.model.text import lazy
from leeboard.shell.expansion import (
    BETWEEN,
    CLOSE,
    COMMA,
    HERE,
    HOME,
    KEPT,
    OPEN,
    UNKNOWN,
    Lookup,
    NotSimpleError,
    alternatives,
    ansi,
    closing,
    dollar,
    expand,
    literal_braces,
)

_PLAIN = lazy(r"[^\s\\'\"$`<>|&;(){}*?\[,~#\0-\7]+")
_BLANK = lazy(r"(?:[ \t\r]|\\\n)+")
_REDIRECT = lazy(r"&>>|&>|>&|<&|>>|>\||<<<|<>|<|>")
_ASSIGN = lazy(r"([A-Za-z_]\w*)(\[[^\]\s]*\])?(\+?)=", re.ASCII)
_SPLITS = lazy(r"[\s*?\[]")
_IFS = lazy(r"\$(?:IFS\b|\{IFS\})")
"""A blank, as long as nobody has given it another value."""
_GLOBS = lazy(r"[*?\[]")
_KEPT_NUMBER = lazy(f"{KEPT}(\\d+){KEPT}")
_DECLARES = frozenset({"declare", "export", "local", "readonly", "typeset"})
_UNQUOTED = {"{": OPEN, "}": CLOSE, ",": COMMA, "*": UNKNOWN, "?": UNKNOWN}


class Simple(msgspec.Struct):
    """A simple command: `redirects` are pairs of operator and target."""

    assignments: list[tuple[str, str]]
    words: list[str]
    redirects: list[tuple[str, str]]


def split(text: str, lookup: Lookup, kept: list[str]) -> Simple | None:
    """None where the text holds more than one simple command or can not be read."""
    try:
        return _Splitter(text, lookup, kept).run()
    except NotSimpleError:
        return None


class _Splitter:
    def __init__(self, text: str, lookup: Lookup, kept: list[str]) -> None:
        self.text = text
        self.lookup = lookup
        self.kept = kept
        self.at = 0
        self.word: str | None = None
        self.quoted = False
        self.name: str | None = None
        self.operator: str | None = None
        self.result = Simple([], [], [])

    def run(self) -> Simple:
        text, size = self.text, len(self.text)
        while self.at < size:
            if blank := _BLANK.match(text, self.at):
                self.finish()
                self.at = blank.end()
            elif plain := _PLAIN.match(text, self.at):
                self.begin()
                if self.at < plain.end():
                    self.add(text[self.at : plain.end()])
                    self.at = plain.end()
            else:
                self.special(text[self.at])
        self.finish()
        if self.operator is not None:
            raise NotSimpleError
        return self.result

    def begin(self) -> None:
        """Take `NAME=` off the start of a word that stands before the program."""
        if self.word is not None or self.operator is not None:
            return
        assign = _ASSIGN.match(self.text, self.at)
        if self.result.words and not (
            assign and self.result.words[0] in _DECLARES and self.text[assign.end() :][:1] == "("
        ):
            return
        if assign:
            self.name = assign[1]
            self.at = assign.end()
            before = (self.lookup(assign[1]) or UNKNOWN) if assign[3] else ""
            self.word = UNKNOWN if assign[2] else before
            if self.text.startswith("(", self.at):
                self.array(assign[1], is_added=bool(assign[3]))

    def array(self, name: str, *, is_added: bool) -> None:
        """Its words under a name of their own; the plain name stands for the first of them, which few ask for."""
        end = self.after(self.at)
        inside = split("in " + " ".join(self.text[self.at + 1 : end - 1].split("\n")), self.lookup, self.kept)
        words = inside.words[1:] if inside is not None and not inside.redirects else [UNKNOWN]
        before = self.lookup(f"{name}[@]") if is_added else None
        self.result.assignments.append((f"{name}[@]", BETWEEN.join((*([before] if before else ()), *words))))
        self.word, self.at = UNKNOWN, end

    def add(self, piece: str) -> None:
        self.word = piece if self.word is None else self.word + piece

    def after(self, start: int) -> int:
        end = closing(self.text, start)
        if end < 0:
            raise NotSimpleError
        return end

    def finish(self) -> None:
        word, self.word = self.word, None
        quoted, self.quoted = self.quoted, False
        if word is None:
            return
        if self.name is not None:
            self.result.assignments.append((self.name, literal_braces(word.replace(BETWEEN, " "))))
            self.name = None
        elif self.operator is not None:
            here = word.startswith(HERE)
            word = word.replace(BETWEEN, " ")
            self.result.redirects.append(("<<<" if here else self.operator, literal_braces(word).removeprefix(HERE)))
            self.operator = None
        elif word or quoted:
            for part in word.split(BETWEEN):
                self.result.words.extend(alternatives(part))

    def special(self, char: str) -> None:
        if char in "<>&":
            self.redirect()
        elif char == "#" and self.word is None:
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end
        elif char in "\n|;()":
            if char != "\n" or self.text[self.at :].strip():
                raise NotSimpleError
            self.at = len(self.text)
        elif char in "'\"\\$`":
            self.quote(char)
        else:
            self.add(self.unquoted(char))
            self.at += 1

    def unquoted(self, char: str) -> str:
        """What a character means outside quotes, where it does not end the word."""
        if char == "~":
            return HOME if not self.word or _ASSIGN.fullmatch(self.word) else "~"
        if char == "[":
            return "[" if self.text[self.at + 1 : self.at + 2].strip() in {"", "["} else UNKNOWN
        return _UNQUOTED.get(char, char)

    def quote(self, char: str) -> None:
        if char == "'":
            self.single()
        elif char == '"':
            end = self.after(self.at)
            self.quoted = True
            self.add(expand(self.restored(self.text[self.at + 1 : end - 1]), self.lookup))
            self.at = end
        elif char == "\\":
            self.add(self.text[self.at + 1 : self.at + 2])
            self.at += 2
        elif char == "`":
            self.add(UNKNOWN)
            self.at = self.after(self.at)
        else:
            self.dollar()

    def single(self) -> None:
        end = self.text.find("'", self.at + 1)
        if end < 0:
            raise NotSimpleError
        self.quoted = True
        self.add(self.restored(self.text[self.at + 1 : end]))
        self.at = end + 1

    def restored(self, text: str) -> str:
        """What was taken out of a quote was taken out whole; in a substitution it is none of this command's words."""
        found = _KEPT_NUMBER.fullmatch(text) if KEPT in text else None
        return self.kept[int(found[1])] if found else text

    def dollar(self) -> None:
        following = self.text[self.at + 1 : self.at + 2]
        if following == "'":
            self.ansi()
        elif following == '"':
            self.at += 1
        elif (blank := _IFS.match(self.text, self.at)) and self.lookup("IFS") is None and not self.keeps_together:
            self.finish()
            self.at = blank.end()
        else:
            value, self.at = dollar(self.text, self.at, self.lookup)
            self.add_split(value)

    @property
    def keeps_together(self) -> bool:
        """Whether the word is no word of the command: a value that is assigned, the target of a redirection."""
        return self.name is not None or self.operator is not None

    def add_split(self, value: str) -> None:
        """What a variable stands for outside of quotes: several words where it has blanks; of globs nobody knows."""
        if not _SPLITS.search(value):
            self.add(value)
        elif self.keeps_together or _GLOBS.search(value) or value != value.strip() or self.lookup("IFS") is not None:
            self.add(UNKNOWN)
        else:
            first, *rest = value.split()
            self.add(first)
            for word in rest:
                self.finish()
                self.add(word)

    def ansi(self) -> None:
        end = self.at + 2
        while end < len(self.text) and self.text[end] != "'":
            end += 2 if self.text[end] == "\\" else 1
        if end >= len(self.text):
            raise NotSimpleError
        self.quoted = True
        self.add(ansi(self.text[self.at + 2 : end]))
        self.at = end + 1

    def redirect(self) -> None:
        if self.text.startswith(("<(", ">("), self.at):
            self.add("/dev/fd/63")
            self.at = self.after(self.at + 1)
            return
        operator = _REDIRECT.match(self.text, self.at)
        here_document = self.text.startswith("<<", self.at) and not self.text.startswith("<<<", self.at)
        if operator is None or here_document or (self.operator is not None and self.word is None):
            raise NotSimpleError
        if self.word is not None and self.word.isdecimal() and not self.quoted and self.name is self.operator is None:
            self.word = None
        self.finish()
        self.operator = operator[0]
        self.at = operator.end()
