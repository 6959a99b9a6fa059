"""Secrets under a name: `password = "..."`, `api_key: ...`, `setToken("...")`, `<secret>...</secret>`, `--token ...`.

A keyword is found first; the name around it says what to expect, what follows says how the value is written. All of it
looks at a bounded stretch of text, so that time is linear in the number of keywords.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import msgspec

from leeboard.model.text import lazy
from leeboard.secrets.hit import STEMS, Promise, Region, SecretHit, Share, Style, is_open, promise_of, words_of
from leeboard.secrets.literal import LiteralText, bare_at, quoted_at, wrapped_at
from leeboard.secrets.provider import by_provider_name, held, occurrences
from leeboard.secrets.weight import A_PLAIN_WORD, Weight, class_count, is_as_named, is_example, is_random, weigh

_STEMS = tuple(stem for stem in STEMS if not any(stem != other and stem.startswith(other) for other in STEMS))
"""Without those that begin with another one."""
_NAME_BACK = 60
_SURE_SIZE = 7
_REACH = 1_000
"""No value begins further behind the end of its name."""
_UNBROKEN = lazy(r"""[^\s"'`,;&<>(){}\[\]|\\]{120,2000}""")
"""What stands inside a word of this size is part of it: a name over and over costs no more than once."""
_NAME_BACKWARDS = lazy(r"[A-Za-z0-9_$.\-]{0,60}")
_NAME_RIGHT = lazy(r"[A-Za-z0-9_$\-]{0,60}(?:\.(?!equals|compareTo|set\()[A-Za-z_][\w$\-]{0,40}){0,4}")
_ASSIGN = lazy(
    r"""(?x)(?:\\?["'`]|&quot;)?\]?[?!]?(?:\[\w{0,10}\])?[ \t]{0,30}
    (?::[ \t]{0,2}[A-Za-z_&*][\w.<>\[\],?*&|' ]{0,40}?[ \t]{0,2}(?==[^=>]))?
    (?P<sign>::=|\.=|\|\|(?!=)|\?\?(?!=)|===?|!==?|=>|:=|\?\?=|\|\|=|\?=|\+=|<-|=|:(?!:)
    |\.(?:equals(?:IgnoreCase)?|compareTo|set)\()[ \t]{0,12}"""
)
_ONE_OF_MANY = lazy(r"\[\d{1,3}\][ \t]{0,4}(?::(?!=)|[=!]=)")
"""`passwords[0]: "admin"` is a key of a table, and `password[1] == "scram"` asks for the kind of a record."""
_WRAPPED_LINE = lazy(r"""\\?\r?\n[ \t]{1,60}(?=["'])""")
_ARGUMENT = lazy(r"""\\?["'`][ \t]{0,4}[\])]{0,2}[ \t]{0,4},[ \t]{0,6}""")
_CALL = lazy(r"[ \t]{0,1}\([ \t]{0,4}")
_ELEMENT = lazy(
    r"""(?:["'][^<>\r\n]{0,60})?(?:[ \t][^<>\r\n]{0,80})?>(?:</key>[ \t\r\n]{0,40}<string>|"""
    r"""[ \t]{0,4}<!\[CDATA\[|</name>[ \t\r\n]{0,40}<value>)?"""
)
_PLIST = lazy(r"</(?:key|name)>[ \t\r\n]{0,60}<(?:string|value)>")
_ELEMENT_VALUE = lazy(r"[^<>\s]{3,2000}(?=\s{0,20}(?:</|\]\]>))")
_ATTRIBUTE = lazy(
    r"""(?i)(?:\\?["'][ \t]{0,4},?|"""
    r"""[ \t]{0,2},)[ \t]{0,4}(?:[\w:]{1,20}=["'][^"']{0,40}["'][ \t]{1,4})?(?:\\?["'])?(?:value|val|"""
    r"""content|default(?:value)?)(?:\\?["'])?[ \t]{0,3}[=:][ \t]{0,3}"""
)
_NEXT_LINE = lazy(r"""["']?[ \t]{0,4},?[ \t]{0,4}\r?\n[ \t]{0,60}["']?value["']?[ \t]{0,3}[:=][ \t]{0,3}""")
_ENDS_PLACE = lazy(r"""["']\][ \t]{0,8}(?:=|\?\?|\[|\.|->)""")
_NEXT_NAME = lazy(r"[A-Za-z_]{1,60}=\Z")
"""In a list of options, `password= message= path=`, the next one is no value."""
_SENTENCE = lazy(r" [a-z\-]{2,20} (?:[a-z\-]{2,20}[ .,\"'])")
"""`challengePassword:  ASN.1 object smaller than`"""
_SPACE = lazy(r"[ \t]{1,4}(?:(?:is|was)[ \t]{1,2}:?[ \t]{0,2})?")
_IDLE_VERBS = frozenset(
    """
    get fetch read has is load find lookup remove delete require parse decode decrypt validate generate create make
    new list refresh revoke request ask prompt input show hide toggle render translate t handle on build extract
    call query invoke store save print log assert expect describe should it need want can check
    """.split()
)
_REST_OF_LINE = lazy(r"[ \t]{0,8}(?:#|//|;|,|\}|\]|\)|<|\r|\n|\Z|--|\||\\n)")
_COMMENT = lazy(r"[ \t]{0,200}(?:#|//|/?\*|--|<!--|;|rem\b|\"\"\"|'(?=\s))")


