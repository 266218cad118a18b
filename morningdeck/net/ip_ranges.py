"""Which addresses may be visited: the public internet, and what the operator allows.

The list is the IANA special-purpose registries plus the metadata addresses of cloud
providers that lie outside them. It is data: nothing here asks the network.
"""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

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

ENDS_IN_IPV4 = tuple(
    map(IPv6Network, ("::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96"))
)
"""Networks whose addresses end in the IPv4 address that is really visited."""
TRANSLATED_HERE = IPv6Network("64:ff9b:1::/48")
OFFSETS = ((6, 7, 9, 10), (7, 9, 10, 11), (9, 10, 11, 12), (12, 13, 14, 15))
"""The bytes of the IPv4 address behind prefixes of 48, 56, 64 and 96 bits (RFC 6052)."""
OWN_ADDRESSES = (IPv6Address("::"), IPv6Address("::1"))
"""In ::/96, but this machine's own."""


def networks(cidrs: Iterable[str]) -> tuple[Network, ...]:
    return tuple(map(_network, cidrs))


def may_visit(address: str, allowed: Iterable[Network] = ()) -> bool:
    """True for a public or allowed address; False for what is no address."""
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
    return all(_may_visit(inner, allowed) for inner in _carried(ip))


def _carried(ip: IPv4Address | IPv6Address) -> tuple[IPv4Address, ...]:
    """Every address it may lead to, as a translator's prefix may have any of these lengths."""
    if isinstance(ip, IPv4Address) or ip in OWN_ADDRESSES:
        return ()
    if any(ip in network for network in ENDS_IN_IPV4):
        return (IPv4Address(ip.packed[-4:]),)
    if ip in TRANSLATED_HERE:
        found = tuple(_at(ip, offsets) for offsets in OFFSETS if _ends_with(ip, offsets))
        return found or (IPv4Address(0),)
    if ip.teredo is not None:
        return ip.teredo
    return () if ip.sixtofour is None else (ip.sixtofour,)


def _at(ip: IPv6Address, offsets: tuple[int, ...]) -> IPv4Address:
    return IPv4Address(bytes(ip.packed[index] for index in offsets))


def _ends_with(ip: IPv6Address, offsets: tuple[int, ...]) -> bool:
    """The IPv4 address is not zero, and only zeros follow it."""
    return not any(ip.packed[offsets[-1] + 1 :]) and any(ip.packed[index] for index in offsets)


def _network(cidr: str) -> Network:
    try:
        return ip_network(cidr, strict=False)
    except ValueError:
        raise ConfigError(
            f"http.allow_networks: {cidr!r} is not a network, write it like 192.168.1.0/24"
        ) from None
