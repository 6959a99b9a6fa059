"""The tokens of a piece of code, comments left out, each with one character that tells its role.

One regular expression for each family of languages does the reading and one table the naming: a parser's leaves would
say the same and cost ten times as much. Words that mean the same in two languages have one role.
"""

from __future__ import annotations

import re
from functools import lru_cache

_NAME = r"[^\W\d]\w*"
_NUMBER = r"0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?"
# No string and no comment can fail once it has begun: what has no end reaches to the end. Nothing is read twice.
_DOUBLE = r'"[^"\\\n]*(?:\\[\s\S][^"\\\n]*)*"?'
_SINGLE = r"'[^'\\\n]*(?:\\[\s\S][^'\\\n]*)*'?"
_BACK = r"`[^`\\]*(?:\\[\s\S][^`\\]*)*`?"
_LONG_DOUBLE = r'"""[^"\\]*(?:(?:\\[\s\S]|"(?!""))[^"\\]*)*(?:""")?'
_LONG_SINGLE = r"'''[^'\\]*(?:(?:\\[\s\S]|'(?!''))[^'\\]*)*(?:''')?"
_OPERATOR = (
    r"[=!]==?|<=>|\*\*=?|\.\.[.<=]?|\?\?=?|&&=?|\|\|=?|<<=?|>>=?|[<>]=|=>|->|::|\?\.|[-+*/%|&^:]=|\+\+|--|=~|<-|[^\s\w]"
)
_SLASHES = r"//[^\n]*"
_BLOCK = r"/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/)?"
_HASH = r"\#[^\n]*"
_NEWLINE = r"\n"

_FAMILIES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "python": (
        (_HASH, r"\\\n"),
        (
            rf"(?![rRbBuUfFtT]{{1,2}}[\"']){_NAME}",
            _NUMBER,
            rf"[rRbBuUfFtT]{{0,2}}(?:{_LONG_DOUBLE}|{_LONG_SINGLE}|{_DOUBLE}|{_SINGLE})",
            _NEWLINE,
            rf"//=?|{_OPERATOR}",
        ),
    ),
    "ruby": (
        (_HASH, r"\\\n"),
        (rf"@{{0,2}}{_NAME}(?:[?!](?!=))?", _NUMBER, _DOUBLE, _SINGLE, _BACK, _NEWLINE, _OPERATOR),
    ),
    "php": ((_SLASHES, r"\#(?!\[)[^\n]*", _BLOCK), (rf"\$?{_NAME}", _NUMBER, _DOUBLE, _SINGLE, _OPERATOR)),
    "javascript": (
        (_SLASHES, _BLOCK),
        (r"[#$]?[^\W\d][\w$]*|\$", _NUMBER, _DOUBLE, _SINGLE, _BACK, _NEWLINE, _OPERATOR),
    ),
    "go": ((_SLASHES, _BLOCK), (_NAME, _NUMBER, _DOUBLE, _SINGLE, r"`[^`]*`?", _NEWLINE, _OPERATOR)),
    "kotlin": ((_SLASHES, _BLOCK), (_NAME, _NUMBER, _LONG_DOUBLE, _DOUBLE, _SINGLE, _NEWLINE, _OPERATOR)),
    "csharp": (
        (_SLASHES, _BLOCK, r"\#[a-z][^\n]*"),
        (rf"@?{_NAME}", _NUMBER, r'(?:@\$?|\$@)"[^"]*(?:""[^"]*)*"?', rf"\$?{_DOUBLE}", _SINGLE, _OPERATOR),
    ),
    "rust": (
        (_SLASHES, _BLOCK, r"'[a-z_]\w*(?!')"),
        (
            rf"(?!b?r?\#?[\"']){_NAME}",
            _NUMBER,
            r'b?r\#"[^"]*(?:"(?!\#)[^"]*)*(?:"\#)?',
            rf"b?r?{_DOUBLE}",
            r"b?'(?:[^'\\\n]|\\[^\n'][^'\n]{0,10}|\\')'",
            _OPERATOR,
        ),
    ),
    "java": ((_SLASHES, _BLOCK), (_NAME, _NUMBER, _LONG_DOUBLE, _DOUBLE, _SINGLE, _OPERATOR)),
}
_FAMILY = {"typescript": "javascript", "tsx": "javascript", "c": "java", "cpp": "java"}
BY_LINE = frozenset({"python", "ruby", "javascript", "typescript", "tsx", "go", "kotlin"})
"""Where the end of a line may end a statement."""

