"""What a form says: fields of text, and files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated
from urllib.parse import parse_qsl

from fastapi import Depends, Request
from starlette.exceptions import HTTPException

from morningdeck.web.multipart import parts_of
from morningdeck.work import LARGEST_ID

MOST_FIELDS = 1000
URLENCODED, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"


@dataclass(frozen=True, slots=True)
class FormFields:
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """Without the blanks around it; empty where the form has no such field."""
        return self.all(name)[0].strip() if self.all(name) else ""

    def secret(self, name: str) -> str:
        """As it was written, to the last blank."""
        return self.all(name)[0] if self.all(name) else ""

    def all(self, name: str) -> tuple[str, ...]:
        return self.texts.get(name, ())

    def ticked(self, name: str) -> bool:
        return name in self.texts


def whole_number(text: str, most: int = LARGEST_ID) -> int | None:
    """From 1 on; None for what is none, and for those that nobody can have."""
    if not (text.isascii() and text.isdigit()) or len(text) > len(str(LARGEST_ID)):
        return None
    return int(text) if 0 < int(text) <= most else None


def read_form(kind: str, body: bytes) -> FormFields:
    """`kind` is the Content-Type; a body of another kind is no form of ours."""
    bare = kind.partition(";")[0].strip().lower()
    if bare == MULTIPART:
        return _of_parts(kind, body)
    if bare not in ("", URLENCODED):
        raise HTTPException(415, "this takes forms as browsers send them")
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError as error:
        raise HTTPException(400, "this form cannot be read") from error
    return FormFields(_grouped(pairs))


def _of_parts(kind: str, body: bytes) -> FormFields:
    texts, files = [], {}
    for part in parts_of(kind, body):
        if part.is_file:
            files[part.name] = part.content
        else:
            texts.append((part.name, part.content.decode("utf-8", "replace")))
    return FormFields(_grouped(texts), files)


def _grouped(pairs: list[tuple[str, str]]) -> Mapping[str, tuple[str, ...]]:
    texts: dict[str, tuple[str, ...]] = {}
    for name, value in pairs:
        texts[name] = (*texts.get(name, ()), value.replace("\r\n", "\n"))
    return texts


async def _filled_in(request: Request) -> FormFields:
    form: FormFields = request.state.form
    return form


FilledIn = Annotated[FormFields, Depends(_filled_in)]
"""The form of a request, for a page's handler."""
