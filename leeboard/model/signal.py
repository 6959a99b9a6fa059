"""How much one finding that carries a signal weighs: what its urgency is computed from.

URGENCY = rework cost x probability that the agent does not correct itself. Everything else here bends that product:
a floor, a ceiling, a rule's own word that it fires.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Stage = Literal["PLAN", "DIFF", "SETTLED"]
"""How far the agent has gone: it speaks of it, has written it, has built on it."""
Disposition = Literal["FIRE", "QUEUE", "LOG"]

LOW, MED, HIGH = 0.2, 0.5, 0.8
"""The seed's labels for the probability that the agent does not correct itself."""


class Signal(msgspec.Struct, frozen=True, kw_only=True):
    subclass: str
    """The letter of a class and a number, such as B1."""
    rework_cost: int
    """1 cosmetic, 2 one function or file, 3 several files, 4 architectural change, 5 start again."""
    self_correct_prob: float
    """Probability that the agent does NOT correct itself, before commitment raises it."""
    stage: Stage = "DIFF"
    floor: float = 0.0
    """The urgency is at least this."""
    log_only: str = ""
    """Why it is at most logged: `placeholder`, `test fixture`, `user-directed: not signaled`. Beats the floor."""
    fires: bool = False
    """It fires though the product does not reach the threshold; window, cooldown and budget hold."""
    symbol: str = ""
    """The name others would call or import: who does, builds on it."""
