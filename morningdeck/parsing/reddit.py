"""Posts of Reddit, from its JSON listings or its public Atom feed, told in the same words.

A post has the same guid in both, so that setting keys brings nothing twice. Its address is
what it links to, as anybody else's news about that would have; that of an author's own
text is its page on Reddit. Left out is what was deleted or removed, pictures and videos, and
what is not safe for work (which the public feed does not tell).
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from morningdeck.errors import PermanentError
from morningdeck.hosts import REDDIT, host_of
from morningdeck.model.reading import Entry
from morningdeck.parsing import decode, xmlfeed
from morningdeck.parsing.entries import RawEntry, RawFeed, finish
from morningdeck.parsing.urls import web_url
from morningdeck.parsing.xmlitem import local_name

HOME = "https://www.reddit.com/"
POST = "t3"

_GONE = ("[deleted]", "[removed]", "[deleted by user]", "[ removed by reddit ]")
_MEDIA_HINTS = frozenset({"image", "hosted:video", "rich:video"})
_MEDIA_HOSTS = frozenset(
    {
        *("i.redd.it", "v.redd.it", "i.reddituploads.com", "imgur.com", "i.imgur.com"),
        *("youtube.com", "youtu.be", "gfycat.com", "redgifs.com", "streamable.com"),
    }
)
_GALLERY = "/gallery/"
_OWN_WORDS = re.compile(r"<!-- SC_OFF -->(.*?)<!-- SC_ON -->", re.S)
_LINK = re.compile(r"""<a href="([^"]+)">\s*\[link\]\s*</a>""")


def parse_posts(body: bytes, *, url: str, content_type: str | None = None) -> tuple[Entry, ...]:
    """The posts of one answer, each once, in its order."""
    document = decode.to_utf8(body, content_type).strip()
    found = _of_listing(document) if document.startswith(b"{") else _of_feed(document, url)
    once: dict[str, RawEntry] = {}
    for post in found:
        once.setdefault(post.id, post)
    return finish(RawFeed(entries=once.values())).entries


# ---- JSON


def _of_listing(document: bytes) -> Iterator[RawEntry]:
    try:
        children = json.loads(document.decode())["data"]["children"]
        things = [(each["kind"], each["data"]) for each in children]
    except (ValueError, LookupError, TypeError) as error:
        raise PermanentError("not a list of posts") from error
    posts = [post for kind, post in things if kind == POST]
    if things and not posts:
        raise PermanentError("a list of other things than posts: there is no such subreddit")
    return (_told(post) for post in posts if not (_is_gone(post) or _is_unwanted(post)))


def _is_gone(post: Mapping[str, Any]) -> bool:
    """`Any`: it is foreign JSON."""
    texts = (str(post.get(name) or "").strip().lower() for name in ("selftext", "title"))
    return bool(post.get("removed_by_category")) or any(text in _GONE for text in texts)


def _is_unwanted(post: Mapping[str, Any]) -> bool:
    marks = ("is_video", "is_gallery", "over_18")
    marked = post.get("post_hint") in _MEDIA_HINTS or any(post.get(mark) for mark in marks)
    return marked or _leads_to_media(_link(post))


def _link(post: Mapping[str, Any]) -> str:
    named = (post.get(name) for name in ("url_overridden_by_dest", "url", "permalink"))
    return web_url(str(next(filter(None, named), "")), HOME) or ""


def _told(post: Mapping[str, Any]) -> RawEntry:
    return RawEntry(
        base=HOME,
        id=str(post.get("name") or ""),
        link=str(post.get("permalink") or "") if post.get("is_self") else _link(post),
        title=str(post.get("title") or ""),
        title_is_plain=True,
        bodies=[str(post.get("selftext_html") or "")],
        authors=[str(post.get("author") or "")],
        images=[str(post.get("thumbnail") or "")],
        published_at=_moment(post.get("created_utc")),
    )


def _moment(seconds: object) -> datetime | None:
    try:
        return datetime.fromtimestamp(float(str(seconds)), UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _leads_to_media(link: str) -> bool:
    host = host_of(link)
    if host == REDDIT:
        return _GALLERY in link
    return host.removeprefix("www.").removeprefix("m.") in _MEDIA_HOSTS


# ---- Atom


def _of_feed(document: bytes, url: str) -> Iterator[RawEntry]:
    root = xmlfeed.parse_xml(document, url, start=decode.root_at(document))
    if root is None or local_name(root) != "feed":
        raise PermanentError("not a list of posts")
    return (each for raw in xmlfeed.read_xml(root, url).entries if (each := _of_entry(raw)))


def _of_entry(raw: RawEntry) -> RawEntry | None:
    """Its body holds the author's words, if any, and a line with the links."""
    body = max(raw.bodies, key=len, default="")
    words, link = _OWN_WORDS.search(body), _LINK.search(body)
    said = words[1] if words else ""
    leads_to = html.unescape(link[1]) if link else raw.link
    gone = raw.title.lower() in _GONE or any(f"<p>{gone}</p>" in said.lower() for gone in _GONE)
    if gone or _leads_to_media(leads_to):
        return None
    raw.link, raw.bodies = leads_to, [said]
    raw.authors = [name.removeprefix("/u/") for name in raw.authors]
    return raw
