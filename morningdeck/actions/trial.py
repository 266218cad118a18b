"""A test of a briefing: what would be sent now goes to one address, and every step is told.

Nothing is kept of it: no report, no delivery, no mark on what it showed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from morningdeck.discreet import said
from morningdeck.errors import MorningDeckError, NotSentError, PermanentError
from morningdeck.model.sending import A_TEST, Briefing, Delivery, Step
from morningdeck.views.sent import StepView, TrialView
from morningdeck.wording import marked_as_test

if TYPE_CHECKING:
    from morningdeck.actions.briefings import Preview
    from morningdeck.brief import ReportWriter
    from morningdeck.ports.verbs import Channel

NOBODY_KNOWS = "it may have arrived or not"

OpenChannel = Callable[[str, Callable[[Step], None]], "Channel"]


def send_test(
    briefing: Briefing,
    found: Preview,
    *,
    to: str,
    channel: str,
    open_channel: OpenChannel,
    writer: ReportWriter,
) -> TrialView:
    report = marked_as_test(found.report)
    rendered = writer.render(report)
    alone = replace(briefing, recipients=(to,), channels=(channel,))
    (envelope,) = writer.envelopes(alone, report, rendered)
    delivery = Delivery(
        id=A_TEST,
        report_id=report.id,
        channel=channel,
        address=envelope.address,
        message_id=envelope.message_id,
        content=envelope.content,
        html=rendered.html,
        file_stem=f"{envelope.file_stem.removesuffix(f'-{report.id}')}-test",
    )
    steps: list[Step] = []
    last_step = _LastStep()
    reply = error = None
    try:
        reply = open_channel(channel, steps.append).send(delivery, final=last_step).reply
    except MorningDeckError as trouble:
        error = str(trouble)
        if last_step.taken and not isinstance(trouble, NotSentError):
            error = f"{NOBODY_KNOWS}: {error}"
    return TrialView(
        briefing_id=briefing.id,
        channel=channel,
        address=said(to),
        subject=rendered.subject,
        items=len(report.items),
        sent=error is None,
        steps=tuple(StepView(step.said, step.answer) for step in steps),
        reply=reply,
        error=error,
        unscored=found.left_out.unscored,
        unread_sources=found.left_out.unread_sources,
    )


def check_taken(trial: TrialView) -> None:
    if trial.error is None:
        return
    sent = "went" if trial.error.startswith(NOBODY_KNOWS) else "did not go"
    raise PermanentError(f"the test {sent} to {trial.address}: {trial.error}")


class _LastStep:
    """A test may always go on, and remembers that it did."""

    taken = False

    def __call__(self) -> bool:
        self.taken = True
        return True
