"""Vague words of what is learned give way to precise ones, however much surer the vague ones are."""

from schedmate.knowledge.tasks import is_kind_of, is_more_precise, is_vague, task_in_words
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.tasks.language_tasks import loaded
from schedmate.readers.code.fields.tasks.task_clues import known
from schedmate.readers.code.fields.words.project_words import project_lines
from schedmate.readers.code.values.events import Event

PROMPTED = "text-to-image generation"
DRAWERS = ("UNet2DConditionModel.from_pretrained", "Transformer2DModel.from_pretrained")

TITLED = "the project's own words"

TUNING = "tuning"

TITLE = 2
"""As many lines of a README say what all of it is about."""


def by_precise_words(view: View) -> None:
    """Put the surest precise finding in the place of a vague one: `point cloud understanding` sorts clouds here."""
    found = view.values.get("task_fine")
    if found is None:
        return
    said = str(found.value)
    texts = [(one, str(one.value)) for one in view.candidates.get("task_fine", ())]
    others = [one for one, text in texts if is_kind_of(text, said) or (is_vague(said) and is_more_precise(text, said))]
    if others:
        best = min(others, key=lambda one: one.by.rank)
        view.correct("task_fine", best.value, best.spots, best.note)


def by_purpose(view: View) -> None:
    """Say for what end a model that had learned a language is trained on, where the title or the data say it."""
    found = view.values.get("task_fine")
    if found is not None and found.value == PROMPTED:
        by_purpose_of_pictures(view)
    if found is None or found.value != "language modeling" or loaded(view) is None:
        return
    data, place = known(view).data, known(view).found
    if data is not None and place is not None and data.task == "NLP" and data.fine:
        view.correct("task_fine", data.fine, place.spots)
        return
    for text, spot in project_lines(view)[:TITLE]:
        told = task_in_words(text)
        tuned = told is not None and TUNING in told[1] and view.get("is_training") is False
        if tuned:
            continue  # the project tunes what this job puts to use
        if told is not None and told[0] == "NLP" and "language model" not in told[1] and not is_vague(told[1]):
            view.correct("task_fine", told[1], (spot,), TITLED)
            return
    if view.get("is_training") is False:
        by_measuring(view)


def by_purpose_of_pictures(view: View) -> None:
    """Say for what end a network that had learned to draw what it is told is trained on, where the title says it."""
    filled = next((event.spot for event in view.events if event.sure and is_drawer(event)), None)
    for text, spot in project_lines(view)[:1] if filled is not None else ():
        told = task_in_words(text)
        if told is not None and told[0] == "CV" and not is_vague(told[1]) and "generation" not in told[1]:
            view.correct("task_fine", told[1], (spot, *((filled,) if filled is not None else ())), TITLED)


def is_drawer(event: Event) -> bool:
    """Tell a call that fills a network of diffusion with weights."""
    return event.short == "from_pretrained" and event.name.endswith(DRAWERS)


def by_measuring(view: View) -> None:
    """Say of a job that only uses a model of languages for what its data or metrics are, if all that tell agree."""
    given = [one for one in view.candidates.get("task_fine", ()) if "language model" not in str(one.value)]
    precise = [one for one in given if TUNING not in str(one.value) and not is_vague(str(one.value))]
    if len({one.value for one in precise}) == 1:
        view.correct("task_fine", precise[0].value, precise[0].spots, precise[0].note)
