"""Where redirects lead: the address to ask next, and what is known about the first one.

Permanent ones at the start tell a source's new address. Secrets stay with the first origin.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from morningdeck.hosts import host_of
from morningdeck.model import Page
from morningdeck.net.answers import Answer
from morningdeck.net.urls import Target, follow, parse

PERMANENT = frozenset({301, 308})
SECRET_HEADERS = frozenset({"authorization", "cookie"})
LONGEST_MOVE = 2048
"""Characters: a longer address is followed but not kept, no index of a database takes it."""


@dataclass(frozen=True, slots=True)
class Trail:
    """From the address that was given to the one that is to be asked next."""

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
        moved = self.permanent.full_url
        known = self.permanent == self.start or len(moved) > LONGEST_MOVE
        return Page(
            self.target.url, answer.status, answer.headers, answer.body, None if known else moved
        )
