"""What is learned: the task and, more exactly, what of it."""

import posixpath
from collections.abc import Callable
from functools import partial

from schedmate.knowledge.code_words import words
from schedmate.knowledge.models import family_of
from schedmate.knowledge.reinforcement import is_multi_agent, kind_of_environment
from schedmate.knowledge.tasks import (
    classifies,
    meaning_of,
    names_two_tasks,
    rows,
    said_outright,
    task_in_words,
    tuning_trainers,
    words_of,
)
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.data.acted_environments import ENVIRONMENTS
from schedmate.readers.code.fields.networks.trained_network import ENCODER_FRAMES
from schedmate.readers.code.fields.tasks.family_tasks import (
    DESCRIBED,
    GENERATING,
    SEQUENCE_HEADS,
    by_family,
    by_sure_family,
    is_of_another_sense,
    is_put_to_use,
    other_field,
    runs_along,
    sorts_samples,
    spots_of_generators,
)
from schedmate.readers.code.fields.tasks.language_tasks import by_generation, tell_tuning
from schedmate.readers.code.fields.tasks.living_sequences import by_living_sequences
from schedmate.readers.code.fields.tasks.loss_tasks import (
    METHODS,
    by_calls,
    by_method,
    by_named_loss,
    losses_of,
    masks_of_nodes,
    measures_images,
)
from schedmate.readers.code.fields.tasks.named_tasks import (
    CLASSIFIED,
    by_class,
    by_configuration,
    by_data_class,
    by_preparing,
    by_tuning_script,
    spots_of_classifier,
)
from schedmate.readers.code.fields.tasks.table_tasks import by_tables
from schedmate.readers.code.fields.tasks.task_clues import keep_task, known, only_loads, spots_of_sound
from schedmate.readers.code.fields.tasks.told_methods import by_method_words, by_shots, told_tasks
from schedmate.readers.code.fields.tasks.vague_tasks import by_precise_words, by_purpose
from schedmate.readers.code.fields.words.algorithms import learns_to_act
from schedmate.readers.code.fields.words.command_names import name_in
from schedmate.readers.code.fields.words.project_words import program_lines, project_lines, stands_beside
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import Instance
from schedmate.readers.code.values.value import held

SEVERAL_AGENTS = "multi-agent reinforcement learning"
APPLYING = frozenset(words("tasks.applying"))

TUNING = frozenset({"instruction tuning", "preference tuning"})
"""What data of language models are for that are no texts to go on with."""
SENSED = frozenset({"audio", "CV", "multimodal"})
"""Kinds of data that are no texts."""
SORTED_SENSES = {"audio": "audio classification"}
"""What a head for sequences makes of a model that hears: its sequences are no texts."""
SEQUENCES = ("ForSeq2SeqLM", "DataCollatorForSeq2Seq")
"""What is for sequences made of sequences, of any kind."""


def by_paradigm(view: View) -> None:
    """Take models of several senses at once as such, whatever their parts are."""
    kind = view.values.get("model_type")
    if kind is not None and str(kind.value).startswith("multimodal"):
        view.keep("task", "multimodal", kind.spots)


def by_library(view: View, table: str) -> None:
    """Take the task that a table gives an imported library."""
    found = []
    for library, task, fine in rows(table):
        imported = library in view.imports or (("." in library) and view.import_spot(library))
        draws = table == "libraries" and task == "CV" and runs_along(view)  # grids of what is no picture
        if imported and view.is_in_use(library) and not only_loads(view, library) and not draws:
            found.append((task, fine, view.import_spot(library)))
    for task, fine, spots in found:
        several = len({other for one, other, _ in found if one == task and other}) > 1
        keep_task(view, task, "" if several else fine, spots)  # a program that may do either imports both


def by_reinforcement(view: View) -> None:
    """Tell reinforcement learning by the environments that are made."""
    for event in view.named(*ENVIRONMENTS):
        if event.name.startswith(("gym", "envpool", "procgen", "stable_baselines3")):
            view.keep("task", "RL", (event.spot,))
    if view.get("task") is None and learns_to_act(view):
        view.keep("task", "RL", view.command_spot, "a program named after an algorithm, with an agent's network")
    agents = is_multi_agent(str(view.get("model_name") or ""))
    kind = SEVERAL_AGENTS if agents else kind_of_environment(str(view.get("dataset_name") or ""))
    if view.get("task") == "RL" and kind is not None:
        found = view.values["model_name" if agents else "dataset_name"]
        view.correct("task_fine", kind, found.spots[:3])


def by_options(view: View) -> None:
    """Take what the option that names the task says, where the program reads it or is configured by it."""
    told = [named for value in told_tasks(view) if isinstance((named := name_in(value) or value).data, str)]
    for named in told:
        if (found := task_in_words(named.data)) is not None:
            keep_task(view, *sensed(view, found), named.src)
    for named in told:
        keep_task(view, "", said_outright(named.data) or "", named.src)


