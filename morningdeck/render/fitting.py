"""The longest version of a report that fits into a mail, else the shortest with fewer stories.

Gmail cuts a mail off at 102 KB, and with it the footer; many drop what is over 100 KB.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from morningdeck.model.sending import Rendered, Report
from morningdeck.render.environment import TEMPLATES
from morningdeck.render.foreign import LENGTHS, Lengths, tidy
from morningdeck.render.links import Links
from morningdeck.render.paper import Paper
from morningdeck.render.sizes import body_bytes, encoded_bytes

MAX_BYTES, MOST_WITH_PICTURE = 80_000, 102_400
"""Of the whole mail as it is sent, without a picture and with one."""
PICTURE_MARK = "cid:lead"
HEADER_BYTES = 2_000
"""Room for the addresses and ids of a mail."""
FEWEST_STORIES_KEPT, MOST_STORIES_KEPT = 5, 200
"""Stories; more than that fit into no mail."""

_BLANKS = re.compile(r"\n{3,}")
TEMPLATES.globals.update(picture_mark=PICTURE_MARK)


@dataclass(frozen=True, slots=True)
class _Version:
    """`cut` is how many stories it leaves out."""

    lengths: Lengths
    shortened: bool = False
    cut: int = 0


def render(report: Report, links: Links | None = None) -> Rendered:
    rendered = _fitting(report, links or Links())
    picture = report.picture
    if picture is None:
        return rendered
    if _sent_bytes(rendered) + encoded_bytes(len(picture.content)) >= MOST_WITH_PICTURE:
        return _fitting(replace(report, picture=None), links or Links())
    page = rendered.html.replace(f'src="{PICTURE_MARK}"', f'src="{picture.as_url}"', 1)
    return replace(rendered, html=page, picture=picture)


def _fitting(report: Report, links: Links) -> Rendered:
    for version in _versions(len(report.items)):
        rendered = _rendered(report, version, links)
        if _sent_bytes(rendered) < MAX_BYTES:
            break
    return rendered


def _versions(stories: int) -> Iterator[_Version]:
    """From all that there is to say to what fits in any case."""
    kept = min(stories, MOST_STORIES_KEPT)
    full, *shorter = LENGTHS
    yield _Version(full, cut=stories - kept)
    for lengths in shorter:
        yield _Version(lengths, shortened=True, cut=stories - kept)
    while kept > FEWEST_STORIES_KEPT:
        kept = max(FEWEST_STORIES_KEPT, kept * 2 // 3)
        yield _Version(LENGTHS[-1], shortened=True, cut=stories - kept)


def _rendered(report: Report, version: _Version, links: Links) -> Rendered:
    kept = report.items[: len(report.items) - version.cut]
    paper = Paper(
        tidy(replace(report, items=kept), version.lengths),
        links,
        whole=report,
        lengths=version.lengths,
        shortened=version.shortened,
        cut=version.cut,
    )
    text = TEMPLATES.get_template("mail.txt").render(paper=paper, report=paper.report)
    html = TEMPLATES.get_template("mail.html").render(paper=paper, report=paper.report)
    return Rendered(
        paper.report.subject, _BLANKS.sub("\n\n", text).strip() + "\n", html.strip() + "\n"
    )


def _sent_bytes(rendered: Rendered) -> int:
    """How long a mail of it is, whoever gets it."""
    return HEADER_BYTES + body_bytes(rendered.text) + body_bytes(rendered.html)
