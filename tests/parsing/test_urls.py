"""Addresses: absolute, of the web, and in one form for comparing."""

from __future__ import annotations

import pytest

from morningdeck.parsing.urls import canonical_url, web_url


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("HTTPS://News.Example:443/A?b=1#c", "https://news.example/A?b=1"),
        ("http://news.example", "http://news.example/"),
        ("http://jo:secret@news.example.:8080/", "http://news.example:8080/"),
        ("https://a.example/?utm_source=x&id=7&UTM_Medium=y&fbclid=z", "https://a.example/?id=7"),
        ("https://a.example/?b=2&a=1&a=&gclid", "https://a.example/?b=2&a=1&a="),
        ("https://[2001:DB8::1]:443/x", "https://[2001:db8::1]/x"),
        ("https://stra\u00dfe.example/", "https://xn--strae-oqa.example/"),
        ("https://a.example/?utm=1&mc_cid=2&mc_x=3", "https://a.example/?utm=1&mc_x=3"),
    ],
)
def test_addresses_of_one_page_get_one_form(url: str, canonical: str) -> None:
    assert canonical_url(url) == canonical
    assert canonical_url(canonical) == canonical


@pytest.mark.parametrize(
    ("link", "url"),
    [
        ("b", "https://a.example/x/b"),
        ("//c.example/d", "https://c.example/d"),
        ("?q=1", "https://a.example/x/y?q=1"),
        (" https://c.example/a\n b ", "https://c.example/ab"),
        ("https://c.example/\u00e4%20", "https://c.example/%C3%A4%20"),
        ("https://stra\u00dfe.example/", "https://xn--strae-oqa.example/"),
        ("https://stra\u00dfe..example/", None),
        ("https://c.example:0/", None),
        ("https://c.example:99999/", None),
        ("https://[::1/", None),
        ("https:///path", None),
        ("data:text/html,x", None),
        ("java\nscript:alert(1)", None),
        ("tag:a.example,2026:1", None),
        ("x" * 3000, None),
        ("", None),
        (None, None),
    ],
)
def test_a_link_becomes_an_address_of_the_web_or_none(link: str | None, url: str | None) -> None:
    assert web_url(link, "https://a.example/x/y") == url