_DURATION = lazy(r": [^\r\n]{1,300}? \(\d{1,6}(?:\.\d{1,6})?m?s\)")
_FOLLOWS = frozenset("\"'`\\]=:,( \t\r\n>.?!&[<|+")
"""What can stand between a name and its value."""


class _Site(msgspec.Struct, frozen=True):
    """A name in a text."""

    text: str
    start: int
    end: int
    name: str
    style: Style
    promise: Promise
    providers: tuple[str, ...]
    """Those whose names are part of it."""

    @property
    def before(self) -> str:
        return self.text[self.start - 1 : self.start] if self.start else ""


def by_name(
    text: str, lowered: str, style: Style, providers: tuple[str, ...] = (), region: Region | None = None
) -> Iterator[SecretHit]:
    """Every value that stands under a name that promises a secret, or holds one of these providers' names.

    With a region, names whose values can not lie in it are passed over.
    """
    if len(text) != len(lowered):
        return
    done, share = 0, Share(text)
    for start, size in sorted(occurrences(lowered, (*held(_STEMS, text, lowered), *providers))):
        if start < done:
            continue
        right = _NAME_RIGHT.match(text, start + size)
        done = end = right.end() if right else start + size
        if text[end : end + 1] not in _FOLLOWS:
            continue
        site = _site(text, start, end, style, providers)
        type_name = site.before == ":" and text[site.start - 2 : site.start] == "::"
        if type_name or _is_passed_test(site) or _is_part_of_a_word(site) or not (site.promise or site.providers):
            continue
        unbroken = _UNBROKEN.match(text, end)
        if share.is_spent(start, unbroken.end() - end if unbroken else 0):
            yield (unread := share.rest(start))
            done = unread.end
            continue
        if region is None or region.touches(site.start, end + _REACH):
            yield from _weighed(site)
        done = unbroken.end() if unbroken else done


def _site(text: str, start: int, last: int, style: Style, providers: tuple[str, ...]) -> _Site:
    """The name around what stands at `start`; `last` is where it ends."""
    before = text[max(0, start - _NAME_BACK) : start][::-1]
    left = _NAME_BACKWARDS.match(before)
    first = start - (len(left.group()) if left else 0)
    name = text[first:last]
    stripped = name.lstrip("-.$")
    own = last_part(stripped)
    if len(own) >= _DRAWN_NAME and class_count(own) >= _DRAWN_CLASSES and is_random(own):
        return _Site(text, last - len(stripped), last, stripped, style, "", ())
    met = _met(stripped, providers) if providers and not is_open(own) else ()
    return _Site(text, last - len(stripped), last, stripped, style, promise_of(own), met)


_DRAWN_NAME, _DRAWN_CLASSES = 24, 3
"""A name of so many signs in such a mix is itself a key, of a table that gives each another one."""


def _is_part_of_a_word(site: _Site) -> bool:
    """`"$mode,$pass" = "prog,link"` in a shell: several values in one word are compared, none is set."""
    if site.style not in {"shell", "shell line"} or site.before != "$":
        return False
    return _IN_A_WORD.match(site.text[site.start - 2 : site.start - 1]) is not None


_IN_A_WORD = lazy(r"[\w,:./\-}]")


