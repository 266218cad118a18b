"""Hot tables: PostgreSQL looks after them sooner, and leaves room beside rows that often change.

A row of items is updated three times on its way, one of sources at each fetch, one of hosts at
each visit. By default a table is vacuumed when a fifth of it is dead: of two million items
400,000. Room on each page lets an update that changes no indexed column stay there (HOT).
"""

from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

OFTEN = "autovacuum_vacuum_scale_factor = {share}, autovacuum_vacuum_threshold = 500"
MANY = OFTEN.format(share="0.02") + ", autovacuum_analyze_scale_factor = 0.05"
FEW = OFTEN.format(share="0.1") + ", fillfactor = 70"
HOT = {
    "items": MANY,
    "item_scores": MANY,
    "deliveries": MANY,
    "sources": FEW,
    "briefings": FEW,
    "hosts": FEW,
    "endpoints": FEW,
    "processes": FEW,
    "usage_days": FEW,
}
"""`items` has long rows, of which few fit on a page: room there would cost a third of the disk."""


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        for table, settings in HOT.items():
            op.execute(f"ALTER TABLE {table} SET ({settings})")


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        for table, settings in HOT.items():
            names = ", ".join(one.partition("=")[0].strip() for one in settings.split(","))
            op.execute(f"ALTER TABLE {table} RESET ({names})")
