"""The key that digests of secrets are made with: 32 random bytes of this user, made once, readable by nobody else."""

from __future__ import annotations

import os

from leeboard.io.places import make_private_file, state_dir

LENGTH = 32


def secret_key() -> bytes:
    """Empty where the key can neither be read nor made: then no digest is kept that somebody could try values on."""
    path = f"{state_dir()}/secret.key"
    try:
        found = _read(path)
        if len(found) == LENGTH:
            return found
        return _made(path)
    except OSError:
        return b""


def _read(path: str) -> bytes:
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return b""
    try:
        return os.read(file, LENGTH + 1)
    finally:
        os.close(file)


def _made(path: str) -> bytes:
    """Written aside and linked into place: of two processes at once the first one's key is everybody's."""
    own = f"{path}.{os.getpid()}"
    make_private_file(own)
    with open(own, "wb") as file:  # noqa: PTH123 - pathlib costs the hook process its import
        file.write(os.urandom(LENGTH))
    try:
        os.link(own, path)
    except FileExistsError:
        if len(_read(path)) != LENGTH:
            os.replace(own, path)  # noqa: PTH105 - as above
            return _read(path)
    os.unlink(own)  # noqa: PTH108 - as above
    return _read(path)
