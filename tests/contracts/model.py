"""The port `Model`: what it answers has the form that was asked for, and its name on it."""

from __future__ import annotations

from morningdeck.model.asking import Purpose, Question
from morningdeck.ports.asking import Model

SCHEMA = {
    "type": "object",
    "properties": {
        "scores": {
            "type": "array",
            "maxItems": 3,
            "items": {
                "type": "object",
                "properties": {
                    "wish": {"type": "string", "enum": ["1", "2"]},
                    "reason": {"type": "string", "maxLength": 100},
                    "score": {"type": "integer", "minimum": 0, "maximum": 100},
                },
            },
        }
    },
}
QUESTION = Question(
    purpose=Purpose.ENRICH,
    instructions="How well does the article meet the wishes?",
    around=("<article-1>\nTitle: Quay\n\n", "\n</article-1>"),
    text="The port reopened its largest quay today. Ships can now switch off their engines.",
    schema=SCHEMA,
    tokens_out=200,
)


class ModelContract:
    """Give it the fixture `model`, which answers well."""

    def test_an_answer_has_the_form_that_was_asked_for(self, model: Model) -> None:
        (first, second) = model.ask(QUESTION).value["scores"]

        assert {first["wish"], second["wish"]} == {"1", "2"}
        assert 0 <= first["score"] <= 100

    def test_an_answer_has_the_name_of_the_model(self, model: Model) -> None:
        assert model.ask(QUESTION).by == model.name()
        assert model.name(heavy=True)
