"""The polite client: when a host is asked, how often, and where its redirects lead.

    get(url)
      visit      the host of the address, if its pace allows; else HostBusyError says when
        request    by the guarded client
        retry      soon after, where that may help; the host stays ours, and its pace is kept
        redirect   within the host at once, but counted; to another host it is that one's visit

No thread waits for a host that is busy. Whoever met it comes back when told to; a redirect
that led there is remembered until then, so that the one who redirects is not asked again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from random import uniform
from threading import Event, Lock
from time import monotonic, sleep
from urllib.parse import urlencode

from morningdeck.errors import HostBusyError, PermanentError
from morningdeck.hosts import host_of
from morningdeck.model.reading import Page, Validators, Visit
from morningdeck.net.answers import Answer, Hiccup, refusal
from morningdeck.net.client import GuardedClient
from morningdeck.net.urls import Target, follow, parse
from morningdeck.ports.engine import Clock
from morningdeck.ports.verbs import NO_VALIDATORS, Pace
from morningdeck.sockets import Deadline

QUICK_RETRIES = (1.0, 2.0, 4.0)
RETRY_WINDOW_SECONDS = 10
REMEMBERED = timedelta(minutes=2)
"""How long a redirect is kept after the time at which it was to be followed."""
MOST_REMEMBERED = 1000
LONGEST_REMEMBERED = 2048
"""Characters: a redirect to a longer address is asked for again instead."""
PERMANENT = frozenset({301, 308})
SECRET_HEADERS = frozenset({"authorization", "cookie"})
LONGEST_MOVE = 2048
"""Characters: a longer address is followed but not kept, no index of a database takes it."""
IN_PERSON = "a person"
"""Instead of the address, which may be on a waiting list for a worker."""


@dataclass(slots=True)
class Errand:
    """What one `get` asks with, and how much time and how many retries it has left."""

    headers: Mapping[str, str]
    deadline: Deadline
    window: Deadline
    delays: Iterator[float]
    in_a_row: int = 0
    """Requests to the host that is visited, since the last pause."""


@dataclass(frozen=True, slots=True)
class Trail:
    """From the address that was given to the one that is to be asked next. Permanent redirects at
    its start tell a source's new address; secrets stay with the first origin.
    """

    start: Target
    target: Target
    host: str
    """Whose pace the next request counts against (see `host_of`)."""
    permanent: Target
    """Where permanent redirects alone have led."""
    only_permanent: bool = True
    same_origin: bool = True
    hops: int = 0
    resumed: bool = False
    """It met a busy host, and is followed from there a while later."""
    last_try: bool = False

    @classmethod
    def starting(cls, url: str, *, last_try: bool = False) -> Trail:
        target = parse(url)
        return cls(target, target, host_of(target.url), target, last_try=last_try)

    def further(self, answer: Answer) -> Trail:
        """One redirect further."""
        following = follow(self.target, answer.headers["location"])
        only_permanent = self.only_permanent and answer.status in PERMANENT
        return replace(
            self,
            target=following,
            host=host_of(following.url),
            permanent=following if only_permanent else self.permanent,
            only_permanent=only_permanent,
            same_origin=self.same_origin and following.origin == self.target.origin,
            hops=self.hops + 1,
        )

    def may_send(self, headers: Mapping[str, str]) -> Mapping[str, str]:
        """The headers, without those that only the first origin may see."""
        if self.same_origin:
            return headers
        return {k: v for k, v in headers.items() if k.lower() not in SECRET_HEADERS}

    def page(self, answer: Answer) -> Page:
        moved = None if self.permanent == self.start else self.permanent.full_url
        if moved is not None and len(moved) > LONGEST_MOVE:
            moved = None
        return Page(self.target.url, answer.status, answer.headers, answer.body, moved)


class PoliteClient:
    """The port `HttpWithForms`. Thread safe. The deadline holds for one `get` with all its
    redirects and retries.
    """

    def __init__(
        self,
        client: GuardedClient,
        pace: Pace,
        clock: Clock,
        *,
        timeout_seconds: float = 20,
        max_redirects: int = 5,
        retry_delays: Iterable[float] = QUICK_RETRIES,
        patience: timedelta | None = None,
    ) -> None:
        """`patience`: how long the caller would wait for a busy host, None for any time."""
        self._client = client
        self._pace = pace
        self._clock = clock
        self._timeout_seconds = timeout_seconds
        self._max_redirects = max_redirects
        self._retry_delays = tuple(retry_delays)
        self._patience = patience
        self._remembered = Remembered(clock)
        self._closed = Event()

    def close(self) -> None:
        """Close idle connections and end the waits between retries."""
        self._closed.set()
        self._client.close()

    def get(
        self,
        url: str,
        *,
        validators: Validators = NO_VALIDATORS,
        accept: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Page:
        """The page, its `url` without password; `permanent_url` has it, to be stored."""
        trail = self._remembered.take(url) or Trail.starting(url)
        deadline = Deadline.after(self._timeout_seconds)
        errand = Errand(
            _headers(validators, accept, headers or {}),
            deadline,
            deadline.sooner(RETRY_WINDOW_SECONDS),
            iter(self._retry_delays),
        )
        try:
            return self._follow(url, trail, errand)
        except PermanentError:
            if not trail.resumed:
                raise
        # the redirect was followed late, and may have been good for that moment only
        return self._follow(url, Trail.starting(url, last_try=True), errand)

    def post_form(
        self, url: str, form: Mapping[str, str], *, headers: Mapping[str, str] | None = None
    ) -> Page:
        target = parse(url)
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        asked = _headers(NO_VALIDATORS, None, {**kind, **(headers or {})})
        deadline = Deadline.after(self._timeout_seconds)
        visit = self._pace.enter(host_of(target.url), url, self._patience)
        try:
            answer = self._client.ask(target, asked, deadline, urlencode(form).encode("ascii"))
        finally:
            self._pace.leave(visit)
        if not answer.is_page:
            raise refusal(target.host, answer, self._clock)
        return Page(target.url, answer.status, answer.headers, answer.body)

    def _follow(self, url: str, trail: Trail, errand: Errand) -> Page:
        while True:
            found = self._visit(url, trail, errand)
            if isinstance(found, Page):
                return found
            trail = found

    def _visit(self, url: str, trail: Trail, errand: Errand) -> Page | Trail:
        """Ask one host, until it gives the page or leads to another host."""
        visit = self._enter(url, trail)
        errand.in_a_row = 0
        try:
            while trail.host == visit.host:
                answer = self._ask(trail, errand)
                if answer.is_page:
                    return trail.page(answer)
                trail = trail.further(answer)
                if trail.hops > self._max_redirects:
                    host = trail.start.host
                    raise PermanentError(f"{host}: more than {self._max_redirects} redirects")
            return trail
        finally:
            self._pace.leave(visit, errand.in_a_row)

    def _enter(self, url: str, trail: Trail) -> Visit:
        try:
            return self._pace.enter(trail.host, url, self._patience)
        except HostBusyError as busy:
            if trail.hops:
                self._remembered.put(url, trail, busy.until)
            raise

    def _ask(self, trail: Trail, errand: Errand) -> Answer:
        """A page or a redirect."""
        while True:
            errand.in_a_row += 1
            try:
                headers = trail.may_send(errand.headers)
                answer = self._client.ask(trail.target, headers, errand.deadline)
                if answer.is_page or answer.is_redirect:
                    return answer
                raise refusal(trail.target.host, answer, self._clock)
            except Hiccup:
                if not self._may_retry(trail.host, errand):
                    raise

    def _may_retry(self, host: str, errand: Errand) -> bool:
        """Wait for the next quick retry, if there is one for which there is time."""
        delay = next(errand.delays, None)
        if delay is None:
            return False
        apart = (self._pace.apart(host) * errand.in_a_row).total_seconds()
        pause = max(delay * uniform(1, 1.25), apart)
        if not errand.window.leaves(pause) or self._closed.wait(pause):
            return False
        errand.in_a_row = 0
        return True


class Remembered:
    """Redirects that led to a busy host, by the address that redirected."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._trails: dict[str, tuple[datetime, Trail]] = {}
        self._lock = Lock()

    def put(self, url: str, trail: Trail, follow_at: datetime) -> None:
        """If it is refused later, it is asked for once more, but only once."""
        addresses = url, trail.permanent.full_url, trail.target.full_url
        if max(map(len, addresses)) > LONGEST_REMEMBERED:
            return
        now = self._clock()
        with self._lock:
            if len(self._trails) >= MOST_REMEMBERED:
                self._trails = {k: kept for k, kept in self._trails.items() if kept[0] > now}
            if len(self._trails) < MOST_REMEMBERED:
                kept = replace(trail, resumed=not trail.last_try)
                self._trails[url] = follow_at + REMEMBERED, kept

    def take(self, url: str) -> Trail | None:
        with self._lock:
            until, trail = self._trails.pop(url, (None, None))
        return trail if until is not None and self._clock() < until else None


