"""Mail that is no news: bounces, automatic answers, and questions whether one means it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from email.message import Message

from morningdeck.parsing import mime
from morningdeck.parsing.mail_lines import TextLine, links
from morningdeck.parsing.newsletter import FOOT

LONGEST_CONFIRMATION = 3_000
MOST_LINKS = 15

_REPORTS = frozenset({"multipart/report", "message/delivery-status", "message/feedback-report"})
_ROBOTS = re.compile(r"(mailer-?daemon|post_?master|mail-daemon)@", re.I)
_AWAY = re.compile(
    r"\s*(?:\[[^\]]*\]\s*)?(auto(mat\w+)?[ -]?(reply|response|answer)|out[ -]of[ -](the )?office"
    r"|vacation|away from|automatische (antwort|beantwoording)|abwesenheit\w*|réponse automatique"
    r"|absence du bureau|respuesta automática|fuera de la oficina|risposta automatica"
    r"|resposta automática|autosvar|automatiskt svar|automaattinen|автоответ|自動応答|自动回复)\b",
    re.I,
)
_RETURNED = re.compile(
    r"\s*(undeliver(ed|able)|delivery (status notification|failure|report|has failed)|returned mail"
    r"|mail delivery (fail|system|sub)|(mail |message )?delivery failed|failure notice"
    r"|unzustellbar|nicht zustellbar|non remis|no se puede entregar|mancato recapito)",
    re.I,
)
_CONFIRM = (
    r"(?:confirm\w*|verif(?:y|ier|i[ck]\w+)|validat\w+|activat\w+|valid(?:er|ez)"
    r"|bestätig\w*|aktivier\w*|verifizier\w*|bevestig\w*|conferma\w*|bekräfta|bekræft\w*"
    r"|bekreft\w*|vahvista\w*|potwierd\w*|potvrd\w*|megerősít\w*|confirmă|onayla\w*"
    r"|подтверд\w*|確認|确认|double opt.?in)"
)
_WHAT = (
    r"(?:subscri\w+|sign.?up|e-?mail\w*|adress\w*|address|registration|newsletter\w*|mailing list"
    r"|anmeldung|abonnement\w*|abo|registrierung|inscription|adresse|courriel|suscripci[óo]n"
    r"|correo|registro|iscrizione|indirizzo|inscriç[ãa]o|assinatura|inschrijving|aanmelding"
    r"|prenumeration\w*|tilmelding|påmelding|tilaus\w*|subskrypcj\w*|zapis\w*|adres\w*|odběr\w*"
    r"|feliratkoz\w*|abone\w*|подписк\w*|адрес\w*|登録|購読|订阅|订閱|邮箱)"
)
_ASKS = re.compile(
    rf"{_CONFIRM}.{{0,60}}{_WHAT}|{_WHAT}.{{0,60}}{_CONFIRM}"
    rf"|^(?:please |bitte )?{_CONFIRM}\s*[!.]*$|^confirm [0-9a-f]{{12,}}",
    re.I,
)
_WAY = re.compile(r"confirm|verif|activat|valid|opt.?in|bestaetig|doi", re.I)


def is_automatic(message: Message, subject: str, address: str) -> bool:
    """A bounce, a report or an absence notice: sent by a machine, and no news."""
    if mime.has_header(message, "list-unsubscribe") or mime.has_header(message, "list-id"):
        return False
    if any(part.get_content_type() in _REPORTS for part in mime.walk(message)):
        return True
    answered = mime.header(message, "auto-submitted").lower().startswith("auto-replied")
    named = any(mime.has_header(message, name) for name in ("x-autoreply", "x-autorespond"))
    if answered or named or mime.header(message, "precedence").lower() == "auto_reply":
        return True
    nobody = not address or mime.header(message, "return-path") == "<>"
    return (
        _ROBOTS.match(address) is not None
        or _AWAY.match(subject) is not None
        or (nobody and _RETURNED.match(subject) is not None)
    )


def confirmation(subject: str, lines: Sequence[TextLine]) -> str | None:
    """The link that confirms a subscription, empty where an answer does; None if none is asked."""
    known = [(text, to) for text, to in links(lines) if not FOOT.search(f"{text} {to}")]
    length = sum(len(line.text) for line in lines)
    if length > LONGEST_CONFIRMATION or len(known) > MOST_LINKS:
        return None
    named = [to for text, to in known if _ASKS.search(text)]
    if not _ASKS.search(subject):
        return named[0] if named and not _looks_like_news(known, named) else None
    ways = [to for text, to in known if re.search(_CONFIRM, text, re.I) or _WAY.search(to)]
    asked = any(_ASKS.search(line.text) for line in lines)
    return next(iter(named or ways), "" if asked else None)


def _looks_like_news(known: Sequence[tuple[str, str]], named: Sequence[str]) -> bool:
    """One link among many may be a headline that speaks of confirming."""
    return len({to for _, to in known} - set(named)) > 3
