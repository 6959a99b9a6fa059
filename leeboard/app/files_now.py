"""What the files of a session's work tree say today: which findings no longer stand, what could not be analysed.

Nothing of it is kept: whoever asks later is told how it is then. Where the work tree is gone nobody knows.
"""

from __future__ import annotations

import os

from leeboard.app.handle import EventFacts, RunSetting, world_of
from leeboard.app.settings import setting_for
from leeboard.io.git.tree_files import LARGEST, DiskFiles
from leeboard.judge.score import is_allowed
from leeboard.judge.urgency import still_stands
from leeboard.model.event import Stopped
from leeboard.model.lookup import Around
from leeboard.model.outcome import Judged
from leeboard.model.session import Session
from leeboard.model.verdict import Evidence, Finding, subclass_of
from leeboard.model.world import Analysis, World
from leeboard.report.capture import is_code, why_not_analysed
from leeboard.report.detections import FilesNow, was_prevented
from leeboard.rule import LoadedRule
from leeboard.store.sqlite import SqliteStore
from leeboard.text.language import language_of

_OPEN = frozenset(("fired", "delivered", "waiting"))
_MOST_FILES = 200
_FAULTS = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)


def files_now(store: SqliteStore, session: Session, judged: tuple[Judged, ...]) -> FilesNow:
    written = _written(store, session)
    wrote_code = any(language_of(path) or is_code(path) for path in written)
    if not os.path.isdir(session.root):  # noqa: PTH112 - an empty root is none
        return FilesNow(wrote_code=wrote_code)
    setting = setting_for(session.root, session.id, store, os.environ)
    around = Around(store, session.id, setting.tree)
    rules = {rule.id: rule for rule in setting.rules}
    gone = [one.id for one in judged if _may_be_fixed(one) and _is_gone(one, session, setting, around, rules)]
    return FilesNow(fixed=frozenset(gone), not_analysed=_not_analysed(written, session.root), wrote_code=wrote_code)


def _may_be_fixed(one: Judged) -> bool:
    lies_there = bool(one.path) and subclass_of(one.subclass).lies_in_file
    return one.state in _OPEN and lies_there and not was_prevented(one)


def _is_gone(one: Judged, session: Session, setting: RunSetting, around: Around, rules: dict[str, LoadedRule]) -> bool:
    """Taken out, as far as its rule can tell. What was allowed, or no rule looks for any more, still lies there."""
    finding = Finding(
        rule=one.rule,
        subject=one.subject,
        evidence=(Evidence(one.reason),),
        path=one.path,
        line=one.line,
        confidence=one.confidence,
    )
    lifted = finding.fingerprint in session.lifted or is_allowed(finding, setting.allowances)
    if lifted or one.rule not in rules:
        return False
    try:
        return not still_stands(finding, _world(one, session, setting), rules[one.rule], EventFacts(around=around).give)
    except _FAULTS:  # a rule that fails on a text tells nothing
        return False


def _world(one: Judged, session: Session, setting: RunSetting) -> World:
    event = Stopped(session=session.id, agent=one.agent, cwd=session.root)
    return world_of(Analysis(event=event), session, setting)


def _written(store: SqliteStore, session: Session) -> tuple[str, ...]:
    return tuple(sorted({one.path for one in store.newest(session.id, "change", _MOST_FILES) if one.path}))


def _not_analysed(written: tuple[str, ...], root: str) -> tuple[tuple[str, str], ...]:
    files = DiskFiles(root)
    found = ((path, _why(path, files, root)) for path in written)
    return tuple((path, reason) for path, reason in found if reason)


def _why(path: str, files: DiskFiles, root: str) -> str:
    text = files.text(path)
    if text is not None:
        return why_not_analysed(path, text)
    if not files.exists(path):
        return ""
    size = os.stat(os.path.join(root, path), follow_symlinks=False).st_size  # noqa: PTH116, PTH118 - any name
    return "larger than 2 MB" if size > LARGEST else ""
