"""Logins: where a session was begun and when it was last seen, one-time codes, known browsers."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

BIGINT = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), server_default="", nullable=False)


def time(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=True)


def upgrade() -> None:
    op.add_column("sessions", time("last_seen_at"))
    op.add_column("sessions", text("browser"))
    op.add_column("sessions", text("address"))
    op.add_column("users", sa.Column("code_hash", sa.Text(), nullable=True))
    op.add_column("users", time("code_until"))
    op.create_table(
        "known_browsers",
        sa.Column("id", BIGINT, autoincrement=True, nullable=False),
        sa.Column("user_id", BIGINT, nullable=False),
        text("token_hash"),
        sa.Column("last_login_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_known_browsers_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_known_browsers")),
        sa.UniqueConstraint(
            "user_id", "token_hash", name=op.f("uq_known_browsers_user_id_token_hash")
        ),
    )


def downgrade() -> None:
    op.drop_table("known_browsers")
    for table, columns in (
        ("users", ("code_until", "code_hash")),
        ("sessions", ("address", "browser", "last_seen_at")),
    ):
        for name in columns:
            op.drop_column(table, name)
