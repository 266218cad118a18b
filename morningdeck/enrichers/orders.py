"""What in a text is said to a model and not to its readers.

It is left out of what a model is given, and supports nothing that one says. An article about
such tricks loses a sentence or two by it.
"""

from __future__ import annotations

import re

from morningdeck.enrichers.sentences import sentences

_WRITINGS = (
    *("answer", "response", "repl", "output", "summar", "completion", "antwort", "ausgabe"),
    *("zusammenfassung", "réponse", "résumé", "respuesta", "resumen", "risposta", "riassunto"),
    *("antwoord", "samenvatting", "resposta", "resumo"),
)
_ORDERS = (
    (
        _WRITINGS,
        r"""\b(?:your|deine[mnrs]?|ihre[mnrs]?|votre|vos|tu|vuestra|la\ tua|jouw|uw|sua)\s+
        (?:\w+\s+){0,2}
        (?:answers?|responses?|repl(?:y|ies)|outputs?|summar(?:y|ies)|completions?|antwort|ausgabe
        |zusammenfassung|réponse|résumé|respuesta|resumen|risposta|riassunto|antwoord
        |samenvatting|resposta|resumo)\b""",
    ),
    (
        ("ignore", "disregard", "forget", "override", "bypass"),
        r"""\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}
        \b(?:instructions?|prompts?|rules?|guidelines?|directions?|everything\ above)\b""",
    ),
    (
        ("ignor", "vergiss", "missachte", "oubliez", "olvida", "dimentica", "negeer"),
        r"""\b(?:ignoriere|vergiss|missachte|ignorez|oubliez|ignora|olvida|dimentica|negeer)\b.{0,40}
        \b(?:anweisung\w*|instructions?|instrucciones|istruzioni|instructies|instruções)\b""",
    ),
    (
        ("prompt", "message", "instruction"),
        r"\b(?:system|developer|hidden)\s+(?:prompts?|messages?|instructions?)\b",
    ),
    (
        ("ai", "a.i.", "llm", "language model", "assistant", "chatbot"),
        r"""\b(?:you\ are|act\ as|as|pretend\ to\ be)\s+(?:an?|the|now\ an?)\s+
        (?:ai|a\.i\.|llm|large\ language\ model|language\ model|assistant|chatbot)\b""",
    ),
    (
        ("dear", "hey", "hello", "attention", "note to", "message ", "if you are"),
        r"""\b(?:dear|hey|hello|attention|note\ to|message\ (?:to|for)|if\ you\ are)\b.{0,25}
        \b(?:ai|a\.i\.|llms?|language\ models?|assistants?|chatbots?|summari[sz]ers?|bots?)\b""",
    ),
    (
        ("must", "should", "shall", "have to", "are told", "are asked", "are instructed"),
        r"""\b(?:ai|a\.i\.|llms?|language\ models?|assistants?|summari[sz]ers?)\b.{0,40}
        \b(?:must|should|shall|have\ to|are\ (?:told|asked|instructed)\ to)\b.{0,30}
        \b(?:output|say|respond|reply|include|mention|write|rate|score|summari[sz]e|answer|add)\b""",
    ),
    (
        ("rate", "score", "grade", "rank"),
        r"""\b(?:rate|score|grade|rank)\b.{0,40}\b(?:article|item|text|story|this|it)\b.{0,40}
        \b(?:100|hundred|highest|maximum|top|perfect)\b""",
    ),
    (
        ("summari",),
        r"\bwhen(?:ever)?\ (?:you\ )?(?:are\ )?(?:asked\ to\ )?summari[sz](?:e|ing)\b",
    ),
    (
        ("summary",),
        r"""\b(?:in|into|of|to|at)\ (?:the|this|any|every)\ (?:generated\ )?summary\b.{0,40}
        \b(?:include|add|write|say|mention|link|put)\b
        | \b(?:include|add|write|mention|put|append|insert|place)\b.{0,60}
        \b(?:in|into|to|at\ the\ (?:end|start|top)\ of)\ (?:the|this|any|every|its)\ summary\b""",
    ),
    (("<",), r"<\|?/?(?:im_start|im_end|system|assistant|user|endoftext)\b"),
    (("inst]",), r"\[/?inst\]"),
    (("system", "assistant"), r"^\s*(?:system|assistant)\s*:"),
)
"""Each with words of which one must be there, for a quick look: few articles have any."""
_PATTERNS = tuple((words, re.compile(pattern, re.VERBOSE)) for words, pattern in _ORDERS)
_LETTERS = (("İ", "i"), ("ı", "i"), ("ſ", "s"), ("\u212a", "k"))
"""What may stand for a plain letter, and is no other in small letters."""


def without_orders(text: str) -> str:
    """The text, but for sentences that speak to a model."""
    if not is_order(text):
        return text
    lines = (_of_line(line) for line in text.splitlines())
    return "\n".join(line for line in lines if line)


def is_order(text: str) -> bool:
    """Whether some of it is one."""
    plain = text
    if not text.isascii():
        for letter, meant in _LETTERS:
            plain = plain.replace(letter, meant)
    plain = plain.lower()
    return any(
        any(word in plain for word in words) and pattern.search(plain)
        for words, pattern in _PATTERNS
    )


def _of_line(line: str) -> str:
    if not is_order(line):
        return line
    return " ".join(sentence for sentence in sentences(line) if not is_order(sentence))
