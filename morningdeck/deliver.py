"""Sending one envelope: what is certain, what is final, and what may be tried again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta

from morningdeck.errors import DatabaseAwayError, PermanentError, TransientError
from morningdeck.model import Delivery
from morningdeck.ports import Channel, Clock
from morningdeck.work import Done, Ended, Failed, Job, Outcome


def deliver(
    job: Job,
    *,
    load: Callable[[int], Delivery | None],
    channels: Mapping[str, Channel],
    final: Callable[[Job], bool],
    clock: Clock,
) -> Outcome:
    """`final` commits that the last step is being taken, if the delivery is still ours."""
    delivery = load(job.id)
    if delivery is None:
        return Ended("REFUSED", "its content is no longer kept")
    channel = channels.get(delivery.channel)
    if channel is None:
        raise PermanentError(f"channel {delivery.channel!r} is not set up: see the settings")
    try:
        return Done(channel.send(delivery, final=lambda: final(job)))
    except DatabaseAwayError:
        raise
    except TransientError as error:
        after = None if error.after is None else clock() + timedelta(seconds=error.after)
        return Failed(str(error), not_before=after, give_up_at=delivery.give_up_at)
