"""Addresses that a visit of a source has left to the next."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

JSON = sa.JSON().with_variant(JSONB, "postgresql")


def upgrade() -> None:
    op.add_column(
        "sources", sa.Column("to_ask", JSON, server_default=sa.text("'[]'"), nullable=False)
    )


def downgrade() -> None:
    op.drop_column("sources", "to_ask")
