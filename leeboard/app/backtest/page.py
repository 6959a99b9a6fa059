"""All that is told of a run, gathered once for the screen, for Markdown, for HTML and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from leeboard.app.backtest.heard import Heard, Remark
from leeboard.app.backtest.opinions import Opinion
from leeboard.app.backtest.run import JudgedFile
from leeboard.app.backtest.tally import OpinionOf, RuleTally, Tally, tally_of, worst_opinion
from leeboard.rule import code_of

PAGE_SIZE = 10


class PassedOver(msgspec.Struct, frozen=True, kw_only=True):
    """A file that could not be judged."""

    path: str
    problem: str
    named: bool


class BacktestPage(msgspec.Struct, frozen=True, kw_only=True):
    tally: Tally
    heard: tuple[Heard, ...]
    remarks: tuple[Remark, ...]
    """Those that were asked for; the figures are of all."""
    opinions: dict[str, Opinion]
    """By the id of the message."""
    passed_over: tuple[PassedOver, ...] = ()
    old: int = 0
    """Sessions that ended before the time that was asked for."""
    finished: int = 0
    """Sessions that an earlier run had judged."""
    notes: tuple[str, ...] = ()

    @property
    def pages(self) -> int:
        return max(1, -(-len(self.remarks) // PAGE_SIZE))

    def part(self, number: int) -> tuple[Remark, ...]:
        """The messages of a page, counted from one."""
        return self.remarks[(number - 1) * PAGE_SIZE : number * PAGE_SIZE]


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """Which messages are shown; empty: all."""

    rule: str = ""
    session: str = ""
    """The start of a session's id, or the name of its file."""

    def sessions(self, heard: Sequence[Heard]) -> tuple[Heard, ...]:
        """Those it means. A short name of a file may well begin the id of another session: the file goes first."""
        if not self.session:
            return tuple(heard)
        name = self.session.removesuffix(".jsonl")
        by_file = tuple(one for one in heard if one.file == name)
        return by_file or tuple(one for one in heard if one.session.startswith(self.session))

    def remarks(self, heard: Sequence[Heard]) -> tuple[Remark, ...]:
        said = (remark for one in self.sessions(heard) for remark in one.remarks)
        return tuple(remark for remark in said if not self.rule or self.rule in remark.rules)


def page_of(judged: Sequence[JudgedFile], opinion_of: OpinionOf, selection: Selection) -> BacktestPage:
    heard = tuple(one.heard for one in judged if one.heard is not None)
    remarks = [remark for one in heard for remark in one.remarks]
    thought = {remark.id: worst_opinion(remark, opinion_of) for remark in remarks}
    return BacktestPage(
        tally=tally_of(heard, opinion_of),
        heard=heard,
        remarks=selection.remarks(heard),
        opinions={id_: opinion for id_, opinion in thought.items() if opinion is not None},
        passed_over=tuple(
            PassedOver(path=one.source.path, problem=one.problem, named=one.source.named)
            for one in judged
            if one.problem
        ),
        old=sum(one.is_old for one in judged),
        finished=sum(one.was_finished for one in judged),
        notes=tuple(dict.fromkeys(note for one in judged for note in one.notes)),
    )


def page_objects(page: BacktestPage) -> Iterator[dict[str, object]]:
    """Messages, sessions, rules and what was passed over, one each; the totals last."""
    for remark in page.remarks:
        codes = list(filter(None, map(code_of, remark.rules)))
        opinion = page.opinions.get(remark.id)
        yield {"kind": "message", **msgspec.to_builtins(remark), "codes": codes, "opinion": opinion}
    for one in page.heard:
        told = {name: value for name, value in msgspec.to_builtins(one).items() if name != "remarks"}
        yield {"kind": "session", **told, "messages": len(one.remarks)}
    for file in page.passed_over:
        yield {"kind": "passed_over", "path": file.path, "problem": file.problem}
    for tally in page.tally.rules:
        yield {"kind": "rule", "rule": tally.rule, "code": code_of(tally.rule), **_figures(tally)}
    yield totals_of(page)


def totals_of(page: BacktestPage) -> dict[str, object]:
    tally = page.tally
    return {
        "kind": "totals",
        "sessions": tally.sessions,
        "spoken_to": tally.spoken_to,
        "share_spoken_to": round(tally.share_spoken_to, 4),
        "turns": tally.turns,
        "scored": tally.scored,
        **{name: value for name, value in _figures(tally.all).items() if name != "sessions"},
        "passed_over": len(page.passed_over),
        "old": page.old,
        "finished_before": page.finished,
        "judged_by": dict(tally.judged_by),
    }


def _figures(tally: RuleTally) -> dict[str, object]:
    between = tally.between
    return {
        "said": tally.said,
        "refused": tally.refused,
        "asked": tally.asked,
        "sessions": tally.sessions,
        "yes": tally.yes,
        "no": tally.no,
        "unsure": tally.unsure,
        "precision": None if tally.precision is None else round(tally.precision, 4),
        "between": None if between is None else [round(end, 4) for end in between],
    }
