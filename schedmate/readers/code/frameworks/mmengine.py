"""MMEngine and MMCV: runners that train by one configuration, whose form OpenMMLab's libraries share."""

import posixpath

from schedmate.knowledge.code_words import meanings, words
from schedmate.knowledge.datasets import known_dataset
from schedmate.knowledge.models import family_of, is_generic
from schedmate.readers.code.evidence.optimizer_calls import keep_optimizer
from schedmate.readers.code.evidence.precision_words import precision_of
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.launchers.settled_counts import started_in_ranks
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.objects import Class
from schedmate.readers.code.values.value import External, Value, find_in, first, is_unknown, mapping_of

GENERIC = words("openmmlab.generic")
NAMED_BY_FILE = words("openmmlab.named_by_file")
SCOPES = meanings("openmmlab.scopes")

STRATEGIES = meanings("openmmlab.strategies")
"""Strategies of MMEngine's flexible runner; its others, and a configuration of DeepSpeed, are DeepSpeed's."""


def text_of(value: Value | None) -> str:
    """Give a name that may be written as text or as the class itself."""
    if value is None:
        return ""
    if isinstance(value.data, str):
        return value.data
    if isinstance(value.data, External):
        return value.data.name.rpartition(".")[2]
    return value.data.name if isinstance(value.data, Class) else ""


def own_switch(config: Value) -> bool:
    """Tell a configuration with a switch for mixed precision that is none of MMEngine's: a runner of their own."""
    return any("amp" in str(name).lower().split("_") for name in mapping_of(config))


def read_mmengine(view: View, config: Value) -> None:
    """Take the fields of an MMEngine or MMCV configuration."""
    is_mmengine = view.import_spot("mmengine") or first(config, "train_dataloader", "optim_wrapper") is not None
    view.keep("framework", "PyTorch, MMEngine" if is_mmengine else "PyTorch", config.src)  # MMCV had runners before
    view.number("batch_size", first(config, "train_dataloader.batch_size", "data.samples_per_gpu"))
    view.accumulates(first(config, "optim_wrapper.accumulative_counts"))
    iterations = first(config, "train_cfg.max_iters", "runner.max_iters", "total_iters")
    epochs = first(config, "train_cfg.max_epochs", "runner.max_epochs", "total_epochs")
    if iterations is not None and epochs is None:
        view.number("total_steps", iterations)
        view.rule_out("epochs")
    view.number("epochs", epochs)
    optimizer = mapping_of(first(config, "optim_wrapper.optimizer", "optimizer"))
    kind = optimizer.get("type")
    keep_optimizer(view, kind if is_unknown(kind) or kind is None else Value(text_of(kind), kind.src))
    view.number("learning_rate", optimizer.get("lr"))
    wrapper = first(config, "optim_wrapper.type")
    half = first(config, "fp16")
    if "Amp" in text_of(wrapper) and wrapper is not None:
        dtype = first(config, "optim_wrapper.dtype")
        view.keep("precision", precision_of(dtype) or "fp16", wrapper.src)
    elif half is not None:
        view.keep("precision", "fp16", half.src)
    elif (told := first(config, "optimizer_config.type") or wrapper or kind) is not None and not own_switch(config):
        note = "no mixed precision is configured"
        view.keep("precision", "fp16" if "Fp16" in text_of(told) else "fp32", told.src, note)
    spread = first(config, "strategy.type", "deepspeed")
    if spread is not None and text_of(spread):
        view.keep("distributed", STRATEGIES.get(text_of(spread), "DeepSpeed"), spread.src)
    elif started_in_ranks(view.launch) and view.launch.launchers:
        view.keep("distributed", "DDP", (view.launch.launchers[-1][1],))


