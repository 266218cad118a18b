"""Each bad thing that a source can do, and how it has to end.

What can't be read ends with an error that tells the reader why; what does no harm, as news.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from morningdeck.model.kinds import SourceType
from tests.faults import bad_documents as documents
from tests.faults import bad_servers as servers
from tests.faults.bad_documents import described, full, item, unfinished
from tests.faults.bad_servers import FEED, Misbehaviour, bomb, gzipped, packed, says
from tests.servers.web import Server, answer

CHEESE = "read: Käse für Zoë"
NEVER_ASKED_FOR = "/never-asked-for"


@dataclass(frozen=True, slots=True)
class Ends:
    """With an error that says this, or else with so many items."""

    error: str = ""
    items: int = 0
    title: str = "read"
    warning: str = ""


READ = Ends(items=1)
REPAIRED = Ends(items=1, warning="broken, read as far as possible")
TOO_SLOW = Ends("127.0.0.1: no complete answer in time")
TOO_LARGE = Ends("127.0.0.1: the answer is larger than 15728640 bytes, raise http.max_body_bytes")
TOO_GREEDY = Ends("127.0.0.1: needs more memory than a parser may use")
CUT_SHORT = Ends("127.0.0.1: the answer ended early")
NO_LENGTH = Ends("127.0.0.1: the answer is not valid HTTP (its length is not a number)")
NO_HTTP = Ends("127.0.0.1: the answer is not valid HTTP (got more than ")


def read_as(title: str) -> Ends:
    return Ends(items=1, title=title)


def private(address: str) -> Ends:
    return Ends(f"{address} is not a public address, add it to http.allow_networks")


def no_feed(why: str) -> Ends:
    return Ends(f"127.0.0.1: not a feed: {why}")


@dataclass(frozen=True, slots=True)
class Behaviour:
    does: Misbehaviour
    ends: Ends = READ
    type: SourceType = SourceType.RSS


def entity_of_a_page(server: Server) -> Iterator[bytes]:
    yield answer(200, documents.foreign_entity(server.url(NEVER_ASKED_FOR)))


BEHAVIOURS = {
    "drip in headers": Behaviour(servers.drips_headers, TOO_SLOW),
    "drip in body": Behaviour(servers.drips_body, TOO_SLOW),
    "flood": Behaviour(servers.floods, TOO_LARGE),
    "gzip bomb": Behaviour(gzipped(bomb), TOO_LARGE),
    "gzip bomb as a file": Behaviour(says(bomb), no_feed("the answer is empty")),
    "gzip in gzip": Behaviour(gzipped(lambda: packed(packed(FEED)))),
    "redirect loop": Behaviour(servers.redirects("#again"), Ends("more than 5 redirects")),
    "redirect to 10.0.0.1": Behaviour(servers.redirects("http://10.0.0.1/"), private("10.0.0.1")),
    "redirect to metadata": Behaviour(
        servers.redirects("http://169.254.169.254/latest/"), private("169.254.169.254")
    ),
    "redirect to loopback in IPv6": Behaviour(servers.redirects("http://[::1]/"), private("::1")),
    "close in the body": Behaviour(servers.closes_in_the_body, CUT_SHORT),
    "length too long": Behaviour(servers.of_length(len(FEED) + 9), CUT_SHORT),
    "length too short": Behaviour(servers.of_length(len(FEED) - 9), REPAIRED),
    "chunks of garbage": Behaviour(servers.chunked(b"what\r\n" + FEED), CUT_SHORT),
    "8 MB of headers": Behaviour(
        servers.with_headers(*[b"X: " + b"y" * 60_000 + b"\r\n"] * 140), NO_HTTP
    ),
    "one header of 8 MB": Behaviour(
        servers.with_headers(b"X: " + b"y" * 8_000_000 + b"\r\n"), NO_HTTP
    ),
    # ---- in good form, but for what they hold
    "billion laughs": Behaviour(says(documents.billion_laughs), read_as("read &l9;")),
    "quadratic blowup": Behaviour(says(documents.quadratic_blowup), REPAIRED),
    "entity of a file": Behaviour(says(documents.own_file), read_as("read &foreign;")),
    "entity of a page": Behaviour(entity_of_a_page, read_as("read &foreign;")),
    "author of 64 KB": Behaviour(says(item(f"<author>{'a' * 65_536}</author>"))),
    "broken author of 64 KB": Behaviour(says(unfinished(f"<author>{'a' * 65_536}")), REPAIRED),
    "100,000 nested divs": Behaviour(says(documents.nested_divs)),
    "100,000 nested elements": Behaviour(says(lambda: documents.nested("<a>", "</a>")), REPAIRED),
    "600,000 attributes": Behaviour(says(lambda: documents.attributes(600_000)), TOO_GREEDY),
    "100,000 entries": Behaviour(
        says(documents.many_entries), Ends(items=2000, warning="98000 entries after")
    ),
    "2,000 entries of 7 KB": Behaviour(
        says(documents.large_entries),
        Ends(items=2000, warning="the texts of 1600 entries were cut"),
    ),
    "entry of 15 MB": Behaviour(says(full("word "))),
    "entry of 15 MB and an emoji": Behaviour(says(full("word ", described("\U0001f600@")))),
    "15 MB of small tags": Behaviour(says(full("<x/>", item("@"))), TOO_GREEDY),
    "page of links": Behaviour(
        says(documents.page_of_links), no_feed("a web page that names none")
    ),
    "page of links, read as such": Behaviour(
        says(documents.page_of_links, content_type="text/html"),
        Ends(items=200, title="A headline of some words 0"),
        SourceType.WEB,
    ),
    "deep JSON": Behaviour(says(documents.deep_json), no_feed("its JSON is nested too deep")),
    "15 MB of JSON lists": Behaviour(
        says(full("[],", b'{"items":[@{"title":"read"}]}')), TOO_GREEDY
    ),
    "zeros": Behaviour(says(item("<description>a\0b</description>", "re\0ad"))),
    "Latin-1 called UTF-8": Behaviour(
        says(item(title=CHEESE).decode().encode("latin-1"), content_type="text/xml; charset=utf-8"),
        read_as(CHEESE),
    ),
    "charset that nobody knows": Behaviour(
        says(item(title=CHEESE), content_type="text/xml; charset=x-klingon"), read_as(CHEESE)
    ),
    "UTF-16 without a mark": Behaviour(
        says(item(title=CHEESE).decode().encode("utf-16-le")), read_as(CHEESE)
    ),
}
MORE = {
    "drip of answers": Behaviour(servers.drips_answers, NO_HTTP),
    "silence": Behaviour(servers.never_answers, TOO_SLOW),
    "flood in chunks": Behaviour(servers.floods_in_chunks, TOO_LARGE),
    "gzip bomb in gzip": Behaviour(gzipped(lambda: packed(bomb())), no_feed("the answer is")),
    "reset in the body": Behaviour(servers.resets_in_the_body, Ends("reset by peer")),
    "close without a length": Behaviour(servers.closes_where_no_length_is_said, REPAIRED),
    "length below zero": Behaviour(servers.of_length(-5), NO_LENGTH),
    "chunk below zero": Behaviour(servers.chunked(b"-1\r\n" + FEED), CUT_SHORT),
    "deep JSON in an entry": Behaviour(
        says(documents.deep_json_in_an_entry), no_feed("its JSON is nested too deep")
    ),
    "UTF-8 called Latin-1": Behaviour(
        says(item(title=CHEESE), content_type="text/xml; charset=iso-8859-1"), read_as(CHEESE)
    ),
}
"""Seen in company only."""
