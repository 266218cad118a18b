"""Posts of Reddit, from its JSON listings or its public Atom feed, told in the same words.

A post has the same guid in both, so that setting keys brings nothing twice. Its address is
what it links to, as anybody else's news about that would have; that of an author's own
text is its page on Reddit. What was deleted or removed is left out.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urljoin, urlsplit

from morningdeck.errors import PermanentError
from morningdeck.model import Post
from morningdeck.parsing import decode, xmlfeed
from morningdeck.parsing.entries import finish
from morningdeck.parsing.raw_entries import RawEntry, RawFeed

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


@dataclass(frozen=True, slots=True)
class RawPost:
    """A post before its HTML is sanitised."""

    raw: RawEntry
    own_words: bool
    media: bool
    nsfw: bool = False


def parse_posts(body: bytes, *, url: str, content_type: str | None = None) -> tuple[Post, ...]:
    """The posts of one answer, each once, in its order."""
    document = decode.to_utf8(body, content_type).strip()
    found = _of_listing(document) if document.startswith(b"{") else _of_feed(document, url)
    once = {each.raw.id: each for each in reversed(tuple(found))}
    entries = finish(RawFeed(entries=[each.raw for each in reversed(once.values())]), HOME)
    return tuple(
        Post(entry, which.own_words, which.media, which.nsfw)
        for entry in entries.entries
        if (which := once.get(entry.guid))
    )


# ---- JSON


def _of_listing(document: bytes) -> Iterator[RawPost]:
    try:
        children = json.loads(document.decode())["data"]["children"]
        things = [(each["kind"], each["data"]) for each in children]
    except (ValueError, LookupError, TypeError) as error:
        raise PermanentError("not a list of posts") from error
    posts = [post for kind, post in things if kind == POST]
    if things and not posts:
        raise PermanentError("a list of other things than posts: there is no such subreddit")
    return (_told(post) for post in posts if not _is_gone(post))


def _is_gone(post: Mapping[str, Any]) -> bool:
    """`Any`: it is foreign JSON."""
    texts = (str(post.get(name) or "").strip().lower() for name in ("selftext", "title"))
    return bool(post.get("removed_by_category")) or any(text in _GONE for text in texts)


def _told(post: Mapping[str, Any]) -> RawPost:
    own_words = bool(post.get("is_self"))
    page = urljoin(HOME, str(post.get("permalink") or ""))
    link = urljoin(HOME, str(post.get("url_overridden_by_dest") or post.get("url") or page))
    raw = RawEntry(
        base=HOME,
        id=str(post.get("name") or ""),
        link=page if own_words else link,
        title=str(post.get("title") or ""),
        title_is_plain=True,
        bodies=[str(post.get("selftext_html") or "")],
        authors=[str(post.get("author") or "")],
        images=[str(post.get("thumbnail") or "")],
        published_at=_moment(post.get("created_utc")),
    )
    media = post.get("post_hint") in _MEDIA_HINTS or bool(
        post.get("is_video") or post.get("is_gallery")
    )
    return RawPost(raw, own_words, media or _leads_to_media(link), bool(post.get("over_18")))


def _moment(seconds: object) -> datetime | None:
    try:
        return datetime.fromtimestamp(float(str(seconds)), UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _leads_to_media(link: str) -> bool:
    try:
        parts = urlsplit(link)
    except ValueError:
        return False
    host = (parts.hostname or "").removeprefix("www.").removeprefix("m.")
    return host in _MEDIA_HOSTS or (host.endswith("reddit.com") and _GALLERY in parts.path)


# ---- Atom


def _of_feed(document: bytes, url: str) -> Iterator[RawPost]:
    root = xmlfeed.parse_xml(document, url, start=decode.root_at(document))
    if root is None or xmlfeed.root_name(root) != "feed":
        raise PermanentError("not a list of posts")
    return (each for raw in xmlfeed.read_xml(root, url).entries if (each := _of_entry(raw)))


def _of_entry(raw: RawEntry) -> RawPost | None:
    """Its body holds the author's words, if any, and a line with the links."""
    body = max(raw.bodies, key=len, default="")
    words, link = _OWN_WORDS.search(body), _LINK.search(body)
    said = words[1] if words else ""
    if any(f"<p>{gone}</p>" in said.lower() for gone in _GONE) or raw.title.lower() in _GONE:
        return None
    leads_to = html.unescape(link[1]) if link else raw.link
    own_words = leads_to == raw.link
    raw.link, raw.bodies = leads_to, [said]
    raw.authors = [name.removeprefix("/u/") for name in raw.authors]
    return RawPost(raw, own_words, _leads_to_media(leads_to))
