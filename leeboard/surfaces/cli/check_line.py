"""The answer to one question of `leeboard doctor`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

State = Literal["ok", "note", "failed"]


class DoctorCheck(msgspec.Struct, frozen=True, kw_only=True):
    about: str
    state: State = "ok"
    detail: str = ""
    repair: Callable[[], str] | None = None
    """Puts it right and says what it did. Never deletes anything of the user's."""


def check_object(check: DoctorCheck) -> dict[str, object]:
    return {
        "kind": "check",
        "about": check.about,
        "state": check.state,
        "detail": check.detail,
        "fixable": check.repair is not None,
    }