def _is_passed_test(site: _Site) -> bool:
    """`--- PASS: TestX (0.00s)` is the result of a test: its dashes or its duration tell it from a password."""
    if site.name != "PASS" or not site.text.startswith(": ", site.end):
        return False
    return site.text.endswith("--- ", 0, site.start) or bool(_DURATION.match(site.text, site.end))


def _met(name: str, providers: tuple[str, ...]) -> tuple[str, ...]:
    """A short name of a provider counts as a whole word only: `box` is part of `checkbox`."""
    lowered, words = name.lower(), words_of(name)
    return tuple(p for p in providers if p in lowered and (len(p) >= _SURE_SIZE or p in words))


def last_part(name: str) -> str:
    """`spring.datasource.password` is a password, `password.title` a title."""
    return name.rstrip("-._$").rpartition(".")[2]


def _weighed(site: _Site) -> Iterator[SecretHit]:
    for form, read in dict.fromkeys(_values(site)) if site.style == "any" else _values(site):
        provider = by_provider_name(site.name, read.value, site.providers) if site.providers else ""
        weight = _weight(site, read, provider)
        if weight is None:
            continue
        if weight == A_PLAIN_WORD and site.promise == "password" and _opens(site, form):
            weight = (_OPENS, "")
        confidence, note = weight
        if form in _LOOSE and not provider and confidence < (0.5 if form == "argument" else 0.8):
            continue
        kind = f"{provider}-key" if provider else site.promise
        yield SecretHit(kind=kind, name=site.name, value=read.value, start=read.start, confidence=confidence, note=note)
        if site.style != "any":
            return


def _weight(site: _Site, read: LiteralText, provider: str) -> Weight | None:
    if provider:
        return (0.3, "placeholder") if is_example(read.value) else (0.95, "")
    if not site.promise or is_as_named(site.name, read.value):
        return None
    return weigh(site.name, read.value, site.promise, quoted=read.quoted)


_OPENS = 0.6
_SAYS_PASSWORD = lazy(r"(?i)passw|pwd")
_CHANGING_VERBS = _IDLE_VERBS | frozenset("update change reset force use set keep allow".split())
"""`update_password == "always"` asks what to do with one."""
_ASSERTS = lazy(
    r"\b(?:assert\w*|expect|ensure)(?:[ \t]+[^\n;]{0,80}|"
    r"[ \t]*\((?:[^()\n;]|\([^()\n;]{0,40}\)){0,80}(?:\([^()\n;]{0,40})?)\Z"
)
"""In the same call or statement."""
_CONNECTS = lazy(r"(?i)\b\w*(?:connect|connection|login|authenticate|create_engine)\(\s*[^()\n]{0,160}[(,\s]$")


def _opens(site: _Site, form: str) -> bool:
    """Whether a word, which would be a label elsewhere, opens something: what is typed is compared with it, or somebody
    is let in by it.
    """
    words = words_of(last_part(site.name))
    if site.style != "code" or not _SAYS_PASSWORD.search(site.name) or not words or words[0] in _CHANGING_VERBS:
        return False
    before = site.text[max(0, site.start - 200) : site.start]
    if _ASSERTS.search(before):
        return False
    return form == "compared" or (form == "assigned" and _CONNECTS.search(before) is not None)


_BARE_STYLES: tuple[Style, ...] = ("code", "shell", "config", "prose")
_COMPARES = frozenset({"==", "===", "!=", "!=="})
_LOOSE = frozenset({"argument", "call", "space"})
"""Forms in which words are met more often than secrets."""


def _values(site: _Site) -> Iterator[tuple[str, LiteralText]]:
    """What may be the value, by each form that fits, the surest first."""
    readers = (_assigned, _argument, _attribute, _element, _called, _spaced)
    return chain.from_iterable(reader(site) for reader in readers)


