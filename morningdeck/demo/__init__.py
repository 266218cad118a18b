"""The demo: the real pipeline on bundled feeds, without network, key or settings."""

from morningdeck.demo.play import DemoResult, play

__all__ = ["DemoResult", "play"]
