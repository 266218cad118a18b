"""What in a text is said to a model and not to its readers.

It is left out of what a model is given, and supports nothing that one says. An article about
such tricks loses a sentence or two by it.
"""

from __future__ import annotations

import re

from morningdeck.enrichers.sentences import sentences

_ORDER = re.compile(
    r"""
    \b(?:your|deine[mnrs]?|ihre[mnrs]?|votre|vos|tu|vuestra|la\ tua|jouw|uw|sua)\s+(?:\w+\s+){0,2}
        (?:answers?|responses?|repl(?:y|ies)|outputs?|summar(?:y|ies)|completions?|antwort|ausgabe
        |zusammenfassung|réponse|résumé|respuesta|resumen|risposta|riassunto|antwoord
        |samenvatting|resposta|resumo)\b
    | \b(?:ignore|disregard|forget|override|bypass)\b.{0,40}
        \b(?:instructions?|prompts?|rules?|guidelines?|directions?|everything\ above)\b
    | \b(?:ignoriere|vergiss|missachte|ignorez|oubliez|ignora|olvida|dimentica|negeer)\b.{0,40}
        \b(?:anweisung\w*|instructions?|instrucciones|istruzioni|instructies|instruções)\b
    | \b(?:system|developer|hidden)\s+(?:prompts?|messages?|instructions?)\b
    | \b(?:you\ are|act\ as|as|pretend\ to\ be)\s+(?:an?|the|now\ an?)\s+
        (?:ai|a\.i\.|llm|large\ language\ model|language\ model|assistant|chatbot)\b
    | \b(?:dear|hey|hello|attention|note\ to|message\ (?:to|for)|if\ you\ are)\b.{0,25}
        \b(?:ai|a\.i\.|llms?|language\ models?|assistants?|chatbots?|summari[sz]ers?|bots?)\b
    | \b(?:ai|a\.i\.|llms?|language\ models?|assistants?|summari[sz]ers?)\b.{0,40}
        \b(?:must|should|shall|have\ to|are\ (?:told|asked|instructed)\ to)\b.{0,30}
        \b(?:output|say|respond|reply|include|mention|write|rate|score|summari[sz]e|answer|add)\b
    | \b(?:rate|score|grade|rank)\b.{0,40}\b(?:article|item|text|story|this|it)\b.{0,40}
        \b(?:100|hundred|highest|maximum|top|perfect)\b
    | \bwhen(?:ever)?\ (?:you\ )?(?:are\ )?(?:asked\ to\ )?summari[sz](?:e|ing)\b
    | \b(?:in|into|of|to|at)\ (?:the|this|any|every)\ (?:generated\ )?summary\b.{0,40}
        \b(?:include|add|write|say|mention|link|put)\b
    | \b(?:include|add|write|mention|put|append|insert|place)\b.{0,60}
        \b(?:in|into|to|at\ the\ (?:end|start|top)\ of)\ (?:the|this|any|every|its)\ summary\b
    | <\|?/?(?:im_start|im_end|system|assistant|user|endoftext)\b | \[/?inst\]
    | ^\s*(?:system|assistant)\s*:
    """,
    re.VERBOSE | re.IGNORECASE,
)


def without_orders(text: str) -> str:
    """The text, but for sentences that speak to a model."""
    if not _ORDER.search(text):
        return text
    lines = (_of_line(line) for line in text.splitlines())
    return "\n".join(line for line in lines if line)


def is_order(sentence: str) -> bool:
    return _ORDER.search(sentence) is not None


def _of_line(line: str) -> str:
    if not _ORDER.search(line):
        return line
    return " ".join(sentence for sentence in sentences(line) if not _ORDER.search(sentence))
