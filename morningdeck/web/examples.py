"""What an answer may look like, made of its schema, so that it can never say anything else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SAMPLES: Mapping[str, Any] = {
    **{"id": 17, "item_id": 17, "source_id": 3, "story_id": 5, "briefing_id": 2, "report_id": 9},
    **{"title": "The harbour opens", "name": "Harbour news", "email": "ada@example.org"},
    **{"url": "https://example.org/harbour", "timezone": "Europe/Berlin", "language": "en"},
    **{"summary": "The new harbour opens in May.", "reason": "It is about harbours.", "score": 71},
    **{"highlight": "The <mark>harbour</mark> opens", "status": "DONE", "state": "SENT"},
    **{"type": "rss", "health": "active", "role": "user", "next_cursor": "WzE3XQ", "by": "offline"},
    **{"subject": "Morning: the harbour opens", "slot": "2026-11-18", "day": "2026-11-18"},
    **{"frequency": "DAILY", "local_time": "07:30", "quiet_days": "skip", "criteria": "harbours"},
    **{"channel": "smtp", "address": "ada@example.org", "message_id": "<17@example.org>"},
    **{"reply": "250 accepted", "backend": "database", "version": "0.1.0", "revision": "0042"},
    **{"database": "sqlite", "purpose": "enrich", "model": "gpt-4o-mini", "cost_usd": 0.02},
    **{"period": "2026-11-18", "label": "Harbour", "category": "business", "sentiment": "neutral"},
    **{"weekday": "monday", "etag": '"5e1f"', "last_modified": "Wed, 18 Nov 2026 07:30:00 GMT"},
    **{
        "rss": "https://example.org/feeds/SECRET.rss",
        "atom": "https://example.org/feeds/SECRET.atom",
    },
    **{"json": "https://example.org/feeds/SECRET.json", "last_slot": "2026-11-18"},
}
"""By the name of a field; a field without one is told by its name."""
KEYS = {"queues": "fetch", "deliveries": "SENT", "facets": "topics", "loops": "clockwork"}
WITHOUT_VALUE = frozenset({"error", "last_error", "limited_by", "continues_id", "closed_at"})
"""What is empty as long as all is well."""
SAMPLE_VALUES: Mapping[str, Any] = {"integer": 3, "number": 0.5, "boolean": False, "null": None}
SAMPLE_TIMES = {"date-time": "2026-11-18T07:30:00Z", "date": "2026-11-18"}


def example_of(schema: Mapping[str, Any], schemas: Mapping[str, Any], name: str = "") -> Any:
    """`schemas` are those that it may refer to."""
    if "$ref" in schema:
        return example_of(schemas[schema["$ref"].rpartition("/")[2]], schemas, name)
    kinds = schema.get("anyOf", ())
    if kinds:
        may_be_empty = {"type": "null"} in kinds and name in WITHOUT_VALUE
        return None if may_be_empty else example_of(kinds[0], schemas, name)
    for said in ("examples", "enum"):
        if said in schema:
            return schema[said][0]
    return _of_kind(schema, schemas, name)


def _of_kind(schema: Mapping[str, Any], schemas: Mapping[str, Any], name: str) -> Any:
    match schema.get("type"):
        case "object" if "properties" in schema:
            fields = schema["properties"].items()
            return {field: example_of(of, schemas, field) for field, of in fields}
        case "object":
            key = example_of(schema.get("propertyNames", {"enum": [KEYS.get(name)]}), schemas)
            return {key or "harbour": example_of(schema.get("additionalProperties") or {}, schemas)}
        case "array":
            return [example_of(schema["items"], schemas)] if "items" in schema else []
        case "string":
            sample = SAMPLES.get(name)
            return SAMPLE_TIMES.get(schema.get("format", "")) or (
                sample if isinstance(sample, str) else name.replace("_", " ") or "harbour"
            )
        case kind:
            sample = SAMPLES.get(name)
            return sample if isinstance(sample, int | float) else SAMPLE_VALUES.get(kind or "null")
