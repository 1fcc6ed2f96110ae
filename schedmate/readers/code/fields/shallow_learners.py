"""Jobs that fit no network: scikit-learn, XGBoost, LightGBM and CatBoost, whose estimators name what is learned."""

from schedmate.knowledge.code_words import meanings, words
from schedmate.knowledge.models import family_of
from schedmate.readers.code.evidence.rule import Certainty, Rule
from schedmate.readers.code.evidence.training_calls import SHALLOW
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.events import Event

NAMES = meanings("training.shallow_names")
ENDS = meanings("training.shallow_tasks")
"""How estimators' names end that learn something, and what they learn; scalers and encoders are none."""
TEXT = words("training.text_vectorizers")


def fitted(view: View) -> list[tuple[Event, str]]:
    """Give the estimators that are fitted, where the job trains no network."""
    fits = (event for event in view.named("fit", "fit_predict") if event.name.startswith(SHALLOW))
    named = ((event, event.name.split(".")[-2]) for event in fits)
    return [(event, name) for event, name in named if name.endswith(tuple(ENDS))] if not view.get("is_training") else []


def name_framework(view: View) -> None:
    """Name the library of what is fitted first."""
    for event, _ in fitted(view)[:1]:
        library = event.name.partition(".")[0]
        view.keep("framework", NAMES[library], (event.spot, *view.import_spot(library)))


def name_model(view: View) -> None:
    """Name the estimator that is fitted first; a network that works its features out is not the model."""
    for event, name in fitted(view)[:1]:
        view.keep("model_name", name, (event.spot,))
        family = family_of(name)
        if family is not None:
            view.keep("model_type", family.kind, (event.spot,))
        for other in ("param_size", "model_type"):
            view.rule_out(other)


def tell_task(view: View) -> None:
    """Take what kind of estimator is fitted; one of vectorized text learns from text."""
    for event, name in fitted(view)[:1]:
        meaning = next(task for end, task in ENDS.items() if name.endswith(end))
        text = view.named(*TEXT)
        view.keep("task", "NLP" if text else "tabular", (event.spot, *(one.spot for one in text[:1])))
        view.keep("task_fine", f"text {meaning}" if text else meaning, (event.spot,))


def runs_alone(view: View) -> None:
    """Say that nothing is spread: such libraries compute in one process."""
    for event, _ in fitted(view)[:1]:
        if not view.launch.ranks:
            view.keep("distributed", "none", (event.spot,), "fitted in one process")


RULES = (
    Rule("framework", Certainty.LIBRARY - 10, "what is fitted", name_framework),
    Rule("model", Certainty.SEEN + 90, "what is fitted", name_model),
    Rule("task", Certainty.LIKELY + 117, "what is fitted", tell_task),
    Rule("distributed", Certainty.LIKELY + 4, "what is fitted", runs_alone),
)
