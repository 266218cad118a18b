"""What all pages have in common: their frame, addresses, headers, and what they say of trouble."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files

import pytest

from morningdeck.web.addresses import Addresses, addresses_below, own_path
from morningdeck.web.assets import ASSETS
from tests.mailcheck import html_mistakes
from tests.web.site import Website, website

ADA = "ada@example.org"


@pytest.fixture(scope="module")
def below(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Website]:
    """A web below a path, behind TLS."""
    folder = tmp_path_factory.mktemp("below")
    url = f"sqlite:///{folder / 'deck.db'}"
    with website(folder, url, base_url="https://d.example/deck/") as web:
        web.user(ADA, "a few good words")
        yield web


def links_of(html: str) -> set[str]:
    return set(re.findall(r'(?:href|src|action)="([^"#]+)"', html))


def test_every_address_lies_below_the_base_path(below: Website) -> None:
    with below.browser(ADA) as ada, below.browser() as nobody:
        pages = [ada.get("/"), ada.get("/deck/"), nobody.get("/deck/login"), ada.get("/deck/no")]

    for page in pages:
        assert len(links_of(page.text)) > 2
        assert all(link.startswith("/deck/") for link in links_of(page.text)), page.text


def test_a_base_path_without_its_slash_is_the_first_page(below: Website) -> None:
    with below.browser(ADA) as ada:
        assert ada.get("/deck").headers["location"] == "/deck/"


def test_whoever_is_led_stays_below_the_base_path(below: Website) -> None:
    with below.browser() as nobody:
        led = nobody.get("/deck/?a=b&c=%26")

        assert (led.status_code, led.headers["cache-control"]) == (303, "no-store")
        assert led.headers["location"] == "/deck/login?then=%2F%3Fa%3Db%26c%3D%2526"


def test_cookies_are_for_us_alone(below: Website) -> None:
    with below.browser() as nobody:
        told = nobody.get("/deck/login").headers["set-cookie"]

    assert re.fullmatch(
        r"morningdeck=[\w-]{43}; HttpOnly; Max-Age=34560000; Path=/deck/; SameSite=lax; Secure",
        told,
    )


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("/feed?unread=1", "/feed?unread=1"),
        ("//evil.example/", "/"),
        ("/\\evil.example/", "/"),
        ("https://evil.example/", "/"),
        ("javascript:alert(1)", "/"),
        ("/\tevil", "/"),
        ("/x\r\nSet-Cookie: a=b", "/"),
        ("", "/"),
    ],
)
def test_nobody_is_led_elsewhere(text: str, path: str) -> None:
    assert own_path(text) == path


def test_an_address_says_what_is_asked() -> None:
    deck = Addresses("/deck")

    assert deck.to("/feed", unread=1, source=None, tag=["a b", "c&d"]) == (
        "/deck/feed?unread=1&tag=a+b&tag=c%26d"
    )


@pytest.mark.parametrize(
    ("base_url", "base_path", "origin"),
    [
        (None, "", None),
        ("https://D.example/deck/", "/deck", "https://d.example"),
        ("http://d.example:8080", "", "http://d.example:8080"),
        ("/deck", "/deck", None),
    ],
)
def test_a_base_address_has_an_origin_and_a_path(
    base_url: str | None, base_path: str, origin: str | None
) -> None:
    assert addresses_below(base_url) == Addresses(base_path, origin)


# ---- what pages are made of


def test_whatever_a_page_needs_is_ours_and_may_be_kept_for_ever(web: Website) -> None:
    with web.browser(ADA) as ada:
        needed = [link for link in links_of(ada.get("/").text) if "/static/" in link]
        assert {link.rpartition(".")[2] for link in needed} == {"css", "svg", "png"}
        for link in needed:
            got = ada.get(link)
            assert got.status_code == 200
            assert got.headers["cache-control"] == "public, max-age=31536000, immutable"
            assert re.search(r"\.[0-9a-f]{12}\.\w+$", link)


def test_text_that_is_served_for_ever_goes_out_compressed(web: Website) -> None:
    for name in ("style.css", "reading.js", "icon.svg"):
        address = f"/static/{ASSETS[name].address}"
        with web.asked_with(None, **{"Accept-Encoding": "gzip"}) as able:
            small = able.get(address)
            assert "content-encoding" not in able.get("/login").headers
        with web.asked_with(None, **{"Accept-Encoding": "identity"}) as unable:
            plain = unable.get(address)
        assert (small.content, plain.content) == (ASSETS[name].content,) * 2
        assert small.headers["content-encoding"] == "gzip"
        assert "Accept-Encoding" in small.headers["vary"]
        assert int(small.headers["content-length"]) < int(plain.headers["content-length"])


def test_an_asset_that_has_changed_has_another_address(web: Website) -> None:
    with web.browser() as nobody:
        for name in ("style.css", "style.000000000000.css", "..%2Fbase.html"):
            gone = nobody.get(f"/static/{name}")
            assert (gone.status_code, gone.json()["status"]) == (404, 404)


def test_a_page_lets_nothing_run_and_nobody_frame_it(web: Website) -> None:
    with web.browser(ADA) as ada:
        for page in (ada.get("/"), ada.get("/login"), ada.get("/nothing")):
            policy = page.headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "frame-ancestors 'none'" in policy
            assert "unsafe" not in policy
            assert page.headers.get_list("x-content-type-options") == ["nosniff"]
            assert page.headers.get_list("referrer-policy") in (["same-origin"], ["no-referrer"])
            assert page.headers["cache-control"] in ("private, no-cache", "no-store")


def test_no_template_has_a_script_or_a_style_in_it() -> None:
    for file in files("morningdeck.web").joinpath("templates").iterdir():
        text = file.read_text("utf-8")
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|\|safe", text), file


def test_pages_and_mails_have_one_palette() -> None:
    style = files("morningdeck.web").joinpath("static", "style.css").read_text("utf-8")
    templates = files("morningdeck").joinpath("templates")
    mails = "".join(
        templates.joinpath(f"{n}.css").read_text("utf-8") for n in ("mail", "mail-screens")
    )
    ours = {"edge", "good", "bad"}
    """What mails have no use for."""

    shades = re.findall(r"--([\w-]+): (#[0-9a-f]{6});", style)
    assert {name for name, _ in shades} > ours
    assert {shade for name, shade in shades if name not in ours} <= set(
        re.findall("#[0-9a-f]{6}", mails)
    )


def test_every_page_is_valid_html(below: Website) -> None:
    with below.browser(ADA) as ada, below.browser() as nobody:
        pages = [nobody.get(f"/deck{path}").text for path in ("/claim", "/login", "/nothing")]
        pages += [ada.get("/deck/").text, ada.get("/deck/settings?done=profile").text]
        pages.append(ada.send("/settings/tokens", name="x", scope="read").text)

    assert html_mistakes(pages) == [[]] * len(pages)


# ---- trouble


@pytest.mark.parametrize(
    ("path", "code"), [("/nothing", 404), ("/static/../../etc/passwd", 404), ("/logout", 405)]
)
def test_browsers_are_told_of_trouble_by_a_page(web: Website, path: str, code: int) -> None:
    with web.browser(ADA) as ada:
        told = ada.get(path)

    assert (told.status_code, told.headers["content-type"]) == (code, "text/html; charset=utf-8")
    assert "<h1>" in told.text
    assert "To the first page" in told.text


@pytest.mark.parametrize("path", ["/api/v1/nothing", "/api/v1/items/4711", "/admin/queue-stats"])
def test_programs_are_told_of_trouble_as_ever(web: Website, path: str) -> None:
    with web.browser(ADA) as ada:
        assert ada.get(path).headers["content-type"] == "application/problem+json"


def test_a_bug_is_a_page_without_its_traceback(
    web: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    with web.browser(ADA) as ada:
        monkeypatch.setattr(web.app.store, "sessions", None)
        told = ada.get("/")

    assert told.status_code == 500
    assert "Something went wrong here" in told.text
    assert "NoneType" not in told.text


def test_a_page_says_whose_it_is_and_where_one_is(web: Website) -> None:
    with web.browser(ADA) as ada:
        assert 'aria-current="page"' in ada.get("/").text
        assert ADA in ada.get("/").text


def test_what_people_write_is_shown_as_they_wrote_it(web: Website) -> None:
    web.user("eve@example.org")
    web.app.store.users.edit("eve@example.org", name="<script>alert(1)</script>")
    with web.browser("eve@example.org") as eve:
        assert "Good morning, &lt;script&gt;alert(1)&lt;/script&gt;" in eve.get("/").text
