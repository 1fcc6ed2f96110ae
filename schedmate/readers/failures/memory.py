"""Class an unknown failure as people classed a like one before, and keep what they say."""

from pathlib import Path
from typing import get_args

from schedmate.errors import InputError, StoreError
from schedmate.history.database import FILE_NAME
from schedmate.history.failures import remember, similar_failures
from schedmate.models.embeddings import Embedder
from schedmate.readers.templates import mask_line
from schedmate.schemas import Category, Diagnosis, Subcategory

SAME = 0.9
"""How alike a line must be to one that was classed by hand; below it the catalogue's neighbours know better."""


def recall(found: Diagnosis, text: str, embedder: Embedder, data_dir: Path) -> Diagnosis | None:
    """Take over the class of the most similar failure kept; None where nothing kept is the same."""
    if not (data_dir / FILE_NAME).exists():
        return None
    try:
        past = similar_failures(data_dir, mask_line(text), embedder, k=1)
    except StoreError:
        return None
    if not past or past[0].similarity < SAME:
        return None
    before = past[0]
    why = f"No entry of the catalogue knows this line. {before.log} died of the same ({before.similarity:.0%} alike), "
    return found.model_copy(
        update={
            "category": before.diagnosis.category,
            "subcategory": before.diagnosis.subcategory,
            "should_restart": before.diagnosis.should_restart,
            "confidence": round(0.8 * before.similarity, 2),
            "explanation": f"{why}and a person classed it as {before.diagnosis.category}.",
        }
    )


def keep(found: Diagnosis, class_name: str, data_dir: Path) -> Diagnosis:
    """Store a diagnosis under the class that a person gives it: `script`, or `infrastructure.network`."""
    category, _, subcategory = class_name.partition(".")
    fits = subcategory in get_args(Subcategory) if category == "infrastructure" else not subcategory
    if category not in get_args(Category) or not fits:
        raise InputError(f"there is no class '{class_name}'", "as script, framework, other, infrastructure.gpu")
    if not found.root_excerpt:
        raise InputError(f"{found.log} states no failure to remember")
    update = {"category": category, "subcategory": subcategory or None}
    update["should_restart"] = "elsewhere" if category == "infrastructure" else "no"
    kept = found.model_copy(update=update)
    remember(data_dir, found.log, mask_line(found.root_excerpt), kept)
    return kept
