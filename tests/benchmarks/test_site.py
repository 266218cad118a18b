"""The benchmarks' site tells what is new as real ones do."""

from __future__ import annotations

import re
from email.message import Message
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tests.benchmarks.site import ENTRIES, Site


def ask(url: str, known: Message | None = None, name: str = "ETag") -> tuple[int, Message, bytes]:
    asked = {"ETag": "If-None-Match", "Last-Modified": "If-Modified-Since"}[name]
    try:
        with urlopen(Request(url, headers={asked: known[name]} if known else {})) as answer:
            return answer.status, answer.headers, answer.read()
    except HTTPError as error:
        with error:
            return error.code, error.headers, b""


def test_a_feed_is_sent_again_only_when_it_has_changed() -> None:
    with Site(10) as site:
        _, known, body = ask(site.urls[3])
        unchanged = [ask(site.urls[3], known, name)[0] for name in ("ETag", "Last-Modified")]
        assert site.change(0.5) == 5
        assert site.change(1.0) == 10
        status, _, newer = ask(site.urls[3], known)

        assert (unchanged, status) == ([304, 304], 200)
        assert ask(site.urls[3], known, "Last-Modified")[0] == 200
        assert ask(f"{site.urls[3]}x")[0] == 404
        assert site.take_counts() == {200: 3, 304: 2, 404: 1}
        assert not site.take_counts()
    assert len(body) > 25_000
    identities = [re.findall(rb"<guid.*?</guid>", one) for one in (body, newer)]
    assert len(set(identities[0])) == ENTRIES
    assert set(identities[1]) > set(identities[0])
