"""Ask a model why a job died; it states facts and line numbers, and code checks them and decides."""

from collections.abc import Sequence
from importlib.resources import files
from typing import Literal

from pydantic import BaseModel, Field

from schedmate.models.llm import LanguageModel, system, user
from schedmate.readers.failures.bearing import bears_out
from schedmate.readers.failures.window import WindowLine, as_text
from schedmate.schemas import Category, Diagnosis, Evidence, Restart, Subcategory

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
AGREED, ALONE = 0.9, 0.6
"""How sure an answer is that both gave, and one that only the model gave."""


class Judgement(BaseModel):
    """The paper's JSON (error type, faulty component) with a reason and the lines that show it."""

    error_type: ErrorType
    faulty_component: str = Field("", max_length=120)
    cause: str = Field("", max_length=300)
    lines: list[int] = Field([], max_length=5)


async def judge(model: LanguageModel, window: tuple[WindowLine, ...], findings: Diagnosis) -> Judgement:
    """Ask once; the rules stand in the system message, which no fitting to the context cuts."""
    prompt = files("schedmate.prompts").joinpath("judge.md").read_text("utf-8")
    rules, mark, form = prompt.partition("What a program found")
    told = (mark + form).replace("{findings}", told_of(findings)).replace("{window}", as_text(window))
    return await model.answer([system(rules), user(told)], Judgement, answer_tokens=500)


def told_of(findings: Diagnosis) -> str:
    """Put the built-in's findings into a few lines."""
    kind = findings.category + (f"/{findings.subcategory}" if findings.subcategory else "")
    quotes = [f"  line {item.line} ({item.note}): {item.quote[:200]}" for item in findings.evidence]
    return "\n".join([f"{kind}, {findings.failure_id or 'no known failure'}, {findings.confidence:.0%} sure", *quotes])


def verified(judgement: Judgement, window: tuple[WindowLine, ...]) -> Judgement:
    """Drop what the log does not bear out: lines that were not shown, a component that stands nowhere in them."""
    texts = {line.number: line.text for line in window}
    lines = [number for number in dict.fromkeys(judgement.lines) if number in texts]
    component = judgement.faulty_component.strip()
    if component and not any(component in text for text in texts.values()):
        component = ""
    return judgement.model_copy(update={"lines": lines, "faulty_component": component})


def merged(
    found: Diagnosis, judgement: Judgement, window: tuple[WindowLine, ...], path: str, forced: bool
) -> Diagnosis:
    """Join both answers: agreement makes it surer; against the built-in the model counts only with lines to show."""
    category, subcategory, restart = CLASSES[judgement.error_type]
    if category == found.category and subcategory in (None, found.subcategory):
        components = found.faulty_components or tuple(filter(None, [judgement.faulty_component]))
        sure = max(AGREED, found.confidence)
        return found.model_copy(update={"confidence": sure, "engine": "both", "faulty_components": components})
    texts = {line.number: line.text.strip() for line in window}
    doubt = doubt_of(judgement, [texts[number] for number in judgement.lines])
    if doubt or (not forced and found.confidence > ALONE):
        note = f"a model says {judgement.error_type}{doubt}"
        return found.model_copy(update={"notes": (*found.notes, note), "engine": "both"})
    evidence = tuple(
        Evidence(path=path, line=number, quote=texts[number], note="the model's reason") for number in judgement.lines
    )
    root = judgement.lines[0] if judgement.lines and category != "none" else None
    return Diagnosis(
        category=category,
        subcategory=subcategory,
        root_path=path if root else None,
        root_line=root,
        root_excerpt=texts[root] if root else "",
        faulty_components=tuple(filter(None, [judgement.faulty_component])),
        should_restart=restart,
        confidence=ALONE,
        engine="model",
        attempts=found.attempts,
        last_progress_line=found.last_progress_line,
        fallout_lines=max(0, found.fallout_lines + (found.root_line or 0) - root) if root and found.root_line else 0,
        evidence=(*evidence, *found.evidence),
        explanation=judgement.cause,
        notes=(*found.notes, f"the built-in said {found.category}: {found.failure_id or 'no known failure'}"),
    )


def doubt_of(judgement: Judgement, lines: Sequence[str]) -> str:
    """Say why a model's answer does not count: it shows no line, or none that speaks of what it says."""
    category, subcategory, _ = CLASSES[judgement.error_type]
    if category == "none":
        return ""
    if not lines:
        return ", but could show no line of the log for it"
    return "" if bears_out(lines, subcategory) else ", but the lines that it shows speak of nothing of the kind"
