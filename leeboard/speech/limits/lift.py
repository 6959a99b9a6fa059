"""What the human now asks for or allows, in so many words: an earlier ban on it ends.

An order to change it (`also update the schema`), a permission (`you may touch the tests now`, `schema changes are
fine`) and a rule taken back (`forget what I said about the docs`) count. A mention (`the schema has a users table`),
a question (`did you change the tests?`) and a promise (`we can update the docs later`) do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from leeboard.model.contract import ADD_DEPENDENCY
from leeboard.model.text import lazy
from leeboard.speech.limits.clause import describes, is_addressed
from leeboard.speech.limits.object import TEST_GLOBS, asked_kind, names_dependency
from leeboard.text.language import is_test
from leeboard.text.prose_path import scan
from leeboard.text.words import sentences

GRANT_LIMIT = 300
"""A permission is short."""

_TRIGGER = lazy(
    r"test|spec|coverage|schem|esquema|migra|database|\bdb\b|daten|base\s+de|dados|lock|css|style|styling|docs\b|document|"
    r"readme|folder|direct|\bdir\b|depend|\bdeps|package|librar|\blibs?\b|other|more|any|every|whatever|elsewhere|outside|"
    r"pruebas|тест|схем|миграц|данных|测试|数据|テスト|データ",
    re.IGNORECASE,
)
_GRANTING = lazy(
    r"\b(?:is|are|be|needs?|can|may|should|must|could|ha(?:s|ve)\s+to|with|darfst|kannst|dürfen|können|puedes|peux|pode|"
    r"можешь)\b|可以",
    re.IGNORECASE,
)
_TAKES_BACK = lazy(
    r"\b(?:forget|ignore|never\s*mind|scrap|disregard|drop|lift|lifted|remove|cancel|relax|longer|any\s?more|gone|over|off|void|"
    r"leave|keep)\b",
    re.IGNORECASE,
)
_NOUN = r"(?:chang(?:es?|ing)|edits?|updates?|modifications?|adjustments?|additions?|tweaks?|work)"
_CHANGES = (
    "change modify edit alter touch update adapt adjust fix extend rewrite refactor rework restructure clean\\s+up "
    "create write add remove delete drop rename move replace regenerate generate bump upgrade correct improve expand "
    "include cover simplify reorganize redesign restyle tweak revise split reformat format overwrite complete finish "
    "redo insert append make do introduce put work\\s+on write\\s+to mess\\s+with go\\s+into redefine document "
    "implement build install use pull\\s+in bring\\s+in proceed\\s+with go\\s+ahead\\s+with approve apply"
).split(" ")
_GERUNDS = (
    r"(?:(?:chang|modify|edit|alter|touch|updat|adapt|adjust|fix|extend|rewrit|refactor|creat|writ|add|remov|delet|"
    r"renam|mov|replac|generat|bump|upgrad|install|improv|expand|introduc|us|includ)ing|working\s+on)"
)
_DONE = (
    r"(?:changed|modified|edited|altered|touched|updated|adapted|adjusted|fixed|extended|rewritten|refactored|reworked|"
    r"created|written|added|removed|deleted|renamed|moved|replaced|regenerated|improved|expanded)"
)
_FINE = (
    r"(?:fine|ok|okay|allowed|permitted|welcome|good|acceptable|alright|all\s+right|fair\s+game|needed|required|"
    r"necessary|approved|cool|no\s+problem)"
)
_NOW = r"(?:(?:now|also|then|just|please|totally|perfectly|absolutely|of\s+course|certainly|still|again)\s+){0,3}"
_SOFT = (
    r"(?:please|pls|also|now|just|then|so|and|but|ok|okay|yes|yep|yeah|sure|alright|all\s+right|actually|instead|first|"
    r"next|finally|well|no|hmm+|oh|ah|right|great|perfect|nice|good|cool|fine|again|still|hey|hi|claude|thanks|"
    r"on\s+second\s+thoughts?|i(?:['’]ve|\s+have)?\s+changed\s+my\s+mind|change\s+of\s+plans?|new\s+plan|correction|"
    r"after\s+all|in\s+that\s+case|this\s+time|from\s+now\s+on|looks\s+good|sounds\s+good|lgtm|go\s+ahead(?=\s*[,:.]))"
)
_OPENING = rf"\s*(?:{_SOFT}\b(?!['’-])[\s,:!.…–—-]*){{0,4}}"
_YOU_MAY = (
    r"(?:you(?:['’]re|\s+are)?\s+(?:now\s+|also\s+|of\s+course\s+)*(?:may|can|could|should|must|might|need\s+to|have\s+to|"
    r"(?:allowed|free|welcome|permitted)\s+to|have\s+(?:my\s+)?(?:permission|ok|blessing)\s+to)|"
    r"feel\s+free\s+to|go\s+ahead(?:\s+and|,)?|go\s+and|i\s+(?:now\s+)?(?:allow|permit)\s+you\s+to|"
    r"it(?:['’]s|\s+is)\s+(?:now\s+|also\s+|totally\s+)*(?:ok|okay|fine|alright|all\s+right|allowed|safe)(?:\s+now)?\s+"
    r"(?:to|if\s+you|for\s+you\s+to)|(?:ok|okay|fine|permission|allowed|free)\s+to|"
    r"i(?:['’]d|\s+would)?\s+(?:now\s+|also\s+|really\s+)*(?:want|like|need)\s+(?:you\s+)?to|"
    r"let['’]?s|let\s+us|we\s+(?:now\s+|also\s+)*(?:should|need\s+to|must|can|have\s+to|want\s+to|may)|"
    r"(?:do\s+not|don['’]?t)\s+(?:hesitate|forget|be\s+afraid)\s+to|remember\s+to|make\s+sure\s+(?:to|you)|"
    r"proceed\s+to|start\s+by|time\s+to|help\s+me|try\s+to|i['’]?d\s+say)"
)
_VERB = "|".join(sorted(_CHANGES, key=lambda verb: -len(verb)))
_HEAD = lazy(
    rf"(?P<lead>\A|[,;(.!\n]|\s[–—-]{{1,2}}\s|\s(?=(?:and|but|then|so|or)\s)){_OPENING}"
    rf"(?:(?P<asked>(?:can|could|would|will)\s+you)\s+|(?P<told>{_YOU_MAY})\s+)?{_NOW}"
    rf"(?P<verb>{_VERB})(?:(?:\s*[,/]\s*|\s+(?:and|or|and/or)\s+)(?:{_VERB})\b){{0,3}}\s+(?=\S)",
    re.IGNORECASE,
)
_WHAT = r"(?P<what>[^\n;:.!?()]{1,100}?)"
_END = (
    r"(?:\s+(?:now|too|also|as\s+well|if\s+(?:needed|necessary|required|you\s+\w+(?:\s+to)?|it\s+helps)|as\s+needed|"
    r"where\s+needed|for\s+this(?:\s+\w+)?|after\s+all|again|please|anyway|though|then|freely))*\s*(?:[.,;:!)–—-]|\Z|\s(?:and|but|so)\s)"
)
_CLAUSE = rf"(?:\A|[,;(.!\n]|\s[–—-]{{1,2}}\s|\s(?:and|but|so)\s){_OPENING}"
_RULE = r"(?:rules?|ban|limits?|restrictions?|constraints?|instructions?|limitations?|prohibition|freeze|lock)"
_GRANTS = tuple(
    lazy(_CLAUSE + grant, re.IGNORECASE)
    for grant in (
        rf"{_WHAT}\s+{_NOUN}\s+(?:is|are|would\s+be|will\s+be)\s+{_NOW}{_FINE}{_END}",
        rf"{_NOUN}\s+(?:to|in|of|on)\s+{_WHAT}\s+(?:is|are|would\s+be|will\s+be)\s+{_NOW}{_FINE}{_END}",
        rf"{_GERUNDS}\s+{_WHAT}\s+(?:is|would\s+be)\s+{_NOW}{_FINE}{_END}",
        rf"{_WHAT}\s+{_NOW}(?:can|may|should|must|could|needs?\s+to|ha(?:s|ve)\s+to)\s+{_NOW}(?:be\s+{_DONE}|change){_END}",
        (
            r"(?P<what>(?:new|extra|more|additional|external|third[- ]party)\s+[\w\s]{1,40}?)\s+(?:is|are)\s+"
            rf"{_NOW}{_FINE}{_END}"
        ),
        rf"{_WHAT}\s+needs?\s+(?:updating|changing|fixing|adjusting|an?\s+(?:update|change))\b",
        (
            rf"{_WHAT}\s+(?:is|are)\s+{_NOW}(?:fair\s+game|unlocked|unfrozen|open\s+(?:for\s+{_NOUN}|again)|"
            rf"allowed{_END}|up\s+for\s+{_NOUN}|"
            r"(?:no\s+longer|not)\s+(?:off[\s-]limits|frozen|protected|forbidden|untouchable|locked)|"
            rf"(?:ok|okay|fine|safe|allowed|free)\s+to\s+(?:be\s+)?(?:change|edit|touch|modify|update|{_DONE}))"
        ),
        (
            rf"(?:i['’]?m|i\s+am|we['’]?re|we\s+are)\s+{_NOW}(?:fine|ok|okay|happy|good|cool)\s+with\s+(?:you\s+)?"
            rf"(?:{_GERUNDS}\s+{_WHAT}|{_NOUN}\s+(?:to|in|of|on)\s+(?P<what2>[^\n;:.!?()]{{1,100}}?)|"
            rf"(?P<what3>[^\n;:.!?()]{{1,100}}?)\s+{_NOUN}){_END}"
        ),
        (
            rf"(?:du\s+(?:darfst|kannst)|sie\s+(?:dürfen|können))\s+(?:jetzt\s+|nun\s+|auch\s+)*{_WHAT}\s+(?:jetzt\s+|auch\s+)*"
            r"(?:ändern|anpassen|bearbeiten|anfassen)\b"
        ),
        (
            r"(?:(?:ahora\s+)?puedes\s+(?:cambiar|modificar|editar|tocar)|(?:maintenant\s+)?tu\s+peux\s+(?:modifier|changer|"
            r"toucher)(?:\s+aux?)?|(?:agora\s+)?(?:você\s+)?pode\s+(?:alterar|modificar|mudar|editar)|(?:теперь\s+)?можешь\s+"
            rf"(?:менять|изменять|изменить|поменять|править)|(?:现在)?(?:你)?可以(?:修改|更改|改))"
            rf"\s*{_WHAT}(?:了|\s+(?:ahora|maintenant|agora|теперь))?{_END}"
        ),
    )
)
_TAKEN_BACK = tuple(
    lazy(taken, re.IGNORECASE)
    for taken in (
        (
            rf"\b(?:forget|ignore|never\s*mind|scrap|disregard|drop|lift|remove|cancel|relax)\s+(?:about\s+)?(?:what\s+i\s+said\s+"
            rf"(?:about|regarding|on)|(?:the|my|that|your)\s+(?:\w+\s+)?{_RULE}\s+(?:about|on|for|regarding|against|concerning))\s+"
            rf"(?:not\s+)?(?:(?:{_GERUNDS}|{_NOUN}\s+to)\s+)?{_WHAT}(?:\s+{_NOUN})?{_END}"
        ),
        (
            rf"\b{_RULE}\s+(?:about|on|for|regarding|against|concerning)\s+(?:not\s+)?(?:(?:{_GERUNDS}|{_NOUN}\s+to)\s+)?{_WHAT}"
            rf"(?:\s+{_NOUN})?\s+(?:(?:is|are|has\s+been)\s+{_NOW}(?:lifted|gone|over|off|void)|no\s+longer\s+appl(?:y|ies)|"
            r"do(?:es)?(?:\s+not|n['’]t)\s+apply\s+any\s?more)\b"
        ),
        (
            rf"\byou\s+(?:no\s+longer|don['’]?t|do\s+not)\s+(?:have|need)\s+to\s+(?:leave|keep)\s+{_WHAT}\s+"
            r"(?:alone|unchanged|untouched|as\s+(?:is|it\s+is|they\s+are))\b"
        ),
    )
)
_LATER = lazy(
    r"\b(?:later|tomorrow|eventually|some\s?day|follow-?up|next\s+(?:week|time|sprint|pr|release)|another\s+(?:pr|time)|"
    r"(?:once|after|when|until|unless|if)\s+i\b|(?:after|before)\s+asking)",
    re.IGNORECASE,
)
_CONDITION = lazy(
    r"\A\W*(?:if|when|whenever|unless|while|once|until|in\s+case|before|after|because|since|as)\b(?!\s+(?:needed|necessary|"
    r"required|(?:you|we)\s+(?:need|must|have|want)|(?:it|that)\s+helps|so\b|possible))",
    re.IGNORECASE,
)
_ITEM = lazy(r"\s*(?:,\s*(?:and\b|or\b)?|\b(?:and/or|and|or|plus|und|et|y|e)\b|&|、|和)\s*", re.IGNORECASE)
_CUT = lazy(
    r"(?:^|\s+)(?:to|for|so|that|which|where|who|whose|if|when|while|as|because|since|in|into|with|by|from|of(?!\s+the)|using|"
    r"until|unless|before|after|now|then|accordingly|here|there|afterwards|instead|again|anyway|though|please|first|next|on|via|"
    r"not|only|just|like|against|under|around|about|is|are|already|without|also|once|freely|whenever|wherever)\b.*|[–—\x00].*",
    re.IGNORECASE | re.DOTALL,
)
_PLACE = lazy(
    r"(?<!\blink)(?<!\blinks)(?<!\breference)(?<!\baccess)(?<!\bpointer)\s+(?:to|into|in|inside|from|of|on)\s+(?P<place>.+)",
    re.IGNORECASE | re.DOTALL,
)
_WITH = lazy(
    r"\b(?:with|including|plus)\s+(?P<what>(?:an?\s+|some\s+|new\s+|more\s+|proper\s+|good\s+|full\s+)*"
    r"(?:(?:unit|integration|regression|e2e)\s+)?(?:tests?|docs|documentation|test\s+coverage|coverage))\b(?!-)",
    re.IGNORECASE,
)
_AS_DEPENDENCY = lazy(r"\bas\s+an?\s+(?:new\s+|dev\s+|runtime\s+)?(?:dependency|dep|package)\b", re.IGNORECASE)
_OUR_OWN = lazy(r"\b(?:existing|same|current|our|own|installed|already)\b", re.IGNORECASE)
_CHANGE_NOUN = lazy(rf"\s+{_NOUN}\W*\Z", re.IGNORECASE)
_NEW_PACKAGE = frozenset({"add", "install", "use", "introduce", "upgrade", "pull in", "bring in", "include"})
_GENTLE = frozenset({"apply", "approve", "proceed with", "go ahead with"})
"""To apply a migration is to run it; only to apply a *change* is to make it."""
_ANYWHERE = lazy(
    r"(?:(?:any|all|the|some|these|those|every)\s+)*(?:(?:other|more|additional|further)\s+(?:the\s+)?(?:files?|folders?|places|"
    r"modules?|parts|code|things|stuff|directories)|(?:files?|folders?|places|code|things|stuff|anything)\s+(?:outside|elsewhere|"
    r"else)\b.*|(?:any|every|all)?\s*(?:thing|files?|of\s+it)|anything|everything|whatever\b.*|elsewhere|outside\b.*)"
    r"(?:\s+(?:too|as\s+well|now|you\s+\w+(?:\s+to)?|else|if\s+\w+|please))*\W*",
    re.IGNORECASE,
)


def lifts(own: str, asked: str) -> Iterator[str]:
    """Globs, areas and ADD_DEPENDENCY of what is asked for; `own` is the message, `asked` is it without its limits."""
    for sentence in _telling(own):
        if _TAKES_BACK.search(sentence):
            for match in _each(_TAKEN_BACK, sentence):
                yield from _things(match["what"], place=False)
    for sentence in _telling(asked):
        if not _LATER.search(sentence):
            yield from _ordered(sentence)
            yield from _granted(sentence)


def _telling(text: str) -> Iterator[str]:
    """Sentences that may speak of a kind of file; most do not."""
    if _TRIGGER.search(text):
        for _offset, sentence in sentences(text):
            if _TRIGGER.search(sentence):
                yield sentence


def _each(patterns: tuple[re.Pattern[str], ...], sentence: str) -> Iterator[re.Match[str]]:
    for pattern in patterns:
        yield from pattern.finditer(sentence)


def _granted(sentence: str) -> Iterator[str]:
    if len(sentence) > GRANT_LIMIT or sentence.rstrip().endswith("?") or _CONDITION.match(sentence):
        return
    if not _GRANTING.search(sentence):
        return
    for match in _each(_GRANTS, sentence):
        for what in match.groupdict().values():
            yield from _things(what or "", place=False)
            if names_dependency(_bare(what or "")):
                yield ADD_DEPENDENCY


def _ordered(sentence: str) -> Iterator[str]:
    heads = [head for head in _HEAD.finditer(sentence) if _is_order(sentence, head)]
    for head, stop in zip(heads, [*(head.start() for head in heads[1:]), len(sentence)], strict=False):
        verb = " ".join(head["verb"].lower().split())
        what = sentence[head.end() : stop]
        if verb in _NEW_PACKAGE:
            yield from _packages(what)
        if verb == "use" or (verb in _GENTLE and not _CHANGE_NOUN.search(_CUT.sub("", what))):
            continue
        if _ANYWHERE.fullmatch(what.strip(" .!?,")):
            yield "**"
        yield from _things(what, place=True)


def _is_order(sentence: str, head: re.Match[str]) -> bool:
    if sentence.rstrip().endswith("?"):
        return bool(head["asked"])
    before = sentence[: head.start()]
    if head["told"] or head["asked"]:
        return not before.strip() or not _CONDITION.match(sentence)
    if not before.strip() or is_addressed(before):
        return True
    return head["lead"] in {",", ";", "(", "."} and not describes(before)


def _packages(what: str) -> Iterator[str]:
    named = any(names_dependency(_bare(item)) and not _OUR_OWN.search(item) for item in _ITEM.split(what))
    if named or _AS_DEPENDENCY.search(what):
        yield ADD_DEPENDENCY


def _things(what: str, *, place: bool) -> Iterator[str]:
    """Kinds of file in a list; what stands between other things counts as well, and so does a path of a test."""
    if any(is_test(path) for path in scan(what)[0]):
        yield "tests"
    items = _ITEM.split(what)
    places = [match["place"] for item in items if place and (match := _PLACE.search(item))]
    extras = [match["what"] for match in _WITH.finditer(what)] if place else []
    for item in (*(item for item in items if not place or item.strip(" .!").lower() != "test"), *places, *extras):
        globs, areas = asked_kind(_bare(item))
        yield from globs
        yield from areas
        if "tests" in areas:
            yield from TEST_GLOBS


def _bare(item: str) -> str:
    """`the schema to fit` and `the schema changes` are about the schema."""
    return _CHANGE_NOUN.sub("", _CUT.sub("", item).strip(" \t\n.!?,`'\"*")).strip(" `'\"")
