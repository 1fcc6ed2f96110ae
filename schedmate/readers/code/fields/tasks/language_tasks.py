"""What a job does with a language model beside learning a language: it writes, or tunes what was learned before."""

import ast

import re2

from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.tasks.task_clues import keep_task
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.value import SourceLocation

ANSWERS = frozenset({"new DataCollatorForSeq2Seq", "new DataCollatorForCompletionOnlyLM", "DataCollatorForSeq2Seq"})
INSTRUCTIONS = ("instruction", "### Instruction", "instructions")
WRITING = frozenset({"generate", "chat"})
LEARNERS = ("CausalLM", "LMHeadModel", "FastLanguageModel", "FastModel")

TUNES = re2.compile(r"(?i)fine-?_?tun|(?:^|[^a-z])(?:s?ft|q?lora)(?:[^a-z]|$)")
"""How scripts, folders and configurations are called that go on from weights."""


def by_generation(view: View) -> None:
    """Say what a job does that trains nothing and lets a language model write."""
    for event in view.events if view.get("is_training") is False else ():
        writes = event.name.startswith("vllm.LLM.") or "CausalLM" in event.name
        if event.sure and writes and event.short in WRITING:
            keep_task(view, "NLP", "text generation (inference)", (event.spot,))


def tell_tuning(view: View) -> None:
    """Say that a model which learns a language starts from weights: it is fine-tuned."""
    found = view.values.get("task_fine")
    if found is None or found.value != "language modeling" or view.get("is_training") is not True:
        return
    place = loaded(view) or named(view)
    if place is not None and (answers := answered(view)) is not None:
        kind = "instruction tuning (supervised fine-tuning)" if instructs(view) else "supervised fine-tuning"
        view.correct("task_fine", kind, (answers, place))
    elif place is not None:
        view.correct("task_fine", "language modeling (fine-tuning)", (*found.spots[:2], place))


def answered(view: View) -> SourceLocation | None:
    """Give the place that pads prompts and answers, of which a model that writes on learns the answers alone."""
    return next((event.spot for event in view.events if event.short in ANSWERS), None)


def instructs(view: View) -> bool:
    """Tell a program whose samples have an instruction: `row["instruction"]`."""
    parts = (node for tree in view.run.trees.values() if tree is not None for node in ast.walk(tree))
    return any(isinstance(part, ast.Constant) and part.value in INSTRUCTIONS for part in parts)


def loaded(view: View) -> SourceLocation | None:
    """Give the place where a language model's weights are loaded."""
    made = [event for event in view.events if event.sure and event.short == "from_pretrained"]
    return next((one.spot for one in made if any(part in one.name for part in LEARNERS)), None)


def named(view: View) -> SourceLocation | None:
    """Give the command, if its script or a file that it names is called after tuning."""
    words = [word_text(word) for word in view.launch.words]
    files = [view.launch.name, *(word for word in words if word.endswith((".yaml", ".yml", ".json", ".toml")))]
    return view.command_spot[0] if any(TUNES.search(file) for file in files) else None
