"""The paper's Metric Extractor: a model reads the numbers from lines of progress; what is in no line is dropped."""

from collections.abc import Sequence

from pydantic import BaseModel, Field

from schedmate.models.llm import LanguageModel, system, user
from schedmate.prompts import load_prompt
from schedmate.readers.progress.lines.tokens import numbers_in, value_of
from schedmate.readers.progress.paper import ProgressLine
from schedmate.schemas import Evidence, Metrics

SCALES = (1.0, 1e-3, 1e-6, 60.0, 3600.0)
"""A time may be printed in seconds, ms, us, minutes or hours."""
NEAR = 0.006
CONFIDENCE = 0.6


class Numbers(BaseModel):
    """A line, and the numbers that the last lines of progress tell; null for what they do not."""

    line: str = Field("", max_length=300)
    step_time_s: float | None = Field(None, ge=0)
    throughput: float | None = None
    throughput_unit: str = Field("", max_length=24)
    loss: float | None = None
    step: int | None = None
    total_steps: int | None = None
    epoch: float | None = None


async def read_numbers(model: LanguageModel, lines: Sequence[ProgressLine]) -> Numbers:
    """Ask once for all lines together."""
    told = "LOG\n" + "\n".join(line.text for line in lines) + "\nEND OF LOG"
    return await model.answer([system(load_prompt("read_numbers")), user(told)], Numbers, answer_tokens=400)


def founded(numbers: Numbers, lines: Sequence[ProgressLine], path: str) -> Metrics:
    """Keep each number that a line shows, with that line as its evidence."""
    values: dict[str, float | int] = {}
    evidence: list[Evidence] = []
    dropped: list[str] = []
    for name in ("step_time_s", "throughput", "loss", "step", "total_steps", "epoch"):
        value = getattr(numbers, name)
        if value is None:
            continue
        line = line_showing(value, lines, is_time=name == "step_time_s")
        if line is None:
            dropped.append(f"the model's {name} of {value:g} is in no line")
            continue
        values[name] = value
        evidence.append(Evidence(path=path, line=line.number, quote=line.text, note=name))
    return Metrics.model_validate(
        {
            **values,
            "throughput_unit": (numbers.throughput_unit or None) if "throughput" in values else None,
            "phase": "train" if values else "init",
            "notes": tuple(dropped) if lines else ("no training progress found",),
            "evidence": tuple(evidence),
            "confidence": CONFIDENCE if values else 0.0,
            "engine": "model",
        }
    )


def line_showing(value: float, lines: Sequence[ProgressLine], is_time: bool) -> ProgressLine | None:
    """Find the last line with that number: as it is, or, for a time, in another unit or as a rate."""
    wanted = [value / scale for scale in SCALES] if is_time else [value]
    if is_time and value > 0:
        wanted.append(1 / value)
    for line in reversed(lines):
        printed = [value_of(number) for number in numbers_in(line.text).findall(line.text)]
        if any(abs(number - want) <= NEAR * abs(want) for number in printed for want in wanted):
            return line
    return None
