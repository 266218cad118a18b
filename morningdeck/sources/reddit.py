"""Subreddits: by OAuth when there are keys, else by the public feed.

With keys, what is hot and what is new are read together; the public feed, which may be
asked once a minute for all subreddits, brings what is new.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable

from morningdeck.errors import MorningDeckError, PermanentError
from morningdeck.model import Page, Post, Reading, Source, Validators
from morningdeck.ports import NO_VALIDATORS, Http, Parser
from morningdeck.sources.token import Token

PUBLIC = "https://www.reddit.com"
API = "https://oauth.reddit.com"
LISTINGS = ("new", "hot")

_NAME = re.compile(
    r"(?:reddit://(?:r/)?|https?://(?:\w+\.)?reddit\.com/r/)([a-z0-9_+]{2,200})(?:[/?#].*)?", re.I
)


class RedditReader:
    """Reads `reddit://name`, or a subreddit's address; `a+b` reads several as one.

    What the public feed brings does not say whether it is `nsfw`.
    """

    def __init__(
        self,
        http: Http,
        parser: Parser,
        *,
        client_id: str | None = None,
        client_secret: str | None = None,
        own_words: bool = True,
        media: bool = False,
        nsfw: bool = False,
        public: str = PUBLIC,
        api: str = API,
    ) -> None:
        self._http = http
        self._parser = parser
        self._wanted = Wanted(own_words=own_words, media=media, nsfw=nsfw)
        self._public = public
        self._api = api
        self._token = Token(
            http, f"{public}/api/v1/access_token", client_id or "", client_secret or ""
        )
