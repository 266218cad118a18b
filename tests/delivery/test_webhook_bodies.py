"""The bodies of webhooks: JSON within the limits of each service, whatever the stories say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from morningdeck.delivery.webhook_bodies import QUIET, SAMPLE, WebhookBodies
from morningdeck.errors import ConfigError, PermanentError

STRINGS = Path(__file__).parents[3] / "shared/corpora/naughty-strings"
BODIES = WebhookBodies()
SERVICES = ("slack", "discord", "telegram", "ntfy")
SHORT = {**SAMPLE["data"]["stories"][0], "title": "Grid & <b> *tariffs*", "summary": "Rise_by 5 %."}


def made(service: str, document: dict[str, Any]) -> Any:
    content = json.dumps(document).encode()
    return json.loads(BODIES.body(service, content, topic="morning"))


def with_stories(*stories: dict[str, Any], **changes: Any) -> dict[str, Any]:
    data = {**SAMPLE["data"], "overview": "", "stories": list(stories), **changes}
    return {**SAMPLE, "data": data}


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def naughty() -> list[str]:
    (file,) = STRINGS.rglob("blns.json")
    strings: list[str] = json.loads(file.read_text(encoding="utf-8"))
    return strings


def within(service: str, body: Any) -> Iterator[bool]:
    """What the services' own pages name as limits."""
    match service:
        case "slack":
            yield len(body["blocks"]) <= 50
            for block in body["blocks"]:
                text = block["text"]["text"]
                yield 1 <= units(text) <= (150 if block["type"] == "header" else 3000)
        case "discord":
            yield units(body["content"]) <= 2000
            yield len(body["embeds"]) <= 10
            texts = [(e["title"], e["description"], e["footer"]["text"]) for e in body["embeds"]]
            yield sum(units(text) for three in texts for text in three) <= 6000
            for title, description, footer in texts:
                yield units(title) <= 256
                yield units(description) <= 4096
                yield units(footer) <= 2048
        case "telegram":
            yield 1 <= units(without_tags(body["text"])) <= 4096
        case "ntfy":
            yield len(body["message"].encode()) <= 4096
            yield body["topic"] == "morning"


def without_tags(html: str) -> str:
    """As Telegram counts: it knows these tags and entities, and refuses any other sign of one."""
    for tag in ("<b>", "</b>", "<i>", "</i>", "</a>"):
        html = html.replace(tag, "")
    pieces = html.split('<a href="')
    plain = pieces[0] + "".join(piece.partition('">')[2] for piece in pieces[1:])
    assert "<" not in plain
    assert ">" not in plain
    for entity, sign in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&")):
        plain = plain.replace(entity, sign)
    return plain


@pytest.mark.parametrize("service", SERVICES)
@pytest.mark.parametrize("document", [SAMPLE, QUIET], ids=["many", "none"])
def test_a_body_keeps_the_limits_of_its_service(service: str, document: dict[str, Any]) -> None:
    assert all(within(service, made(service, document)))


@pytest.mark.parametrize("service", SERVICES)
@pytest.mark.skipif(not STRINGS.is_dir(), reason="no corpora beside this clone (see README)")
def test_no_string_breaks_out_of_a_body(service: str) -> None:
    for text in naughty():
        fields = {"title": text, "summary": text, "source": text, "also_in": [text], "url": text}
        stories = ({**SHORT, **fields}, {**SHORT, **fields, "summary": text * 100})
        body = made(service, with_stories(*stories, subject=text or "x", overview=text * 20))
        assert all(within(service, body)), text


def test_slack_is_given_no_sign_of_its_own_but_links() -> None:
    body = made("slack", with_stories({**SHORT, "title": "<!channel> & <@U1>"}))

    assert body["blocks"][1]["text"]["text"].startswith(
        "*<https://news.example/1?a=%28b%29%7Cc|&lt;!channel&gt; &amp; &lt;@U1&gt;>*\nRise_by 5 %."
    )
    assert body["unfurl_links"] is False