def _assigned(site: _Site) -> Iterator[tuple[str, LiteralText]]:
    lead = _ASSIGN.match(site.text, site.end)
    if lead is None or ((site.promise == "key" or _is_mere_word(site)) and lead["sign"] in _COMPARES):
        return  # what a mere key is compared with is the name of an entry, and a word in quotes holds nothing
    if lead is not None and site.style == "code" and _ONE_OF_MANY.match(lead.group()):
        return
    if lead["sign"] == ":" and site.before in {"!", ":", "+"} and site.text[lead.end() - 1] == ":":
        return  # one of a list with colons between: `HIGH:!PSK:!SRP`
    at = lead.end()
    wrapped = _WRAPPED_LINE.match(site.text, at)
    read = wrapped_at(site.text, wrapped.end() if wrapped else at)
    is_compared = lead["sign"] in _COMPARES
    if read is not None and not (is_compared and _is_quoted(site) and class_count(read.value) == 1):
        yield "compared" if is_compared else "assigned", read
    elif lead["sign"] in {"=", ":", ":=", "=>", "?="}:
        spaced = site.text[at - 1 : at] in {" ", "\t"}
        for style in _BARE_STYLES if site.style == "any" else (site.style,):
            bare = _bare(msgspec.structs.replace(site, style=style), at, lead["sign"], spaced=spaced)
            if bare is not None:
                yield "assigned", bare


def _bare(site: _Site, at: int, sign: str, *, spaced: bool) -> LiteralText | None:
    """A value without quotes, where the kind of file has such."""
    text = site.text
    # A name in quotes of its own is no part of a longer string.
    if site.before in {"?", "&", ";"} or _inside_string(text, at if _is_quoted(site) else site.start):
        return _inside(site, at, spaced=spaced)
    if site.style == "code" and not _is_comment(text, site.start):
        return None
    if site.style in {"shell", "shell line"} and spaced and site.before == "$":
        return None  # `[ $KEY = 9:0BAC ]` compares
    if site.style in {"shell", "shell line"} and (spaced or sign != "="):
        read = bare_at(text, at)
        return read if read is not None and _is_mixed(read.value) else None
    read = bare_at(text, at, to_line_end=site.style == "config")
    if read is None or not _REST_OF_LINE.match(text, read.end):
        return read if read is not None and _is_mixed(read.value) else None
    return read


def _inside(site: _Site, at: int, *, spaced: bool) -> LiteralText | None:
    """A value in a longer string; the next of several names and the words of a sentence are none."""
    read = bare_at(site.text, at, in_string=True) if not spaced or site.before in {";", " ", '"', "'"} else None
    if (
        read is not None
        and site.text[site.start - 2 : site.start - 1] == "["
        and _ENDS_PLACE.match(site.text, read.end)
    ):
        return None  # `kept["password:first"] = ...` names a place
    if read is not None and spaced and (_NEXT_NAME.match(read.value) or _SENTENCE.match(site.text, read.end)):
        return None
    return read


def _is_quoted(site: _Site) -> bool:
    return site.before in {'"', "'"} and site.text[site.end : site.end + 1] == site.before


def _is_mere_word(site: _Site) -> bool:
    """In quotes, and no field that is read by its name: `body["password"]`."""
    return _is_quoted(site) and site.text[site.end + 1 : site.end + 2] != "]"


def _is_mixed(value: str) -> bool:
    start = value[:100]
    return any(map(str.isdigit, start)) and any(map(str.isalpha, start))


def _inside_string(text: str, start: int) -> bool:
    """Whether a quote stands open in front of it on its line."""
    line = text[max(text.rfind("\n", 0, start) + 1, start - 400) : start]
    return any(line.count(quote) % 2 for quote in '"`') or line.replace("\\'", "").count("'") % 2 == 1


def _is_comment(text: str, start: int) -> bool:
    line_start = max(text.rfind("\n", 0, start) + 1, start - 400)
    return _COMMENT.match(text, line_start, start + 1) is not None


def _argument(site: _Site) -> Iterator[tuple[str, LiteralText]]:
    lead = _ARGUMENT.match(site.text, site.end) if site.before in {'"', "'", "`", "\\"} else None
    read = quoted_at(site.text, lead.end()) if lead else None
    if read is None or not _ends_in_promise(site.name) or _MEMBER.fullmatch(read.value):
        return
    if _ONE_OF.search(site.text, max(0, site.start - _ROW), site.start):
        return
    opened = site.text[max(0, site.start - 4) : site.start].rstrip("\"'`\\ @bru")[-1:]
    if opened in {"(", "["} or site.text[read.end : read.end + 1] in {")", "]", "}"}:
        yield "argument", read


