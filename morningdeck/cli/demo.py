"""`demo`: the whole pipeline on bundled feeds, without network, key or settings."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from morningdeck import logs
from morningdeck.cli.desk import output
from morningdeck.cli.output import Output

if TYPE_CHECKING:
    from morningdeck.demo.play import DemoResult


def demo(
    context: typer.Context,
    keep: Annotated[
        Path | None,
        typer.Option(metavar="DIR", file_okay=False, help="Put data and outbox there."),
    ] = None,
    serve: Annotated[bool, typer.Option("--serve", help="Leave the web page up.")] = False,
) -> None:
    """Play it all on bundled feeds: no network, no key, no settings."""
    from morningdeck.demo.play import play

    logs.configure("WARNING")
    out = output(context)

    def show(result: DemoResult) -> None:
        out.either(result, lambda: _print(out, result))
        sys.stdout.flush()  # with --serve the end may be far

    play(keep=keep, serve=serve, progress=_progress, show=show)


def _print(out: Output, result: DemoResult) -> None:
    out.say(f"{result.items} items enriched, {result.stories} stories told, {result.seconds} s")
    out.say(f"a search for {result.search['query']!r} finds:")
    for hit in result.search["hits"]:
        out.say(f"  {hit['title']}")
    if result.address:
        out.say("its pages, until you press Ctrl-C, with the one-time code and any e-mail address:")
        out.say(f"  {result.address}  {result.code}")
    out.say("the briefing, to open in a browser:")
    out.say(f"  {result.page}")
    out.say("and as a mail:")
    out.say(result.report)


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        print(text, file=sys.stderr)
