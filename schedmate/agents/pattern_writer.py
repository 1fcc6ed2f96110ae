"""Ask a model to write the pattern of a log that no one has described; it reads no numbers, and code tests it."""

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, Field

from schedmate.counts import how_many
from schedmate.models.llm import LanguageModel, system, user
from schedmate.prompts import load_prompt
from schedmate.readers.progress.learning.examples import Kind
from schedmate.readers.progress.learning.learned import OPEN
from schedmate.readers.progress.learning.trial import MAX_WRITTEN, compiled
from schedmate.readers.progress.lines.formats import Format, Pattern, known_formats
from schedmate.schemas import Metrics

WrittenRole = Literal[
    "step", "total_steps", "epoch", "total_epochs", "step_time", "steps_rate", "interval_time", "elapsed", "eta",
    "epoch_time", "throughput", "loss", "batch_size",
]  # fmt: skip


class WrittenUnit(BaseModel):
    """The unit that a group's number is printed in."""

    group: WrittenRole
    unit: str = Field(max_length=24)


class WrittenLine(BaseModel):
    """One of its lines, and the pattern of one kind of line."""

    example: str = Field("", max_length=300)
    pattern: str = Field(max_length=MAX_WRITTEN)
    units: list[WrittenUnit] = Field([], max_length=8)


class Written(BaseModel):
    """What the model says: a pattern for each kind of line that counts, and which program prints this."""

    lines: list[WrittenLine] = Field([], max_length=3)
    framework: str = Field("", max_length=40)


async def write(model: LanguageModel, kinds: Sequence[Kind], found: Metrics, problems: Sequence[str] = ()) -> Written:
    """Ask for patterns; `problems` are what spoke against those that were written before."""
    prompt = load_prompt("write_pattern")
    rules, mark, form = prompt.partition("What a program found")
    told = (mark + form).replace("{found}", told_of(found)).replace("{problems}", problems_told(problems))
    return await model.answer([system(rules), user(told.replace("{log}", shown(kinds)))], Written, answer_tokens=700)


def told_of(found: Metrics) -> str:
    """Put what the built-in found into a line each, and what it did not."""
    return "\n".join(f"- {name}: {value if (value := getattr(found, name)) is not None else 'open'}" for name in OPEN)


def problems_told(problems: Sequence[str]) -> str:
    """Say what was wrong with the last answer."""
    return "" if not problems else "Your last patterns failed: " + "; ".join(problems)[:1200] + "\n"


def shown(kinds: Sequence[Kind]) -> str:
    """Lay out the kinds of lines with a few examples each."""
    return "\n".join(f"# {how_many(len(kind.lines), 'line')} like these:\n" + "\n".join(kind.shown) for kind in kinds)


def format_of(written: Written, lines: Sequence[str]) -> tuple[Format | None, list[str]]:
    """Compile what the model wrote; what cannot be used is left out and told."""
    patterns: list[Pattern] = []
    problems = []
    for one in written.lines:
        pattern, problem = compiled(one.pattern, {unit.group: unit.unit for unit in one.units}, lines)
        if pattern is None:
            problems.append(f"{problem} ({one.pattern[:200]})")
        else:
            patterns.append(pattern)
    name = "".join(char for char in written.framework if char.isalnum() or char in " ._+-").strip()
    if not patterns:
        return None, problems or ["no pattern was written"]
    if not name or name in {known.framework for known in known_formats()}:
        name = f"{name or 'a format'}, learned"
    return Format(name, tuple(patterns), "learned"), problems
