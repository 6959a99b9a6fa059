"""Nods and remarks: messages that change nothing about the goal. Nods in the languages people type them in."""

from __future__ import annotations

import re

from leeboard.model.pattern import lazy

NOD_LIMIT = 60
"""A longer message says something."""
REMARK_LIMIT = 240

_PHRASES = (
    "thank you, go ahead, go on, go for it, keep going, carry on, do it, well done, good job, good work, great work, "
    "nice work, looks good, looks great, looks fine, looks ok, look good, sounds good, sounds great, sounds right, "
    "makes sense, ship it, mach weiter, alles klar, sieht gut aus, in ordnung, klingt gut, weiter so, vielen dank, "
    "de acuerdo, muy bien, se ve bien, está bien, esta bien, por favor, muchas gracias, d'accord, ça marche, "
    "ca marche, vas-y, "
    "c'est bon, très bien, tres bien, s'il te plaît, s'il vous plaît, tudo bem, muito bem, pode continuar, "
    "pode seguir, está bom, isso mesmo, va bene, vai avanti, molto bene, per favore, tutto bene, все верно, всё верно, "
    "так держать, все хорошо"
).split(", ")
_WORDS = frozenset(
    """
    ok okay k yes yep yeah yup y sure right fine great good nice perfect cool awesome excellent thanks thank thx ty
    lgtm go
    proceed continue please that thats that's works work correct next done resume approve approved agreed it its it's
    now
    then all is very so much with the plan you can this looks look
    ja jo genau weiter gut passt danke bitte richtig prima super klar perfekt einverstanden
    si sí vale sigue continúa continua bien gracias perfecto claro dale adelante listo
    oui merci parfait continuez continue bien ok super vas-y exact
    sim obrigado obrigada certo perfeito isso beleza pode segue prossiga
    sì grazie perfetto certo continua procedi esatto bene
    да продолжай продолжайте хорошо давай спасибо отлично верно ок ага конечно дальше ладно пожалуйста
    """.split()
)
_WIDE_NODS = lazy(
    r"(?:继续|繼續|好的?|可以|是的?|对的?|謝謝|谢谢|没问题|行|嗯|吧|了|请|はい|続けて|続行|お願いします|ありがとう|ございます|いいね|了解|ください|です|オーケー|네|좋아요|계속|감사합니다)+"
)
_PIECE = lazy(r"[\w'’\-]+")
_REMARK_WORDS = _WORDS | frozenset(
    """
    no nope nah not still again wrong bad broken worse better same different weird strange odd error errors fail
    fails failing failed failure crash crashes crashed issue problem bug problems issues help helps helped i you it
    this that these those they them we me my your mine is are was were be been am do does did doing done have has
    had will wo would should could can ca may might a an the of in on at to for with from by as than about here
    there why what how when where which who hm hmm hmmm uh oh ah ugh wtf huh sorry hey wait stop hold moment sec
    second minute pause cancel abort halt quit enough undo undone revert reverted rollback roll rolled back over out
    go going gone think see seen look looking looks seem seems mean means meant expect expected want wanted ask
    asked asking say said saying know sure understand get getting got gets nothing something anything happen happens
    happened happening change changed changes edit edits broke break breaks breaking working worked works work
    output result results message warning warnings very much more less too even just only also really quite exactly
    actually now then yet so bit lot all any some way time last first previous before after already never ever
    always maybe perhaps like love hate try tried trying explain show tell summarize summarise diff status progress
    step steps far long taking took keep keeps kept and but or if because dont doesnt didnt isnt wasnt cant wont
    thats whats im ive youre lets let almost close there's
    """.split()
)
"""None of them names a thing to work on."""
_SOFT = (
    r"(?:(?:please|pls|now|then|just|also|and|so|ok|okay|again|first|next|finally|can\s+you|could\s+you|you\s+can|"
    r"let['’]?s|go\s+ahead\s+and)\s+){0,5}"
)
_CHECKS = r"(?:tests?|test\s+suite|suite|specs|build|linters?|lint|type\s?-?check(?:s|er)?|checks|ci|pipeline)"
_ITS = r"(?:(?:the|all|our|my|your|those|these|some|full|whole|entire|unit|integration|of)\s+){0,4}"
_AGAIN = r"(?:\s+(?:again|now|please|too|once\s+more|first|locally|still|all|as\s+well|though|yet|anymore))*"
_VERY = r"(?:(?:still|now|all|again|really|very|quite|totally|also|just|both)\s+)*"
_REMARKS = tuple(
    lazy(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_SOFT}(?:re-?)?(?:run|execute|try|check)\s+{_ITS}(?:{_CHECKS}|it|them|that|this){_AGAIN}",
        (
            rf"{_SOFT}{_ITS}{_CHECKS}\s+{_VERY}(?:(?:is|are)\s+{_VERY})?(?:fails?|failed|failing|pass|passes|passed|passing|"
            rf"red|green|broken|breaks?|broke|fine|ok|keeps?\s+failing){_AGAIN}"
        ),
        (
            rf"{_SOFT}(?:git\s+)?(?:commit|push|amend|stage|merge)(?:\s+(?:it|that|this|them|everything|all|your|the|my|these|"
            r"changes?|work|again|now|please|to|main|master|origin|remote|upstream|github|with|a|good|message|branch|too))*"
        ),
        (
            rf"{_SOFT}(?:open|create|make|submit|raise)\s+(?:a|an|the)\s+(?:draft\s+|new\s+)?(?:pr|pull\s+request|commit)"
            r"(?:\s+(?:for\s+)?(?:it|this|that|now|please))*"
        ),
        rf"{_SOFT}(?:fix|redo|repeat|remove|delete|change)\s+(?:it|that|this|them){_AGAIN}",
        (
            r"(?:the|that|this|your|those|these)\s+(?:[\w\-]+\s+){0,4}?(?:works|(?:is|are|looks?|seems?|works?)\s+"
            rf"{_VERY}(?:fine|good|great|ok|okay|perfect|correct|right|nice|excellent|lovely|better|done|working)){_AGAIN}"
        ),
        (
            r"(?:(?:hm+|no|ok|okay|wait|but|and|so|oh|well|hey|sorry|uh|ugh)[\s,.]+){0,3}"
            r"(?:why|how|when|what|which|where)\s+(?:\w+\s+)?(?:did|have|were|are|had)\s+you\b[^?]*"
        ),
        r"(?:(?:hm+|no|ok|okay|wait|but|and|so|oh|well|hey|sorry|uh|ugh)[\s,.]+){0,3}(?:did|have|had|were|are)\s+you\b[^?]*\?",
    )
)
_REMARK_END = lazy(r"(?<=[.!?;])\s+|\n")
_CLAUSE_END = lazy(r"[,;:]\s*|\s+(?:and|but|then|so)\s+|\s[–—-]+\s|\.{2,}|…", re.IGNORECASE)
_ENDING = lazy(r"(?:n'?t|'(?:s|re|ve|ll|m|d))\Z")


