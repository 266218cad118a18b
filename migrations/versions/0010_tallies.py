"""Tallies: what is counted of a day beside the calls of models."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

BIGINT = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "tallies",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("what", sa.Text(), nullable=False, server_default=""),
        sa.Column("number", BIGINT, nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("day", "what", name=op.f("pk_tallies")),
    )


def downgrade() -> None:
    op.drop_table("tallies")
