"""What a command asks whoever is at the terminal, or reads where nobody is."""

from __future__ import annotations

import sys

import typer

from morningdeck.errors import ConfigError


def new_password() -> str:
    """Without a terminal, the first line of what is piped in."""
    if sys.stdin.isatty():
        given: str = typer.prompt("New password", hide_input=True, confirmation_prompt=True)
        return given
    line = sys.stdin.readline().rstrip("\r\n")
    if not line:
        raise ConfigError("no password was given: pipe one in, or run this at a terminal")
    return line
