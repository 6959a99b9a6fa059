"""An intent whose files are watched, driven by hand: the person, the agent and the ticks between them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from leeboard.app.plan.engine import Engine
from leeboard.model.plan import Clue, Plan
from leeboard.model.truth import ABSENT, Truth
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.read import look_at, read_tick
from leeboard.plan.disk.truth.agent_writes import stamp
from leeboard.plan.disk.truth.gather import gather
from leeboard.plan.disk.truth.record import TruthRecord, digests_now
from leeboard.plan.effect import PlanStep, Refusal
from leeboard.plan.machine.drift_classify import AskedOutcome, ClassifyRequest, FeedbackCreate, RepeatedCall, classify

SLUG, NOW = "x", "2026-01-01T00:00:00Z"
SCOPES = ("", "shape", "build")


class TruthProject:
    """The intent `x` in a project with the studio `small`. Places are relative to the intent's folder."""

    def __init__(self, path: Path, studio: Mapping[str, str]) -> None:
        self.path = path
        for name, text in studio.items():
            page = path / ".haiku/studios/small" / name
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(text)
        self.top = path / f".haiku/intents/{SLUG}"
        self.folder = PlanFolder(str(path))
        self.engine = Engine(str(path), clock=lambda: NOW)
        self.engine.create("Count", "Do it.", SLUG, "small")

    def write(self, place: str, content: str | bytes) -> Path:
        path = self.top / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def agent_writes(self, place: str, content: str) -> None:
        """As the hooks stamp it."""
        before = self.sha(place)
        self.write(place, content)
        stamp(self.folder, SLUG, {place: before}, self.number, NOW)

    @property
    def number(self) -> int:
        return read_tick(self.folder, SLUG)

    def sha(self, place: str) -> str:
        path = self.top / place
        return sha256(path.read_bytes()).hexdigest() if path.is_file() else ABSENT

    def tick(self) -> Clue:
        return self.engine.tick(SLUG)

    def findings(self) -> dict[str, tuple[str, str]]:
        """Path to kind and author of what the next tick asks about."""
        found = self.tick().payload.get("findings", ())
        return {each["path"]: (each["change_kind"], each["author_class"]) for each in found}

    def plan(self) -> Plan:
        return look_at(self.folder, SLUG).plan

    def truth(self) -> Truth:
        found = gather(self.folder, self.plan())
        assert found is not None
        return found

    def record(self) -> TruthRecord:
        return TruthRecord(self.folder, SLUG, digests_now(self.folder, SLUG, SCOPES))

    def classify(self, outcome: str, **links: Any) -> Clue:
        """All that is asked about."""
        asked = self.tick()
        paths = [each["path"] for each in asked.payload["findings"]]
        creates = tuple(
            FeedbackCreate(for_classification_path=path, title="It changed", body="Look.")
            for path in paths
            if outcome == "surface-as-feedback"
        )
        request = ClassifyRequest(
            tick_id=asked.payload["tick_id"],
            classifications=tuple(
                AskedOutcome(path=path, outcome=outcome, rationale_excerpt="why", **links) for path in paths
            ),
            agent_rationale="why",
            feedback_creates=creates,
        )
        answer = self.engine.move(SLUG, lambda plan, now: _step(classify(plan, request, now)), truth=True)
        assert isinstance(answer, Clue), answer
        return answer

    def json(self, place: str) -> Any:
        return json.loads((self.top / place).read_text())

    def lines(self, place: str) -> list[dict[str, Any]]:
        path = self.top / place
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def _step(found: PlanStep | Refusal | RepeatedCall) -> PlanStep | Refusal:
    """Nothing is asked twice here."""
    assert not isinstance(found, RepeatedCall)
    return found
