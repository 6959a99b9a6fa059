"""What a secret is worth where it was committed before: nobody is about to write it, so a refusal would stop nothing.

In the code of others hardly one in twenty of those that only their name calls a secret opened anything: keys that a
program carries to all its users, defaults that are asked to be changed, values for trying out. They are worth a look.
"""

from __future__ import annotations

from leeboard.secrets.fixture import is_key_file
from leeboard.secrets.hit import KEYS_OF_ONES_OWN, Secret
from leeboard.secrets.provider import has_format, shapes

_LOGINS = frozenset({"url-password", "url-token", "authorization", "user-option"})
"""Kinds that stand where a server asks for them: in an address, in a header, behind `curl -u`."""


def why_no_refusal(secret: Secret, path: str) -> str:
    """Empty where it speaks for itself: a private key in code, a provider's format, a login in an address."""
    if secret.kind in KEYS_OF_ONES_OWN:
        return "most keys that lie in a file of their own were made for a test" if is_key_file(path) else ""
    if secret.kind in _LOGINS:
        return ""
    if secret.kind in shapes().carried:
        return "programs carry such a key to all their users"
    return "" if has_format(secret.value) else "only its name calls it a secret"
