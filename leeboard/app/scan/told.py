"""What was found in a file as it is told, with what people have decided about it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec.structs import replace

from leeboard.app.scan.comments import comments_that_count, remarks_on
from leeboard.app.scan.kept import KeptText
from leeboard.app.scan.target import Target
from leeboard.app.scan.unanalysed import unfollowed_kind
from leeboard.app.scan.work import Before, FileScan, Work
from leeboard.judge.score import is_allowed
from leeboard.judge.urgency import QUEUE_FROM, Weighed, shown, weigh
from leeboard.model.contract import Allowance
from leeboard.model.verdict import Finding, FindingState, PlacedFinding, subclass_of
from leeboard.secrets.redaction import redact

if TYPE_CHECKING:
    from leeboard.settings.decisions.suppression import Suppression

_SHORT = 4
"""Hexadecimal digits of a secret's digest that may be committed."""


def told_of(text: str, work: Work, judged: KeptText, key: bytes) -> FileScan:
    """What was found in a text, with what people have decided about it."""
    target, terms, before = work
    broken = sorted(finding.subject for finding in judged.findings if finding.signal is None)
    comments = comments_that_count(target, text, before)
    seen = _ToldFile(target, text, terms.allowances, tuple(one for one in comments if not one.problem), key)
    each = (seen.finding(one) for one in judged.findings if one.signal is not None)
    found = sorted({_of_change(one, before) if before is not None else one for one in each}, key=_order)
    return FileScan(
        path=target.shown,
        found=tuple(one for one in found if one.state == "open"),
        decided=tuple(one for one in found if one.state != "open"),
        remarks=tuple(remarks_on(text, comments, judged, work)),
        problem=f"{', '.join(broken)} failed on it" if broken else "",
        unread=judged.unread,
        unfollowed="" if judged.unread else unfollowed_kind(target.name, text, before.text if before else None),
    )


def _of_change(found: PlacedFinding, before: Before) -> PlacedFinding:
    """A comment for another tool that came with it counts where a person has reviewed it."""
    return let_by_mark(found) if found.marked and before.reviewed else found


def let_by_mark(found: PlacedFinding) -> PlacedFinding:
    return replace(found, disposition="LOG", note=found.marked)


def _order(found: PlacedFinding) -> tuple[int, str, str, str]:
    return found.line, found.rule, found.fingerprint, found.message


class _ToldFile:
    """The findings of one file as they are told, with what people have decided about them."""

    def __init__(
        self,
        target: Target,
        text: str,
        allowances: tuple[Allowance, ...],
        comments: tuple[Suppression, ...],
        key: bytes,
    ) -> None:
        self._target, self._text, self._key = target, text, key
        self._allowances, self._comments = allowances, comments

    def finding(self, finding: Finding) -> PlacedFinding:
        weighed = weigh(finding)
        state, reason = self._decision(finding)
        logged = _why_logged(weighed)
        doubt = finding.signal.doubt if finding.signal and weighed.disposition == "QUEUE" else ""
        return PlacedFinding(
            rule=finding.rule,
            subclass=finding.signal.subclass if finding.signal else "",
            path=self._target.shown,
            line=finding.line,
            confidence=finding.confidence,
            disposition=weighed.disposition,
            message=finding.message.removesuffix(f" Only logged: {logged}.") if logged else finding.message,
            note=logged or doubt,
            fingerprint=finding.fingerprint,
            name=self._target.name,
            what=self._what(finding),
            steps=finding.signal.steps if finding.signal else (),
            text=self._lines[finding.line - 1].strip() if 0 < finding.line <= len(self._lines) else "",
            at_rest=finding.signal.at_rest if finding.signal else "",
            rests_at=finding.signal.rests_at if finding.signal else "QUEUE",
            marked=finding.signal.marked if finding.signal and weighed.disposition != "LOG" else "",
            state=state,
            reason=reason,
        )

    def _decision(self, finding: Finding) -> tuple[FindingState, str]:
        for one in self._comments:
            if finding.line in one.covers and finding.rule in one.rules:
                return "suppressed", one.reason
        allowance = next((one for one in self._allowances if is_allowed(finding, (one,))), None)
        return ("allowed", allowance.reason) if allowance is not None else ("open", "")

    @cached_property
    def _lines(self) -> list[str]:
        return self._text.split("\n")

    def _what(self, finding: Finding) -> str:
        said = finding.subject.removeprefix(f"{self._target.name}:")
        by_value = finding.signal is not None and subclass_of(finding.signal.subclass).passes_by_value
        return self._secrets.get(said, said) if by_value else said

    @cached_property
    def _secrets(self) -> dict[str, str]:
        """What is said of each secret, by its digest under this machine's key: its kind, its name, and so little of a
        digest without a key that nobody can try values against it.
        """
        from leeboard.secrets.detection import keyed_digest  # noqa: PLC0415 - only where one was found
        from leeboard.secrets.redaction import find_secrets  # noqa: PLC0415 - as above

        return {
            keyed_digest(one.value, self._key): " ".join(
                filter(None, (one.kind, redact(one.name)[:60], f"~{keyed_digest(one.value, b'')[:_SHORT]}"))
            )
            for one in find_secrets(self._text, self._target.name)
        }


def _why_logged(weighed: Weighed) -> str:
    """`placeholder`, `test fixture`, `confidence 0.3 below 0.5`, ...; empty for what is more than logged."""
    if weighed.disposition != "LOG":
        return ""
    told = weighed.trace[-1].removeprefix("LOG: ")
    if told not in weighed.trace:
        return told
    return f"urgency {shown(weighed.urgency)} below {QUEUE_FROM:g}"