GONE = "\x01"
"""The role of what says nothing: modifiers, the ends of blocks."""
_SAME_ROLE = """
if unless, elif elsif elseif, else, for foreach, while until loop, do, in of, not !, and &&, or ||, is, return, yield,
break, continue next, throw raise panic, try begin, catch except rescue, finally ensure, with using use, as,
lambda fn func function fun def, del delete unset, global nonlocal, assert, import from require,
class struct interface enum, new, typeof, instanceof, switch match when select, case, default, go, defer,
true True TRUE, false False FALSE, null None nil undefined NULL nullptr, self this $this, super parent base,
let const var val auto, print echo puts println, goto, == ===, != !== <>, <=, >=, =>, ->, ?? ?:, <<, >>, +=, -=, *=, /=,
%=, ++, --, **, .., ..., ..<, ..=, =~, <-, <=>, //, //=, **=, <<=, >>=, &=, |=, ^=, ??=, &&=, ||=,
void int long float double boolean bool char byte short string size_t unsigned signed u8 u32 u64 i32 i64 usize
"""
_EVERYWHERE = "if else for while return break in as true false class import"
_C_WORDS = (
    "do continue switch case default try catch throw new delete this null void int long float double char short goto "
    "const struct enum"
)
_OWN_WORDS = {
    "python": """elif not and or is yield continue raise try except finally with from lambda def del global nonlocal
        assert True False None self print async await pass""",
    "ruby": """unless elsif until loop do not and or yield next raise begin rescue ensure def nil self super puts
        require end then case when""",
    "php": f"""{_C_WORDS} foreach elseif and or finally use fn function unset global TRUE FALSE NULL $this parent self
        echo print match interface instanceof static public private protected final yield""",
    "javascript": """do of continue switch case default try catch finally throw new delete typeof instanceof function
        null undefined this super let const var yield async await static public private protected readonly override
        interface enum""",
    "go": """func continue switch case default select go defer range var const struct interface nil string int bool byte
        panic goto""",
    "kotlin": """fun val var when is do continue try catch finally throw null this super interface enum override
        private public internal protected final""",
    "csharp": f"""{_C_WORDS} foreach is finally using typeof interface base string bool byte var yield static public
        private protected internal override readonly async await ref out""",
    "rust": """fn let mut match loop self use struct enum continue const static async await ref u8 u32 u64 i32 i64 usize
        panic""",
    "java": f"""{_C_WORDS} finally interface instanceof super boolean bool byte auto final static public private
        protected nullptr NULL size_t unsigned signed assert yield""",
}
"""The words that are no names; those of one language may be names in another."""
_READS_AS = {":=": "=", "::": ".", "?.": "."}
_SAYS_NOTHING = (
    *"async await mut final static public private protected internal override".split(),
    *"end then pass ref out readonly range".split(),
)


def _roles(language: str) -> dict[str, str]:
    """Each word of the language and each operator to its character; those that mean the same share one."""
    own = frozenset(f"{_EVERYWHERE} {_OWN_WORDS[family(language)]}".split())
    groups = _SAME_ROLE.replace("\n", " ").split(",")
    table = {word: chr(0x80 + number) for number, group in enumerate(groups) for word in group.split()}
    table |= _READS_AS | dict.fromkeys(_SAYS_NOTHING, GONE)
    return {word: role for word, role in table.items() if word in own or not word[-1].isalnum()}


def family(language: str) -> str:
    """The language whose words and marks this one has; C's where nobody knows."""
    return _FAMILY.get(language, language if language in _FAMILIES else "java")


class RoleTable(dict[str, str]):
    """Token to role; learns each new token once and forgets all when there are too many."""

    def __init__(self, language: str) -> None:
        super().__init__(_roles(language))
        if language in {"php", "c", "cpp"}:
            self["->"] = "."
        if language == "python":
            self[";"] = "\n"
        self._known = dict(self)

    def __missing__(self, token: str) -> str:
        if len(self) > 20_000:
            self.clear()
            self.update(self._known)
        role = self[token] = _role(token)
        return role


def _role(token: str) -> str:
    """`s` a text, `n` a number, `T` a name in capitals, `v` any other name; an operator stands for itself."""
    first = token[0]
    if first in "\"'`" or (token[-1] in "\"'`#" and len(token) > 1):
        return "s"
    if first.isdigit():
        return "n"
    if first.isalpha() or first == "_" or len(token) > 1:
        return "T" if token.lstrip("$@#")[:1].isupper() else "v"
    return first if first.isascii() else "v"


@lru_cache(maxsize=16)
def reader(language: str) -> tuple[re.Pattern[str], RoleTable]:
    """The expression whose only group is a token, and the table of roles."""
    skipped, kept = _FAMILIES[family(language)]
    blank = r"[ \t]*+" if _NEWLINE in kept else r"\s*+"
    # Together with the blanks before it, which are never read again: a match for each token, and not two.
    return re.compile(f"{blank}(?:{'|'.join(skipped)}|({'|'.join(kept)})|)"), RoleTable(language)


def role(word: str) -> str:
    """The character of a word or operator of any language."""
    for number, group in enumerate(_SAME_ROLE.replace("\n", " ").split(",")):
        if word in group.split():
            return chr(0x80 + number)
    raise KeyError(word)


def tokens(text: str, language: str) -> list[str]:
    pattern, _table = reader(language)
    return list(filter(None, pattern.findall(text)))