class PatientPace:
    """The port `Pace` for a person at a terminal: waits for a host up to `longest`, then asks.

    The wait counts against the request's deadline. For workers it is no good, as it makes their
    threads wait.
    """

    def __init__(self, pace: Pace, clock: Clock, *, longest: timedelta) -> None:
        self._pace = pace
        self._clock = clock
        self._longest = longest

    def apart(self, host: str) -> timedelta:
        return self._pace.apart(host)

    def enter(self, host: str, who: str, patience: timedelta | None = None) -> Visit:
        patient_until = monotonic() + self._longest.total_seconds()
        while True:
            try:
                return self._pace.enter(host, IN_PERSON, timedelta(0))
            except HostBusyError as busy:
                left = patient_until - monotonic()
                if left <= 0:
                    return Visit(host)
                wait = (busy.until - self._clock()).total_seconds()
            sleep(min(max(wait, 0.05), left))

    def leave(self, visit: Visit, requests: int = 1) -> None:
        self._pace.leave(visit, requests)


def _headers(
    validators: Validators, accept: str | None, given: Mapping[str, str]
) -> dict[str, str]:
    headers = {"Accept": accept or "*/*", **given}
    known = validators.to_send
    if known.etag is not None:
        headers["If-None-Match"] = known.etag
    if known.last_modified is not None:
        headers["If-Modified-Since"] = known.last_modified
    return headers
