"""Posts as Reddit tells them, recorded and public."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any

import pytest

from morningdeck.errors import PermanentError
from morningdeck.parsing.reddit import parse_posts

URL = "https://oauth.reddit.com/r/energy/new"
TEXT = '<!-- SC_OFF --><div class="md"><p>What I saw.</p></div><!-- SC_ON -->'


def recorded(corpora: Path, name: str) -> bytes:
    """The listing among the recorded answers: the last of them."""
    tape = json.loads((corpora / "reddit-praw" / name).read_text())
    return str(tape["interactions"][-1]["response"]["body"]["string"]).encode()


def listing(*posts: dict[str, Any], kind: str = "t3") -> bytes:
    children = [{"kind": kind, "data": {"name": f"t3_{n}", **post}} for n, post in enumerate(posts)]
    return json.dumps({"kind": "Listing", "data": {"children": children}}).encode()


def test_recorded_questions_are_texts_of_their_authors(corpora: Path) -> None:
    posts = parse_posts(recorded(corpora, "TestSubredditListings.test_hot.json"), url=URL)

    assert len(posts) == 99, "102 posts, three of them not safe for work"
    entry = next(post for post in posts if post.guid == "t3_48b1x8")
    assert entry.url == (
        "https://www.reddit.com/r/AskReddit/comments/48b1x8/"
        "those_who_had_babies_in_their_teens_whats_it_like/"
    )
    assert entry.author == "scaredofAdebisi"
    assert entry.published_at is not None
    assert entry.published_at.isoformat() == "2016-02-29T16:37:22+00:00"


def test_recorded_pictures_are_left_out(corpora: Path) -> None:
    posts = parse_posts(recorded(corpora, "TestMultiredditListings.test_new.json"), url=URL)

    assert len(posts) <= 20, "100 posts, most of them pictures"
    assert not any("i.redd.it" in (post.url or "") for post in posts)


def test_a_link_leads_to_what_it_links_to() -> None:
    body = listing({"title": "Wind &amp; waves", "url": "https://news.example/a?utm_source=reddit"})

    (post,) = parse_posts(body, url=URL)

    assert post.title == "Wind & waves"
    assert post.canonical_url == "https://news.example/a"


def test_the_text_of_an_author_is_told() -> None:
    (post,) = parse_posts(
        listing({"title": "Seen", "is_self": True, "selftext_html": TEXT, "permalink": "/r/e/1/"}),
        url=URL,
    )

    assert post.text == "What I saw."
    assert post.url == "https://www.reddit.com/r/e/1/"


@pytest.mark.parametrize(
    "gone",
    [
        {"selftext": "[deleted]"},
        {"selftext": "[removed]"},
        {"title": "[deleted by user]"},
        {"removed_by_category": "moderator"},
    ],
)
def test_what_was_removed_is_left_out(gone: dict[str, Any]) -> None:
    kept = {"title": "Kept", "url": "https://news.example/a"}

    (post,) = parse_posts(listing({**kept, **gone}, kept), url=URL)

    assert post.guid == "t3_1"


def test_a_post_comes_once() -> None:
    twice = {"name": "t3_x", "title": "Once", "url": "https://news.example/a"}

    assert len(parse_posts(listing(twice, twice), url=URL)) == 1


@pytest.mark.parametrize("body", [b"{}", b'{"data": 1}', b"{", b"<rss/>", b"hello", b""])
def test_anything_else_is_refused(body: bytes) -> None:
    with pytest.raises(PermanentError, match="not a list of posts"):
        parse_posts(body, url=URL)


def test_a_list_of_subreddits_tells_that_there_is_none_of_that_name() -> None:
    with pytest.raises(PermanentError, match="no such subreddit"):
        parse_posts(listing({"title": "r/other"}, kind="t5"), url=URL)


# ---- the public feed


def entry(name: str, link: str, said: str = "") -> str:
    page = f"https://www.reddit.com/r/energy/comments/{name}/"
    body = f'{said} submitted by <a href="https://www.reddit.com/user/ada"> /u/ada </a> <br/>'
    body += f'<span><a href="{link or page}">[link]</a></span>'
    body += f'<span><a href="{page}">[comments]</a></span>'
    return (
        f"<entry><author><name>/u/ada</name></author><id>t3_{name}</id><link href='{page}'/>"
        f"<published>2026-11-18T06:00:00+00:00</published><title>Post {name}</title>"
        f"<content type='html'>{escape(body)}</content></entry>"
    )


def feed(*entries: str) -> bytes:
    return f'<feed xmlns="http://www.w3.org/2005/Atom">{"".join(entries)}</feed>'.encode()


def test_the_public_feed_tells_the_same() -> None:
    body = feed(
        entry("1", "https://news.example/a?x=1&amp;y=2"),
        entry("2", "", TEXT),
        entry("3", "https://i.redd.it/x.jpg"),
        entry("4", "", TEXT.replace("What I saw.", "[removed]")),
    )

    link, words = parse_posts(body, url="https://www.reddit.com/r/energy/new/.rss")

    assert (link.guid, link.url) == ("t3_1", "https://news.example/a?x=1&y=2")
    assert link.author == "ada"
    assert (link.text, words.text) == ("", "What I saw.")
    assert words.url == "https://www.reddit.com/r/energy/comments/2/"


def test_a_post_looks_the_same_with_and_without_keys() -> None:
    told = {"name": "t3_2", "title": "Post 2", "is_self": True, "selftext_html": TEXT}
    told["permalink"] = "/r/energy/comments/2/"

    (by_keys,) = parse_posts(listing(told), url=URL)
    (by_feed,) = parse_posts(feed(entry("2", "", TEXT)), url=URL)

    for field in ("guid", "url", "canonical_url", "title", "content_hash"):
        assert getattr(by_keys, field) == getattr(by_feed, field)