def sensed(view: View, told: tuple[str, str]) -> tuple[str, str]:
    """Say what learning a language means for a model that hears or sees: it goes on with notes as with words."""
    family = known(view).family
    other = told[1] == "language modeling" and family is not None and family.task in SENSED and family.fine
    return (family.task, family.fine) if other and family is not None else told


def by_names(view: View) -> None:
    """Take what the names of the script, its folder and its configuration say."""
    entry = view.program.entry
    if entry is not None:
        folder, script = posixpath.split(entry.path)
        stem = script.rpartition(".")[0]
        for text in (stem, posixpath.basename(folder)):
            found = task_in_words(text)
            by_named_loss(view, text)
            aside = found is not None and text != stem and "cls" in words_of(stem) and "segment" in found[1]
            if found is not None and not (aside or reads_no_texts(view, found[0])):
                keep_task(view, *found, view.command_spot, f"the name of {entry.path}")
        method = family_of(stem)
        fits = method is not None and not is_of_another_sense(view, method) and other_field(view, method) is None
        fits = fits and not (method is not None and method.kind.startswith(GENERATING) and runs_along(view))
        if method is not None and method.fine and fits and not applies(view) and not is_put_to_use(method, script):
            keep_task(view, method.task, method.fine, view.command_spot, f"the name of {entry.path}")
    by_configuration(view)


def reads_no_texts(view: View, task: str) -> bool:
    """Tell a task of texts where the data are pictures or sound: a `run_classifier.py` may sort anything."""
    data = known(view).data
    return task == "NLP" and data is not None and data.task in SENSED


def ends_with_word(name: str, end: str) -> bool:
    """Tell a name that ends with whole words: `MyPPOTrainer` does with `PPOTrainer`, `SPPOTrainer` is another."""
    before = name.removesuffix(end)
    return name.endswith(end) and not before[-1:].isupper()


def by_tuning(view: View) -> None:
    """Take what a fine-tuning library's trainer does; data of instructions make it instruction tuning."""
    data = known(view).data
    for event in view.events:
        name = event.short.removeprefix("new ")
        label = next((label for end, label in tuning_trainers().items() if ends_with_word(name, end)), None)
        if label is not None:
            if data is not None and data.fine == "instruction tuning" and label == "supervised fine-tuning":
                label = "instruction tuning (supervised fine-tuning)"
            task = "multimodal" if view.get("task") == "multimodal" else "NLP"
            keep_task(view, task, label, (event.spot,))


def by_head(view: View) -> None:
    """Take the task that a model's class is made for; one of languages reads what the data are, were it pictures."""
    data, found = known(view).data, known(view).found
    for event in view.events:
        for head, task, fine in rows("heads"):
            if head in event.name and task and not is_own_frame(event):
                if head in SEQUENCE_HEADS and (kind := known(view).family) is not None and kind.task in SENSED:
                    keep_task(view, kind.task, SORTED_SENSES.get(kind.task, ""), (event.spot,))
                if fine == "language modeling" and data is not None and found is not None and data.task in SENSED:
                    keep_task(view, data.task, data.fine, (*found.spots[:2], event.spot))
                tunes = fine == "language modeling" and data is not None and data.fine in TUNING
                tunes = tunes or (data is not None and data.task == task and fine in data.fine)
                keep_task(view, task, data.fine if tunes and data is not None else fine, (event.spot,))


def is_own_frame(event: Event) -> bool:
    """Tell an object of the repository's own class that is called as a library's frame around any encoder is."""
    made = held(event.result, Instance)
    return made is not None and made.cls.name in ENCODER_FRAMES


def by_data(view: View) -> None:
    """Take what the data are mostly for; models of several senses are pre-trained on data of all kinds."""
    data, found = known(view).data, known(view).found
    if view.get("is_training") is False and view.get("framework") is None:
        return  # what is worked out of such data without a network may be anything
    if data is None and (heard := spots_of_sound(view)):
        keep_task(view, "audio", "", heard)
    named = task_in_words(posixpath.basename(str(found.value))) if data is None and found is not None else None
    if named is not None and found is not None:
        keep_task(view, *named, found.spots)
    if data is None or found is None:
        return
    kind = str(view.get("model_type") or "")
    if data.fine == "image classification" and (measured := measures_images(view)):
        keep_task(view, data.task, "image generation", measured)
    if data.fine == "image classification" and (meaning := meaning_of(kind, data.task)):
        keep_task(view, data.task, meaning, view.values["model_type"].spots)
    if data.fine == "image classification" and (generators := spots_of_generators(view)):
        keep_task(view, data.task, "image generation", generators)
    captions = any("caption" in value.data.cls.name.lower() for value in view.run.instances)
    if data.name in DESCRIBED and (kind.startswith("rnn") or captions):
        keep_task(view, "multimodal", "image captioning", found.spots)  # boxes are not told word by word
    if data.fine in CLASSIFIED and (spots := spots_of_classifier(view)):
        keep_task(view, data.task, CLASSIFIED[data.fine], spots, "the name of the script or of the network")
    if data.task == "NLP" and "classification" in data.fine and kind.startswith(GENERATING):
        keep_task(view, data.task, "text generation", found.spots)  # what writes texts sorts none
        return
    pretrains = "pretrain" in " ".join(word_text(word) for word in view.launch.words).lower()
    if data.fine == "image classification" and not sorts_samples(view):
        keep_task(view, data.task, "", found.spots)
        return
    keep_task(view, data.task, "" if pretrains and view.get("task") == "multimodal" else data.fine, found.spots)


