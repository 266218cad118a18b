"""Saved searches, what they have found, and the items that they have not looked at."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

BIGINT = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MARKED, FRESH = "alert_mark > 0", "report_id IS NULL"
ALERTING = "briefing_id IS NOT NULL"


def text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), server_default="", nullable=False)


def times() -> list[sa.Column[Any]]:
    return [
        sa.Column(name, sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False)
        for name in ("created_at", "updated_at")
    ]


def of(column: str, table: str, name: str, ondelete: str = "CASCADE") -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{table}.id"], name=op.f(name), ondelete=ondelete)


def partial(name: str, table: str, columns: list[str], where: str) -> None:
    condition = sa.text(where)
    op.create_index(name, table, columns, sqlite_where=condition, postgresql_where=condition)


def upgrade() -> None:
    op.add_column(
        "briefings", sa.Column("at_once", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.add_column("items", sa.Column("alert_mark", BIGINT, server_default="0", nullable=False))
    op.add_column("items", sa.Column("searches_before", BIGINT, nullable=True))
    partial("ix_items_alert", "items", ["id"], MARKED)
    op.create_table(
        "saved_searches",
        sa.Column("id", BIGINT, autoincrement=True, nullable=False),
        sa.Column("user_id", BIGINT, nullable=False),
        text("name"),
        text("query"),
        sa.Column("briefing_id", BIGINT, nullable=True),
        *times(),
        of("user_id", "users", "fk_saved_searches_user_id"),
        of("briefing_id", "briefings", "fk_saved_searches_briefing_id", "SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_saved_searches")),
        sa.UniqueConstraint("user_id", "name", name=op.f("uq_saved_searches_user_id_name")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_saved_searches_briefing_id"), "saved_searches", ["briefing_id"])
    partial("ix_saved_searches_alerting", "saved_searches", ["id"], ALERTING)
    op.create_table(
        "search_hits",
        sa.Column("search_id", BIGINT, nullable=False),
        sa.Column("item_id", BIGINT, nullable=False),
        sa.Column("report_id", BIGINT, nullable=True),
        *times(),
        of("search_id", "saved_searches", "fk_search_hits_search_id"),
        of("item_id", "items", "fk_search_hits_item_id"),
        of("report_id", "reports", "fk_search_hits_report_id", "SET NULL"),
        sa.PrimaryKeyConstraint("search_id", "item_id", name=op.f("pk_search_hits")),
    )
    op.create_index(op.f("ix_search_hits_item_id"), "search_hits", ["item_id"])
    op.create_index(op.f("ix_search_hits_report_id"), "search_hits", ["report_id"])
    partial("ix_search_hits_fresh", "search_hits", ["search_id", "item_id"], FRESH)


def downgrade() -> None:
    op.drop_table("search_hits")
    op.drop_table("saved_searches")
    op.drop_index("ix_items_alert", "items")
    op.drop_column("items", "searches_before")
    op.drop_column("items", "alert_mark")
    op.drop_column("briefings", "at_once")
