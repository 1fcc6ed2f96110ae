"""Ask a model which class a statement of a log belongs to, where embeddings leave it open."""

import json

from pydantic import Field

from schedmate.models.llm import LanguageModel, system, user
from schedmate.models.voting import Voted
from schedmate.prompts import load_prompt
from schedmate.schemas import LineClass


class Label(Voted):
    """The words of the line that decide, and the class that they speak for."""

    words: str = Field("", max_length=80)
    label: LineClass

    def vote(self) -> LineClass:
        """Vote on the class."""
        return self.label

    def preference(self) -> str:
        """Take the commonest words."""
        return self.words


async def label(model: LanguageModel, quote: str) -> Label:
    """Ask about one line alone, so that what it says can sway no other line's class."""
    told = json.dumps({"line": quote}, ensure_ascii=False)
    return await model.answer([system(load_prompt("label")), user(told)], Label, answer_tokens=120)


def is_founded(label: Label, quote: str) -> bool:
    """Tell whether the words that the model rests its answer on stand in the line."""
    words = label.words.strip().casefold()
    return bool(words) and words in quote.casefold()
