"""Reports as people read them: a subject, a plain text and an HTML page.

    Report --tidy--> one line each, lengths capped, web links only --templates--> Rendered

A report is rendered once: its mails, its page and what is kept are made from the parts, and
nothing reads them back. Pure: the same report gives the same parts. Everything in it is
foreign text: autoescape is on, and a mail stays under `MAX_BYTES` because its texts are
shortened step by step until it fits.
"""

from __future__ import annotations

import re
import textwrap
from binascii import b2a_qp
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import quote, urlsplit

from css_inline import CSSInliner
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from morningdeck import wording
from morningdeck.languages import Phrases, phrases, primary_language
from morningdeck.model.sending import Rendered, Report, ReportItem
from morningdeck.plaintext import shorten

MAX_BYTES = 80_000
"""Gmail cuts a mail off at 102 KB, and with it the footer."""
HEADER_BYTES = 1_000
"""Room for the addresses and ids of a mail."""

TEXT_WIDTH = 76
RIGHT_TO_LEFT = frozenset(("ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"))
_URL_SIGNS = "!#$%&'()*+,/:;=?@[]~"
_CITATION = re.compile(r"(\[\d+\])")
_TEMPLATES = Environment(
    loader=PackageLoader("morningdeck"),
    autoescape=select_autoescape(disabled_extensions=("txt",), default=True),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_INLINER = CSSInliner(load_remote_stylesheets=False, minify_css=True)


@dataclass(frozen=True, slots=True)
class _Lengths:
    """How many characters the parts of one story may have, and how many names its lists.

    `overview` is for one paragraph of at most three.
    """

    title: int
    summary: int
    reason: int
    url: int
    names: int
    overview: int


_LENGTHS = (
    _Lengths(title=240, summary=900, reason=300, url=2000, names=6, overview=900),
    _Lengths(title=200, summary=500, reason=200, url=1000, names=5, overview=900),
    _Lengths(title=160, summary=320, reason=140, url=600, names=4, overview=900),
    _Lengths(title=120, summary=200, reason=90, url=400, names=3, overview=600),
    _Lengths(title=90, summary=90, reason=0, url=300, names=1, overview=400),
    _Lengths(title=40, summary=0, reason=0, url=200, names=0, overview=60),
)


def render(
    report: Report, *, base_url: str | None = None, unsubscribe_url: str | None = None
) -> Rendered:
    """The longest version whose mail stays under `MAX_BYTES`, else the shortest there is.

    `base_url` is where the reader's own web pages are.
    """
    home, leave = _web_link(base_url), _web_link(unsubscribe_url)
    for lengths in _LENGTHS:
        tidy = _tidy(report, lengths)
        told = _context(tidy, home, leave)
        text = _TEMPLATES.get_template("mail.txt").render(told)
        html = _INLINER.inline(_TEMPLATES.get_template("mail.html").render(told))
        rendered = Rendered(tidy.subject, _ended(text), _ended(html), leave)
        if _sent_bytes(rendered) < MAX_BYTES:
            break
    return rendered


def _ended(text: str) -> str:
    """Its last line ends as the others do."""
    return text if text.endswith("\n") else f"{text}\n"


def _sent_bytes(rendered: Rendered) -> int:
    """How long a mail of it is, whoever gets it."""
    parts = (rendered.subject, rendered.text, rendered.html, rendered.unsubscribe_url or "")
    quoted = (b2a_qp(part.replace("\n", "\r\n").encode(), istext=True) for part in parts)
    return HEADER_BYTES + sum(map(len, quoted))


# ---- what the templates are given


def _context(
    report: Report, base_url: str | None, unsubscribe_url: str | None
) -> dict[str, object]:
    spoken, language = phrases(report.language), primary_language(report.language)
    direction, end = ("rtl", "left") if language in RIGHT_TO_LEFT else ("ltr", "right")
    return {
        "report": report,
        "language": language,
        "direction": direction,
        "end": end,
        "preheader": _preheader(report),
        "rule": lambda sign: sign * TEXT_WIDTH,
        "phrases": spoken,
        "date": wording.long_date(report),
        "moment": partial(wording.moment, report),
        "by_line": partial(_by_line, report),
        "overview": tuple(_cited(line, report) for line in report.overview.splitlines()),
        "weighed": spoken.weighed.format(weighed=report.weighed, chosen=len(report.items)),
        "receipt": spoken.receipt.format(spoken.quoted.format(report.briefing_title)),
        "base_url": base_url,
        "unsubscribe_url": unsubscribe_url,
    }


def _by_line(report: Report, item: ReportItem) -> str:
    parts = (item.source_title, wording.moment(report, item.published_at), f"{item.score}/100")
    return " · ".join(part for part in parts if part)


def _preheader(report: Report) -> str:
    """What the inbox shows after the subject, which has told the first story already."""
    others = " · ".join(item.title for item in report.items[1:4])
    return shorten(others or report.overview, 140)


def _cited(line: str, report: Report) -> tuple[tuple[str, str | None], ...]:
    """The line in pieces, each with the link of the item it cites, if it is a citation."""
    links = {f"[{item.position}]": item.url for item in report.items}
    return tuple((piece, links.get(piece)) for piece in _CITATION.split(line) if piece)


def _wrap(text: str) -> str:
    return textwrap.fill(text, TEXT_WIDTH, break_on_hyphens=False)


_TEMPLATES.filters["wrap"] = _wrap


# ---- foreign text, made fit


def _tidy(report: Report, lengths: _Lengths) -> Report:
    paragraphs = [line for line in report.overview.splitlines() if line.strip()][:3]
    return replace(
        report,
        briefing_title=shorten(report.briefing_title, 80),
        subject=shorten(report.subject, 160),
        overview="\n".join(shorten(line, lengths.overview) for line in paragraphs),
        items=tuple(_tidy_item(item, lengths, phrases(report.language)) for item in report.items),
        broken_sources=_names(report.broken_sources, 10),
    )


def _tidy_item(item: ReportItem, lengths: _Lengths, spoken: Phrases) -> ReportItem:
    return replace(
        item,
        title=wording.headline(item, lengths.title),
        url=_web_link(item.url, lengths.url),
        summary=shorten(item.summary or spoken.no_summary, lengths.summary),
        reason=shorten(item.reason, lengths.reason),
        source_title=shorten(item.source_title, min(60, lengths.title // 3)),
        also_in=_names(item.also_in, lengths.names),
        topics=_known(item.topics[: min(4, lengths.names)], 30),
    )


def _names(names: tuple[str, ...], limit: int) -> tuple[str, ...]:
    shown = _known(names[:limit], 40)
    return shown if len(names) <= limit or not limit else (*shown, f"+{len(names) - limit}")


def _known(names: tuple[str, ...], limit: int) -> tuple[str, ...]:
    shortened = (shorten(name, limit) for name in names)
    return tuple(name for name in shortened if name)


def _web_link(url: str | None, limit: int = 900) -> str | None:
    """The address in plain ASCII if it is one that a mail may link to: http or https."""
    try:
        address = (url or "").strip()
        parts = urlsplit(address)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return None
    link = quote(address, safe=_URL_SIGNS, errors="replace")
    return link if len(link) <= limit else None
