"""What would harm a reader's eyes, or let a stranger's text out of its place in a mail."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

FITTING = "morningdeck/render/fitting.py"
TEMPLATES = "morningdeck/render/environment.py"
LINKS = "morningdeck/render/links.py"
COMPOSING = "morningdeck/outgoing_mail.py"
PAGES = "tests/render/test_html.py"
MAILS = "tests/render/test_outgoing_mail.py"

OF_PAPERS = (
    Mutant(
        TEMPLATES,
        'disabled_extensions=("txt",), default=True',
        'enabled_extensions=(), disabled_extensions=("txt", "html")',
        PAGES,
        "test_markup_in_foreign_text_is_text",
    ),
    Mutant(
        FITTING,
        "< MAX_BYTES",
        "< 100 * MAX_BYTES",
        PAGES,
        "test_a_page_of_25_long_stories_stays_under_the_limit",
    ),
    Mutant(
        LINKS,
        'not in ("http", "https")',
        'not in ("http", "https", "javascript")',
        PAGES,
        "test_what_is_no_web_link_stays_plain_text",
    ),
    Mutant(
        LINKS,
        "quote(address, safe=_URL_SIGNS",
        "str(address)[:2000] or quote(address, safe=_URL_SIGNS",
        PAGES,
        "test_a_link_cannot_break_out_of_its_attribute",
    ),
    Mutant(
        COMPOSING,
        "part.rpartition(",
        "part.partition(",
        MAILS,
        "test_no_text_of_a_story_becomes_a_way_out",
    ),
    Mutant(
        COMPOSING,
        '.replace("=?", "= ?")',
        "",
        MAILS,
        "test_no_subject_adds_a_header",
    ),
    Mutant(
        "morningdeck/render/foreign.py",
        "subject=shorten(report.subject, 160)",
        "subject=report.subject",
        MAILS,
        "test_no_subject_adds_a_header",
    ),
    Mutant(
        "morningdeck/render/tiers.py",
        " if not item.told)",
        ")",
        PAGES,
        "test_a_weekly_says_what_moved_what_was_shown_and_what_was_missed",
    ),
    Mutant(
        "morningdeck/enrichers/overview.py",
        "supported and _is_new(text, items[cited].title) and",
        "supported and",
        "tests/enrichers/test_overview.py",
        "test_a_sentence_says_more_than_the_headline",
    ),
    Mutant(
        "morningdeck/store/rows/bounces.py",
        "bounce.kind is not BounceKind.TROUBLE",
        "bounce.kind is BounceKind.DEAD",
        "tests/store/test_bounces.py",
        "test_a_reader_who_asks_for_no_more_gets_no_more",
    ),
)
