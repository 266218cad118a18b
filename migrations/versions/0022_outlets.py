"""The key that signs links, and briefings found by the secret of their feed."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

HAS_FEED = "feed_secret IS NOT NULL"


def upgrade() -> None:
    op.create_table(
        "signing_keys",
        sa.Column("name", sa.Text(), server_default="", nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_signing_keys")),
    )
    condition = sa.text(HAS_FEED)
    op.create_index(
        "ix_briefings_feed",
        "briefings",
        ["feed_secret"],
        sqlite_where=condition,
        postgresql_where=condition,
    )


def downgrade() -> None:
    op.drop_index("ix_briefings_feed", "briefings")
    op.drop_table("signing_keys")
