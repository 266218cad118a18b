"""What readers have liked and disliked: few among all scores, asked for at each refining."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_item_scores_rated",
        "item_scores",
        ["item_id"],
        sqlite_where=sa.text("feedback != 0"),
        postgresql_where=sa.text("feedback != 0"),
    )


def downgrade() -> None:
    op.drop_index("ix_item_scores_rated", table_name="item_scores")
