"""Before any other work of a tick: do the tracked files say what their baselines say, and who changed them if not."""

from __future__ import annotations

from leeboard.model.effect import Effect, EstablishBaseline, LogBaseline, WriteDispatch, WriteMarkers
from leeboard.model.plan import Plan
from leeboard.model.truth import INTENT_SCOPE, Standing, Truth
from leeboard.workflow._dispatch import dispatched, payload
from leeboard.workflow.assess import Assessed, assess
from leeboard.workflow.look import Found, Look, committed, looking, named

RESET_COMMAND = "leeboard flow baseline-reset"
"""Of the operator."""
LOST: tuple[Standing, ...] = ("missing", "corrupt", "altered")


def baseline_accepted(look: Look) -> Found | None:
    """Lost, and an operator accepted what is there now in its stead."""
    truth = look.plan.truth
    scopes = [scope for scope in _lost(truth) if truth and scope in truth.acks and scope not in truth.thrashing]
    if not scopes:
        return None
    kept = committed(look.plan, "accept files as they are")  # so that git has it, should it be lost again
    return Found(do=(*_established(look, scopes), kept))


def baseline_lost(look: Look) -> Found | None:
    """What the files were is not known any more: only a person can say what they may be."""
    truth = look.plan.truth
    lost = _lost(truth)
    if truth is None or not lost:
        return None
    told = [f"{_called(scope)} ({truth.reasons.get(scope) or truth.standing[scope]})" for scope in lost]
    worn = [scope for scope in lost if scope in truth.thrashing]
    slug = look.plan.intent.slug
    text = (
        f"The baseline of {named(told)} can not be believed, so nobody can tell which files changed. "
        f"A person looks at it with `{RESET_COMMAND} {slug}`: it shows what would be accepted."
    )
    if worn:
        waits = max(truth.thrashing[scope] for scope in worn)
        text += (
            f" That of {named([_called(scope) for scope in worn])} was lost again and again: find out who does it. "
            f"It can be reset after {waits} more ticks; each call counts as one."
        )
    fields = {"error": "baseline_corrupt", "scopes": {scope: truth.standing[scope] for scope in lost}}
    do = tuple(LogBaseline(scope=scope, entry_type="baseline_corruption_event", tick=look.plan.tick) for scope in lost)
    return Found(text=text, payload={**fields, "reasons": truth.reasons, "thrashing": worn}, do=do)


def baseline_unmade(look: Look) -> Found | None:
    """An existing tree is recorded and not reported; that of later stages too, so that nothing slips in there."""
    truth = look.plan.truth
    if truth is None:
        return None
    scopes = [scope for scope, standing in truth.standing.items() if standing == "unestablished"]
    if INTENT_SCOPE in scopes:
        names = (view.spec.name for view in look.plan.stages)
        scopes += [name for name in names if name not in truth.standing]
    return Found(do=_established(look, scopes)) if scopes else None


def change_unassessed(look: Look) -> Found | None:
    """What nobody accounts for. All else that is known by now is put down with it."""
    assessed = assess(look)
    if not assessed.findings:
        return None
    dispatch = dispatched(look, assessed)
    old = look.plan.truth.dispatch if look.plan.truth else None
    asked: tuple[Effect, ...] = () if dispatch == old else (WriteDispatch(dispatch=dispatch),)
    paths = [found.path for found in assessed.findings]
    text = f"Changed by somebody else since they were acknowledged: {named(paths)}. Classify with haiku_classify_drift."
    return Found(text=text, payload=payload(look, dispatch), do=(*_kept(assessed), *asked))


def change_explained(look: Look) -> Found | None:
    """The agent's own writes, what was handled to its end, and an assessment of which nothing is left."""
    assessed = assess(look)
    is_over = look.plan.truth is not None and look.plan.truth.dispatch is not None
    over: tuple[Effect, ...] = (WriteDispatch(dispatch=None),) if is_over and not assessed.findings else ()
    do = (*_kept(assessed), *over)
    return Found(do=do) if do else None


def obstacle(plan: Plan) -> str:
    """What tracked files keep all other work from; empty where there is nothing, or nobody looked."""
    look = looking(plan, "")
    elsewhere = plan.git.available and plan.git.branch != plan.git.hub
    if elsewhere or baseline_accepted(look) is not None:
        return ""
    found = baseline_lost(look) or change_unassessed(look)
    return found.text if found else ""


def _kept(assessed: Assessed) -> tuple[Effect, ...]:
    """Baselines before markers: whoever dies in between finds a marker without a divergence, and ends it."""
    if not assessed.cleared and not assessed.stale:
        return assessed.settled
    return (*assessed.settled, WriteMarkers(put=assessed.cleared, drop=assessed.stale))


def _lost(truth: Truth | None) -> list[str]:
    return [scope for scope, standing in truth.standing.items() if standing in LOST] if truth else []


def _established(look: Look, scopes: list[str]) -> tuple[Effect, ...]:
    logged = (LogBaseline(scope=scope, entry_type="baseline_established", tick=look.plan.tick) for scope in scopes)
    return (EstablishBaseline(scopes=tuple(scopes), tick=look.plan.tick), *logged)


def _called(scope: str) -> str:
    return f"stage {scope}" if scope else "the intent's knowledge"
