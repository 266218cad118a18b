"""How templates are filled: nothing in a report is markup, and no name in a template is made up."""

from __future__ import annotations

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from morningdeck.render.lines import listed, wrap
from morningdeck.render.styles import style

TEMPLATES = Environment(
    loader=PackageLoader("morningdeck"),
    autoescape=select_autoescape(disabled_extensions=("txt",), default=True),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
TEMPLATES.filters.update(wrap=wrap, listed=listed)
TEMPLATES.globals.update(style=style)
