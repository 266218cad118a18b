"""What scores are made of: the words and the meaning of each item, and the words read before."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

whole = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "item_profiles",
        sa.Column("item_id", whole, autoincrement=False, nullable=False),
        sa.Column("language", sa.Text(), server_default="", nullable=False),
        sa.Column("words", sa.LargeBinary(), nullable=True),
        sa.Column("meaning", sa.LargeBinary(), nullable=True),
        sa.Column("mark", whole, server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["item_id"], ["items.id"], name="fk_item_profiles_item_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("item_id", name="pk_item_profiles"),
    )
    op.create_index(
        "ix_item_profiles_marked",
        "item_profiles",
        ["item_id"],
        sqlite_where=sa.text("mark > 0"),
        postgresql_where=sa.text("mark > 0"),
    )
    op.create_table(
        "word_counts",
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("articles", sa.Float(), nullable=False),
        sa.Column("words", sa.LargeBinary(), nullable=True),
        sa.Column("counted_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("language", name="pk_word_counts"),
    )


def downgrade() -> None:
    op.drop_table("word_counts")
    op.drop_table("item_profiles")
