"""Briefings on chosen days and of several sections, and all that a report knows of its places."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

BIGINT = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
JSON = sa.JSON().with_variant(JSONB, "postgresql")
briefings = sa.table("briefings", *map(sa.column, ("id", "frequency")))
reports = sa.table("reports", *map(sa.column, ("briefing_id", "slot", "weekly")))


def _list(name: str) -> sa.Column[Any]:
    return sa.Column(name, JSON, server_default="[]", nullable=False)


def _flag(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Boolean(), server_default=sa.false(), nullable=False)


ADDED: dict[str, tuple[sa.Column[Any], ...]] = {
    "briefings": (
        _list("days"),
        sa.Column("section_of", BIGINT),
    ),
    "reports": (
        _flag("weekly"),
        _list("broken_sources"),
        _list("moved"),
        _list("undelivered"),
        sa.Column("left_out", JSON, server_default="{}", nullable=False),
    ),
    "report_items": (
        sa.Column("section", sa.Text(), server_default="", nullable=False),
        sa.Column("language", sa.Text()),
        sa.Column("minutes", BIGINT, server_default="0", nullable=False),
        _flag("private"),
        _flag("told"),
        _flag("missed"),
        sa.Column("update_text", sa.Text(), server_default="", nullable=False),
        sa.Column("update_since", sa.DateTime(timezone=True)),
    ),
}


def upgrade() -> None:
    for table, columns in ADDED.items():
        for column in columns:
            op.add_column(table, column)
    op.create_index("ix_briefings_section_of", "briefings", ["section_of"])
    weeklies = sa.select(briefings.c.id).where(briefings.c.frequency == "WEEKLY")
    of_a_week = sa.or_(
        reports.c.slot.like("%-W%"),
        sa.and_(reports.c.slot.like("manual:%"), reports.c.briefing_id.in_(weeklies)),
    )
    op.execute(sa.update(reports).values(weekly=sa.true()).where(of_a_week))
    op.create_table(
        "report_passed_over",
        sa.Column("report_id", BIGINT, nullable=False),
        sa.Column("position", BIGINT, server_default="0", nullable=False),
        sa.Column("item_id", BIGINT),
        sa.Column("title", sa.Text(), server_default="", nullable=False),
        sa.Column("url", sa.Text()),
        sa.Column("source_title", sa.Text(), server_default="", nullable=False),
        sa.Column("score", BIGINT, server_default="0", nullable=False),
        sa.Column("why", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(
            ["report_id"],
            ["reports.id"],
            name="fk_report_passed_over_report_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("report_id", "position", name="pk_report_passed_over"),
    )


def downgrade() -> None:
    op.drop_table("report_passed_over")
    op.drop_index("ix_briefings_section_of", "briefings")
    for table, columns in ADDED.items():
        for column in columns:
            op.drop_column(table, column.name)
