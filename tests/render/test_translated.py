"""A place that was translated says so, and in whose language it was."""

from __future__ import annotations

from dataclasses import replace

import pytest

from morningdeck.model.sending import Report
from morningdeck.render.fitting import render


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "translated, original: Spanish"),
        ("de", "übersetzt, Original: Spanisch"),
        ("fr", "traduit, original\u00a0: espagnol"),
        ("pt", "traduzido, original: espanhol"),
    ],
)
def test_a_translated_place_names_the_language_of_its_original(
    report: Report, language: str, said: str
) -> None:
    first, *others = report.items
    told = replace(first, language="es", translated=True)

    rendered = render(replace(report, language=language, items=(told, *others)))

    assert rendered.html.count(said) == 1
    assert " ".join(rendered.text.split()).count(" ".join(said.split())) == 1
    assert 'lang="es"' not in rendered.html


def test_a_line_says_so_beside_its_source(report: Report) -> None:
    many = tuple(
        replace(report.items[0], position=n, language="es", translated=True) for n in range(1, 13)
    )

    text = " ".join(render(replace(report, items=many)).text.split())

    assert text.count("translated, original: Spanish") == len(many)
