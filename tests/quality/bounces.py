"""Which mails end an address, beside the simplest rule: a line `Status: 5...`."""

from __future__ import annotations

import re
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from morningdeck.model.reading import BounceKind
from morningdeck.parsing.bounce import read_bounce
from tests.conftest import CORPORA
from tests.quality.figures import Figures

LABELS = Path(__file__).with_name("bounce_labels.txt")
DEAD = frozenset({"userunknown", "hostunknown", "hasmoved", "notaccept"})
EITHER = frozenset({"filtered", "suspend", "mailererror", "undefined", "onhold", "syntaxerror"})
"""Reasons that say neither: some servers answer so for a mailbox that is gone."""
RULE = re.compile(rb"^Status: 5", re.M)


@dataclass(frozen=True)
class Labelled:
    name: str
    content: bytes
    dead: bool


def labels() -> dict[str, str]:
    found = {}
    for line in LABELS.read_text(encoding="utf-8").splitlines():
        family, *mails = line.split()
        for mail in mails if not line.startswith("#") else ():
            number, _, reason = mail.partition(":")
            found[f"{family}-{number}"] = reason
    return found


def labelled(corpora: Path) -> Iterator[Labelled]:
    """Bounces by their reasons; vacation replies, complaints and letters end nothing."""
    reasons = labels()
    with tarfile.open(corpora / "bounces" / "bounces.tar.gz") as archive:
        for member in archive:
            file = archive.extractfile(member)
            if file is None:
                continue
            name = Path(member.name).stem
            reason = reasons.get(name) if member.name.startswith("bsd/") else None
            harmless = name.startswith(("arf", "rfc3834", "is-not-bounce"))
            if harmless or (reason and reason not in EITHER):
                yield Labelled(name, file.read(), reason in DEAD)


def ends(content: bytes) -> bool:
    return read_bounce(content).kind is BounceKind.DEAD


def rule(content: bytes) -> bool:
    return RULE.search(content) is not None


def run(figures: Figures) -> None:
    mails = list(labelled(CORPORA))
    dead = sum(one.dead for one in mails)
    figures.say(f"{len(mails)} mails came back or answered, {dead} from addresses that are dead")
    (precision, recall), (rough, rough_recall) = (_figures(mails, one) for one in (ends, rule))
    found = [read_bounce(one.content) for one in mails if one.dead and ends(one.content)]
    by_mail = sum(bool(one.message_ids) for one in found) / len(found)
    traced = sum(bool(one.message_ids or one.recipient) for one in found) / len(found)
    name = "a line Status: 5"
    figures.at_least("addresses ended, precision", precision, 0.95, rival=rough, name=name)
    figures.at_least("addresses ended, recall", recall, 0.85, rival=rough_recall, name=name)
    figures.at_least("and led to a mail or a reader", traced, 0.9, rival=by_mail, name="to a mail")


def _figures(mails: list[Labelled], ends: Callable[[bytes], bool]) -> tuple[float, float]:
    told = [(ends(one.content), one.dead) for one in mails]
    right = told.count((True, True))
    ended, dead = (sum(pair[which] for pair in told) for which in (0, 1))
    return right / max(1, ended), right / dead
