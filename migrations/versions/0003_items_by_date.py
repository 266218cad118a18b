"""An index for lists of items, the newest first by their own date."""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "CREATE INDEX ix_items_date ON items ("
        "(CASE WHEN (published_at < first_seen_at) THEN published_at ELSE first_seen_at END),"
        " id)"
    )


def downgrade() -> None:
    op.drop_index("ix_items_date", "items")
