"""Mails that came back, the addresses that they end, and who is told that a briefing has run."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

BIGINT = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def number(name: str) -> sa.Column[int]:
    return sa.Column(name, BIGINT, nullable=False)


def text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), server_default="", nullable=False)


def times() -> list[sa.Column[Any]]:
    return [
        sa.Column(name, sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False)
        for name in ("created_at", "updated_at")
    ]


def of(column: str, table: str, name: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{table}.id"], name=op.f(name), ondelete="CASCADE")


def upgrade() -> None:
    op.create_index("ix_deliveries_message_id", "deliveries", ["message_id"])
    op.create_table(
        "bounces",
        number("delivery_id"),
        sa.Column("dead", sa.Boolean(), server_default=sa.false(), nullable=False),
        text("reason"),
        *times(),
        of("delivery_id", "deliveries", "fk_bounces_delivery_id"),
        sa.PrimaryKeyConstraint("delivery_id", name=op.f("pk_bounces")),
    )
    op.create_table(
        "ended_addresses",
        number("briefing_id"),
        text("address"),
        text("reason"),
        *times(),
        of("briefing_id", "briefings", "fk_ended_addresses_briefing_id"),
        sa.PrimaryKeyConstraint("briefing_id", "address", name=op.f("pk_ended_addresses")),
    )
    op.create_table(
        "mail_cursors",
        text("mailbox"),
        text("cursor"),
        *times(),
        sa.PrimaryKeyConstraint("mailbox", name=op.f("pk_mail_cursors")),
    )
    op.add_column("briefings", sa.Column("ping_url", sa.Text()))
    op.create_table(
        "pings",
        number("report_id"),
        sa.Column("ok", sa.Boolean(), server_default=sa.false(), nullable=False),
        text("told"),
        sa.Column("due_at", sa.DateTime(timezone=True)),
        sa.Column("attempts", BIGINT, server_default="0", nullable=False),
        *times(),
        of("report_id", "reports", "fk_pings_report_id"),
        sa.PrimaryKeyConstraint("report_id", name=op.f("pk_pings")),
    )


def downgrade() -> None:
    op.drop_table("pings")
    op.drop_column("briefings", "ping_url")
    op.drop_table("mail_cursors")
    op.drop_table("ended_addresses")
    op.drop_table("bounces")
    op.drop_index("ix_deliveries_message_id", "deliveries")