_ONE_OF = lazy(r"""\bin\s{0,2}[\[({]\s{0,2}(?:["'][\w \-]{0,40}["']\s{0,2},\s{0,2}){0,8}["']\Z""")
"""`if name in ("user", "password", "realm")` asks for one of several names."""
_ROW = 300
_MEMBER = lazy(r"_[a-z]+(?:_[a-z]+)*")
"""`__slots__ = ("token", "_lock")`: one more of the names that a class has."""


def _ends_in_promise(name: str) -> bool:
    """`set_password` is about one, `PasswordMixin` is not."""
    words = words_of(last_part(name))
    return bool(words) and promise_of(words[-1]) != ""


def _attribute(site: _Site) -> Iterator[tuple[str, LiteralText]]:
    lead = _ATTRIBUTE.match(site.text, site.end) or _NEXT_LINE.match(site.text, site.end)
    read = (quoted_at(site.text, lead.end()) or bare_at(site.text, lead.end(), to_line_end=True)) if lead else None
    if read is not None:
        yield "attribute", read


def _element(site: _Site) -> Iterator[tuple[str, LiteralText]]:
    if site.before not in {"<", '"', "'", ":", ">"}:
        return
    lead = _PLIST.match(site.text, site.end) or _ELEMENT.match(site.text, site.end)
    if lead is None:
        return
    value = _ELEMENT_VALUE.match(site.text, lead.end())
    if value is not None:
        yield "element", LiteralText(value.group(), value.start(), quoted=True, end=value.end())


def _called(site: _Site) -> Iterator[tuple[str, LiteralText]]:
    lead = _CALL.match(site.text, site.end)
    if lead is None:
        return
    words = words_of(last_part(site.name))
    if not words or words[0] in _IDLE_VERBS or not _ends_in_promise(site.name):
        return
    read = quoted_at(site.text, lead.end())
    if read is not None and site.text[read.end : read.end + 1] in {")", ",", "."}:
        yield "call", read


def _spaced(site: _Site) -> Iterator[tuple[str, LiteralText]]:
    """`--password x`, `ENV TOKEN x`, `identified by password 'x'`, `the password is x`."""
    lead = _SPACE.match(site.text, site.end)
    option = site.before == "-"
    if (
        lead is None
        or site.before == "<"
        or (site.before == "/" and not site.text[max(0, site.start - 2) : site.start - 1].isspace())
    ):
        return  # the end of a path, as lists of packages have it; behind a blank it is an option: `setup /password x`
    read = quoted_at(site.text, lead.end())
    if read is None and (option or site.style != "code" or _inside_string(site.text, site.start)):
        read = bare_at(site.text, lead.end())
    if read is None or "=" in read.value.rstrip("=") or not _ends_in_promise(site.name):
        return
    if not read.quoted and (read.value.startswith("-") or (not option and _MARKED_UP.search(read.value))):
        return  # the next option; the end of what a text has in bold
    if not option and _INSTALLS.search(site.text, site.text.rfind("\n", 0, site.start) + 1, site.start):
        return  # one program of a list of them
    if _OPENS_BLOCK.match(site.text, read.end) or _is_one_of_constants(site, read, option=option):
        return
    if option or (words_of(site.name) != ("pass",) and _is_told(site, lead.group(), read)):
        yield "space", read


_INSTALLS = lazy(r"\b(?:install|apk[ \t]+add|pacman|emerge)[ \t]+(?:[\w.+-]+[ \t]+){0,99}\Z")
_MARKED_UP = lazy(r"\*\*|\w`|\]\(")
_OPENS_BLOCK = lazy(r"[ \t]{1,4}\{")
"""`passwd smbpasswd {`: the name of a part of a file."""


def _is_one_of_constants(site: _Site, read: LiteralText, *, option: bool) -> bool:
    """`WPA-EAP WPA-PSK IEEE8021X NONE`"""
    is_plain = not read.quoted and not option and site.style in {"config", "prose", "code"}
    return is_plain and "-" in site.name and site.name.isupper() and read.value.isupper()


def _is_told(site: _Site, between: str, read: LiteralText) -> bool:
    """`password is x`, `password "x"`, a line of a netrc or Dockerfile; between other words only what chance made."""
    if not is_random(read.value) and class_count(read.value) < 3:
        return False
    if between.strip() or read.quoted or site.style in {"config", "any"}:
        return True
    # Letters alone are one more name in a list of commands, modules, targets.
    return site.style in {"shell", "shell line"} and _is_mixed(read.value)
