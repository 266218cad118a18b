"""The text and the page of a report, which all its mails are made from."""

from email import message_from_bytes
from email.policy import default

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

deliveries = sa.table("deliveries", *map(sa.column, ("id", "report_id", "channel", "content")))
report_texts = sa.table("report_texts", *map(sa.column, ("report_id", "text", "html")))


def upgrade() -> None:
    op.create_table(
        "report_texts",
        sa.Column(
            "report_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("text", sa.Text(), server_default="", nullable=False),
        sa.Column("html", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(
            ["report_id"],
            ["reports.id"],
            name="fk_report_texts_report_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("report_id", name="pk_report_texts"),
    )
    _read_back_mails(op.get_bind())


def _read_back_mails(connection: sa.Connection) -> None:
    """What is kept of earlier versions, or still to be sent, stands in its mails alone."""
    mails = (deliveries.c.content.is_not(None), deliveries.c.channel.in_(("folder", "smtp")))
    first = sa.select(sa.func.min(deliveries.c.id)).where(*mails)
    for delivery_id in connection.scalars(first.group_by(deliveries.c.report_id)).all():
        row = connection.execute(
            sa.select(deliveries.c.report_id, deliveries.c.content).where(
                deliveries.c.id == delivery_id
            )
        ).one()
        mail = message_from_bytes(bytes(row.content), policy=default)
        text, html = mail.get_body(("plain",)), mail.get_body(("html",))
        if text is None or html is None:
            continue
        parts = {name: part.get_content() for name, part in (("text", text), ("html", html))}
        lines = {name: str(part).replace("\r\n", "\n") for name, part in parts.items()}
        connection.execute(report_texts.insert().values(report_id=row.report_id, **lines))


def downgrade() -> None:
    op.drop_table("report_texts")
