"""Ask a model why a job died; it names lines, then a class, and code checks both."""

from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from schedmate.agents.failure_window import LogWindow, Shown, as_text
from schedmate.models.llm import LanguageModel, system, user
from schedmate.models.voting import Voted
from schedmate.prompts import load_prompt
from schedmate.schemas import Category, Diagnosis, Restart, Subcategory

ErrorType = Literal[
    "infrastructure/gpu",
    "infrastructure/nvlink",
    "infrastructure/network",
    "infrastructure/node",
    "infrastructure/other",
    "framework",
    "script",
    "other",
    "none",
]
CLASSES: dict[ErrorType, tuple[Category, Subcategory | None, Restart]] = {
    "infrastructure/gpu": ("infrastructure", "gpu", "elsewhere"),
    "infrastructure/nvlink": ("infrastructure", "nvlink", "elsewhere"),
    "infrastructure/network": ("infrastructure", "network", "elsewhere"),
    "infrastructure/node": ("infrastructure", "node", "elsewhere"),
    "infrastructure/other": ("infrastructure", "other", "yes"),
    "framework": ("framework", None, "no"),
    "script": ("script", None, "no"),
    "other": ("other", None, "no"),
    "none": ("none", None, "no"),
}
ANSWER_TOKENS = 400

RULES_TOKENS = 1800
"""What the rules, their examples and the form of the answer take of the context."""
CHARS_PER_TOKEN = 2
"""A low guess, as everywhere where logs are fitted."""
MOST_CHARS, LEAST_CHARS = 48_000, 2_000


class Judgement(Voted):
    """The paper's JSON (error type, faulty component), after the lines that show it and what they say."""

    lines: list[int] = Field(max_length=5)
    cause: str = Field(max_length=300)
    error_type: ErrorType
    faulty_component: str = Field("", max_length=120)

    def vote(self) -> ErrorType:
        """Vote on the class."""
        return self.error_type

    def preference(self) -> int | None:
        """Take the commonest first cause of those that agree."""
        return self.lines[0] if self.lines else None


@dataclass(frozen=True)
class CauseClaim:
    """A class, and the line that is said to state the first cause; none for a healthy run."""

    error_type: ErrorType
    line: Shown | None

    def is_class_of(self, found: Diagnosis) -> bool:
        """Tell whether this is the class of an answer."""
        category, subcategory, _ = CLASSES[self.error_type]
        return category == found.category and subcategory in (None, found.subcategory)


async def judge(model: LanguageModel, window: LogWindow) -> tuple[Judgement, LogWindow]:
    """Ask once, without the built-in's answer, which would be agreed with; give also what was shown."""
    context = (await model.facts()).context_tokens
    room = (context - ANSWER_TOKENS - RULES_TOKENS) * CHARS_PER_TOKEN
    seen = window.within(min(MOST_CHARS, max(LEAST_CHARS, room)))
    rules, mark, form = load_prompt("judge").partition("The job to judge:")
    told = (mark + form).replace("{marked}", ", ".join(map(str, seen.marked)) or "none")
    messages = [system(rules), user(told.replace("{window}", as_text(seen)))]
    return await model.answer(messages, Judgement, answer_tokens=ANSWER_TOKENS), seen


def claim_of(judgement: Judgement, seen: LogWindow) -> CauseClaim:
    """Take the class and the first line that was really shown."""
    lines = [line for number in judgement.lines if (line := seen.find(number))]
    return CauseClaim(judgement.error_type, lines[0] if lines and judgement.error_type != "none" else None)


def component_in(judgement: Judgement, seen: LogWindow) -> str:
    """Give the part that is said to be at fault, if a line that was shown names it."""
    component = judgement.faulty_component.strip()
    return component if component and any(component in line.text for line in seen.lines) else ""


def error_type_of(found: Diagnosis) -> ErrorType:
    """Write an answer's class as a model is to write it."""
    kind = (found.category, found.subcategory if found.category == "infrastructure" else None)
    return next((name for name, told in CLASSES.items() if told[:2] == kind), "infrastructure/other")
