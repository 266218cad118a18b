"""What stories are compared by, which have become one, and what each is about.

Private items, those of mail and of saved pages, lead no story any more.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

BIGINT = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
JSON = sa.JSON().with_variant(JSONB, "postgresql")
stories = sa.table("stories", *map(sa.column, ("id", "label", "representative_id")))
items = sa.table("items", *map(sa.column, ("id", "source_id")))
sources = sa.table("sources", *map(sa.column, ("id", "type")))
likenesses = sa.table("item_likenesses", *map(sa.column, ("story_id", "subject_id")))

INDEX = "ix_item_likenesses_subject_id"
ADDED: dict[str, sa.Column[Any]] = {
    "title_words": sa.Column("title_words", sa.LargeBinary()),
    "lead_words": sa.Column("lead_words", sa.LargeBinary()),
    "subject_id": sa.Column("subject_id", BIGINT),
    "merged_stories": sa.Column("merged_stories", JSON, server_default="[]", nullable=False),
    "merged_subjects": sa.Column("merged_subjects", JSON, server_default="[]", nullable=False),
}


def upgrade() -> None:
    for column in ADDED.values():
        op.add_column("item_likenesses", column)
    op.create_index(op.f(INDEX), "item_likenesses", ["subject_id"])
    op.execute(sa.update(likenesses).values(subject_id=likenesses.c.story_id))
    private = (
        sa.select(items.c.id)
        .join(sources, sources.c.id == items.c.source_id)
        .where(sources.c.type.in_(("EMAIL", "SAVED")))
    )
    led = stories.c.representative_id.in_(private)
    op.execute(sa.update(stories).where(led).values(representative_id=None, label=""))


def downgrade() -> None:
    op.drop_index(op.f(INDEX), table_name="item_likenesses")
    for name in ADDED:
        op.drop_column("item_likenesses", name)
