"""What is shown to readers: it stands there to be read, and opens nothing.

A file is a page of a manual, or what a tool made of comments. Inside a file there are docstrings, comments that
explain, examples in them, texts that a program prints (its help, a here-document), sheets on a page, and examples in
the description of an interface.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import chain

from leeboard.model.text import lazy
from leeboard.secrets.described import Examples
from leeboard.secrets.hit import KEYS_OF_ONES_OWN, SecretHit, style_of
from leeboard.secrets.weight import is_random

COMMENT = lazy(r"[ \t]{0,400}(?:#|//|/?\*|<!--|--[ \t]|;[ \t]|\"\"\"|>>>)")
_MANUAL = lazy(
    r"(?i)(?:^|/)(?:docs?|documentation|manuals?|guides?|tutorials?|man|help)/|(?:^|/)(?:help|manual|tutorial)\.\w+$|"
    r"\.[1-8](?:\.in)?$"
)
_WITHOUT_ENDING = lazy(r"(?i)(?:^|/)(?:docs?|documentation|manuals?)/(?:[^/]+/)*[^/.]+$")
_MADE = lazy(r"(?i)(?:^|/)(?:api|java|php|js|type)[-_]?docs?/(?:[^/]+/)*[^/]+\.(?:json|js|html?|ya?ml)$")
"""The pages that a tool makes of comments, and the data they show."""
_PYTHON, _ELIXIR, _PERL = (".py", ".pyi"), (".ex", ".exs"), (".pm", ".pl")
_POD = lazy(r"(?ms)^=(?:head\d|pod|over|item|for|begin|encoding|\w{4,12})\b.*?(?:^=cut\b|\Z)")
_ROOM = 420
_LONGEST = 20_000


def is_page(path: str) -> bool:
    """A page of a manual: there to be read, by its kind and by its folder."""
    prose = style_of(path) == "prose" and _MANUAL.search(path) is not None
    return prose or _MADE.search(path) is not None or _WITHOUT_ENDING.search(path) is not None


class ShownText:
    """The places of one file that are shown; `starts` are the offsets at which its lines begin."""

    def __init__(self, path: str, text: str, starts: list[int], line_at: Callable[[int], int]) -> None:
        self._path = path
        self._text = text
        self._starts = starts
        self._line_at = line_at
        self._examples = Examples(path, text, starts, line_at)
        self._taken_up: dict[int, bool] = {}

    def reason(self, hit: SecretHit, first: int) -> str:
        """How it is shown; `first` is where its line begins. Empty where nobody reads it."""
        if self._examples.holds(hit.start):
            return "under the name of an example"
        if self.is_in_docstring(hit.start):
            return "example in a docstring"
        if self._is_on_a_page(hit) or self._is_explained(hit, first):
            return "it is only explained"
        if style_of(self._path) != "code" and _PICTURE.search(self._text, max(first, hit.start - _ROOM), hit.start):
            return "in the address of a picture, which everybody loads"
        return "shown on a page" if self._is_on_a_sheet(hit, first) else ""

    def is_in_docstring(self, at: int) -> bool:
        return _is_in(self._docstrings, at)

    def is_printed(self, hit: SecretHit) -> bool:
        """In a text that a program prints, its help for one: worth a look, as such texts are written in a hurry."""
        index = bisect_right(self._printed, (hit.start, _FAR)) - 1
        if index < 0 or hit.start >= self._printed[index][1]:
            return False
        if index not in self._taken_up and len(self._taken_up) < _MOST_ASKED:
            self._taken_up[index] = _is_taken_up(self._text, *self._printed[index])
        return not self._taken_up.get(index, False)

    @cached_property
    def _docstrings(self) -> list[tuple[int, int]]:
        """Where strings stand that are called examples, or in three quotes are statements of their own."""
        if self._path.endswith(_ELIXIR):
            return list(_triples(self._text, _is_elixir_doc))
        if self._path.endswith(_PERL):
            return [found.span() for found in _POD.finditer(self._text)]
        statements = _triples(self._text, _is_statement) if self._path.endswith(_PYTHON) else ()
        return sorted((*statements, *_named_texts(self._text, "example")))

    @cached_property
    def _printed(self) -> list[tuple[int, int]]:
        texts = (_here_documents(self._text), _named_texts(self._text, "help"), _printed_texts(self._text))
        return sorted(chain.from_iterable(texts))

    # Comments.

    def _is_explained(self, hit: SecretHit, first: int) -> bool:
        """In an example of a comment, or in a comment of many lines, which hides no private key."""
        if self._is_example_of_comment(hit, first):
            return True
        return hit.kind not in KEYS_OF_ONES_OWN and self._is_documented(hit, first)

    def _is_example_of_comment(self, hit: SecretHit, first: int) -> bool:
        """Behind words such as `@example`, `e.g.`, `Usage:` on its line of a comment or above; another tag ends it."""
        comment = COMMENT.match(self._text, first, hit.start)
        if comment is None:
            return _CALLED_SO.search(self._text, max(first, hit.start - _ROOM), hit.start) is not None
        if _SAYS_EXAMPLE.search(self._text, comment.end(), hit.start):
            return True
        line = self._line_at(first)
        for above in self._comment_lines(range(line - 1, 0, -1), _EXAMPLE_LINES):
            if _OPENS_EXAMPLE.search(above):
                return True
            if _TAG.search(above):
                return False
        return False

    def _is_documented(self, hit: SecretHit, first: int) -> bool:
        """In a comment of many lines that explains code; settings that are switched off are no explanation."""
        script = self._text.startswith("#!")
        if not script and style_of(self._path) != "code":
            return False
        line = self._line_at(first)
        below = self._comment_lines(range(line, len(self._starts) + 1), _DOCUMENTING)
        around = [*self._comment_lines(range(line - 1, 0, -1), _DOCUMENTING), *below]
        if not below or len(around) < _DOCUMENTING:
            return False
        return not is_random(hit.value) or not all(map(_CODE_LINE.search, around))

    def _comment_lines(self, lines: range, most: int) -> list[str]:
        """Those of them in a row that are comments, up to what is needed."""
        found = []
        for line in lines[:most]:
            start = self._starts[line - 1]
            if not COMMENT.match(self._text, start):
                break
            end = self._starts[line] if line < len(self._starts) else len(self._text)
            found.append(self._text[start:end].rstrip()[-_ROOM:])
        return found

    # Pages.

    def _is_on_a_page(self, hit: SecretHit) -> bool:
        """A file without an ending that is a private key and nothing else is no page, wherever it lies."""
        is_key = hit.kind in KEYS_OF_ONES_OWN and self._text.lstrip().startswith("-----BEGIN")
        return is_page(self._path) and not (is_key and _WITHOUT_ENDING.search(self._path))

    def _is_on_a_sheet(self, hit: SecretHit, first: int) -> bool:
        """Below a line that opens `<pre>` or the like; or behind tags that are written out, as people see them."""
        begin = max(0, hit.start - _SHEET_ROOM)
        opened = list(_SHEET.finditer(self._text, begin, hit.start))[-1:]
        is_page = bool(opened) and (style_of(self._path) != "code" or opened[0][0].startswith("<"))
        below = opened[0].end() if is_page else hit.start  # in code it is a page where nothing is indented
        sheet = self._text[below : hit.start]
        if sheet and f"</{opened[0][1]}" not in sheet and not _RUNS.search(sheet):
            return True
        if style_of(self._path) == "config" and len(_FENCE.findall(self._text, begin, hit.start)) % 2:
            return True
        return not is_random(hit.value) and "&lt;" in self._text[first : hit.start]


_SAYS_EXAMPLE = lazy(r"(?i)@(?:examples?|sample|usage|snippet)\b|\be\.g\.|\bfor (?:example|instance)\b|\bexample:")
_OPENS_EXAMPLE = lazy(
    r"(?im)@(?:examples?|sample|usage|snippet)\b|<(?:example|code|pre)\b|\be\.g\.[^\w]*$|"
    r"\b(?:examples?|for instance)\b[^\n:]{0,60}:?\s*$|\busage\s*:\s*$|^[\s/*#;@-]{0,40}usage\b[^\n:]{0,60}:?\s*$"
)
_TAG = lazy(r"^[\s/*#;-]{0,40}@[a-z]\w+")
_CALLED_SO = lazy(
    r"""(?i)\b(?:examples?|e\.g\.|for instance)[:,]?\s+[\w.\-]{1,40}\s{0,3}[=:]\s{0,3}[\\"'`]{0,3}\Z|"""
    r"""["'`](?:examples?|e\.g\.|usage):[ \t][^"'`\n]{0,80}\Z"""
)
"""`Example key='...'` in a sentence."""
_EXAMPLE_LINES = 12
_DOCUMENTING = 5
_CODE_LINE = lazy(r"""[{}()\[\],;]\Z|["'\w\]]\s{0,3}(?:=|:=|=>)\s|["']\s{0,3}:\s""")
_PICTURE = lazy(r"(?i)https?://[^\s\"'<>()]{0,200}(?:\.svg|\.png|badge)[^\s\"'<>()]{0,160}[?&][\w\-]{1,40}=\Z")
_SHEET = lazy(r"(?m)^[ \t]{0,40}<(pre|programlisting|screen|literallayout)\b[^>\n]{0,80}>")
_FENCE = lazy(r"(?m)^[ \t]{0,40}```[\w \t-]{0,20}$")
"""What stands between two of them in the text of a setting is shown as it is."""
_RUNS = lazy(r"(?i)<script\b|<\?(?:php|=)|<%")
_SHEET_ROOM = 8_000
"""How far a page may go on inside of one `<pre>`."""


