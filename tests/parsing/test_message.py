"""Messages to news: one letter, several stories, or no news at all."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from morningdeck.model.reading import ParsedMail
from morningdeck.parsing.message import parse_mail
from tests.letters import SENT_AT, STORIES, letter, newsletter

from .samples import only_letter, raw_letter

ESSAY = "<p>" + "</p><p>".join(f"A thought of some length, the {n}th of many." for n in range(9))


# ---- one letter


def test_a_letter_is_one_item_with_its_sender_date_and_id() -> None:
    entry = only_letter(letter(html=ESSAY, subject="On wind"))

    assert (entry.title, entry.author) == ("On wind", "The Daily Grid")
    assert entry.published_at == SENT_AT
    assert entry.guid == "42@grid.example"
    assert entry.text.count("A thought of some length") == 9


def test_the_sender_is_told_apart_from_the_name_he_gives() -> None:
    mail = parse_mail(letter(html=ESSAY, sender='"Grid, The" <News@Grid.Example>'))

    assert (mail.sender, mail.sender_name) == ("news@grid.example", "Grid, The")


def test_html_is_preferred_to_the_text_that_says_the_same() -> None:
    entry = only_letter(letter(text="See the web.", html=ESSAY))

    assert "See the web" not in entry.text
    assert "A thought" in entry.text


def test_plain_text_becomes_paragraphs_with_links() -> None:
    entry = only_letter(letter(text="Dear reader,\n\nsee https://grid.example/a?b=1&c=2.\nYours\n"))

    assert entry.text == "Dear reader,\nsee https://grid.example/a?b=1&c=2.\nYours"
    assert 'href="https://grid.example/a?b=1&amp;c=2"' in entry.html


def test_pixels_and_hidden_preheaders_are_dropped() -> None:
    html = (
        '<div style="max-height:0;opacity:0;display:none">Peek</div><p>Hello, here is news.</p>'
        '<img src="https://t.example/a" width="1" height="1">'
        '<img src="https://t.example/b" style="width:1px"><img src="https://t.example/open.php?u=1">'
        '<img src="https://cdn.example/chart.png" width="100" height="100">'
    )

    entry = only_letter(letter(html=html))

    assert entry.text == "Hello, here is news."
    assert "t.example" not in entry.html
    assert entry.image_url == "https://cdn.example/chart.png"


@pytest.mark.parametrize(
    "words",
    [
        "View this email in your browser",
        "Im Browser ansehen",
        "Voir la version en ligne",
        "Ver en el navegador",
        "Read online",
    ],
)
def test_its_address_is_where_it_stands_on_the_web(words: str) -> None:
    html = f'<a href="https://a.example/">Us</a> <a href="https://a.example/web">{words}</a>{ESSAY}'

    assert only_letter(letter(html=html)).url == "https://a.example/web"


def test_an_archived_letter_names_its_address_itself() -> None:
    body = letter(html=ESSAY, Archived_At="<https://lists.example/42>")

    assert only_letter(body).url == "https://lists.example/42"


def test_two_letters_with_the_same_link_are_not_taken_for_one() -> None:
    entry = only_letter(letter(html=f'<a href="https://grid.example/latest">Home</a>{ESSAY}'))

    assert entry.url == "https://grid.example/latest"
    assert entry.canonical_url is None


def test_a_forwarded_letter_is_read_where_it_lies() -> None:
    outer = EmailMessage()
    outer["Subject"] = "Fwd: grid"
    outer.set_content("Look at this:")
    inner = EmailMessage()
    inner.set_content("Wind is up.")
    outer.add_attachment(inner)

    assert only_letter(outer.as_bytes()).text == "Look at this:\nWind is up."


def test_attachments_are_not_text() -> None:
    message = EmailMessage()
    message["Subject"] = "Minutes"
    message.set_content("Attached.")
    message.add_attachment("secret,table", subtype="csv", filename="a.csv")

    assert only_letter(message.as_bytes()).text == "Attached."


# ---- several stories


def titles(mail: ParsedMail) -> list[str]:
    return [entry.title for entry in mail.entries]


def test_a_newsletter_is_as_many_items_as_it_has_stories() -> None:
    mail = parse_mail(letter(html=newsletter()))

    assert titles(mail) == list(STORIES)
    assert [entry.text for entry in mail.entries] == list(STORIES.values())
    assert [entry.guid for entry in mail.entries][:2] == ["42@grid.example#1", "42@grid.example#2"]
    assert mail.entries[2].url == "https://grid.example/1/2?utm_source=mail"
    assert mail.entries[2].canonical_url == "https://grid.example/1/2"
    assert mail.entries[2].image_url == "https://cdn.grid.example/1-2.jpg"


def test_headings_with_a_link_below_are_stories() -> None:
    html = "".join(
        f"<h2>{title}</h2><p>{body}</p><p><a href='https://grid.example/{n}'>Weiterlesen</a></p>"
        for n, (title, body) in enumerate(STORIES.items())
    )

    mail = parse_mail(letter(html=html))

    assert titles(mail) == list(STORIES)
    assert [entry.url for entry in mail.entries][-1] == "https://grid.example/3"


def test_plain_text_with_headlines_and_addresses_is_several_too() -> None:
    text = "\n\n".join(
        f"{title}\n\n{body}\nhttps://grid.example/{n}"
        for n, (title, body) in enumerate(STORIES.items())
    )

    assert titles(parse_mail(letter(text=text))) == list(STORIES)


def test_an_essay_with_headings_and_links_in_its_text_stays_one() -> None:
    html = "".join(
        f"<h2>{title}</h2><p>{body} As <a href='https://other.example/{n}'>they say</a>, so.</p>"
        for n, (title, body) in enumerate(STORIES.items())
    )

    assert titles(parse_mail(letter(html=html))) == ["Your morning grid"]


def test_two_stories_are_not_clearly_several() -> None:
    two = dict(list(STORIES.items())[:2])

    assert titles(parse_mail(letter(html=newsletter(two)))) == ["Your morning grid"]


def test_a_long_lead_is_an_item_of_its_own() -> None:
    lead = f"<p>{'Dear reader, this has been on our minds for weeks. ' * 12}</p>"

    mail = parse_mail(letter(html=newsletter().replace("<table width", f"{lead}<table width")))

    assert titles(mail) == ["Your morning grid", *STORIES]
    assert mail.entries[0].url == "https://grid.example/web/1"


# ---- no news


@pytest.mark.parametrize(
    ("subject", "button"),
    [
        ("Please confirm your subscription", "Yes, subscribe me"),
        ("Verify your email address", "Verify"),
        ("Bitte bestätigen Sie Ihre Anmeldung", "Anmeldung bestätigen"),
        ("Confirmez votre inscription", "Je confirme mon inscription"),
        ("Confirma tu suscripción", "Confirmar suscripción"),
        ("Conferma la tua iscrizione", "Conferma"),
        ("Bevestig je inschrijving", "Bevestigen"),
        ("Bekräfta din prenumeration", "Bekräfta"),
        ("Potwierdź subskrypcję", "Potwierdzam zapis"),
        ("Подтвердите подписку", "Подтвердить"),
        ("メールアドレスの確認", "登録を確認する"),
        ("Just one more step", "Confirm my subscription"),
    ],
)
def test_a_question_to_confirm_is_no_news_but_shown(subject: str, button: str) -> None:
    html = (
        '<p><a href="https://grid.example/">The Grid</a> is glad to have you.</p>'
        f'<p><a href="https://grid.example/confirm/abc">{button}</a></p>'
        '<p>Not you? <a href="https://grid.example/unsubscribe">Unsubscribe</a></p>'
    )

    mail = parse_mail(letter(html=html, subject=subject))

    assert mail.entries == ()
    assert mail.to_confirm == "https://grid.example/confirm/abc"


def test_a_question_to_confirm_may_have_links_below_that_could_be_headlines() -> None:
    links = "".join(
        f"<p><a href='https://grid.example/{n}'>{words}</a></p>"
        for n, words in enumerate(["Our help for beginners", *STORIES])
    )
    html = f"<p><a href='https://grid.example/confirm/abc'>Confirm my subscription</a></p>{links}"

    mail = parse_mail(letter(html=html, subject="Please confirm your subscription"))

    assert (mail.entries, mail.to_confirm) == ((), "https://grid.example/confirm/abc")


def test_news_of_confirming_is_news() -> None:
    body = letter(
        html=newsletter({"Senate confirms the new registration law": "x " * 40, **STORIES}),
        subject="Senate confirms registration law",
    )

    mail = parse_mail(body)

    assert mail.to_confirm is None
    assert len(mail.entries) == 5


@pytest.mark.parametrize(
    "headers",
    [
        "From: Ada <ada@example.org>\nAuto-Submitted: auto-replied\nSubject: Re: hello",
        "From: Ada <ada@example.org>\nSubject: Out of office: Re: hello",
        "From: Ada <ada@example.org>\nSubject: Automatische Antwort: hello",
        "From: MAILER-DAEMON@mx.example\nSubject: Something happened",
        "From: Ada <ada@example.org>\nReturn-Path: <>\nSubject: Undeliverable: hello",
        "From: x@y.example\nContent-Type: multipart/report; boundary=x\nSubject: Report",
    ],
)
def test_automatic_answers_and_bounces_are_ignored(headers: str) -> None:
    mail = parse_mail(raw_letter(headers))

    assert (mail.entries, mail.to_confirm) == ((), None)


def test_a_newsletter_about_being_away_is_news() -> None:
    body = letter(
        html=ESSAY, subject="Out of office: how we rest", List_Unsubscribe="<https://a.b>"
    )

    assert only_letter(body).title == "Out of office: how we rest"
