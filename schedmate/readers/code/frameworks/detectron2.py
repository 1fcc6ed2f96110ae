"""Detectron2: a trainer that builds optimizer, data and model from one configuration."""

import posixpath

from schedmate.knowledge.datasets import known_dataset
from schedmate.knowledge.models import family_of
from schedmate.readers.code.evidence.precision_words import keep_switch
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.frameworks.torch import launch_function
from schedmate.readers.code.frameworks.transformers import trainer_train
from schedmate.readers.code.launchers.settled_counts import started_in_ranks
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.signs.facts import TrainingSigns
from schedmate.readers.code.values.objects import BoundMethod, ExternalResult, Function, Instance
from schedmate.readers.code.values.run import Call, Hook
from schedmate.readers.code.values.value import Value, first, sequence_of

DETECTRON_TASKS = (
    ("MODEL.KEYPOINT_ON", "keypoint detection"),
    ("MODEL.META_ARCHITECTURE", "segmentation"),
    ("MODEL.MASK_ON", "instance segmentation"),
)


def detectron_train(call: Call) -> Value | None:
    """Model Detectron2's trainer: an optimizer that its class builds anew is built as the library would ask for it."""
    owner = call.owner
    configs = [value for kind, value in call.run.configs if kind == "detectron2"]
    builder = owner.data.cls.find("build_optimizer") if owner is not None and isinstance(owner.data, Instance) else None
    if owner is not None and builder is not None and isinstance(builder.data, Function) and configs:
        call.run.about(TrainingSigns).own_solver = True
        model = Value(ExternalResult("detectron2.modeling.build_model", configs[-1:], {}, call.spot), (call.spot,))
        receiver = Value(owner.data.cls) if builder.data.kind == "class" else owner
        method = builder if builder.data.kind == "static" else Value(BoundMethod(receiver, builder.data))
        call.run.call(method, [configs[-1], model], {}, call.spot, call.scope)
    return trainer_train(call)


def read_detectron(view: View, config: Value) -> None:
    """Take the fields of a Detectron2 configuration."""
    view.keep("framework", "Detectron2, PyTorch", config.src)
    trains = view.get("is_training") is not False
    if trains:
        read_solver(view, config)
    read_detectron_data(view, first(config, "DATASETS.TRAIN" if trains else "DATASETS.TEST"))
    for key, task in DETECTRON_TASKS:
        chosen = first(config, key)
        if chosen is not None and chosen.data in (True, "PanopticFPN", "SemanticSegmentor"):
            view.keep("task", "CV", chosen.src)
            view.keep("task_fine", task, chosen.src)
    for word in view.launch.words:
        text = word_text(word)
        file = posixpath.basename(text)
        is_here = file in view.run.repository.by_name  # else the name may stand for one of the user's
        if file.endswith((".yaml", ".yml")) and (is_here or family_of(file) is not None):
            view.keep("model_name", file.rpartition(".")[0], word.src)


def read_solver(view: View, config: Value) -> None:
    """Take what Detectron2 trains with; an optimizer is its own SGD only where the trainer builds no other."""
    view.number("global_batch_size", first(config, "SOLVER.IMS_PER_BATCH"))
    view.number("total_steps", first(config, "SOLVER.MAX_ITER"))
    view.number("learning_rate", first(config, "SOLVER.BASE_LR"))
    view.rule_out("epochs")
    keep_switch(view, first(config, "SOLVER.AMP.ENABLED"))
    batch, gpus = view.values.get("global_batch_size"), view.values.get("num_gpus")
    if batch is not None and gpus is not None and gpus.value and batch.value % gpus.value == 0:
        spots = tuple(dict.fromkeys((*batch.spots[:1], *gpus.spots[:1])))
        view.keep("batch_size", batch.value // gpus.value, spots)
    if gpus is not None and gpus.value > 1:
        view.keep("distributed", "DDP", gpus.spots, "Detectron2 wraps the model where there are several processes")
    elif gpus is not None and gpus.value == 1 and not started_in_ranks(view.launch):
        view.keep("distributed", "none", gpus.spots, "Detectron2 starts no processes for one GPU")
    if not view.run.about(TrainingSigns).own_solver:
        view.keep("optimizer", "SGD", config.src, "Detectron2's solver builds SGD")


def read_detectron_data(view: View, data: Value | None) -> None:
    """Name the first of the registered sets; splits are part of their names."""
    for name in sequence_of(data)[:1]:
        if data is not None and isinstance(name.data, str):
            known = known_dataset(name.data)
            view.keep("dataset_name", known.name if known is not None else name.data, name.src or data.src)


TRAINS_BY_IT = ("detectron2.engine", "detectron2.solver", "detectron2.data")


def tell_all(view: View) -> None:
    """Take the fields of each configuration of Detectron2's that the program made, where it trains by the library.

    One that takes a network alone from there trains it by what is its own.
    """
    if not any(name.startswith(TRAINS_BY_IT) for name in view.run.imports):
        return
    for kind, config in view.run.configs:
        if kind == "detectron2" and isinstance(config.data, dict):
            read_detectron(view, config)


HOOKS: dict[str, Hook] = {"detectron2.engine.launch": launch_function}
ENDINGS: dict[str, Hook] = {"DefaultTrainer.train": detectron_train}
RULES = (Rule(Subject.CONFIGURATION, "Detectron2", tell_all),)
