"""The nouns: frozen values that travel between the parts.

Times are aware UTC. Texts are plain unless the name says HTML, and HTML in here
has been sanitised. Nothing in this package knows where a value came from.
"""

from morningdeck.model.finding import (
    Hit,
    SearchAnswer,
    SearchDocument,
    SearchQuery,
)
from morningdeck.model.making import (
    Article,
    Criteria,
    Enrichment,
    Item,
    Likeness,
    Processed,
    Score,
    StoryPlace,
    Tags,
)
from morningdeck.model.outlook import NextBriefing, Outlook
from morningdeck.model.reading import (
    Entry,
    Fetched,
    FetchTrouble,
    Health,
    LinkPage,
    Page,
    ParsedFeed,
    ParsedMail,
    ParsedPage,
    Post,
    Reading,
    Source,
    SourceType,
    Spaced,
    Validators,
)
from morningdeck.model.sending import (
    Briefed,
    Briefing,
    Candidate,
    Delivery,
    Envelope,
    Plan,
    Receipt,
    Report,
    ReportItem,
)

__all__ = [
    "Article",
    "Briefed",
    "Briefing",
    "Candidate",
    "Criteria",
    "Delivery",
    "Enrichment",
    "Entry",
    "Envelope",
    "FetchTrouble",
    "Fetched",
    "Health",
    "Hit",
    "Item",
    "Likeness",
    "LinkPage",
    "NextBriefing",
    "Outlook",
    "Page",
    "ParsedFeed",
    "ParsedMail",
    "ParsedPage",
    "Plan",
    "Post",
    "Processed",
    "Reading",
    "Receipt",
    "Report",
    "ReportItem",
    "Score",
    "SearchAnswer",
    "SearchDocument",
    "SearchQuery",
    "Source",
    "SourceType",
    "Spaced",
    "StoryPlace",
    "Tags",
    "Validators",
]