def _is_in(spans: list[tuple[int, int]], at: int) -> bool:
    index = bisect_right(spans, (at, _FAR)) - 1
    return index >= 0 and at < spans[index][1]


_FAR = 1 << 60
_MOST_ASKED = 50
"""Each of them is looked for in the whole file."""


# Strings in three quotes.


_TRIPLE = lazy(r"\"\"\"|'''")
_ELIXIR_DOC = lazy(r"@(?:module|type)?doc[ \t]{1,4}(?:~[sS])?\Z")
_DOCSTRING_LEAD = lazy(r"(?:\A|\n)[ \t]{0,200}[rRuU]?\Z")


def _triples(text: str, fits: Callable[[str, int], bool]) -> Iterator[tuple[int, int]]:
    """The strings in three quotes whose place fits."""
    opened = _TRIPLE.search(text)
    while opened is not None:
        end = text.find(opened.group(), opened.end())
        if end < 0:
            break
        if fits(text, opened.start()):
            yield opened.start(), end + 3
        opened = _TRIPLE.search(text, end + 3)


def _is_elixir_doc(text: str, at: int) -> bool:
    return _ELIXIR_DOC.search(text, max(0, at - _ROOM), at) is not None


def _is_statement(text: str, at: int) -> bool:
    """Alone on its line, behind a colon, a comment or nothing: no value of anything."""
    if _DOCSTRING_LEAD.search(text, max(0, at - _ROOM), at) is None:
        return False
    before = text[max(0, at - _ROOM) : at].rstrip(" \t\r\nrRuU")
    line = before[before.rfind("\n") + 1 :].lstrip()
    return not before or before.endswith(":") or line.startswith("#")


