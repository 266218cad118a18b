"""What a proxy says of those for whom it asks, believed only where the settings trust it."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from fastapi import Request

from morningdeck.errors import ConfigError

NO_ADDRESS = "unknown"


@dataclass(frozen=True)
class Proxies:
    trusted: Sequence[str] = ()
    """Networks."""
    login_header: str | None = None
    own_host: str | None = None
    """Of `web.base_url`."""

    def __post_init__(self) -> None:
        if self.login_header is not None and not self.trusted:
            raise ConfigError("web.login_header needs web.trusted_proxies: say who may send it")
        if self.login_header is not None and self.own_host is None:
            raise ConfigError("web.login_header needs web.base_url: say by which name you come")

    @cached_property
    def _networks(self) -> tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]:
        return tuple(ipaddress.ip_network(one) for one in self.trusted)

    def client(self, request: Request) -> str:
        """The address of whoever asks: the last one that no proxy of ours is."""
        address = request.client.host if request.client else NO_ADDRESS
        if not self._trusts(address):
            return address
        chain = ",".join(request.headers.getlist("x-forwarded-for")).split(",")
        for hop in reversed([_without_port(one.strip()) for one in chain if one.strip()]):
            if not _is_address(hop):
                break
            address = hop
            if not self._trusts(hop):
                break
        return address

    def behind_tls(self, request: Request) -> bool:
        if not self._is_direct(request):
            return False
        return request.headers.get("x-forwarded-proto", "").strip().lower() == "https"

    def logged_in(self, request: Request) -> str | None:
        """Who a trusted proxy says it is; nobody else is asked. On the proxy's own machine a page
        of a stranger, whose name leads there for once, could say it too: it comes by that name.
        """
        if self.login_header is None or not self._is_direct(request):
            return None
        host = request.url.hostname or ""
        if host.lower() != self.own_host and host != "localhost" and not _is_address(host):
            return None
        return request.headers.get(self.login_header, "").strip() or None

    def _is_direct(self, request: Request) -> bool:
        return request.client is not None and self._trusts(request.client.host)

    def _trusts(self, address: str) -> bool:
        if not self._networks or not _is_address(address):
            return False
        known = ipaddress.ip_address(address)
        mapped = getattr(known, "ipv4_mapped", None)
        return any((mapped or known) in network for network in self._networks)


def _without_port(hop: str) -> str:
    """Some proxies tell it: `198.51.100.1:5678`, `[2001:db8::7]:5678`."""
    if hop.startswith("["):
        return hop[1:].partition("]")[0]
    return hop.partition(":")[0] if hop.count(":") == 1 else hop


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
