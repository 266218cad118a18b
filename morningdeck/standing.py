"""How an application stands, for one user: what `status` shows, at the command line and the web."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from morningdeck.actions import status
from morningdeck.schedule import midnight, zone_or_utc
from morningdeck.views.running import StatusView

if TYPE_CHECKING:
    from morningdeck.app import App
    from morningdeck.views.reading import UserView


def standing_of(app: App, user: UserView, now: datetime) -> StatusView:
    settings = app.settings
    return status.standing(
        app.store,
        user.id,
        data_dir=settings.data_dir,
        lanes=app.lanes,
        search_backend=app.adapters.searching.backend,
        budget_usd=settings.enricher.daily_budget_usd,
        midnight=midnight(now, zone_or_utc(user.timezone)),
        now=now,
        brokered=settings.queue.backend == "celery",
    )
