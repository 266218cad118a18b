"""Addresses as people and servers write them, made into what goes on the wire.

Read as browsers do: international host names, spaces and non-ASCII letters in paths, fragments
that stay at home. The password in an address is kept apart, so that what is shown,
logged or stored with an item never has it.
"""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass, replace
from ipaddress import IPv6Address
from urllib.parse import quote, unquote, unquote_to_bytes, urljoin, urlsplit

from morningdeck.errors import PermanentError
from morningdeck.hosts import in_ascii

LONGEST_LOCATION = 8192
"""Bytes of a redirect's target: browsers and proxies take little more."""
PORTS = {"http": 80, "https": 443}

_HOST = re.compile(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*")
_IGNORED = re.compile(r"[\t\r\n]")
_OF_THE_WEB = re.compile(r"https?:", re.I)
_IN_ORDER = re.compile(r"[\w.~/%&=+:;,-]*", re.ASCII)
_PATH_KEEPS = "!$%&'()*+,/:;=@[]|"
_QUERY_KEEPS = "!$%&()*+,/:;=?@[]\\^`{}|"


@dataclass(frozen=True, slots=True)
class Origin:
    """Connections are shared within an origin, and secrets are not sent to another."""

    scheme: str
    host: str
    port: int

    @property
    def netloc(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Target:
    """An address as a request needs it, percent-encoded."""

    origin: Origin
    path: str
    userinfo: str = ""

    @property
    def host(self) -> str:
        return self.origin.host

    @property
    def url(self) -> str:
        """The address without its password: may be shown."""
        return f"{self.origin.scheme}://{self.origin.netloc}{self.path}"

    @property
    def full_url(self) -> str:
        """The address with its password: for the source's own row only."""
        at = f"{self.userinfo}@" if self.userinfo else ""
        return f"{self.origin.scheme}://{at}{self.origin.netloc}{self.path}"

    @property
    def authorization(self) -> str | None:
        if not self.userinfo:
            return None
        name, _, password = self.userinfo.partition(":")
        pair = unquote_to_bytes(name) + b":" + unquote_to_bytes(password)
        return "Basic " + b64encode(pair).decode("ascii")


def parse(url: str) -> Target:
    try:
        return _parse(url)
    except ValueError:
        # Not `from error`: its text may quote the password.
        raise PermanentError("this is not a valid web address, check how it is written") from None


def follow(base: Target, location: str) -> Target:
    """Where a redirect leads; the password goes along within the same origin only."""
    if len(location) > LONGEST_LOCATION:
        raise PermanentError(
            f"{base.host}: redirects to an address of more than {LONGEST_LOCATION} bytes"
        )
    try:
        joined = urljoin(base.url, _as_sent(location))
    except ValueError:
        raise PermanentError(f"{base.host}: redirects to an invalid address") from None
    target = parse(joined)
    if target.origin == base.origin and not target.userinfo:
        return replace(target, userinfo=base.userinfo)
    return target


def _parse(url: str) -> Target:
    url = _IGNORED.sub("", url).strip()
    if not _OF_THE_WEB.match(url):
        raise PermanentError(
            "only http and https can be fetched: an address begins with http:// or https://"
        )
    before, mark, query = url.partition("?")
    parts = urlsplit(before.replace("\\", "/") + mark + query)
    origin = Origin(parts.scheme, _host(parts.hostname or ""), _port(parts.port, parts.scheme))
    path = _quoted(parts.path, _PATH_KEEPS) or "/"
    if parts.query:
        path += "?" + _quoted(parts.query, _QUERY_KEEPS)
    userinfo = parts.netloc.rpartition("@")[0]
    return Target(origin, path, userinfo and quote(userinfo, safe="%:!$&'()*+,;="))


def _quoted(text: str, keeps: str) -> str:
    # Most need no quoting, and `quote` is slow to find that out.
    return text if _IN_ORDER.fullmatch(text) else quote(text, safe=keeps)


def _host(written: str) -> str:
    if ":" in written:
        return str(IPv6Address(unquote(written)))
    host = in_ascii(unquote(written)).lower().removesuffix(".")
    if len(host) > 253 or not _HOST.fullmatch(host):
        raise ValueError("not a host name")
    return host


def _port(written: int | None, scheme: str) -> int:
    if written == 0:
        raise ValueError("port 0 can't be connected to")
    return written or PORTS[scheme]


def _as_sent(location: str) -> str:
    """Servers send UTF-8 in headers, which are read as Latin-1."""
    try:
        return location.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return location
