"""A source may be of any type: which there are stands in the registry of the code alone."""

import re
from collections.abc import Callable

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

NAME = "ck_sources_type_known"
KNOWN = "type IN ('RSS', 'WEB', 'REDDIT', 'EMAIL', 'SAVED')"
CHECK = f"CONSTRAINT {NAME} CHECK ({KNOWN})"
HEALTH = "CONSTRAINT ck_sources_health_known"


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        _reword(lambda made: re.sub(rf"{re.escape(CHECK)},\s*", "", made))
    else:
        op.drop_constraint(op.f(NAME), "sources", type_="check")


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        _reword(lambda made: made.replace(HEALTH, f"{CHECK},\n\t{HEALTH}"))
    else:
        op.create_check_constraint(op.f(NAME), "sources", KNOWN)


def _reword(change: Callable[[str], str]) -> None:
    """As SQLite's documentation of ALTER TABLE has it for constraints: no row is touched.

    To copy the table would delete it first, and with it, by cascade, every item.
    """
    connection = op.get_bind()
    where = "WHERE type = 'table' AND name = 'sources'"
    made = connection.exec_driver_sql(f"SELECT sql FROM sqlite_schema {where}").scalar_one()
    version = connection.exec_driver_sql("PRAGMA schema_version").scalar_one()
    connection.exec_driver_sql("PRAGMA writable_schema=ON")
    put = sa.text(f"UPDATE sqlite_schema SET sql = :sql {where}")
    connection.execute(put, {"sql": change(made)})
    connection.exec_driver_sql(f"PRAGMA schema_version={version + 1}")
    connection.exec_driver_sql("PRAGMA writable_schema=OFF")