def test_discord_pings_nobody_and_shows_signs_as_they_are() -> None:
    body = made("discord", with_stories(SHORT, subject="@everyone *look*"))

    assert body["allowed_mentions"] == {"parse": []}
    assert body["content"] == "**Energy: @everyone \\*look\\***"
    assert body["embeds"][0]["title"] == "Grid & \\<b\\> \\*tariffs\\*"


def test_telegram_is_given_html_that_it_knows() -> None:
    body = made("telegram", with_stories({**SHORT, "url": 'https://news.example/?a="b"&c=<d>'}))

    assert body["parse_mode"] == "HTML"
    assert '<a href="https://news.example/?a=%22b%22&amp;c=%3Cd%3E">' in body["text"]
    assert "Grid &amp; &lt;b&gt; *tariffs*</a>" in body["text"]


def test_ntfy_is_given_its_topic_and_a_link_to_click() -> None:
    body = made("ntfy", with_stories(SHORT))

    assert (body["topic"], body["markdown"]) == ("morning", True)
    assert body["click"] == "https://news.example/1?a=%28b%29%7Cc"
    assert body["message"].startswith("[Grid & \\<b\\> \\*tariffs\\*](https://news.example/1?a=")


@pytest.mark.parametrize("service", SERVICES)
def test_an_address_that_is_none_of_the_web_is_no_link(service: str) -> None:
    body = made(service, with_stories({**SHORT, "url": "javascript:alert(1)"}))

    assert "javascript" not in json.dumps(body)


@pytest.mark.parametrize("service", SERVICES)
def test_what_has_no_room_is_counted(service: str) -> None:
    assert service == "slack" or "\\n+ " in json.dumps(made(service, SAMPLE))


# ---- templates of one's own


def folder_with(tmp_path: Path, **templates: str) -> Path:
    for name, text in templates.items():
        (tmp_path / f"{name}.j2").write_text(text)
    return tmp_path


def test_a_template_of_one_s_own_comes_first_and_may_bring_a_new_service(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, slack='{"text": "mine"}', mattermost="{{ report|tojson }}")

    bodies = WebhookBodies(folder)

    assert bodies.body("slack", json.dumps(SAMPLE).encode()) == b'{"text": "mine"}'
    assert json.loads(bodies.body("mattermost", json.dumps(SAMPLE).encode())) == SAMPLE["data"]
    assert {"mattermost", "slack", "discord", "json"} <= bodies.services


def test_without_a_template_the_plain_body_stays_byte_for_byte() -> None:
    assert WebhookBodies().body("json", b'{"a":  1}') == b'{"a":  1}'


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{{ report.subject", "json.j2, line 1: unexpected end of template"),
        ("{{ report.subjct|tojson }}", "json.j2: 'dict object' has no attribute 'subjct'"),
        ("{{ report.subject }}", "json.j2: what it makes is no JSON"),
        ("{{ report.stories[0].title|tojson }}", "json.j2: .* no element 0"),
        ("{{ ''.__class__.__mro__ }}", "json.j2: access to attribute '__class__' .* is unsafe"),
        ("{{ 1 / 0 }}", "json.j2: division by zero"),
        ("{{ report.overview|cut('x') }}", "json.j2: "),
    ],
)
def test_a_mistake_in_a_template_is_told_before_anything_is_sent(
    tmp_path: Path, template: str, said: str
) -> None:
    with pytest.raises(ConfigError, match=said):
        WebhookBodies(folder_with(tmp_path, json=template))


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no folder"):
        WebhookBodies(tmp_path / "nowhere")


def test_a_template_that_fails_on_a_report_refuses_that_report_alone(tmp_path: Path) -> None:
    template = '{% if report.subject == "odd" %}{{ report.nothing }}{% endif %}{}'
    bodies = WebhookBodies(folder_with(tmp_path, json=template))

    with pytest.raises(PermanentError, match=r"its template json\.j2 fails"):
        bodies.body("json", json.dumps(with_stories(subject="odd")).encode())
