"""Values that are made to be handed around, whatever they are called: they say by themselves that they open nothing."""

from __future__ import annotations

from leeboard.model.text import lazy

_CHAIN_ADDRESS = lazy(r"0x[0-9a-fA-F]{40}")
"""An account or a contract on a chain: its key is half as long again and has no such beginning in common."""
_PUBLIC_KEY = lazy(
    r"(?:MII[A-Za-z0-9+/]{2,3}ANBgkqhkiG9w0BAQEFAAO|MI[GH][A-Za-z0-9+/]MA0GCSqGSIb3DQEBAQUAA4|"
    r"MFkwEwYHKoZIzj0CAQYI|M[FH][YIo]wEAYHKoZIzj0CAQYFK4EEA|MIGbMBAGByqGSM49AgEGBSuBBAAj|"
    r"MC[ow]wBQYDK2V[uwx]AyEA)[A-Za-z0-9+/_=\-]*"
)
"""How a certificate and a set of keys carry one; a private key has the number of a version in front of all that."""
_LISTED_WORDS = lazy(r"[a-z]{3,20}(?:,[a-z]{3,20})+")
"""`read,create`: what somebody may do."""
_ENCODED_WORDS = lazy(
    r"(?:\A|%20|[^A-Za-z0-9])(?:[A-Za-z][a-z]+|[A-Z]{2,})[,.;:!?]?%20|%20(?:[A-Za-z][a-z]+|[A-Z]{2,})(?![A-Za-z0-9])"
)
"""A blank beside a word; what is drawn may hold the sign for one too."""
_OPEN = lazy(
    r"RW[QRST][A-Za-z0-9+/]{53}|[A-Z0-9]{16,32}/\d{8}/[A-Za-z\d-]{2,20}/[a-z\d]{2,20}/aws4_request\b.*|[a-z][a-z\d_]*\.[1-8]"
)
"""The key that checks the signature of a download; for which day and place a request was signed; a page of a manual."""


def is_handed_around(value: str) -> bool:
    """A public key, an address of a chain, several words."""
    if "%20" in value and _ENCODED_WORDS.search(value):
        return True
    if is_chain_address(value) or _OPEN.fullmatch(value):
        return True
    if value.startswith("M") and _PUBLIC_KEY.fullmatch(value):
        return True
    return is_listed(value)


def is_chain_address(value: str) -> bool:
    """An account; under the name of a secret it is one of the same length."""
    return value.startswith("0x") and _CHAIN_ADDRESS.fullmatch(value) is not None


def is_listed(value: str) -> bool:
    """Words with commas between; a password may be made of them."""
    return "," in value and _LISTED_WORDS.fullmatch(value) is not None