def by_project(view: View, beside: bool, last: bool = False) -> None:
    """Take what the README says the project is for: its first words early; all, or for another end, at last."""
    if not view.program.found or (applies(view) and not last):
        return
    for place, (text, spot) in enumerate(project_lines(view)[: 8 if last else 2 if beside else 4]):
        found = task_in_words(text) if not beside or stands_beside(view, spot) else None
        if found is not None and not (place and found[1] in METHODS):  # a way to learn that only a part may take
            played = found[0] == "RL" and found[1].endswith("games")  # of which others may have written
            fine = "" if names_two_tasks(text) or played else found[1]
            keep_task(view, found[0], fine, (spot,), "the project's own words")


def by_own_words(view: View) -> None:
    """Take what the program says of itself: the description of its parser, its docstring."""
    for text, spot in program_lines(view):
        found = task_in_words(text)
        if found is not None:
            keep_task(view, *found, (spot,), "the program's own words")


def applies(view: View) -> bool:
    """Tell a script that uses what the project is about for another end: fine-tuning, probing, evaluation."""
    script = posixpath.basename(view.launch.name).rpartition(".")[0]
    return not APPLYING.isdisjoint(words_of(script)) or "finetune" in script.lower() or "fine_tune" in script.lower()


def by_losses(view: View) -> None:
    """Say what the model's paradigm or a classifier's loss means where nothing told it better."""
    task = view.get("task")
    if task is None:
        made = view.values.get("dataset_name")
        if made is not None and str(made.value).startswith("synthetic data"):
            keep_task(view, "other", "toy problem on synthetic data", made.spots)
        return
    head = next((event for event in view.events if any(end in event.name for end in SEQUENCES)), None)
    if head is not None and task == "NLP":
        keep_task(view, task, "sequence-to-sequence", (head.spot,))
    kind = view.values.get("model_type")
    unseen = task == "CV" and runs_along(view)
    meaning = meaning_of(str(kind.value), task) if kind is not None and not unseen else None
    if meaning is not None and kind is not None:
        view.keep("task_fine", meaning, kind.spots)
    telling = [event for event in view.events if classifies(losses_of(event), task) is not None]
    label = classifies(losses_of(telling[0]), task) if telling else None
    if task == "graph" and label is not None and (masked := masks_of_nodes(view)):
        keep_task(view, task, "node classification", masked)
    generates = kind is not None and str(kind.value).startswith(GENERATING)  # its parts may be sorted
    if label is not None and not generates:
        view.keep("task_fine", label, (telling[0].spot,))
    if task == "RL":
        view.keep("task_fine", "reinforcement learning", view.values["task"].spots)


CLUES: tuple[tuple[str, Callable[[View], None]], ...] = (
    ("a model of several senses", by_paradigm),
    ("options that name the task", by_options),
    ("a library for one task", partial(by_library, table="decisive")),
    ("environments", by_reinforcement),
    ("what is made ready", by_preparing),
    ("names of script and configuration", by_names),
    ("the fine-tuning trainer", by_tuning),
    ("a script named after a way to tune", by_tuning_script),
    ("sequences of living things", by_living_sequences),
    ("the model's class", by_class),
    ("the model's family", by_sure_family),
    ("what is generated", by_generation),
    ("the model's head", by_head),
    ("losses, metrics and collators", by_calls),
    ("the program's own words", by_own_words),
    ("the README beside the program", partial(by_project, beside=True)),
    ("the data", by_data),
    ("the class of data", by_data_class),
    ("the project's README", partial(by_project, beside=False)),
    ("what the family mostly learns", partial(by_family, surely=False)),
    ("a library's usual task", partial(by_library, table="libraries")),
    ("the README of another end", partial(by_project, beside=False, last=True)),
    ("tables", by_tables),
    ("paradigm and loss", by_losses),
    ("what is done with the data", by_method_words),
    ("precise words", by_precise_words),
    ("few samples of a class", by_shots),
    ("for what end a language is learned", by_purpose),
    ("weights that are tuned", tell_tuning),
    ("how it is learned", by_method),
)
RULES = tuple(Rule(Subject.TASK, proposer, propose) for proposer, propose in CLUES)
