"""The demo: the real pipeline on bundled feeds, without network, key or settings."""
