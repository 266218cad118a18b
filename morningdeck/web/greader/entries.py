"""Items as reader apps read them: states and labels as categories, and why before the text."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from morningdeck.actions.labels import Label
from morningdeck.views.reading import BodyView, ItemView
from morningdeck.web.greader import words

NO_BODY = BodyView("", "", "")


def entry_of_stream(
    item: ItemView, body: BodyView, labels: Sequence[Label], address: str
) -> dict[str, Any]:
    """What has no page of its own (an article of a mail) has ours, below this address of the deck:
    Fluent Reader shows nothing of a stream in which one item is without a link.
    """
    seen_at = item.first_seen_at
    published_at = item.published_at or seen_at
    url = item.url or f"{address}/items/{item.id}"
    return {
        "id": words.long_form(item.id),
        "crawlTimeMsec": words.microseconds(seen_at)[:-3],
        "timestampUsec": words.microseconds(seen_at),
        "published": words.epoch_seconds(published_at),
        "updated": words.epoch_seconds(published_at),
        "title": item.title,
        "author": item.author or "",
        "canonical": [{"href": url}],
        "alternate": [{"href": url, "type": "text/html"}],
        "summary": {"direction": "ltr", "content": _content(item, body, labels)},
        "categories": [
            words.STATE + "reading-list",
            *([words.STATE + "read"] if item.read else []),
            *([words.STATE + "starred"] if item.saved else []),
            *(words.LABEL + label.name for label in labels if label.has(item)),
        ],
        "origin": {
            "streamId": f"{words.FEED}{item.source_id}",
            "title": item.source,
            "htmlUrl": url,
        },
    }


def _content(item: ItemView, body: BodyView, labels: Iterable[Label]) -> str:
    """What the page says counts for more than a teaser; without a teaser, both are of the page."""
    told = _paragraphs(body.page) if body.page and body.told else body.html
    return _why(item, labels) + (told or _paragraphs(body.page or body.told))


def _why(item: ItemView, labels: Iterable[Label]) -> str:
    """Our own summary, and why a briefing has chosen it."""
    lines = [item.summary] if item.summary else []
    lines += _reasons(item, labels)
    return f"<blockquote>{''.join(map(_paragraph, lines))}</blockquote>" if lines else ""


def _reasons(item: ItemView, labels: Iterable[Label]) -> Iterator[str]:
    scores = {one.briefing_id: one for one in item.scores}
    for label in labels:
        for briefing in label.briefings:
            score = scores.get(briefing.id)
            if score is not None and score.score >= briefing.min_score:
                yield f"{label.name}, {score.score}: {score.reason}"


def _paragraphs(text: str) -> str:
    return "".join(_paragraph(line) for line in text.splitlines() if line.strip())


def _paragraph(line: str) -> str:
    return f"<p>{html.escape(line.strip())}</p>"
