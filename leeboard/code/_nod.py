"""Approvals and nods: messages that change nothing about the goal, in the languages people type them in."""

from __future__ import annotations

from leeboard.model.pattern import lazy

NOD_LIMIT = 60
"""A longer message says something."""

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


def is_nod(text: str) -> bool:
    """`Looks good, thanks!` and `好的，继续`; not `looks good, now the invoice`. Signs alone are a nod, too."""
    lowered = text.strip().lower().replace("’", "'")
    if len(lowered) > NOD_LIMIT:
        return False
    for phrase in _PHRASES:
        lowered = lowered.replace(phrase, " ")
    return all(piece in _WORDS or _WIDE_NODS.fullmatch(piece) for piece in _PIECE.findall(lowered))
