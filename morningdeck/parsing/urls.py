"""Addresses: made absolute, kept only if they are of the web, compared in one form."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, quote, urljoin, urlsplit, urlunsplit

from morningdeck.hosts import in_ascii

if TYPE_CHECKING:
    from lxml import etree

MAX_URL = 2048

_DEFAULT_PORTS = {"http": 80, "https": 443}
_TRACKING = re.compile(
    r"(utm_.*|mtm_.*|pk_.*|hsa_.*|mc_[ce]id|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|"
    r"yclid|twclid|ttclid|igshid|igsh|li_fat_id|_hsenc|_hsmi|mkt_tok|oly_(anon|enc)_id|"
    r"vero_(id|conv)|s_cid|wickedid|ref_src|ref_url|cmpid|ncid|sr_share|at_(medium|campaign)"
    r"(_.*)?|__s|__twitter_impression|guccounter|_openstat)",
    re.I,
)
_KEPT = "%/:;=@!$&'()*+,~?[]#|"


def web_url(link: str | None, base: str = "") -> str | None:
    """The link as an absolute http(s) address, None if it is anything else."""
    link = "".join((link or "").split())
    if not link or len(link) > MAX_URL:
        return None
    try:
        absolute = link if link.startswith(("http://", "https://")) else urljoin(base, link)
        parts = urlsplit(absolute)
        if parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
            return None
        if not absolute.isascii():
            absolute = _in_ascii(parts)
        return absolute if parts.port != 0 else None
    except ValueError:
        return None


def base_of(page: etree._Element, url: str) -> str:
    """What the links of an HTML page are relative to."""
    return next((web_url(each.get("href"), url) for each in page.iter("base")), None) or url


def _in_ascii(parts: SplitResult) -> str:
    """ValueError for a host that cannot be written so."""
    path, query, fragment = (quote(part, safe=_KEPT) for part in parts[2:])
    return urlunsplit((parts.scheme, _host(parts), path, query, fragment))


def canonical_url(url: str) -> str:
    """One form for the many addresses of one page: for comparing, not for asking.

    Host in lower case; no default port, user, fragment or tracking parameter; the other
    parameters stay as they are, in their order.
    """
    try:
        parts = urlsplit(url)
        host = _host(parts)
    except ValueError:
        return url
    pairs = filter(None, parts.query.split("&"))
    query = "&".join(pair for pair in pairs if not _TRACKING.fullmatch(pair.split("=")[0]))
    return urlunsplit((parts.scheme.lower(), host, parts.path or "/", query, ""))


def _host(parts: SplitResult) -> str:
    host = (parts.hostname or "").rstrip(".")
    if not host.isascii():
        host = in_ascii(host)
    if ":" in host:
        host = f"[{host}]"
    if parts.port is None or parts.port == _DEFAULT_PORTS.get(parts.scheme):
        return host
    return f"{host}:{parts.port}"
