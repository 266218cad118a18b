"""The words of a page's video: where they stand, and what they say."""

from __future__ import annotations

import html
import json
import re

from lxml import etree

from morningdeck.errors import PermanentError
from morningdeck.parsing import decode
from morningdeck.parsing.sanitise import MAX_HTML
from morningdeck.parsing.tree import MAX_PAGE
from morningdeck.parsing.urls import web_url

_KINDS = ("captions", "subtitles")
_TRACKS_OF_A_PLAYER = re.compile(r'"captionTracks":\s*(?=\[)')
_TIMING = re.compile(r"^[ \t]*\d[\d:.,]*[ \t]*-->.*$|^[ \t]*\d+[ \t]*$", re.M)
_HEADER = re.compile(
    r"(?:\A\ufeff?WEBVTT|^(?:NOTE|STYLE|REGION)\b).*?(?:\n[ \t]*\n|\Z)", re.S | re.M
)
_TAG = re.compile(r"<[^<>]*>")
_LINE_OF_A_PLAYER = re.compile(
    # as far as the next tag of this kind, whichever it is: no text is looked through twice
    r"<(?:text|p)\b[^<>]*>([^<]*+(?:<(?!/?(?:text|p)\b)[^<]*+)*+)</(?:text|p)>"
)


def caption_link(root: etree._Element, base: str) -> str | None:
    """Where captions are; better those written by people than those made by a machine."""
    tracks = [
        each.get("src") or ""
        for each in root.iter("track")
        if (each.get("kind") or "subtitles").lower() in _KINDS
    ]
    links = (web_url(track, base) for track in [*tracks, *_of_a_player(root)])
    return next(filter(None, links), None)


def _of_a_player(root: etree._Element) -> list[str]:
    """As YouTube's pages name them, in a script."""
    for script in root.iter("script"):
        if match := _TRACKS_OF_A_PLAYER.search(script.text or ""):
            try:
                listed, _ = json.JSONDecoder().raw_decode(script.text or "", match.end())
            except (ValueError, RecursionError):
                continue
            tracks = [track for track in listed if isinstance(track, dict)]
            tracks.sort(key=lambda track: track.get("kind") == "asr")
            return [str(track.get("baseUrl", "")) for track in tracks]
    return []


def caption_text(body: bytes, *, content_type: str | None = None) -> str:
    """The words of WebVTT, SubRip or timed XML, each line once, no more than of a page."""
    text = decode.decode_text(body, content_type)[:MAX_PAGE].replace("\r\n", "\n")
    if text.lstrip("\ufeff \n").startswith("<"):
        spoken = "\n".join(html.unescape(line) for line in _LINE_OF_A_PLAYER.findall(text))
    elif "-->" in text:
        spoken = _TIMING.sub("", _HEADER.sub("", text))
    else:
        raise PermanentError("not captions: there is no line with a time in it")
    lines = (" ".join(html.unescape(_TAG.sub("", line)).split()) for line in spoken.split("\n"))
    return "\n".join(dict.fromkeys(filter(None, lines)))[:MAX_HTML]
