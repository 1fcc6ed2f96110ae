"""Where a model and the built-in differ: a second question about their two lines alone, shuffled."""

from hashlib import sha256
from typing import Literal

from pydantic import Field

from schedmate.agents.failure_judge import CauseClaim
from schedmate.agents.failure_window import LogWindow
from schedmate.models.llm import LanguageModel, system, user
from schedmate.models.voting import Voted
from schedmate.prompts import load_prompt

NEAR_LINES = 5
LETTERS = "AB"


class Settled(Voted):
    """The words that decide, and the candidate that they speak for."""

    words: str = Field(max_length=160)
    choice: Literal["A", "B", "neither"]

    def vote(self) -> str:
        """Vote on the candidate."""
        return self.choice


async def settle(model: LanguageModel, one: CauseClaim, other: CauseClaim, seen: LogWindow) -> CauseClaim | None:
    """Ask which of two claims its line bears out; None for neither."""
    order = sorted((one, other), key=lambda claim: sha256(told_of("", claim, seen).encode()).digest())
    told = "\n".join(told_of(letter, claim, seen) for letter, claim in zip(LETTERS, order, strict=True))
    rules, mark, form = load_prompt("settle").partition("CANDIDATES\n{")
    messages = [system(rules), user((mark + form).replace("{candidates}", told))]
    answer = await model.answer(messages, Settled, answer_tokens=160)
    return None if answer.choice == "neither" else order[LETTERS.index(answer.choice)]


def told_of(letter: str, claim: CauseClaim, seen: LogWindow) -> str:
    """Write a candidate: its line and class, and the lines around it."""
    if claim.line is None:
        near = seen.lines[-NEAR_LINES:]
        return "\n".join([f"{letter}: line 0, {claim.error_type}", *(f"{one.number}| {one.text}" for one in near)])
    near = seen.around(claim.line.number, NEAR_LINES)
    rows = [f"{letter}: line {claim.line.number}, {claim.error_type}"]
    return "\n".join([*rows, *(f"{one.number}| {one.text}" for one in near)])
