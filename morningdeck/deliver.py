"""Verb four: send one delivery, and tell what is certain from what is not.

Before its last step a channel asks whether it may take it, and the answer is committed.
After a yes only the channel's receipt or its NotSentError is certain; any other end leaves
the delivery `UNKNOWN`, because a second mail would be worse than a question. When the
process dies there, recovery finds the committed answer and does the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from morningdeck.errors import (
    DatabaseAwayError,
    EndpointHeldError,
    MorningDeckError,
    NotSentError,
    TransientError,
)
from morningdeck.logs import log
from morningdeck.model.sending import Delivery
from morningdeck.ports.engine import Clock
from morningdeck.ports.verbs import Channel
from morningdeck.work import Done, Ended, Failed, Job, Outcome, Postponed

FORBIDDEN_WAIT = timedelta(seconds=5)
LONGEST_HELD = timedelta(minutes=15)
"""A held server, and a channel that is not set up, are looked at so often: other settings may have
ended that.
"""


class LastStep:
    """The channel's question whether it may take its last step, and the answer to it."""

    def __init__(self, job: Job, final: Callable[[Job], bool]) -> None:
        self._job = job
        self._final = final
        self.asked = False
        self.taken = False

    def __call__(self) -> bool:
        self.asked = True
        self.taken = self._final(self._job)
        return self.taken


def deliver(
    job: Job,
    *,
    load: Callable[[int], Delivery | None],
    channels: Mapping[str, Channel],
    final: Callable[[Job], bool],
    not_final: Callable[[Job], object],
    clock: Clock,
) -> Outcome:
    """`final` commits that the last step is being taken, if the delivery is still ours;
    `not_final` commits that it was not taken after all.
    """
    delivery = load(job.id)
    if delivery is None:
        return Ended("REFUSED", "its content is no longer kept")
    if delivery.ended is not None:
        return Ended("REFUSED", f"nothing goes there any more: {delivery.ended}")
    channel = channels.get(delivery.channel)
    if channel is None:  # this process may have been started without its settings
        why = f"channel {delivery.channel!r} is not set up: see the settings"
        return _waits(delivery, clock() + LONGEST_HELD, why)
    step = LastStep(job, final)
    try:
        receipt = channel.send(delivery, final=step)
    except Exception as error:
        if step.taken and not isinstance(error, NotSentError):
            return _unknown(job, delivery, error)
        if step.asked:  # the yes may be committed although the answer was lost
            not_final(job)
        return _not_sent(job, delivery, error, clock)
    if step.asked and not step.taken:
        return Postponed(clock() + FORBIDDEN_WAIT, "its lease was lost before the last step")
    return Done(receipt)


def _unknown(job: Job, delivery: Delivery, error: Exception) -> Outcome:
    known = isinstance(error, MorningDeckError)
    why = {"error": _reason(error)} if known else {"exc_info": error}
    log.warning("delivery_unknown", id=job.id, channel=delivery.channel, **why)
    return Ended("UNKNOWN", f"after its last step: {_reason(error)}")


def _not_sent(job: Job, delivery: Delivery, error: Exception, clock: Clock) -> Outcome:
    match error:
        case DatabaseAwayError():
            raise error
        case EndpointHeldError():
            return _waits(delivery, min(error.until, clock() + LONGEST_HELD), str(error))
        case NotSentError() | TransientError():
            permanent = isinstance(error, NotSentError) and error.permanent
            after = None if error.after is None else clock() + timedelta(seconds=error.after)
        case MorningDeckError():
            permanent, after = True, None
        case _:
            log.error("channel_bug", id=job.id, channel=delivery.channel, exc_info=error)
            permanent, after = False, None
    return Failed(_reason(error), permanent, not_before=after, give_up_at=delivery.give_up_at)


def _waits(delivery: Delivery, until: datetime, why: str) -> Outcome:
    """Nobody's failure; but what comes too late is not news any more."""
    if delivery.give_up_at is not None and until > delivery.give_up_at:
        return Failed(why, permanent=True)
    return Postponed(until, why)


def _reason(error: Exception) -> str:
    if isinstance(error, MorningDeckError):
        return str(error)
    return f"unexpected {type(error).__name__}, see the log"
