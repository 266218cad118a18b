"""Subreddits: by OAuth when there are keys, else by the public feed.

With keys, what is new and what is hot are read together; the public feed, which may be
asked about once a minute for all subreddits, brings what is new.
"""

from __future__ import annotations

import json
import re
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from morningdeck.errors import PermanentError
from morningdeck.model.reading import Entry, Page, Reading, Source, Validators
from morningdeck.ports.verbs import HttpWithForms, Parser
from morningdeck.sources import ReaderMeans

PUBLIC = "https://www.reddit.com"
API = "https://oauth.reddit.com"
LISTINGS = ("hot", "new")
"""The new posts come last, as the rhythm of a source is told by its last listing."""
RENEWED_EARLY_SECONDS = 60
UNAUTHORIZED, NOT_FOUND = 401, 404

_NAME = re.compile(
    r"(?:reddit://(?:r/)?|https?://(?:\w+\.)?reddit\.com/r/)(?P<name>[\w+]{2,200})(?:[/?#].*)?",
    re.I,
)


class RedditReader:
    """Reads `reddit://name` or a subreddit's address; `a+b` is two subreddits read as one.

    `keys` are an application's id and secret.
    """

    def __init__(
        self,
        http: HttpWithForms,
        parser: Parser,
        *,
        keys: tuple[str, str] | None = None,
        public: str = PUBLIC,
        api: str = API,
    ) -> None:
        self._http = http
        self._parser = parser
        self._public, self._api = public, api
        self._token = Token(http, f"{public}/api/v1/access_token", *keys) if keys else None

    def read(self, source: Source) -> Reading:
        match = _NAME.fullmatch(source.url)
        if match is None:
            raise PermanentError("not a subreddit: write it as reddit://name")
        name = match["name"].lower()
        with _in_plain_words(name, with_keys=self._token is not None):
            if self._token is None:
                return self._by_feed(name, Validators(source.etag, source.last_modified))
            listings = (f"{self._api}/r/{name}/{each}?limit=100&raw_json=1" for each in LISTINGS)
            first, *others = source.to_ask or listings
            posts = self._posts(self._token.get(first))
            return Reading(posts, title=f"r/{name}", to_ask=tuple(others))

    def _by_feed(self, name: str, asked_with: Validators) -> Reading:
        page = self._http.get(f"{self._public}/r/{name}/new/.rss?limit=100", validators=asked_with)
        if page.unchanged:
            return Reading(unchanged=True, validators=asked_with)
        given = Validators.of(page.headers)
        return Reading(self._posts(page), title=f"r/{name}", validators=given)

    def _posts(self, page: Page) -> tuple[Entry, ...]:
        if "/r/" not in page.url:  # its search, which is where unknown names lead
            raise PermanentError("there is no such subreddit", status=NOT_FOUND)
        return self._parser.posts(page.body, url=page.url, content_type=page.content_type)


def open_reader(means: ReaderMeans) -> RedditReader:
    return RedditReader(means.http, means.parser, keys=means.reddit_keys)


class Token:
    """An application's own token: asked for when it is needed, renewed before it ends.

    Any request may raise HostBusyError, so what its source needs to know when it comes back is
    kept here: the token, and which addresses have refused the one before.
    """

    def __init__(self, http: HttpWithForms, url: str, client_id: str, client_secret: str) -> None:
        self._http = http
        self._url = url
        keys = f"{client_id}:{client_secret}".encode()
        self._login = {"Authorization": f"Basic {b64encode(keys).decode('ascii')}"}
        self._lock = Lock()
        self._value = ""
        self._ends_at = 0.0
        self._refused_by: set[str] = set()
        """Addresses that refused the token when they were last asked."""

    def get(self, url: str) -> Page:
        """Ask with the token, and once more with a new one if it is no longer taken."""
        while True:
            value = self._current()
            try:
                page = self._http.get(url, headers={"Authorization": f"Bearer {value}"})
            except PermanentError as error:
                if error.status != UNAUTHORIZED or not self._is_first_refusal(value, url):
                    raise
            else:
                self._refused_by.discard(url)
                return page

    def _is_first_refusal(self, value: str, url: str) -> bool:
        with self._lock:
            if self._value == value:
                self._value = ""
            if url in self._refused_by:
                self._refused_by.remove(url)
                return False
            self._refused_by.add(url)
            return True

    def _current(self) -> str:
        with self._lock:
            if not self._value or time.monotonic() >= self._ends_at:
                self._renew()
            return self._value

    def _renew(self) -> None:
        form = {"grant_type": "client_credentials"}
        page = self._http.post_form(self._url, form, headers=self._login)
        try:
            answer = json.loads(page.body)
            self._value = str(answer["access_token"])
            lasts = float(answer.get("expires_in", 0))
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            # wrong keys are answered with 200 and {"error": ...} at times
            raise PermanentError("no token in the answer", status=UNAUTHORIZED) from error
        self._ends_at = time.monotonic() + lasts - RENEWED_EARLY_SECONDS


@contextmanager
def _in_plain_words(name: str, *, with_keys: bool) -> Iterator[None]:
    """Say what a refusal means for a subreddit; other errors stay as they are."""
    try:
        yield
    except PermanentError as error:
        match error.status:
            case 401 if with_keys:
                said = "Reddit refuses the keys, check reddit.client_id and reddit.client_secret"
            case 403 if with_keys:
                said = f"r/{name} is private or quarantined"
            case 401 | 403:
                said = (
                    f"Reddit does not show r/{name} without keys,"
                    " set reddit.client_id and reddit.client_secret"
                )
            case 404:
                said = f"there is no r/{name}, or it was banned"
            case _:
                raise
        raise PermanentError(said, status=error.status) from error
