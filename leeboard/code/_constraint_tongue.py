"""The commonest limits in German, French, Spanish, Portuguese, Italian, Russian, Chinese and Japanese.

Less is read into them than into English ones: only an object that is nothing but paths, tests or the schema counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from leeboard.code._constraint_clause import Limit
from leeboard.model.pattern import lazy

_POLITE = (
    r"(?:[\s*_•,:!.-]|(?:bitte|aber|und|also|wichtig|achtung|hinweis|mais|et|attention|important|merci\s+de|"
    r"s'il\s+(?:te|vous)\s+pla[iî]t|stp|svp|"
    r"por\s+favor|pero|y|importante|nota|mas|e|ma|per\s+favore|но|и|а|пожалуйста|важно|внимание|please|but|and|请|"
    r"請|但是?|而且|并且|注意|重要|ただし|また)(?!\w)|(?:请|請|但是?|并且?|注意|ただし))*+"
)
_LEAD = rf"(?:\A|[,;(\n，；、]|\s(?=(?:und|aber|et|mais|y|pero|e|mas|ma|и|но|а)\s)){_POLITE}"
_WHAT = r"(?P<what>[^\n]{1,300}?)"
_END = r"(?=\Z|[;\n，；。！!]|,\s)"


def _form(form: str, pattern: str) -> tuple[str, re.Pattern[str]]:
    return form, lazy(pattern, re.IGNORECASE)


_FORMS = (
    _form("forbid", rf"{_LEAD}(?:ändere?|modifiziere?|editiere?|bearbeite|berühre?|verändere?|"
        rf"fasse?)\s+(?:bitte\s+)?(?:keine[nrs]?|nichts|nicht)\s+{_WHAT}(?:\s+an)?{_END}"),
    _form("forbid", rf"{_LEAD}(?:ändere?|modifiziere?|editiere?|bearbeite|berühre?|verändere?|"
        rf"fasse?)\s+{_WHAT}\s+(?:bitte\s+)?(?:nicht|niemals)(?:\s+an)?{_END}"),
    _form("forbid", rf"{_LEAD}(?!nur\b){_WHAT}\s+(?:bitte\s+)?(?:nicht|niemals)\s+(?:ändern|anfassen|verändern|"
        rf"bearbeiten|editieren|modifizieren){_END}"),
    _form("forbid", rf"{_LEAD}keine\s+änderungen\s+(?:an|in)\s+{_WHAT}{_END}"),
    _form("only", rf"{_LEAD}(?:ändere?|editiere?|bearbeite)\s+(?:bitte\s+)?nur\s+{_WHAT}{_END}"),
    _form("only", rf"{_LEAD}nur\s+{_WHAT}\s+(?:ändern|bearbeiten|anfassen|editieren){_END}"),
    _form("forbid", rf"{_LEAD}ne\s+(?:modifie[zr]?|change[zr]?|touche[zr]?|édite[zr]?|altère[zr]?)\s+(?:pas|"
        rf"jamais)\s+(?:à\s+|aux?\s+)?{_WHAT}{_END}"),
    _form("forbid", rf"{_LEAD}ne\s+(?:pas|jamais)\s+(?:modifier|changer|toucher|éditer)\s+(?:à\s+|"
        rf"aux?\s+)?{_WHAT}{_END}"),
    _form("only", rf"{_LEAD}ne\s+(?:modifie[zr]?|change[zr]?|touche[zr]?|édite[zr]?)\s+que\s+{_WHAT}{_END}"),
    _form("only", rf"{_LEAD}(?:modifie|change|édite)z?\s+(?:seulement|uniquement)\s+{_WHAT}{_END}"),
    _form("forbid", rf"{_LEAD}(?:no|nunca)\s+(?:modifiques?|toques?|cambies?|edites?|alteres?|modifi[ck]ar|tocar|"
        rf"cambiar|editar)\s+{_WHAT}{_END}"),
    _form("only", rf"{_LEAD}(?:s[oó]lo|solamente|únicamente)\s+(?:modific[aá]r?|cambi[aá]r?|edit[aá]r?|"
        rf"toc[aá]r?)\s+{_WHAT}{_END}"),
    _form("only", rf"{_LEAD}(?:modific[aá]r?|cambi[aá]r?|edit[aá]r?|toc[aá]r?)\s+(?:s[oó]lo|solamente|únicamente|"
        rf"soltanto)\s+{_WHAT}{_END}"),
    _form("forbid", rf"{_LEAD}(?:não|nao|nunca)\s+(?:altere|modifique|mude|mexa|toque|edite|alterar|modificar|"
        rf"mudar|mexer|tocar|editar)\s+(?:em\s+|n[oa]s?\s+)?{_WHAT}{_END}"),
    _form("only", rf"{_LEAD}(?:altere|modifique|mude|edite)\s+(?:apenas|somente|só)\s+{_WHAT}{_END}"),
    _form("forbid", rf"{_LEAD}non\s+(?:modificare|toccare|cambiare|editare|modifichi|toccate|"
        rf"modificate)\s+{_WHAT}{_END}"),
    _form("forbid", rf"{_LEAD}(?:никогда\s+)?не\s+(?:трога(?:й(?:те)?|ть)|меня(?:й(?:те)?|ть)|изменя(?:й(?:те)?|"
        rf"ть)|редактиру(?:й(?:те)?)|редактировать|правь(?:те)?)\s+{_WHAT}{_END}"),
    _form("only", rf"{_LEAD}(?:меняй(?:те)?|изменяй(?:те)?|редактируй(?:те)?|правь(?:те)?)\s+только\s+{_WHAT}{_END}"),
    _form("forbid", rf"{_LEAD}(?:不要|别|請勿|请勿|勿|禁止|不能|不得|不准)(?:再|去)?\s*(?:修改|更改|改动|"
        rf"改動|改|动|動|碰|编辑|編輯|触碰)\s*(?!变)(?P<what>[^\n，；。！,;]{{1,200}})"),
    _form("only", rf"{_LEAD}(?:只|仅|只能|仅仅)(?:需要?|要)?\s*(?:修改|更改|改动|改|编辑)\s*"
        rf"(?P<what>[^\n，；。！,;]{{1,200}})"),
    _form("forbid", r"(?:\A|[\n。、，])\s*(?:ただし|また|なお)?[、\s]*(?P<what>[^\n。、，]{1,200}?)\s*(?:を|は|"
        r"には)\s*(?:絶対に)?(?:変更|編集|修正)しない(?:で(?:ください)?|こと)"),
    _form("forbid", r"(?:\A|[\n。、，])\s*(?:ただし|また|なお)?[、\s]*(?P<what>[^\n。、，]{1,200}?)\s*(?:を|は|には|"
        r"に)\s*(?:絶対に)?触(?:ら|れ)ない(?:で(?:ください)?|こと)"),
    _form("only", r"(?:\A|[\n。、，])\s*(?P<what>[^\n。、，]{1,200}?)\s*(?:だけ|のみ)を?\s*(?:変更|編集|修正)して"),
    _form("without", rf"\b(?:ohne)\s+{_WHAT}\s+zu\s+(?:ändern|verändern|bearbeiten|berühren|modifizieren){_END}"),
    _form("without", r"\b(?:sans\s+(?:modifier|toucher|changer)|sin\s+(?:modificar|tocar|cambiar|editar)|"
        r"sem\s+(?:alterar|modificar|mexer|tocar|mudar)|senza\s+(?:modificare|toccare|cambiare)|не\s+(?:трогая|"
        rf"меняя|изменяя))\s+(?:à\s+|aux?\s+|em\s+|n[oa]s?\s+)?{_WHAT}{_END}"),
    _form("commit", r"(?:nicht|niemals|nichts)\s+committe[nr]?\b|\bne\s+commit(?:te|e|ez)?\s+(?:pas|rien)|"
        r"\bno\s+hagas\s+(?:ningún\s+)?commits?\b|\bnão\s+(?:faça|fazer)\s+commits?\b|\bnon\s+(?:fare|"
        r"committare)\s*(?:il\s+)?(?:commit)?\b|\bне\s+комм?ить?(?:те)?\b|\bне\s+делай(?:те)?\s+комм?ит\w*|(?:不要|"
        r"别|请勿)\s*(?:提交|commit)(?!\w)|コミットしないで"),
)  # fmt: skip
_TRIGGER = lazy(
    r"nicht|niemals|nichts|keine|\bnur\b|ohne|\bne\b|sans\b|seulement|uniquement|\bno\b|nunca|s[oó]lo|solamente|"
    r"únicamente|\bsin\b|n[ãa]o\b|\bsem\b|apenas|somente|\bsó\b|\bnon\b|senza|soltanto|"
    r"\bне\b|только|不|别|勿|禁止|只|仅|ない|だけ|のみ",
    re.IGNORECASE,
)


def limits(sentence: str) -> Iterator[Limit]:
    """Limits in other languages than English. A question sets none."""
    if not _TRIGGER.search(sentence) or sentence.rstrip().endswith(("?", "？", "か", "吗")):
        return
    for form, pattern in _FORMS:
        for match in pattern.finditer(sentence):
            if form == "commit":
                yield Limit("forbid", "commit", "", match.start(), match.end())
            else:
                yield Limit(form, "change", match["what"], match.start(), match.end())
