"""Join what the built-in read of a job with what a model claims: fill what is open, correct what was only likely."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from pydantic import BaseModel, Field

from schedmate.agents.claim_keys import misfits
from schedmate.agents.claims import PROSE
from schedmate.models.llm import LanguageModel, system, user
from schedmate.prompts import load_prompt
from schedmate.readers.code.evidence.precedence import Certainty
from schedmate.readers.code.values.value import COMMAND
from schedmate.readers.code.verify import FIELDS, joined_workload
from schedmate.schemas import Engine, Evidence, Workload

YIELDS_BELOW = Certainty.SEEN
"""What the followed path itself does stands; what was described, defaulted or only likely may be corrected."""
MOST_DISPUTES = 6


@dataclass(frozen=True)
class Dispute:
    """A field of which the built-in and a model say different things, each with its line."""

    field: str
    built: tuple[object, Evidence]
    claimed: tuple[object, Evidence]

    def told(self, place: int) -> str:
        """Write both sides in an order that tells nothing."""
        rows = [
            f"{letter}: {value}, at {proof.path}:{proof.line}: {proof.quote}" for letter, value, proof in self.sides()
        ]
        return "\n".join([f"{place}. {self.field}", *rows])

    def sides(self) -> list[tuple[str, object, Evidence]]:
        """Give both sides with their letters."""
        both = sorted((self.built, self.claimed), key=lambda side: sha256(repr(side).encode()).digest())
        return [(letter, *side) for letter, side in zip("AB", both, strict=True)]


class Choice(BaseModel):
    """One field's decision: the words that decide it, then the side that they speak for."""

    words: str = Field(max_length=120)
    field: str = Field(max_length=40)
    choice: Literal["A", "B", "neither"]


class Choices(BaseModel):
    """A decision for each field that was asked about."""

    choices: list[Choice] = Field(max_length=MOST_DISPUTES)


def disputes_of(found: Workload, claimed: Workload, certainty: Mapping[str, int]) -> tuple[list[Dispute], list[str]]:
    """List the fields that a second question can settle; the others as notes, for the built-in stands there."""
    disputes: list[Dispute] = []
    notes: list[str] = []
    for name in FIELDS:
        one, other = getattr(found, name), getattr(claimed, name)
        if one is None or other is None or alike(one, other):
            continue
        mine, theirs = found.evidence[name][0], claimed.evidence[name][0]
        open_to = certainty.get(name, 0) < YIELDS_BELOW or standing(theirs) > standing(mine)
        if open_to and len(disputes) < MOST_DISPUTES:
            disputes.append(Dispute(name, (one, mine), (other, theirs)))
        else:
            notes.append(note_of(name, other, theirs, "the built-in's line is the surer one"))
    return disputes, notes


def standing(proof: Evidence) -> int:
    """Say how much a place decides: the command wins over configurations, these over defaults in code."""
    if proof.path == COMMAND:
        return 3
    if PROSE.search(proof.path):
        return 0
    return 1 if proof.path.endswith((".py", ".ipynb")) else 2


def alike(one: object, other: object) -> bool:
    """Tell whether two values say the same."""
    return one == other or str(one).casefold() == str(other).casefold()


def note_of(name: str, value: object, proof: Evidence, why: str) -> str:
    """Keep in the notes what a model said and was not taken."""
    return f"a model says {name} is {str(value)[:60]}, at {proof.path}:{proof.line}; {why}"


async def settle(model: LanguageModel, disputes: Sequence[Dispute]) -> tuple[set[str], list[str]]:
    """Ask about all disputed fields at once, not saying who said what; give those in which the model is right."""
    told = "\n\n".join(dispute.told(place) for place, dispute in enumerate(disputes, 1))
    rules, mark, form = load_prompt("settle_fields").partition("FIELDS\n{")
    answer = await model.answer(
        [system(rules), user((mark + form).replace("{fields}", told))], Choices, answer_tokens=100 * len(disputes)
    )
    chosen = {choice.field: choice.choice for choice in answer.choices}
    right: set[str] = set()
    notes: list[str] = []
    for dispute in disputes:
        letter = chosen.get(dispute.field, "neither")
        won = any(side[0] == letter and side[1:] == dispute.claimed for side in dispute.sides())
        if won:
            right.add(dispute.field)
        else:
            notes.append(note_of(dispute.field, *dispute.claimed, "asked again, it took that back"))
    return right, notes


def corrected(
    found: Workload, claimed: Workload, right: Sequence[str] | set[str]
) -> tuple[Workload, Engine, tuple[str, ...]]:
    """Fill open fields, correct those that the model was right in, and say who answered."""
    notes = [
        f"{name} was {getattr(found, name)}, by {found.evidence[name][0].path}:{found.evidence[name][0].line}: "
        "corrected by a model"
        for name in sorted(right)
    ]
    update = {name: getattr(claimed, name) for name in right}
    evidence = {**found.evidence, **{name: claimed.evidence[name] for name in right}}
    whole = "global_batch_size"
    if "batch_size" in right and whole not in right and found.global_batch_size:
        update[whole] = None
        evidence.pop(whole, None)
        notes.append(f"{whole} was {found.global_batch_size}, worked out from the batch size before")
    job, added = joined_workload(found.model_copy(update={**update, "evidence": evidence}), claimed)
    if (wrong := misfits(job)) and not misfits(found):
        loose = [name for name in (*right, *added) if name in ("batch_size", "global_batch_size", "num_gpus")]
        job = without(job, found, loose)
        notes.append(f"the model's {' and '.join(loose)} was dropped: {wrong}")
        added = tuple(name for name in added if name not in loose)
        right = {name for name in right if name not in loose}
    taken = [*right, *added]
    engine: Engine = "built-in" if not taken else "both" if set(job.evidence) - set(taken) else "model"
    return job, engine, tuple(notes)


def without(job: Workload, found: Workload, names: Sequence[str]) -> Workload:
    """Take a model's values back."""
    evidence = {name: proof for name, proof in job.evidence.items() if name not in names}
    evidence |= {name: found.evidence[name] for name in names if name in found.evidence}
    return job.model_copy(update={**{name: getattr(found, name) for name in names}, "evidence": evidence})
