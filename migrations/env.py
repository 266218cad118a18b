"""Runs the migrations on the connection that the store hands over."""

from alembic import context

from morningdeck.store.database.migrate import keep
from morningdeck.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    include_object=keep,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
