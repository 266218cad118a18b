"""Which addresses may be visited: the public internet, and what the operator allows.

The list is the IANA special-purpose registries plus the metadata addresses of cloud
providers that lie outside them. It is data: nothing here asks the network.
"""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)

from morningdeck.errors import ConfigError

Network = IPv4Network | IPv6Network

BLOCKED: tuple[Network, ...] = tuple(
    map(
        ip_network,
        (
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/4",
            "240.0.0.0/4",
            "168.63.129.16/32",
            "::/128",
            "::1/128",
            "::/96",
            "::ffff:0:0/96",
            "::ffff:0:0:0/96",
            "64:ff9b::/96",
            "64:ff9b:1::/48",
            "100::/64",
            "100:0:0:1::/64",
            "2001::/23",
            "2001:db8::/32",
            "2002::/16",
            "3fff::/20",
            "5f00::/16",
            "fc00::/7",
            "fe80::/10",
            "fec0::/10",
            "ff00::/8",
        ),
    )
)

CARRIES_IPV4 = tuple(
    map(IPv6Network, ("::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48"))
)
"""Networks whose addresses end in the IPv4 address that is really visited."""


def networks(cidrs: Iterable[str]) -> tuple[Network, ...]:
    return tuple(map(_network, cidrs))


def may_visit(address: str, allowed: Iterable[Network] = ()) -> bool:
    """True for a public or allowed address; what is no address at all may not be visited."""
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    return _may_visit(ip, tuple(allowed))


def _may_visit(ip: IPv4Address | IPv6Address, allowed: tuple[Network, ...]) -> bool:
    if not any(ip in network for network in BLOCKED):
        return True
    if not any(ip in network for network in allowed):
        return False
    # Allowing a translator's prefix (64:ff9b::/96) must not open the private IPv4 behind it.
    inner = _carried(ip)
    return inner is None or _may_visit(inner, allowed)


def _carried(ip: IPv4Address | IPv6Address) -> IPv4Address | None:
    if isinstance(ip, IPv4Address):
        return None
    if any(ip in network for network in CARRIES_IPV4):
        return IPv4Address(ip.packed[-4:])
    return ip.sixtofour


def _network(cidr: str) -> Network:
    try:
        return ip_network(cidr, strict=False)
    except ValueError:
        raise ConfigError(
            f"http.allow_networks: {cidr!r} is not a network, write it like 192.168.1.0/24"
        ) from None
