"""What strangers write into titles, names and addresses runs on no page of ours."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from morningdeck.store.tables.briefs import reports
from tests.conftest import NOW
from tests.web.site import Website, website

HARMLESS = ("", "http", "https", "mailto")
MORE = (
    *("javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "data:text/html,x"),
    *("java\nscript:alert(1)", "vbscript:x", '"><script>alert(1)</script>', "' onload='x"),
    *("</title><script>alert(1)</script>", "<!--<script>", "{{7*7}}", "</textarea><script>x"),
)


class Dangers(HTMLParser):
    """What of a page could run, or lead to what runs."""

    def __init__(self, of_a_mail: bool) -> None:
        super().__init__()
        self._of_a_mail = of_a_mail
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attributes}
        if self._is_dangerous(tag, said):
            self.found.append(f"<{tag}>")
        for name, value in said.items():
            if name.startswith("on") or name == "srcdoc":
                self.found.append(f"{tag} {name}={value}")
            if name in ("href", "src", "action", "formaction", "data", "xlink:href"):
                self._look_at(tag, "".join(value.split()))

    def _is_dangerous(self, tag: str, said: dict[str, str]) -> bool:
        """Mails bring their looks along, in a frame that lets nothing run."""
        if tag in ("script", "iframe"):
            return not said.get("src", "").startswith("/")
        if tag == "base":
            return "href" in said
        looks = tag == "style" or "style" in said
        return tag in ("object", "embed") or (looks and not self._of_a_mail)

    def _look_at(self, tag: str, address: str) -> None:
        if urlsplit(address).scheme.lower() not in HARMLESS:
            self.found.append(f"{tag} leads to {address}")


def dangers_of(html: str) -> list[str]:
    page = Dangers(of_a_mail='<base target="_blank">' in html[:500])
    page.feed(html)
    return page.found


def test_what_could_run_is_seen() -> None:
    assert len(dangers_of('<a href="java\nscript:x" onclick=y><script>z</script><style>')) == 4


@pytest.fixture
def payloads(corpora: Path) -> tuple[str, ...]:
    """Addresses alone, as a link has nothing else; of the gathered ones a few at a time."""
    found = []
    for name in ("html5lib_sanitizer", "miniflux_sanitizer"):
        text = (corpora / "xss" / f"{name}.json").read_text("utf-8")
        found += [str(one["input"]) for one in json.loads(text)]
    together = (" ".join(found[at : at + 8]) for at in range(0, len(found), 8))
    return (*MORE, *together)


def pages_of(web: Website, email: str, payload: str) -> Iterator[str]:
    """All that show what others have written, with this in each place."""
    stock, user = web.stock, web.user(email).id
    web.app.store.users.edit(email, name=payload[:200])
    source = stock.source(user, f"https://h{abs(hash(payload))}.example/", name=payload[:200])
    briefing = stock.briefing(user, title=f"A {payload}", criteria=f"b {payload}")
    item = stock.item(
        source, title=payload, summary=payload, url=payload, author=payload, published_at=NOW
    )
    stock.score(item, briefing, 71)
    report = stock.report(briefing)
    stock.set(reports, report, generated_at=NOW, subject=payload)
    with web.browser(email) as browser:
        told = browser.send("/search/saved", name=payload[:90], q="ships")
        yield told.text
        for path in (
            *("/", "/feed", f"/items/{item}", "/sources", f"/sources/{source}", "/briefings"),
            *(f"/briefings/{briefing}", f"/briefings/{briefing}/edit", f"/reports/{report}"),
            *("/reports", f"/reports/{report}/left-out", f"/briefings/{briefing}/edition"),
            *("/settings", f"/sources/{source}/remove", f"/briefings/{briefing}/remove"),
        ):
            answer = browser.get(path)
            assert answer.status_code == 200, (path, payload)
            yield answer.text
        for path, name in (("/search", "q"), ("/sources/new", "url"), ("/feed", "topic")):
            yield browser.get(path, params={name: payload}).text
        yield browser.get(f"/{payload.encode().hex()}", headers={"X": "y"}).text
        yield browser.send("/sources/check", url=payload).text
        yield browser.send("/login", email=payload, password="x", then=payload).text
        web.forget_attempts()


def test_nothing_of_strangers_runs_on_a_page(
    tmp_path: Path, sqlite_url: str, payloads: tuple[str, ...]
) -> None:
    with website(tmp_path, sqlite_url) as web:
        for number, payload in enumerate(payloads):
            pages = pages_of(web, f"hostile{number}@example.org", payload.replace("\0", ""))
            dangers = [danger for page in pages for danger in dangers_of(page)]
            assert dangers == [f"a leads to {bookmark_of(web)}"], payload


def bookmark_of(web: Website) -> str:
    """Our own one, on the page of settings."""
    return (
        f"javascript:void(open('{web.url}/share?url='+encodeURIComponent(location.href)"
        "+'&title='+encodeURIComponent(document.title)))"
    )
