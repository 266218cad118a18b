"""What was read lately before scores were refined: it gets a profile, and better scores from that.

Only once: whoever is processed from now on has one. Scores of a model stay.
"""

from datetime import timedelta

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

WINDOW = timedelta(days=10)
TIME = sa.DateTime(timezone=True)
items = sa.table(
    "items",
    *map(sa.column, ("id", "status", "enriched_by")),
    sa.column("first_seen_at", TIME),
    sa.column("rescore", sa.Boolean()),
)
profiles = sa.table("item_profiles", sa.column("item_id"))


def upgrade() -> None:
    newest = op.get_bind().scalar(sa.select(sa.func.max(items.c.first_seen_at)))
    if newest is None:
        return
    without = ~sa.exists().where(profiles.c.item_id == items.c.id)
    done = sa.and_(items.c.status == "DONE", items.c.enriched_by.is_not(None))
    recent = items.c.first_seen_at >= newest - WINDOW
    op.execute(sa.update(items).where(done, recent, without).values(rescore=True))


def downgrade() -> None:
    """There is nothing to undo."""
