"""What a person said of a failure holds for the next one like it: the catalogue and models give way."""

from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

from schedmate.errors import InputError, StoreError
from schedmate.history.database import FILE_NAME
from schedmate.history.failures import Embeds, PastFailure, remember, same_failure, similar_failures
from schedmate.knowledge.own_limits import BY_WORDS, is_own_limit, speaks_of_limit
from schedmate.readers.failures.advice.plan import plan as plan_for
from schedmate.readers.lines import clean
from schedmate.readers.templates import mask_line
from schedmate.schemas import Category, Diagnosis, Subcategory

SAME = 0.9
"""How alike a line must be to one that was classed by hand; below it the catalogue's neighbours know better."""
AS_SAID = 0.95
"""How sure a person's word makes an answer."""


def recall_same(found: Diagnosis, data_dir: Path) -> Diagnosis | None:
    """Take over what a person said of the very same line, values aside; None where nobody said anything."""
    if not (data_dir / FILE_NAME).exists() or not found.root_excerpt:
        return None
    try:
        past = same_failure(data_dir, found.failure_id, root_text_of(found))
    except StoreError:
        return None
    return taken_over(found, past, AS_SAID, "died of the same line") if past else None


def recall_like(found: Diagnosis, text: str, embedder: Embeds, data_dir: Path) -> Diagnosis | None:
    """Take over the class of the most similar failure kept, where no entry knows the line; None where none is close."""
    if not (data_dir / FILE_NAME).exists():
        return None
    try:
        past = similar_failures(data_dir, mask_line(text), embedder, k=1)
    except StoreError:
        return None
    if not past or past[0].similarity < SAME:
        return None
    sure = round(0.8 * past[0].similarity, 2)
    return taken_over(found, past[0], sure, f"died of a like line ({past[0].similarity:.0%} alike)")


def taken_over(found: Diagnosis, past: PastFailure, sure: float, why: str) -> Diagnosis:
    """Answer as a person did before; what else the log told stays."""
    said = past.diagnosis
    day = f"{datetime.fromtimestamp(past.made_at_s, UTC):%Y-%m-%d}"
    named = f"{said.category}.{said.subcategory}" if said.subcategory else said.category
    told = f"A person classed it as {named} on {day}: {past.log} {why}."
    return reclassed(found, said.category, said.subcategory, sure, told).model_copy(
        update={"notes": (*found.notes, f"by memory {past.number}: schedmate remember forget {past.number} undoes it")}
    )


def reclassed(
    found: Diagnosis, category: Category, subcategory: Subcategory | None, sure: float, told: str
) -> Diagnosis:
    """Give a diagnosis another class, and take away what the former one said."""
    is_same = (found.category, found.subcategory) == (category, subcategory)
    if is_same and (found.failure_id or not speaks_of_limit(found.root_excerpt)):
        return found.model_copy(update={"confidence": max(sure, found.confidence), "explanation": told})
    known_as = f"{found.category}.{found.subcategory}" if found.subcategory else found.category
    before = f" Without that it would be {known_as}: {found.explanation}" if found.failure_id else ""
    limit = is_own_limit(found.failure_id) or speaks_of_limit(found.root_excerpt)
    own = limit and (category, subcategory) == ("infrastructure", "node")
    machines = category == "infrastructure" and not own
    return found.model_copy(
        update={
            "category": category,
            "subcategory": subcategory,
            "failure_id": BY_WORDS if own and not is_own_limit(found.failure_id) else found.failure_id,
            "should_restart": "elsewhere" if machines else "no",
            "faulty_components": found.faulty_components if machines else (),
            "confidence": sure,
            "explanation": told + before,
            "advice": "",
        }
    )


def keep(found: Diagnosis, class_name: str, data_dir: Path) -> Diagnosis:
    """Store a diagnosis under the class that a person gives it, `script` or `infrastructure.network`, and answer so."""
    category, subcategory = parsed(class_name)
    if not found.root_excerpt:
        raise InputError(
            f"{found.log} states no failure to remember", "a class is remembered by the line of the first fault"
        )
    kept = reclassed(found, category, subcategory, AS_SAID, f"A person classed it as {class_name}.")
    as_found = kept.model_copy(update={"failure_id": found.failure_id})  # by what the next of its kind is known
    number = remember(data_dir, found.log, root_text_of(found), as_found)
    note = f"kept as memory {number}, for the next failure with this line: schedmate remember forget {number} undoes it"
    return kept.model_copy(update={"actions": plan_for(kept), "notes": (*found.notes, note)})


def parsed(class_name: str) -> tuple[Category, Subcategory | None]:
    """Read `infrastructure.gpu`, or `script`."""
    name, _, part = class_name.partition(".")
    category: Category | None = next((one for one in get_args(Category) if one == name), None)
    subcategory: Subcategory | None = next((one for one in get_args(Subcategory) if one == part), None)
    fits = subcategory is not None if category == "infrastructure" else not part
    if category is None or not fits:
        parts = ", ".join(f"infrastructure.{one}" for one in get_args(Subcategory))
        raise InputError(f"there is no class '{class_name}'", f"one of script, framework, other, none, {parts}")
    return category, subcategory


def root_text_of(found: Diagnosis) -> str:
    """Write the first fault's line so that the next like it is written alike."""
    return mask_line(clean(found.root_excerpt).text)
