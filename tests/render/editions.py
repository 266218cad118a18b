"""Reports of every kind that a mail is made from, as the tests and the pictures show them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any

from PIL import Image, ImageChops

from morningdeck.languages import LANGUAGES
from morningdeck.model.sending import (
    Movement,
    Report,
    ReportItem,
    Teller,
    Undelivered,
    Untold,
    WhyNot,
)
from morningdeck.parsing.picture import shrink
from morningdeck.wording import marked_as_test, worded

SEVEN_O_CLOCK = datetime(2026, 11, 18, 6, 0, tzinfo=UTC)
"""In Berlin."""
NASTY = (
    "<script>alert(1)</script><img src=x onerror=alert(1)>\"'&{{ 7*7 }}\u202e\x00\ud800 ]]>--><!--"
)

_STORIES = (
    (
        "Skerry Bank sends first power ashore through a 71-kilometre cable",
        "The first nine turbines of the Skerry Bank wind farm began feeding the grid at Lantern"
        " Point on Tuesday, four months early. When all 74 stand, they will serve 610,000 homes."
        " Until its contract starts in March, the owner sells at the market price, about 83 euros"
        " a megawatt-hour.",
        "Gridline",
        ("The Harbor Courier", "Ledger & Tide"),
        3,
        "matches 'offshore wind' in the title",
    ),
    (
        "Heat pumps pass gas boilers in new homes for the first time",
        "Of 61,800 homes finished last year, 54 percent have a heat pump and 29 percent gas.",
        "Metrika",
        ("Gridline",),
        2,
        "matches 'heat pumps' in the title",
    ),
    (
        "Port Ellery reopens Quay 9 with shore power for two ships",
        "Twelve megawatts let a large ferry switch its engines off; few quays have a plug, and"
        " few ships.",
        "Gridline",
        (),
        2,
        "mentions 'shore power' in the lead",
    ),
    (
        "Battery storage clears at 41,300 euros, a record low",
        "Nordgate awarded 2.4 gigawatts; cheaper cells explain most of the fall.",
        "Ledger & Tide",
        (),
        4,
        "close in meaning to 'grid storage'",
    ),
    (
        "Regulator ends first come, first served in the grid queue",
        "Projects that can build within two years go first from April on.",
        "Gridline",
        (),
        3,
        "mentions 'grid' in the lead",
    ),
    (
        "A data centre warms 6,200 flats; the pipes were the hard part",
        "The heat is free, the 14 kilometres of pipe were not.",
        "Gridline",
        (),
        5,
        "mentions 'heat' in the text",
    ),
    (
        "Container traffic up 9 percent in the third quarter",
        "Most of it comes from two new lines to the south.",
        "The Harbor Courier",
        (),
        2,
        "mentions 'harbour' in the lead",
    ),
    (
        "Bluestrait Ferries: one forgotten account, 410,000 records",
        "The account of a contractor who left in 2023 was still open.",
        "Signal & Statute",
        (),
        6,
        "mentions 'ferries' in the title",
    ),
)


def daily() -> Report:
    return worded(
        Report(
            id=9,
            briefing_id=88,
            briefing_title="Energy & harbour",
            slot="2026-11-18",
            subject="",
            overview="",
            generated_at=SEVEN_O_CLOCK,
            timezone="Europe/Berlin",
            language="en",
            weighed=70,
            items=tuple(_item(number) for number in range(1, 9)),
            broken_sources=("Nordlicht Anzeiger",),
            left_out={WhyNot.OFF_SUBJECT: 58, WhyNot.TOLD_TWICE: 4},
            next_run_at=SEVEN_O_CLOCK + timedelta(days=1),
        )
    )


def _item(position: int) -> ReportItem:
    title, summary, source, tellers, minutes, reason = _STORIES[position - 1]
    return ReportItem(
        position=position,
        item_id=100 + position,
        title=title,
        url=f"https://news.example/{position}",
        summary=summary,
        score=100 - position,
        reason=reason,
        source_title=source,
        published_at=SEVEN_O_CLOCK - timedelta(hours=position),
        also_in=tuple(
            Teller(name, f"https://{n}.example/its-own") for n, name in enumerate(tellers)
        ),
        minutes=minutes,
    )


def with_stories(report: Report, *changes: dict[str, Any]) -> Report:
    """Its first stories with these changes each, the others as they are."""
    changed = (replace(item, **change) for item, change in zip(report.items, changes, strict=False))
    return worded(replace(report, items=(*changed, *report.items[len(changes) :])))


def told_by_a_model() -> Report:
    report = daily()
    told = (
        "When all 74 turbines stand, they will serve 610,000 homes [1].\n"
        "Of last year's new homes, 54 percent have a heat pump and 29 percent gas [2].\n"
        "Cheaper cells explain most of the fall [4]."
    )
    return replace(report, overview=told)


def a_test() -> Report:
    return marked_as_test(daily())


def first() -> Report:
    """The first edition, with what its reader has to know."""
    moved = "Gridline has moved for good: it is read from https://gridline.example/feed now."
    return replace(daily(), is_first=True, untold=(Untold(5, moved), Untold(6, NASTY)))


def in_sections() -> Report:
    report = daily()
    sections = ("", "", "", "", "Harbours", "Harbours", "Harbours", "Harbours")
    changes: list[dict[str, Any]] = [{"section": section} for section in sections]
    return with_stories(report, *changes)


def with_searches() -> Report:
    """Two saved searches have sections of their own, behind those of its wishes."""
    report = daily()
    sections = ("", "", "", "Harbours", "Quay 9 & shore power", "Quay 9 & shore power", "C++ -AT&T")
    changes: list[dict[str, Any]] = [{"section": section} for section in sections]
    changes[4] |= {"reason": "", "score": 12}
    return with_stories(replace(report, items=report.items[:7]), *changes)


def at_once(stories: int = 3) -> Report:
    """What one saved search has found, on its way at once."""
    report = replace(
        daily(),
        briefing_title="Quay 9 & shore power",
        slot="at-once:2026-11-18",
        broken_sources=(),
        left_out={},
        next_run_at=None,
        weighed=stories,
    )
    changes: list[dict[str, Any]] = [{"reason": ""}] * stories
    return with_stories(replace(report, items=report.items[:stories]), *changes)


def nasty_at_once() -> Report:
    report = nasty()
    return worded(
        replace(report, slot="at-once:2026-11-18", moved=(), undelivered=(), next_run_at=None)
    )


def with_an_update() -> Report:
    since = SEVEN_O_CLOCK - timedelta(days=1)
    new = "The cable was switched off again on Tuesday night: a joint had run warm."
    return replace(
        with_stories(daily(), {"update": new, "update_since": since}),
        undelivered=(Undelivered(8, "2026-11-17", "Storm keeps the ferries in port (+5)"),),
    )


def with_a_picture() -> Report:
    """About as many bytes as one may have."""
    ground = Image.linear_gradient("L").resize((1040, 580))
    noise = Image.effect_noise(ground.size, 30)
    made, out = Image.merge("RGB", (ground, ImageChops.add(ground, noise, 2), noise)), BytesIO()
    made.save(out, "PNG")
    return replace(daily(), picture=shrink(out.getvalue()))


def weekly() -> Report:
    topics = ("Offshore wind", "Offshore wind", "Offshore wind", "Heat", "Heat")
    changes: list[dict[str, Any]] = [{"section": topic} for topic in topics]
    changes[1] |= {"told": True}
    changes[4] |= {"told": True}
    changes += [{"section": "Heat"}, {"section": "", "missed": True}, {"missed": True}]
    report = replace(
        daily(),
        weekly=True,
        slot="2026-W47",
        moved=(Movement("Offshore wind", 12, 5), Movement("Heat", 3, 0)),
        next_run_at=SEVEN_O_CLOCK + timedelta(days=7),
    )
    return with_stories(report, *changes)


def quiet() -> Report:
    left_out = {WhyNot.OFF_SUBJECT: 70}
    return worded(replace(daily(), items=(), left_out=left_out))


def one_story() -> Report:
    report = daily()
    return worded(replace(report, items=report.items[:1]))


def hebrew() -> Report:
    report = replace(daily(), language="he", briefing_title="אנרגיה ונמלים")
    return with_stories(
        report,
        {
            "title": "חוות הרוח סקרי בנק שולחת חשמל ראשון לחוף",
            "summary": "תשע הטורבינות הראשונות החלו להזין את הרשת ביום שלישי. שאר הטורבינות יבואו.",
            "source_title": "גריד",
            "reason": "",
            "language": "he",
        },
    )


def japanese() -> Report:
    story: dict[str, Any] = {
        "title": "スケリーバンク洋上風力発電所、71キロのケーブルで初めて送電",
        "summary": "最初の九基の風車が火曜日に送電を開始した。予定より四か月早い。" * 3,
        "source_title": "電力新聞",
        "language": "ja",
    }
    report = replace(daily(), language="ja", briefing_title="エネルギーと港")
    return with_stories(report, *([story] * 8))


def nasty() -> Report:
    changes = {
        **dict.fromkeys(("title", "summary", "reason", "source_title", "section", "update"), NASTY),
        "also_in": (Teller(NASTY, NASTY), Teller(NASTY, "javascript:alert(1)")),
        "update_since": SEVEN_O_CLOCK,
        "url": 'https://x.example/"onclick="alert(1)" é\r\nBcc: x',
        "language": '"><b>',
    }
    report = replace(
        daily(),
        briefing_title=NASTY,
        broken_sources=(NASTY,) * 15,
        moved=(Movement(NASTY, 3, 1),),
        undelivered=(Undelivered(8, "2026-11-17", NASTY),),
    )
    return replace(with_stories(report, *([changes] * 8)), overview=f"{NASTY} [1] [99]\n" * 9)


def huge() -> Report:
    """More than any mail holds."""
    long = "Many words of a long text. " * 200
    changes: dict[str, Any] = {
        **dict.fromkeys(("title", "summary", "reason", "source_title"), long),
        "also_in": (Teller(long, "https://x.example/" + "a" * 500),) * 9,
        "url": "https://x.example/" + "a" * 1900,
    }
    report = daily()
    first = replace(report.items[0], **changes)
    return worded(
        replace(
            report,
            briefing_title=long,
            items=tuple(replace(first, position=number) for number in range(1, 301)),
        )
    )


EVERY = {
    "daily": daily(),
    "told_by_a_model": told_by_a_model(),
    "test": a_test(),
    "first": first(),
    "sections": in_sections(),
    "searches": with_searches(),
    "at_once": at_once(),
    "at_once_alone": at_once(1),
    "at_once_nasty": nasty_at_once(),
    "at_once_cut": replace(at_once(), left_out={WhyNot.NO_PLACE: 20, WhyNot.TOLD_TWICE: 1}),
    "update": with_an_update(),
    "picture": with_a_picture(),
    "weekly": weekly(),
    "quiet": quiet(),
    "quiet_week": worded(replace(quiet(), weekly=True)),
    "one_story": one_story(),
    "hebrew": hebrew(),
    "japanese": japanese(),
    "nasty": nasty(),
    "huge": huge(),
    **{
        f"{name}_for_one": replace(report, for_one=True)
        for name, report in (("daily", daily()), ("nasty", nasty()), ("huge", huge()))
    },
    **{
        f"{kind}_in_{language}": worded(replace(report, language=language))
        for language in LANGUAGES
        for kind, report in (("daily", daily()), ("weekly", weekly()), ("at_once", at_once()))
        if language != "en"
    },
}
"""By what is special about it."""
