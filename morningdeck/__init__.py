"""Morning Deck reads what its users cannot, and mails them what matters."""

__version__ = "0.1.0"