# Texts that a program prints: of several lines, or under a name that says so.


_HERE = lazy(
    r"""(?m)^(?P<lead>[^\n<]{0,200})<<[-~<]?[ \t]{0,2}["'\\]?(?P<end>[A-Za-z_]\w{0,40})["']?(?P<rest>[^\n]{0,200})$"""
)
_PRINTS = lazy(r"(?:^|[;&({]|\bthen|\bdo)\s*(?:cat|echo|printf?|puts|say|warn|die|usage|help)\b")
_GOES_ELSEWHERE = lazy(r"\|(?!\|)|>\s{0,2}(?!&[12]\b|/dev/(?:std|tty))\S|\btee\b|\$\(|`")
_PAGER = lazy(r"\|\s*(?:less|more|cat|fold|fmt)\b|\|\|.*")
_GROUP_ENDS = lazy(r"[^\n]*\n\s{0,40}[)}][^\n]{0,200}")
_FUNCTION = lazy(r"(?m)^[ \t]{0,40}(?:function[ \t]{1,4})?(\w{1,60})[ \t]{0,4}\(\)[ \t\n]{0,8}\{|^[ \t]{0,40}\}")
_NAMED_TEXT = lazy(
    r"""(?m)^[ \t]{0,40}(?:[a-z]\w{0,12}[ \t]{1,4}){0,4}[$@*]{0,2}[\w.]{0,40}?(?:\b|_|(?<=[a-z0-9])(?=[A-Z]))"""
    r"""(?i:(?P<help>usage|help|synopsis|epilog|docs?)|(?P<example>examples?|documentation))"""
    r"""_?(?i:text|message|msg|string|str)?_{0,2}"""
    r"""[ \t]{0,4}(?:\[\])?[ \t]{0,4}:?=[ \t]{0,4}[rRuUfF]?(?P<quote>\"\"\"|'''|["'`])"""
)
_PRINTED_TEXT = lazy(r"""(?m)^[ \t]{0,40}(?:echo|printf?|puts|die)[ \t(]{1,3}(?P<quote>["'])""")


