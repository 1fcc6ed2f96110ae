"""All that the built-in embedder is trained on: generated lines and job metadata, and the classes' descriptions."""

import re
from random import Random
from string import ascii_lowercase

from evals.embedding.jobs import generate_jobs, read_kinds
from evals.embedding.log_lines import generate_lines, read_statements
from evals.embedding.training import Text
from schedmate.models.embedders.features import split_tokens
from schedmate.readers.line_classes import CLASSES, class_descriptions
from schedmate.readers.templates import mask_line

LINES_EACH = 10
JOBS_EACH = 14
UNKNOWN_KINDS = 80
OTHER = CLASSES.index("other")

MASKED_SHARE = 0.6
"""How many lines are seen as templates, as the Log Classifier sees them; the others are raw, as failures are kept."""


def training_texts(seed: int) -> list[Text]:
    """Generate the corpus; a kind of log line is its symptom or its framework, a kind of job its model and data."""
    draw = Random(seed)
    lines = [
        Text(mask_line(line) if draw.random() < MASKED_SHARE else line, statement.kind, CLASSES.index(statement.label))
        for statement, line in generate_lines(read_statements(held_out=False), LINES_EACH, seed)
    ]
    lines += [Text(text, f"unknown {number}", OTHER) for number in range(UNKNOWN_KINDS) for text in unknown_words(draw)]
    jobs = [Text(text, kind.name) for kind, text in generate_jobs(read_kinds(held_out=False), JOBS_EACH, seed)]
    return lines + jobs


def unknown_words(draw: Random) -> list[str]:
    """Make up words and say them several times: what says nothing that anyone knows is no error, but is like itself."""
    words = ["".join(draw.choices(ascii_lowercase, k=draw.randrange(3, 11))) for _ in range(draw.randrange(1, 6))]
    return [" ".join(draw.sample(words, len(words))) for _ in range(LINES_EACH)]


def target_texts() -> list[Text]:
    """Give the classes' descriptions, masked as the Log Classifier masks them."""
    described = class_descriptions()
    return [Text(mask_line(text), label, CLASSES.index(label)) for label in CLASSES for text in described[label]]


def telling_numbers() -> set[str]:
    """Give the numbers written down on purpose (`Xid 79`, `exit code 137`, `ResNet-50`), not drawn for a slot."""
    wordings = [re.sub(r"\{\w\}", " ", statement.wording) for statement in read_statements(held_out=False)]
    names = [name for kind in read_kinds(held_out=False) for name in (*kind.model, *kind.dataset)]
    return {token for text in (*wordings, *names) for token in split_tokens(text) if token.isdigit()}
