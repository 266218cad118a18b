"""`search` and `reindex`: finding what was read."""

from __future__ import annotations

import time
from typing import Annotated, Literal

import typer

from morningdeck.actions import search as actions
from morningdeck.actions import words
from morningdeck.asked.parse import parse_query
from morningdeck.cli.desk import Desk, Limit, desk
from morningdeck.cli.item import BriefingOption, MinScore, Saved, Since, SourceOption, Unread
from morningdeck.cli.output import readable
from morningdeck.model.finding import ItemFilter, SearchAnswer, SearchQuery
from morningdeck.search import ALWAYS_THERE

Sort = Literal["relevance", "date", "score", "meaning"]


def search(
    context: typer.Context,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What to find; see above.")],
    briefing: BriefingOption = None,
    source: SourceOption = None,
    unread: Unread = False,
    saved: Saved = False,
    min_score: MinScore = None,
    since: Since = None,
    sort: Annotated[Sort, typer.Option(help="What comes first.")] = "relevance",
    limit: Limit = 20,
    offset: Annotated[
        int, typer.Option(parser=words.how_far, metavar="N", help="Leave out so many of the best.")
    ] = 0,
) -> None:
    """Find it in what was read.

    Every word of QUERY must be there; case and accents make no difference, and the last word
    may be unfinished. "Words in quotation marks" stand side by side, begin* finds whatever
    begins so, -word leaves out, OR finds either, (brackets) group.

    Fields: title: topic: author: source: briefing: lang:de after:2026-11-01 before:3d score>60
    is:unread is:read is:saved; each may be left out with a - before it. Put a query that begins
    with - after --.

    With --sort meaning plain words say what it is about and need not be there.
    """
    with desk(context) as at:
        answer = actions.find(
            at.adapters.search_index,
            lambda: at.app.by_meaning,
            SearchQuery(
                user_id=at.user.id,
                asked=parse_query(query, now=at.now, zone=at.out.zone),
                only=ItemFilter(
                    source_id=source,
                    briefing_id=briefing,
                    unread=unread,
                    saved=saved,
                    min_score=min_score,
                    since=words.since(since, at.now, at.user.timezone) if since else None,
                ),
                sort=sort,
                limit=limit,
                offset=offset,
            ),
        )
        at.out.either(answer, lambda: _print(at, query, answer))
        at.out.note(_left_out(at, answer))


def _left_out(at: Desk, answer: SearchAnswer) -> str:
    """How many items an answer may lack, so that nobody takes it for complete; the database's own
    index never lacks any.
    """
    if answer.backend == ALWAYS_THERE:
        return ""
    waiting, _ = at.store.overview.search_waiting(at.now)
    if not waiting:
        return ""
    what, them = ("item", "it") if waiting == 1 else ("items", "them")
    return f"not in here: {waiting:,} {what} not indexed yet; morningdeck run works {them} off"


def _print(at: Desk, query: str, answer: SearchAnswer) -> None:
    from morningdeck.cli import hits  # with rich, which help has no need of

    if at.out.on_terminal:
        for hit in answer.hits:
            at.out.print(*hits.lines(at, hit))
    else:
        at.out.list(answer.hits, "id published_at source title url", snippet=hits.plain_snippet)
    if answer.understood.replace(", ", " ") != " ".join(query.split()):
        at.out.say(f"looked for: {readable(answer.understood)}")
    at.out.say(_summary(at, answer))


def _summary(at: Desk, answer: SearchAnswer) -> str:
    by = answer.backend
    if answer.degraded:
        by += ", because the search server does not answer"
    if not answer.hits:
        return (
            f"nothing found ({by})" if not answer.total else f"no more than {answer.total} ({by})"
        )
    return f"{len(answer.hits)} of {answer.total} found ({by}); times are {at.out.zone.key}"


def reindex(context: typer.Context) -> None:
    """Build the search index anew.

    With Meilisearch a new one is filled beside the one that answers, then takes its place; if that
    is cut short, the next time goes on where it was.
    """
    started = time.monotonic()
    with desk(context) as at:
        with at.out.busy("building the search index") as say:
            documents = actions.reindex(
                at.store.search_outbox,
                at.store.search_index,
                at.adapters.searching.indexing,
                progress=lambda done, of: say(f"building the search index: {done} of {of}"),
            )
        seconds = round(time.monotonic() - started, 3)
        at.out.show({"documents": documents, "seconds": seconds})
