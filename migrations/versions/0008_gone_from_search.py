"""Removed items that the search index does not know to be gone."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "search_gone",
        sa.Column(
            "item_id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=False,
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("item_id", name="pk_search_gone"),
    )


def downgrade() -> None:
    op.drop_table("search_gone")
