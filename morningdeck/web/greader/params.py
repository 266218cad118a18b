"""What a request says, in its query, its form or both: clients differ."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import parse_qsl

from fastapi import Depends, Request
from starlette.exceptions import HTTPException

MOST_PARAMS = 20_000
FORM = "application/x-www-form-urlencoded"


class Params:
    """Values by name, in their order, those of the form first."""

    def __init__(self, pairs: list[tuple[str, str]]) -> None:
        self._values: dict[str, list[str]] = {}
        for name, value in pairs:
            self._values.setdefault(name, []).append(value)

    def all(self, name: str) -> list[str]:
        return self._values.get(name, [])

    def one(self, name: str, otherwise: str = "") -> str:
        return self._values.get(name, [otherwise])[0].strip()

    def needed(self, name: str) -> str:
        value = self.one(name)
        if not value:
            raise HTTPException(400, f"{name} is missing")
        return value

    def has(self, name: str) -> bool:
        return name in self._values


async def params_of(request: Request) -> Params:
    kind = request.headers.get("content-type", FORM)
    form = await request.body() if request.method == "POST" and kind.startswith(FORM) else b""
    try:
        pairs = [
            *_pairs(form.decode("utf-8", "replace")),
            *_pairs(request.scope["query_string"].decode("latin-1")),
        ]
    except ValueError as error:
        raise HTTPException(400, f"more than {MOST_PARAMS:,} values: send them in turns") from error
    return Params(pairs)


def _pairs(text: str) -> list[tuple[str, str]]:
    return parse_qsl(text, keep_blank_values=True, errors="replace", max_num_fields=MOST_PARAMS)


Said = Annotated[Params, Depends(params_of)]
