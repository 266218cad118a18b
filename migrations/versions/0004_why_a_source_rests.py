"""The words with which somebody has switched a source off."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sources", sa.Column("inactive_reason", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("sources", "inactive_reason")
