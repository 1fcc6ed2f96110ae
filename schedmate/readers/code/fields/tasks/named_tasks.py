"""What the name of a class or a script says of the task."""

import posixpath
from itertools import pairwise

from schedmate.knowledge.code_words import words
from schedmate.knowledge.option_names import field_of_name, squashed
from schedmate.knowledge.tasks import task_in_words, tuning_trainers, words_of
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.data.data_sources import names_aside, own_data
from schedmate.readers.code.fields.networks.network_names import network_of, says_only_task
from schedmate.readers.code.fields.tasks.task_clues import keep_task, known
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.objects import Instance
from schedmate.readers.code.values.value import SourceLocation, held

PREPARING = frozenset(words("tasks.preparing"))

CLASSIFIED = {
    "image generation": "image classification",
    "language modeling": "text classification",
    "machine translation": "text classification",
    "text-to-speech": "audio classification",
}
"""What a classifier learns of data that are mostly for something else."""
SCRIPTS = (".py", ".sh", ".yaml", ".yml", ".json", ".toml")


def by_class(view: View) -> None:
    """Take what the name of the repository's own class says beside its family: `PointNetPartSeg` segments parts."""
    model, family = known(view).model, known(view).family
    found = task_in_words(str(model.value)) if model is not None else None
    data = known(view).data
    if data is not None and data.task and found is not None and found[0] == "NLP" != data.task:
        return  # what translates one text into another reads molecules here
    network = held(view.once(network_of).value, Instance)
    if found is None and network is not None and says_only_task(network.cls.name):
        whole = task_in_words(network.cls.name)  # it may go by the name of what it is built around
        keep_task(view, *(whole or ("", "")), (network.spot, network.cls.spot))
        return
    is_own = model is not None and any(str(model.value) == value.data.cls.name for value in view.run.instances)
    # Of networks that segment, OCR is the context of objects: an acronym says no more than the family.
    says_more = family is None or (found is not None and found[0] == family.task and found[1] != "text recognition")
    if is_own and found is not None and model is not None and says_more:
        keep_task(view, *found, model.spots)


def by_data_class(view: View) -> None:
    """Take what the name of the repository's own class of data says: `DerainDataset`."""
    for data in own_data(view):
        found = task_in_words(data.data.cls.name)
        if found is not None:
            keep_task(view, *found, (data.data.spot, data.data.cls.spot))


def by_configuration(view: View) -> None:
    """Take what the names of files among the command's words say that hold no samples: of those `CTC` may be a set."""
    words = view.launch.words if view.program.found else ()
    for before, word in pairwise([None, *words]):
        text = word_text(word) if word is not None else ""
        if word is None or text == view.launch.name or not text.endswith((".yaml", ".yml", ".json", ".py", ".toml")):
            continue
        option = text if text.startswith("-") else word_text(before) if before is not None else ""
        found = task_in_words(text)
        if found is not None and not names_samples(option):
            keep_task(view, *found, word.src or view.command_spot, "the configuration's name")


def names_samples(option: str) -> bool:
    """Tell an option that is given files of samples, to learn from or for an evaluation."""
    name = option.partition("=")[0].lstrip("-")
    meant = field_of_name().get(squashed(name))
    return option.startswith("-") and ((meant is not None and meant[0] == "data_path") or names_aside(name))


def by_tuning_script(view: View) -> None:
    """Take the way to tune a language model after which the script or the configuration is called: `train_grpo.py`."""
    clue = known(view).family or known(view).data
    if view.get("is_training") is not True or clue is None or clue.task != "NLP":
        return
    for word in view.launch.words if view.program.found else ():
        text = word_text(word)
        stem, ending = posixpath.splitext(posixpath.basename(text))
        label = way_of_tuning(stem) if ending in SCRIPTS and "$" not in text else None
        if label is not None:
            keep_task(view, "NLP", label, word.src or view.command_spot)
            return


def way_of_tuning(stem: str) -> str | None:
    """Give what a name of a way to tune says, which may have grown together with others: `justgrpo`, `GRPOtrain`."""
    said = words_of(stem)
    for trainer, label in tuning_trainers().items():
        way = trainer.removesuffix("Trainer").lower()
        grown = len(way) > 3 and (way.upper() in stem or any(word.endswith(way) for word in said))
        if (way in said or grown) and way.endswith(("po", "kto", "loo")):
            return label
    return None


def by_preparing(view: View) -> None:
    """Say what a job does that trains nothing and whose script is called after making data ready."""
    script = posixpath.basename(view.launch.name).rpartition(".")[0]
    if view.get("is_training") is False and not PREPARING.isdisjoint(words_of(script)):
        view.keep("task_fine", "data preparation (download, preprocessing)", view.command_spot, "the script's name")


def spots_of_classifier(view: View) -> tuple[SourceLocation, ...]:
    """Give the place that names a script or a network after classifying, if one does."""
    model = view.values.get("model_name")
    if "classif" in view.launch.name.lower():
        return view.command_spot
    return model.spots if model is not None and "classif" in str(model.value).lower() else ()
