"""Themes: how many stories each has this week and had before, and when they were found."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

BIGINT = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
INDEX = "ix_topic_clusters_continues_id"
ADDED: tuple[sa.Column[Any], ...] = (
    sa.Column("since", sa.Text(), server_default="", nullable=False),
    sa.Column("run", BIGINT, server_default="0", nullable=False),
    sa.Column("this_week", BIGINT, server_default="0", nullable=False),
    sa.Column("week_before", BIGINT, nullable=True),
)


def upgrade() -> None:
    for column in ADDED:
        op.add_column("topic_clusters", column)
    op.create_index(op.f(INDEX), "topic_clusters", ["continues_id"])
    op.create_table(
        "topic_runs",
        sa.Column("user_id", BIGINT, autoincrement=False, nullable=False),
        sa.Column("begun", BIGINT, server_default="0", nullable=False),
        sa.Column("run", BIGINT, server_default="0", nullable=False),
        sa.Column("day", sa.Text(), server_default="", nullable=False),
        sa.Column("ran_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_topic_runs_user_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", name="pk_topic_runs"),
    )


def downgrade() -> None:
    op.drop_table("topic_runs")
    op.drop_index(op.f(INDEX), "topic_clusters")
    for column in ADDED:
        op.drop_column("topic_clusters", column.name)
