"""Hours of the stages: how jobs ended, how long they took, how much waited."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

BIGINT = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False, server_default="")


def number(name: str) -> sa.Column[int]:
    return sa.Column(name, BIGINT, nullable=False, server_default="0")


def time(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=False)


def upgrade() -> None:
    op.create_table(
        "stage_hours",
        text("stage"),
        time("hour"),
        text("ending"),
        number("within_ms"),
        number("number"),
        sa.PrimaryKeyConstraint(
            "stage", "hour", "ending", "within_ms", name=op.f("pk_stage_hours")
        ),
    )
    op.create_table(
        "stage_depths",
        text("stage"),
        time("at"),
        number("waiting"),
        number("oldest"),
        sa.PrimaryKeyConstraint("stage", "at", name=op.f("pk_stage_depths")),
    )


def downgrade() -> None:
    op.drop_table("stage_depths")
    op.drop_table("stage_hours")
