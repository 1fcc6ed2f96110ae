"""What model and data say of the task, and how task and finer task are kept together."""

from dataclasses import dataclass
from itertools import islice

from schedmate.knowledge.code_words import words
from schedmate.knowledge.datasets import DataSet, by_name, known_dataset
from schedmate.knowledge.models import ModelFamily, family_of, squash
from schedmate.knowledge.tasks import words_of
from schedmate.readers.code.evidence.proposals import Basis, ProposedValue
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.networks.model_types import family_of_ancestors
from schedmate.readers.code.values.path_texts import path_text
from schedmate.readers.code.values.value import COMMAND, SourceLocation

TRANSLATION = "machine translation"
SEEING = frozenset(words("data.seeing"))
HEARD = frozenset(words("tasks.heard"))
READING_TEXTS = frozenset(words("data.reading_texts"))


@dataclass(frozen=True)
class TaskClues:
    """What model and data say of the task."""

    model: ProposedValue | None
    family: ModelFamily | None
    found: ProposedValue | None
    data: DataSet | None


def known(view: View) -> TaskClues:
    """Look up what the model and the data that were found are known for."""
    model, found = view.values.get("model_name"), view.values.get("dataset_name")
    if model is not None and model.basis is Basis.MAKER_FUNCTION and view.get("model_type") == "mlp":
        model = None  # dense layers alone are none of what the function's name says that learns from pictures and texts
    family = family_of(str(model.value)) if model is not None else None
    if family is not None and family.kind == "cnn" and view.get("model_type") == "gnn":
        model = family = None  # a network of graphs whose name only sounds like one of pictures
    return TaskClues(
        model,
        family if family is not None or model is None else inherited_family(view, str(model.value)),
        found,
        named_data(view, found) if found is not None and found.value else None,
    )


def named_data(view: View, found: ProposedValue) -> DataSet | None:
    """Give the known data set that a name says; a usual word, as a folder may be called, where a place says more."""
    name = str(found.value)
    told, own = known_dataset(name), by_name().get(name)
    if own is None or own == told:
        return told
    return own if any(known_dataset(text_at(view, spot)) == own for spot in found.spots) else told


def text_at(view: View, spot: SourceLocation) -> str:
    """Give the text of a place."""
    if spot.path == COMMAND or spot.quote:
        return spot.quote
    lines = view.run.repository.glimpse(spot.path).split("\n")
    return lines[spot.line - 1] if 0 < spot.line <= len(lines) else ""


def inherited_family(view: View, name: str) -> ModelFamily | None:
    """Give the family of the class of the repository's that the one is built on after which the model is named."""
    made = [value.data.cls for value in view.run.instances if value.data.cls.name == name]
    return family_of_ancestors(made[0]) if made else None


def turns_pictures(view: View) -> bool:
    """Tell a program in which a word of translation is meant of pictures: it generates, sees and reads no words."""
    generates = str(view.get("model_type") or "").startswith(("gan", "diffusion", "vae"))
    return generates and not view.imports.isdisjoint(SEEING) and view.imports.isdisjoint(READING_TEXTS)


def keep_task(view: View, task: str, fine: str, spots: tuple[SourceLocation, ...], note: str = "") -> None:
    """Keep task and finer task, the finer one only where it belongs to the task that is kept."""
    if fine == TRANSLATION and turns_pictures(view):
        task, fine = "CV", "image-to-image translation"
    kept = view.get("task")
    if task and kept is None:
        view.keep("task", task, spots, note)
        kept = view.get("task")
    if fine and (not task or task == kept):
        view.keep("task_fine", fine, spots, note)


def only_loads(view: View, library: str) -> bool:
    """Tell a library of which nothing but the loader of batches is used, which takes data of any kind."""
    imported = [name for name in view.run.imports if name.partition(".")[0] == library]
    return bool(imported) and all(name.startswith(f"{library}.loader") for name in imported)


def spots_of_sound(view: View) -> tuple[SourceLocation, ...]:
    """Give the place of what is worked out of sound, or of a path of data that is called after it: `mfcc/train.csv`."""
    paths = ((path_text(value), value) for _, value in view.options("data_path"))
    told = next((value.src for text, value in paths if text and not HEARD.isdisjoint(words_of(text))), ())
    made = (event.spot for event in view.events if event.sure and squash(event.short.removeprefix("new ")) in HEARD)
    return told or tuple(islice(made, 1))
