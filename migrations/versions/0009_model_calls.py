"""Calls of models: what each costs, what a day has cost, who may be asked, what was answered."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

BIGINT = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def number(name: str, default: str | None = "0") -> sa.Column[int]:
    return sa.Column(name, BIGINT, server_default=default, nullable=default is None)


def text(name: str, default: str | None = "") -> sa.Column[str]:
    return sa.Column(name, sa.Text(), server_default=default, nullable=default is None)


def times() -> list[sa.Column[object]]:
    return [
        sa.Column(name, sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False)
        for name in ("created_at", "updated_at")
    ]


def upgrade() -> None:
    op.drop_table("usage")  # nothing was ever written to it
    op.create_table(
        "usage",
        sa.Column("id", BIGINT, autoincrement=True, nullable=False),
        number("user_id", None),
        number("briefing_id", None),
        number("item_id", None),
        text("purpose"),
        text("endpoint"),
        text("model"),
        sa.Column("day", sa.Date(), nullable=False),
        number("tokens_in", None),
        number("tokens_out", None),
        number("nanodollars"),
        sa.Column("price_known", sa.Boolean(), server_default=sa.true(), nullable=False),
        number("duration_ms", None),
        sa.Column("ok", sa.Boolean(), server_default=sa.false(), nullable=False),
        text("error", None),
        sa.Column("settled_at", sa.DateTime(timezone=True), nullable=True),
        *times(),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_usage_user_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_usage")),
    )
    op.create_index("ix_usage_created_at", "usage", ["created_at"], unique=False)
    op.create_table(
        "usage_days",
        sa.Column("day", sa.Date(), nullable=False),
        number("calls"),
        number("nanodollars"),
        text("reserved_by", None),
        *times(),
        sa.PrimaryKeyConstraint("day", name=op.f("pk_usage_days")),
    )
    op.create_table(
        "endpoints",
        sa.Column("name", sa.Text(), server_default="", nullable=False),
        number("failures"),
        number("holds"),
        sa.Column("held_until", sa.DateTime(timezone=True), nullable=True),
        text("held_for", None),
        text("settings", None),
        number("probes"),
        sa.Column("probe_until", sa.DateTime(timezone=True), nullable=True),
        *times(),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_endpoints")),
    )
    op.create_table(
        "model_answers",
        sa.Column("key", sa.Text(), server_default="", nullable=False),
        text("answer"),
        *times(),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_model_answers")),
    )
    op.create_index("ix_model_answers_created_at", "model_answers", ["created_at"], unique=False)


def downgrade() -> None:
    op.drop_table("model_answers")
    op.drop_table("endpoints")
    op.drop_table("usage_days")
    op.drop_table("usage")
    op.create_table(
        "usage",
        sa.Column("id", BIGINT, autoincrement=True, nullable=False),
        number("user_id", None),
        text("feature"),
        text("model"),
        number("tokens_in"),
        number("tokens_out"),
        sa.Column("cost_usd", sa.Float(), server_default="0", nullable=False),
        number("duration_ms"),
        sa.Column("ok", sa.Boolean(), server_default=sa.true(), nullable=False),
        text("error", None),
        *times(),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_usage_user_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_usage")),
    )
    op.create_index("ix_usage_created_at", "usage", ["created_at"], unique=False)