def is_nod(text: str) -> bool:
    """`Looks good, thanks!` and `好的，继续`; not `looks good, now the invoice`. Signs alone are a nod, too."""
    lowered = text.strip().lower().replace("’", "'")
    if len(lowered) > NOD_LIMIT:
        return False
    for phrase in _PHRASES:
        lowered = lowered.replace(phrase, " ")
    return all(piece in _WORDS or _WIDE_NODS.fullmatch(piece) for piece in _PIECE.findall(lowered))


def is_remark(text: str) -> bool:
    """`No, that's wrong`, `why did you do that?`, `perfect. now commit`: about the work, and no new work.

    What names a thing that is not the work itself (`still broken on the invoice page`) is more than a remark.
    """
    flat = text.strip().replace("’", "'")
    if len(flat) > REMARK_LIMIT:
        return False
    return all(_remarks(part.strip()) for part in _REMARK_END.split(flat))


def _remarks(sentence: str) -> bool:
    if _is_about_the_work(sentence) or _is_about_the_work(sentence.rstrip(" .!?")):
        return True
    return all(_is_about_the_work(clause.strip(" .!?")) for clause in _CLAUSE_END.split(sentence))


def _is_about_the_work(clause: str) -> bool:
    if any(pattern.fullmatch(clause) for pattern in _REMARKS):
        return True
    return is_nod(clause) or all(
        word in _REMARK_WORDS or _ENDING.sub("", word) in _REMARK_WORDS for word in _PIECE.findall(clause.lower())
    )
