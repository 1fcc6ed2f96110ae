"""What losses, metrics and collators tell of the task, and ways to learn that are used for tasks of any kind."""

import ast

from schedmate.knowledge.code_words import words
from schedmate.knowledge.reinforcement import learned_by
from schedmate.knowledge.tasks import classifies, compiled_loss, predicts_numbers, telling_calls, words_of
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.tasks.task_clues import keep_task, known
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.value import SourceLocation

SOUND = frozenset({"torchaudio", "librosa", "soundfile", "audioread", "pydub", "kaldiio", "python_speech_features"})
"""Libraries that read sound: what generates whatever it is shown generates sound then."""
SEEING = frozenset(words("data.seeing"))
ALIGNING = ("CTCLoss", "ctc_loss")

SORTING = frozenset({"CrossEntropyLoss", "cross_entropy", "NLLLoss", "nll_loss"})
"""Losses that sort samples: beside one, a loss that aligns sequences which may be taken says nothing."""

MATCHING, FOUND = "HungarianMatcher", ("detection", "segmentation", "classification")
"""What matches a set of answers with the true ones: boxes mostly, and whatever else the data are for."""
FOLDERS = frozenset({"flow_from_directory", "flow_from_dataframe", "image_dataset_from_directory"})
"""Calls of Keras that read pictures, by default with the classes that their folders tell."""
MEASURING = words("tasks.measures_of_images")

NODES = frozenset({"train_mask", "idx_train", "train_idx", "train_nodes", "train_nid"})
"""How the nodes are called that a graph's labels are learned from."""
ACTING = "reinforcement learning"
"""What says of an agent no more than that it is one."""
PLAIN, CLASSES = "tabular prediction", "tabular"

WAY = "contrastive"
"""What stands in names of scripts and of what they learn by pulling alike samples together."""

METHODS = frozenset(words("tasks.ways_to_learn"))


def by_calls(view: View) -> None:
    """Take what losses, metrics, collators and data classes tell; of unsure calls only what they agree on."""
    table, data = telling_calls(), known(view).data
    heard = data is not None and data.task == "audio"  # margins come from faces and are used on voices, too
    events = [event for event in view.events if not is_unlabelled(event)]
    rows_told = ((event, table.get(event.short.removeprefix("new "))) for event in events)
    told = [(event, seen(view, row) if event.short in ALIGNING else row) for event, row in rows_told if row is not None]
    told = [(event, row) for event, row in told if row and not (heard and row[0] == "CV")]
    reads = data is not None and data.task == "CV" and data.fine.startswith("text ")  # words are cut out of pictures
    told = [(event, row) for event, row in told if not (reads and row[1] == "semantic segmentation")]
    builds = data is not None and data.task == "CV" and data.fine and not data.fine.endswith(FOUND)
    told = [(event, row) for event, row in told if not (builds and event.short.endswith(MATCHING))]
    sorts = any(not losses_of(event).isdisjoint(SORTING) for event in events)
    told = [(event, row) for event, row in told if event.sure or event.short not in ALIGNING or not sorts]
    unsure = {row[1] for event, row in told if not event.sure}
    likely = view.get("task") or likely_task(view)
    for event, row in told:
        if (event.sure or len(unsure) == 1) and (row[0] or likely == row[2]):
            keep_task(view, row[0] or row[2], row[1], (event.spot,))


def by_named_loss(view: View, name: str) -> None:
    """Take the way to learn without labels after which the script is called and whose loss it calls."""
    table = telling_calls()
    for event in view.events if WAY in words_of(name) else ():
        row = table.get(event.short.removeprefix("new "))
        if row is not None and WAY in row[1]:
            keep_task(view, row[0] or row[2], row[1], (event.spot, *view.command_spot))


def is_unlabelled(event: Event) -> bool:
    """Tell pictures that are read without the classes of their folders: masks, pictures to be changed."""
    told = next((event.kwargs[name] for name in ("class_mode", "label_mode", "labels") if name in event.kwargs), None)
    return event.short in FOLDERS and told is not None and told.data is None


def likely_task(view: View) -> str:
    """Give the task that data or else model are of, before they are asked for it."""
    data, family = known(view).data, known(view).family
    return data.task if data is not None else family.task if family is not None else ""


def seen(view: View, row: list[str]) -> list[str]:
    """Say what a loss that aligns sequences with words means where pictures are read: text, or what the data say."""
    data = known(view).data
    if not view.imports.isdisjoint(SOUND):
        return row
    if data is not None and data.task == "CV" and data.fine:
        return []
    sees = data is None and not view.imports.isdisjoint(SEEING)
    return ["CV", "text recognition", "CV"] if sees else row


def by_method(view: View) -> None:
    """Name what is learned beside a way to learn it, image classification by federated learning; and what of tables."""
    method, data, family = view.get("task_fine"), known(view).data, known(view).family
    learned = (data.fine if data is not None else "") or (family.fine or family.usual if family is not None else "")
    if method == PLAIN:
        told = {loss for event in view.events for loss in losses_of(event)}
        kind = "regression" if predicts_numbers(told) else "classification" if classifies(told, CLASSES) else ""
        view.correct("task_fine", f"{method} ({kind})" if kind else method, view.values["task_fine"].spots)
    if method == ACTING and (way := learned_by(str(view.get("model_name") or ""))) is not None:
        view.correct("task_fine", f"{method} ({way})", view.values["model_name"].spots)
    if method in METHODS and learned:
        view.correct("task_fine", f"{learned} ({method})", view.values["task_fine"].spots)


def measures_images(view: View) -> tuple[SourceLocation, ...]:
    """Give the import of what measures made pictures, where no loss sorts any."""
    called = {loss for event in view.events for loss in losses_of(event)}
    found = next((place for library in MEASURING if (place := view.import_spot(library))), ())
    return found if classifies(called, "CV") is None else ()


def masks_of_nodes(view: View) -> tuple[SourceLocation, ...]:
    """Give the place where a part of one graph's nodes is picked for training: `out[data.train_mask]`."""
    for path, tree in view.run.trees.items():
        for part in ast.walk(tree) if tree is not None else ():
            name = part.attr if isinstance(part, ast.Attribute) else part.id if isinstance(part, ast.Name) else ""
            if isinstance(part, ast.expr) and name in NODES:
                return (SourceLocation(path, part.lineno),)
    return ()


def losses_of(event: Event) -> set[str]:
    """Give a call's own name, which may be a loss, and the loss by whose name Keras compiles a model."""
    loss = event.arg(1, "loss") if event.short == "compile" else None
    named = [compiled_loss(loss.data)] if loss is not None and isinstance(loss.data, str) else []
    return {event.short.removeprefix("new "), *named}
