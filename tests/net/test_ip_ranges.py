"""Which addresses may be visited."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from morningdeck.errors import ConfigError
from morningdeck.net.ip_ranges import BLOCKED, may_visit, networks

CORPUS = Path(__file__).parents[3] / "shared/corpora/ssrf"


def corpus(name: str) -> Any:  # JSON
    if not CORPUS.exists() and not os.environ.get("CI"):
        pytest.skip("the test material beside the project is absent")
    return json.loads((CORPUS / name).read_text())


def test_every_address_of_the_corpus_gets_its_verdict() -> None:
    cases = corpus("ip_table.json")

    verdicts = {case["ip"]: "allow" if may_visit(case["ip"]) else "block" for case in cases}

    assert verdicts == {case["ip"]: case["expect"] for case in cases}
    assert len(verdicts) == 68


def test_the_block_list_is_the_one_of_the_corpus() -> None:
    assert [str(network) for network in BLOCKED] == corpus("blocked_networks.json")


@pytest.mark.parametrize("text", ["", "news.example", "1.2.3", "127.1", "::g", "10.0.0.1 "])
def test_what_is_no_address_may_not_be_visited(text: str) -> None:
    assert not may_visit(text, networks(["0.0.0.0/0", "::/0"]))


def test_an_allowed_network_opens_itself_only() -> None:
    home = networks(["192.168.1.0/24", "fd00::/8"])

    assert may_visit("192.168.1.7", home)
    assert may_visit("fd00::7", home)
    assert not may_visit("192.168.2.7", home)
    assert not may_visit("127.0.0.1", home)


def test_an_allowed_address_needs_no_mask() -> None:
    assert may_visit("192.168.1.4", networks(["192.168.1.4"]))
    assert may_visit("192.168.1.9", networks(["192.168.1.4/24"]))


@pytest.mark.parametrize(
    "prefix", ["::{}", "::ffff:{}", "::ffff:0:{}", "64:ff9b::{}", "64:ff9b:1::{}"]
)
def test_an_allowed_translator_does_not_open_the_private_networks_behind_it(prefix: str) -> None:
    every_ipv6 = networks(["::/0"])

    assert may_visit(prefix.format("8.8.8.8"), every_ipv6)
    assert not may_visit(prefix.format("169.254.169.254"), every_ipv6)


@pytest.mark.parametrize(
    "form", ["a00:0:100::", "c0a8:1:700::", "7f:0:1::", "0:a:0:100:0", "::10.0.0.1", ":"]
)
def test_a_private_address_is_found_wherever_a_translator_carries_it(form: str) -> None:
    assert not may_visit(f"64:ff9b:1:{form}", networks(["64:ff9b:1::/48"]))


def test_a_translator_of_ones_own_reaches_what_is_public_or_allowed() -> None:
    translator = networks(["64:ff9b:1::/48", "10.0.0.0/8"])

    assert may_visit("64:ff9b:1:808:8:800::", translator)
    assert may_visit("64:ff9b:1:7::8.8.8.8", translator)
    assert may_visit("64:ff9b:1:7::10.1.2.3", translator)
    assert not may_visit("64:ff9b:1:7::192.168.1.1", translator)


def test_an_allowed_teredo_network_does_not_open_private_addresses() -> None:
    teredo = networks(["2001::/32"])

    assert may_visit("2001:0:808:808:0:ffff:f7f7:f7f7", teredo)
    assert not may_visit("2001:0:808:808:0:ffff:80ff:fffe", teredo), "the client is 127.0.0.1"
    assert not may_visit("2001:0:a00:1:0:ffff:f7f7:f7f7", teredo), "the server is 10.0.0.1"


def test_an_allowed_loopback_needs_nothing_else() -> None:
    assert may_visit("::1", networks(["::1"]))


def test_an_allowed_6to4_network_does_not_open_private_addresses() -> None:
    assert may_visit("2002:808:808::1", networks(["2002::/16"]))
    assert not may_visit("2002:7f00:1::1", networks(["2002::/16"]))


def test_a_zone_does_not_hide_a_link_local_address() -> None:
    assert not may_visit("fe80::1%eth0")
    assert may_visit("fe80::1%eth0", networks(["fe80::/10"]))


def test_a_wrong_network_is_named_with_its_setting() -> None:
    with pytest.raises(ConfigError, match=r"http\.allow_networks: 'home' is not a network"):
        networks(["home"])
