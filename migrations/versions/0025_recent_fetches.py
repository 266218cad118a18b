"""How the last fetches of a source ended: a sign for each, the newest last."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sources", sa.Column("recent", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("sources", "recent")
