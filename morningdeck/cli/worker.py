"""`worker`: works on what daemons elsewhere put into a broker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from morningdeck.cli.desk import desk, settings
from morningdeck.errors import ConfigError
from morningdeck.work import Stage

if TYPE_CHECKING:
    from morningdeck.settings.sections import Settings

ALL_QUEUES = "fetch,processing,briefing"


def worker(
    context: typer.Context,
    queues: Annotated[str, typer.Option(help="Which kinds of work, with commas.")] = ALL_QUEUES,
    workers: Annotated[
        int | None, typer.Option(min=1, max=1000, help="Threads for each, not as the settings say.")
    ] = None,
) -> None:
    """Do the work of daemons elsewhere: queue.backend = "celery"."""
    stages = _stages(queues)
    with desk(context, "worker", _with_workers(settings(context), stages, workers)) as at:
        at.app.work(stages)


def _stages(queues: str) -> tuple[Stage, ...]:
    named = tuple(dict.fromkeys(name.strip() for name in queues.split(",") if name.strip()))
    if not named or set(named) - set(ALL_QUEUES.split(",")):
        raise ConfigError(f"--queues must be some of {ALL_QUEUES}, got {queues!r}")
    return tuple(map(Stage, named))


def _with_workers(settings: Settings, stages: tuple[Stage, ...], workers: int | None) -> Settings:
    """The same settings, with threads, and so connections, for these stages alone."""
    update = {}
    for name in ALL_QUEUES.split(","):
        of = getattr(settings, name)
        if Stage(name) not in stages:
            update[name] = of.model_copy(update={"workers": 0})
        elif workers is not None:
            update[name] = of.model_copy(update={"workers": workers})
    return settings.model_copy(update=update)
