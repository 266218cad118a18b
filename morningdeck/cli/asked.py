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


def sure(question: str, option: str) -> None:
    """Raises unless somebody at the terminal says yes; nobody else is asked."""
    if not sys.stdin.isatty():
        raise ConfigError(f"this cannot be undone: say {option}, or run it at a terminal")
    typer.confirm(f"{question}? This cannot be undone", abort=True)
