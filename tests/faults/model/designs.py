"""Ours and the designs that look just as good until somebody dies at the wrong moment.

A design is what could be done differently in the row protocol. The model takes it as a
parameter, so that every rule of ours can be taken away and its absence shown to hurt.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Design:
    """The defaults are ours; the field's comment says which code keeps the rule."""

    name: str = "ours"
    settles_under: frozenset[str] = frozenset({"status", "fence", "owner"})
    """What the UPDATE of a settlement demands (`store.queue.statements.settling`)."""
    fence_grows_for_ever: bool = True
    """`attempts` is not the counter that success resets (`work.decide`)."""
    recovers_by: str = "lease"
    """"lease": what nobody renews; "age": what was taken long ago (`SqlJobStore.recover`)."""
    recovers_in_one_statement: bool = True
    """The UPDATE of a recovery repeats the whole condition (`SqlJobStore._lose`)."""
    counts_losses: bool = True
    """A lost job may not come back for ever (`work._after_loss`)."""
    renews: str = "registry"
    """"registry": what threads really hold; "owner": all my rows (`Leases._renew_stage`)."""
    renewal_proves: str = "running"
    """A renewed fence is "running", or merely the row's "latest" (`SqlJobStore.renew`)."""
    renewal_never_shortens: bool = True
    """A heartbeat that was frozen must not write its old time (`SqlJobStore.renew`)."""
    trusts_from: str = "question"
    """A start is trusted from before it was "asked", or from its "answer" (`Worker.run`)."""


OURS = Design()

BY_AGE = replace(OURS, name="recovery by age", recovers_by="age")
BLIND = replace(OURS, name="blind writes", settles_under=frozenset())
BY_STATUS = replace(
    OURS, name="compare-and-set by status alone", settles_under=frozenset({"status"})
)
SELECT_FIRST = replace(OURS, name="SELECT-then-UPDATE recovery", recovers_in_one_statement=False)
ONE_COUNTER = replace(OURS, name="one counter, reset by success", fence_grows_for_ever=False)
ALL_MINE = replace(OURS, name="renewing all my rows", renews="owner")
BARE_RESET = replace(OURS, name="bare reset of lost claims", counts_losses=False)
LATE_TRUST = replace(OURS, name="trust counted from the answer", trusts_from="answer")
REQUEUED = replace(OURS, name="renewal by the latest fence", renewal_proves="latest")
SHORTENING = replace(OURS, name="renewal with an old time", renewal_never_shortens=False)
