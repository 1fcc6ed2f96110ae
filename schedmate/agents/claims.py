"""What a model claims of a job, checked against the line that it names: the line must exist and must show the value."""

from typing import Any

import re2
from pydantic import BaseModel, Field

from schedmate.agents.claim_keys import NUMBER, as_number, bears_key, headings, is_implied, said_by_command
from schedmate.knowledge.models import squash
from schedmate.knowledge.optimizers import canonical
from schedmate.readers.code.evidence.precision_words import precision_of
from schedmate.readers.code.values.value import COMMAND, Value
from schedmate.readers.code.verify import FIELDS
from schedmate.schemas import Evidence
from schedmate.tools.repository import NotReadable, Repository

EXTRA = re2.compile(r"^extra\.[a-z][a-z0-9_]{0,39}$")
WORD = re2.compile(r"[A-Za-z0-9]+")
WHOLE = ("num_gpus", "num_nodes", "batch_size", "global_batch_size", "total_steps")

JUDGED = ("is_training", "task", "task_fine", "model_type")
"""Fields that a reader concludes from a line rather than finds written in it."""
TOLD_IN_PROSE = ("task", "task_fine", "model_name", "model_type", "param_size", "dataset_name", "framework")
"""What a README may settle; how this job is run, and on what, only code, configurations and the command do."""
PROSE = re2.compile(r"(?i)(^|/)(readme|changelog|contributing|license|notice|install)[^/]*$|\.(md|rst|adoc|html?)$")
SPELLINGS = {
    "ddp": ("distributeddataparallel", "ddp", "torchrun", "distributed"),
    "fsdp": ("fullysharded", "fsdp"),
    "deepspeed": ("deepspeed", "zero"),
    "horovod": ("horovod", "hvd"),
    "none": ("python",),
    "pytorch": ("torch",),
    "tensorflow": ("tensorflow", "keras", "tf"),
    "jax": ("jax", "optax", "flax"),
    "huggingface": ("transformers", "accelerate", "trl"),
}


class Claim(BaseModel):
    """One fact that the model states, and where it says that it stands."""

    path: str = Field(max_length=300)
    line: int = Field(ge=0)
    quote: str = Field("", max_length=200)
    field: str = Field(max_length=60)
    value: str = Field(max_length=200)


class Claims(BaseModel):
    """All that the model states; an answer without the list is none."""

    claims: list[Claim] = Field(max_length=40)


def read_claim(claim: Claim, repository: Repository, command: str) -> tuple[Any, Evidence | None, str]:
    """Give value and evidence, or what is wrong with the claim."""
    name = claim.field.strip()
    if name not in FIELDS and not EXTRA.match(name):
        return None, None, "there is no such field"
    value = value_of(name, claim.value.strip())
    if value is None:
        return None, None, f"{claim.value[:40]!r} is no value of it"
    if claim.path.strip() == COMMAND and is_implied(name, value, command):
        said = command.strip().split("\n")[0][:240]
        return value, Evidence(path=COMMAND, line=1, quote=said, note="implied: no launcher, one process"), ""
    proof, wrong = line_of(claim, repository, command)
    if proof is None:
        return None, None, wrong
    if PROSE.search(proof.path) and name in FIELDS and name not in TOLD_IN_PROSE:
        return None, None, f"{proof.path} is prose: it does not settle how this job is run"
    if not shows(name, value, proof.quote):
        return None, None, f"{proof.path}:{proof.line} does not show {claim.value[:40]!r}"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if not speaks_of(name, value, proof, repository):
            return None, None, f"{proof.path}:{proof.line} shows {claim.value[:40]!r} of something else"
        if proof.path != COMMAND and (told := said_by_command(name, value, command)):
            return None, None, f"the command says {told}"
    return value, proof, ""


def speaks_of(name: str, value: float, proof: Evidence, repository: Repository) -> bool:
    """Tell whether a line, or what heads its block, says that the number is this field's."""
    if proof.path == COMMAND:
        line, above = proof.quote, []
    else:
        lines = repository.shown(proof.path).split("\n")
        line, above = lines[proof.line - 1], headings(lines, proof.line)
    places = [match for match in NUMBER.finditer(line) if close(value, match.group(0))]
    return any(bears_key(name, match.group(0), match.start(), line, above) for match in places)


def value_of(name: str, text: str) -> Any:
    """Read a value by its field's type; None for what is none."""
    if text.lower() in ("", "unknown", "n/a", "null", "none") and not (
        name == "distributed" and text.lower() == "none"
    ):
        return None
    if name == "is_training":
        return {"true": True, "yes": True, "false": False, "no": False}.get(text.lower())
    if name in WHOLE or name in ("epochs", "learning_rate"):
        match = NUMBER.search(text.replace(",", "").replace("_", ""))
        if match is None:
            return None
        number = float(match.group(0))
        return int(number) if name in WHOLE else number
    return text


def line_of(claim: Claim, repository: Repository, command: str) -> tuple[Evidence | None, str]:
    """Find the line: the quote decides where there is one, since models miscount lines."""
    quote = claim.quote.strip()
    if claim.path.strip() == COMMAND:
        shown = quote if quote and quote in command else "" if quote else command.strip()
        return (Evidence(path=COMMAND, line=1, quote=shown[:240]), "") if shown else (None, "not in the command")
    path = claim.path.strip().removeprefix("./")
    try:
        lines = repository.shown(path).split("\n")
    except NotReadable as error:
        return None, str(error)
    if quote:
        found = [number for number, line in enumerate(lines, 1) if quote in line]
        if not found:
            return None, f"its quote is not in {path}"
        number = min(found, key=lambda number: abs(number - claim.line))
    elif 1 <= claim.line <= len(lines) and lines[claim.line - 1].strip():
        number = claim.line
    else:
        return None, f"{path} has no line {claim.line} to show"
    return Evidence(path=path, line=number, quote=lines[number - 1].strip()[:240], note="the model's"), ""


def shows(name: str, value: Any, line: str) -> bool:
    """Tell whether a line bears a value out: numbers and names must stand in it; judgements need only the line."""
    if name in JUDGED:
        return True
    if isinstance(value, (int, float)):
        return any(close(value, text) for text in NUMBER.findall(line))
    flat = squash(line)
    if name == "optimizer":
        wanted = canonical(str(value)) or str(value)
        return any(canonical(word) == wanted for word in [*WORD.findall(line), *line.replace("'", '"').split('"')]) or (
            squash(str(value)) in flat
        )
    if name == "precision":
        return precision_of(Value(line)) == precision_of(Value(value)) or squash(str(value)) in flat
    if name in ("framework", "distributed"):
        words = [squash(word) for word in WORD.findall(str(value))]
        return any(word in flat or any(other in flat for other in SPELLINGS.get(word, ())) for word in words)
    words = [squash(word) for word in WORD.findall(str(value)) if len(word) > 1]
    return squash(str(value)) in flat or (bool(words) and all(word in flat for word in words))


def close(value: float, text: str) -> bool:
    """Compare a claimed number with one that stands in a line."""
    number = as_number(text)
    return number is not None and abs(number - value) <= 1e-9 * max(1.0, abs(value))
