"""What a secret is worth where it was committed before: nobody is about to write it, so a refusal would stop nothing.

In the code of others hardly one in twenty of those that only their name calls a secret opened anything: keys that a
program carries to all its users, defaults that are asked to be changed, values for trying out. They are worth a look.
"""

from __future__ import annotations

from leeboard.secrets.fixture import is_key_file
from leeboard.secrets.hit import KEYS_OF_ONES_OWN, Secret, is_document
from leeboard.secrets.provider import has_format, shapes
from leeboard.text.language import is_sample, is_test_path

_LOGINS = frozenset({"url-password", "url-token", "authorization", "user-option"})
"""Kinds that stand where a server asks for them: in an address, in a header, behind `curl -u`."""

_MADE_IN_A_MOMENT = "anybody makes one in a moment, and most that code holds were made for a test"
_PASSING = frozenset({"gitlab-session"})


def why_no_refusal(secret: Secret, path: str) -> str:
    """Empty where it speaks for itself: a private key in code, a provider's format, a login in an address."""
    if secret.kind in KEYS_OF_ONES_OWN:
        alone = is_key_file(path)
        return "most keys that lie in a file of their own were made for a test" if alone else _MADE_IN_A_MOMENT
    if secret.kind in _LOGINS:
        return ""
    if secret.kind in shapes().carried:
        return "programs carry such a key to all their users"
    if secret.kind in _PASSING:
        return "a session ends by itself"
    if not has_format(secret.value):
        return "only its name calls it a secret"
    aside = secret.in_comment or is_test_path(path) or is_sample(path) or is_document(path)
    return "shown in a test, an example or a comment, where most keys were revoked long ago" if aside else ""