def read_mm_model(view: View, config: Value) -> None:
    """Name the model: its own type, or its backbone's where the type is that of any classifier."""
    kind, backbone = first(config, "model.type"), first(config, "model.backbone.type", "backbone.type")
    shape = first(config, "model.backbone.depth", "model.backbone.arch")
    loaded = first(config, "model.llm.pretrained_model_name_or_path", "model.actor.pretrained_model_name_or_path")
    if loaded is not None and isinstance(loaded.data, str):
        view.keep("model_name", posixpath.basename(loaded.data.rstrip("/")), loaded.src)
    name, spots = text_of(kind), kind.src if kind is not None else ()
    if name in NAMED_BY_FILE:
        name_by_file(view)
    if backbone is not None and (not name or name in GENERIC or is_generic(name)):
        name, spots = text_of(backbone), backbone.src
        if shape is not None and isinstance(shape.data, (str, int)):
            joiner = "" if isinstance(shape.data, int) else "-"
            name, spots = f"{name}{joiner}{shape.data}", (*backbone.src, *shape.src)
    view.keep("model_name", name, spots)
    family = family_of(text_of(backbone)) if backbone is not None else None
    if backbone is not None and family is not None and family.kind == "transformer":
        view.keep("model_type", "transformer", backbone.src, "the backbone")  # whatever head stands on it


def read_mm_scope(view: View, config: Value) -> None:
    """Take what the OpenMMLab library of a configuration is for; heads tell detection from segmentation."""
    scope = first(config, "default_scope")
    keypoints = first(config, "model.keypoint_head.type", "model.keypoint_head")
    if keypoints is not None and scope is None:
        view.keep("task", "CV", keypoints.src)
        view.keep("task_fine", "pose estimation", keypoints.src)
    fine = SCOPES.get(str(scope.data)) if scope is not None else None
    if scope is None or fine is None:
        return
    mask = first(config, "model.roi_head.mask_head", "model.mask_head", "model.panoptic_head")
    if fine == "object detection" and mapping_of(mask):
        panoptic = find_in(config, "model.panoptic_head") is not None
        fine = "panoptic segmentation" if panoptic else "instance segmentation"
    view.keep("task", "CV", scope.src)
    view.keep("task_fine", fine, scope.src)


def name_by_file(view: View) -> None:
    """Take the algorithm and its size from the configuration's name, whose form OpenMMLab's rules fix."""
    for word in view.launch.words:
        path = word_text(word)
        if path.endswith(".py") and "/" in path and path != view.launch.name:
            parts = posixpath.basename(path)[:-3].split("_")
            if len(parts) > 1:
                view.keep("model_name", "_".join(parts[:2]), word.src, "the configuration's name")


DATA_PLACES = words("openmmlab.data_places")


def read_mm_data(view: View, config: Value) -> None:
    """Name the data: a known set by its class or its folder."""
    for key in DATA_PLACES:
        node = find_in(config, key)
        if node is None or not isinstance(node.data, dict):
            continue
        if (own := own_data(node)) is not None:
            view.keep("dataset_name", posixpath.basename(str(own.data).rstrip("/")), own.src)
        if text_of(node.data.get("type")) == "load_dataset" and (named := node.data.get("path")) is not None:
            view.keep("dataset_name", named.data, named.src)
        for part in ("type", "data_root", "ann_file"):
            value = node.data.get(part)
            known = known_dataset(text_of(value))
            if known is not None and value is not None:
                view.keep("dataset_name", known.name, value.src)


def own_data(node: Value) -> Value | None:
    """Give the folder of data that only have a known set's format: their classes are given anew."""
    root, classes = node.data.get("data_root"), node.data.get("metainfo")
    if root is None or classes is None or classes.data is None:
        return None
    return root if isinstance(root.data, str) and root.data and known_dataset(root.data) is None else None


def runner_configs(view: View) -> list[Value]:
    """Give the configurations that such a runner is started with."""
    named = [config for kind, config in view.run.configs if kind.endswith("Config.fromfile")]
    return [config for config in named if isinstance(config.data, dict) and "model" in config.data]


def tell_all(view: View) -> None:
    """Take the fields of each configuration that such a runner is started with."""
    for config in runner_configs(view):
        if view.get("is_training") is not False:
            read_mmengine(view, config)
        read_mm_model(view, config)
        read_mm_scope(view, config)
        read_mm_data(view, config)


def tell_device(view: View) -> None:
    """Count one device for a runner that is started by no launcher."""
    if not started_in_ranks(view.launch) and runner_configs(view):
        view.keep("num_gpus", 1, view.command_spot, "a runner that is no distributed one takes one device")


RULES = (
    Rule(Subject.CONFIGURATION, "MMEngine", tell_all),
    Rule(Subject.PROCESSES, "MMEngine's plain runner", tell_device),
)
