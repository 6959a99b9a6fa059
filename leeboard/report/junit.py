"""A check of a work tree as JUnit XML: each kind of drift is a test case that fails where something was found."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement, tostring

from leeboard.model.task import Drifted, DriftReport
from leeboard.model.text import lazy, shown, shown_line
from leeboard.rule import code_of

_NOT_XML = lazy("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render_junit(report: DriftReport, kinds: Iterable[str], seconds: float = 0.0) -> bytes:
    """The whole file. `kinds` are all that were looked for, so that a clean one is seen to have passed."""
    found = {one.kind: one for one in report.findings}
    names = list(dict.fromkeys((*kinds, *found)))
    failures = sum(1 for one in report.findings if one.severity != "info")
    suite = Element(
        "testsuite",
        name=_clean(f"leeboard check {report.task_id}".strip()),
        tests=str(len(names)),
        failures=str(failures),
        errors="0",
        skipped="0",
        time=f"{seconds:.3f}",
    )
    for name in names:
        _case(suite, name, found.get(name))
    made: bytes = tostring(suite, encoding="utf-8", xml_declaration=True)
    return made + b"\n"


def _case(suite: Element, name: str, found: Drifted | None) -> None:
    case = SubElement(suite, "testcase", classname="leeboard.check", name=_clean(name))
    if found is None:
        return
    lines = "\n".join(shown_line(finding.message) for finding in found.findings if finding.message)
    if found.severity == "info":
        SubElement(case, "system-out").text = _clean(lines or found.summary)
        return
    codes = " ".join(filter(None, dict.fromkeys(code_of(finding.rule) for finding in found.findings)))
    told = f"{codes}: {found.summary}" if codes else found.summary
    failure = SubElement(case, "failure", type=found.severity, message=_clean(told))
    failure.text = _clean(lines)


def _clean(text: str) -> str:
    """XML knows characters that may not be in it at all, and who reads a log obeys others."""
    return shown(_NOT_XML.sub("\ufffd", text))