def _here_documents(text: str) -> Iterator[tuple[int, int]]:
    """Those that are printed, and neither written to a file nor handed on."""
    if "<<" not in text:
        return
    for here in _HERE.finditer(text):
        if _PRINTS.search(here["lead"]) and not _GOES_ELSEWHERE.search(f"{here['lead']} {here['rest']}"):
            found = re.compile(rf"^[ \t]*{here['end']}\b", re.MULTILINE).search(text, here.end())
            end = found.start() if found else len(text)
            yield here.end(), end


def _is_taken_up(text: str, start: int, end: int) -> bool:
    """What the group or the function around it prints is written to a file, or handed on."""
    group = _GROUP_ENDS.match(text, end)
    if group is not None and _GOES_ELSEWHERE.search(group[0].rpartition("\n")[2]):
        return True
    around = list(_FUNCTION.finditer(text, max(0, start - _LONGEST), start))[-1:]
    if not around or not around[0][1]:
        return False
    called = re.finditer(rf"(?m)^[^\n#]{{0,200}}\b{around[0][1]}\b(?![ \t]*\()[^\n]{{0,200}}$", text)
    return any(_GOES_ELSEWHERE.search(_PAGER.sub("", call[0])) for call in called)


def _named_texts(text: str, named: str) -> Iterator[tuple[int, int]]:
    """`usage="..."`, `const helpText = "..."`: those that are called a help, or an example."""
    for opened in _NAMED_TEXT.finditer(text):
        end = _closing(text, opened.end(), opened["quote"]) if opened[named] else 0
        # A bare value explains nothing, unless it is called an example.
        if end and (_MORE_THAN_A_VALUE.search(text, opened.end(), end) or opened[named].lower().startswith("example")):
            yield opened.end(), end


def _printed_texts(text: str) -> Iterator[tuple[int, int]]:
    """What is printed at once, where it has several lines and is not written to a file."""
    for opened in _PRINTED_TEXT.finditer(text):
        end = _closing(text, opened.end(), opened["quote"])
        if "\n" in text[opened.end() : end] and not _GOES_ELSEWHERE.search(_rest_of_line(text, end)):
            yield opened.end(), end


def _rest_of_line(text: str, at: int) -> str:
    return text[at : at + _ROOM].replace("\\\n", " ").partition("\n")[0]


_MORE_THAN_A_VALUE = lazy(r"[\s=:]")


def _closing(text: str, at: int, quote: str) -> int:
    """Where the text ends that was opened with this quote; right where it began, if nowhere near."""
    end = text.find(quote, at, at + _LONGEST)
    while end > at and text[end - 1] == "\\":
        end = text.find(quote, end + 1, at + _LONGEST)
    return max(end, at)
