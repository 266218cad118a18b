"""A visitor's browser that sees each page as if for the first time, and tells what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Browser, Page, Response

from morningdeck.web.pages.visiting import COOKIE
from tests.browser.odd_deck import Names
from tests.browser.stops import IN_A_FRAME, Stop
from tests.mailcheck import FOLDER

PHONE, TABLET, DESK = 360, 768, 1280
MOST_BYTES, MOST_SHIFT = 60_000, 0.05
AXE = FOLDER / "node_modules" / "axe-core" / "axe.min.js"
OF_LAYOUT = ("color-contrast", "target-size", "scrollable-region-focusable")
"""Rules whose answer may be another at another width."""
WATCH_SHIFTS = """
  window.shifted = 0;
  new PerformanceObserver((seen) => seen.getEntries().forEach((one) => { shifted += one.value; }))
    .observe({ type: 'layout-shift', buffered: true });
"""
RUN_AXE = """async (rules) => {
  const all = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const runOnly = rules.length ? { type: 'rule', values: rules } : { type: 'tag', values: all };
  const found = await axe.run({ runOnly, iframes: false, preload: false });
  return found.violations.flatMap((one) =>
    one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 200)} ${node.failureSummary}`));
}"""
TOO_WIDE = """() => {
  const root = document.documentElement;
  if (root.scrollWidth <= root.clientWidth) return [];
  return [...document.querySelectorAll('body *')]
    .filter((one) => one.getBoundingClientRect().right > root.clientWidth + 1)
    .map((one) => `${root.scrollWidth} px wide: ${one.outerHTML.slice(0, 120)}`).slice(0, 5);
}"""
TOO_LOW = """() => [...document.querySelectorAll('a, button, input, select, textarea, summary')]
  .filter((one) => one.type !== 'hidden' && one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => !one.matches('.skip, p a, li a, h1 a, figcaption a, th a, td a'))
  .map((one) => one.closest('label') ?? one)
  .filter((one) => one.getBoundingClientRect().height < 44)
  .map((one) => `too low for a finger: ${one.outerHTML.slice(0, 160)}`)"""
"""Links in running text are as high as their line: they are left out, as WCAG 2.5.8 does."""
SEND = """([action, fields, file]) => {
  const form = Object.assign(document.createElement('form'), { method: 'post', action });
  const token = document.querySelector('[name=form_token]').value;
  for (const [name, value] of Object.entries({ form_token: token, ...fields }))
    form.append(Object.assign(document.createElement('input'), { name, value }));
  if (file) {
    const { files, items } = new DataTransfer();
    items.add(new File([file], 'list.opml'));
    form.enctype = 'multipart/form-data';
    form.append(Object.assign(document.createElement('input'), { type: 'file', name: 'list' }));
    form.lastChild.files = files;
  }
  document.body.append(form);
  form.submit();
}"""


class Walker:
    def __init__(self, chromium: Browser, deck: Names, who: str | None) -> None:
        self._deck, url = deck, deck.web.url
        context = chromium.new_context(base_url=url)
        if who is not None:
            with deck.web.browser(who) as known:
                context.add_cookies([{"name": COOKIE, "value": known.token, "url": url}])
        context.add_init_script(WATCH_SHIFTS)
        self.close = context.close
        self._page = context.new_page()
        self._complaints: list[str] = []
        self._bytes = 0
        self._page.on("request", lambda asked: self._check(asked.url))
        self._page.on("pageerror", lambda error: self._complaints.append(str(error)))
        self._page.on("console", lambda told: self._hear(told.type, told.text))
        wire = context.new_cdp_session(self._page)
        wire.send("Network.enable")
        wire.send("Network.setCacheDisabled", {"cacheDisabled": True})
        wire.on("Network.loadingFinished", self._weigh)

    def _check(self, url: str) -> None:
        if not url.startswith((f"{self._deck.web.url}/", "data:")):
            self._complaints.append(f"asks somebody else: {url}")

    def _hear(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self._complaints.append(text)

    def _weigh(self, loaded: dict[str, Any]) -> None:
        self._bytes += int(loaded["encodedDataLength"])

    def mistakes(self, stop: Stop, width: int) -> Iterator[str]:
        """What is wrong with this page at this width, in the light and in the dark."""
        page = self._page
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme="light")
        code = self._go(stop).status
        if code != stop.code:
            yield f"answers {code}"
        if self._bytes >= MOST_BYTES:
            yield f"loads {self._bytes} bytes"
        yield from page.evaluate(TOO_WIDE)
        if width == PHONE and stop.path not in IN_A_FRAME:
            yield from page.evaluate(TOO_LOW)
        yield from _axe(page, *(() if width == PHONE else OF_LAYOUT))
        page.emulate_media(color_scheme="dark")
        yield from (f"in the dark: {one}" for one in _axe(page, "color-contrast"))
        if (shifted := page.evaluate("shifted")) >= MOST_SHIFT:
            yield f"moves by {shifted}"
        # a browser tells of a page that is meant to be an error, too
        yield from (one for one in self._complaints if f"status of {code}" not in one)

    def _go(self, stop: Stop) -> Response:
        address = self._deck(stop.path)
        if stop.form is not None:
            return self._send(stop, address, self._deck.form(stop.form))
        self._forget()
        answer = self._page.goto(address)
        assert answer is not None
        return answer

    def _send(self, stop: Stop, address: str, form: dict[str, str]) -> Response:
        self._page.goto(self._deck(stop.sent_from))
        self._forget()
        with self._page.expect_navigation() as led:
            self._page.evaluate(SEND, [address, form, stop.file])
        return led.value

    def _forget(self) -> None:
        self._complaints.clear()
        self._bytes = 0


def _axe(page: Page, *rules: str) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    return list(page.evaluate(RUN_AXE, rules))
