"""NeMo 2: recipes that are told devices, batches and steps, and that `nemo_run` or `llm.pretrain` runs."""

from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View, keep_default
from schedmate.readers.code.signs.facts import TrainingSigns
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.run import Call, Hook
from schedmate.readers.code.values.value import Value, join_spots

MAKES = ("pretrain_recipe", "finetune_recipe")
GIVEN = {
    "batch_size": ("micro_batch_size",),
    "global_batch_size": ("global_batch_size",),
    "total_steps": ("max_steps", "num_steps"),
    "learning_rate": ("max_lr", "lr"),
}


def recipes(view: View) -> list[Event]:
    """Give the recipes that are made."""
    return [event for event in view.named(*MAKES) if event.name.startswith("nemo.")]


def run_recipe(call: Call) -> Value | None:
    """Note that what runs a recipe trains."""
    recipe = call.arg(0)
    made = recipe.data if recipe is not None else None
    if isinstance(made, ExternalResult) and made.short in MAKES:
        call.run.about(TrainingSigns).surely = call.spot
    return Value(None)


def given(event: Event, *names: str) -> Value | None:
    """Give what a recipe is told under one of these names."""
    return next((event.kwargs[name] for name in names if name in event.kwargs), None)


def tell_processes(view: View) -> None:
    """Count devices and nodes; a recipe takes eight of one node where it is told nothing."""
    for event in recipes(view)[:1]:
        each = given(event, "num_gpus_per_node") or Value(8, (event.spot,))
        nodes = given(event, "num_nodes") or Value(1, (event.spot,))
        view.number("num_nodes", Value(nodes.data, nodes.src or (event.spot,)))
        if isinstance(each.data, int) and isinstance(nodes.data, int):
            view.keep("num_gpus", each.data * nodes.data, join_spots(each, nodes) or (event.spot,))
        view.rule_out("num_gpus")


def tell_recipe(view: View) -> None:
    """Take what the recipe is told of batches, steps and rate; by itself it decides on Megatron's Adam."""
    for event in recipes(view)[:1]:
        for name, keys in GIVEN.items():
            view.number(name, given(event, *keys))
        view.rule_out("epochs")
        view.keep("distributed", "Megatron", (event.spot,), "NeMo's recipes train with Megatron's strategy")
        keep_default(view, "optimizer", event, "Adam", f"{event.short}: distributed fused Adam")


def default_precision(view: View) -> None:
    """Take bf16, in which a recipe trains."""
    for event in recipes(view)[:1]:
        keep_default(view, "precision", event, "bf16", f"{event.short}: bf16_mixed")


def tell_framework(view: View) -> None:
    """Name NeMo."""
    for event in recipes(view)[:1]:
        view.keep("framework", "NeMo, PyTorch Lightning, PyTorch", (event.spot,))


HOOKS: dict[str, Hook] = {
    **dict.fromkeys(("nemo_run.run", "nemo_run.cli.main"), run_recipe),
    **dict.fromkeys((f"nemo.collections.llm.{name}" for name in ("pretrain", "finetune", "train")), run_recipe),
}
RULES = (
    Rule(Subject.PROCESSES, "NeMo's recipes", tell_processes),
    Rule(Subject.TRAINER, "NeMo's recipes", tell_recipe),
    Rule(Subject.PRECISION, "NeMo's recipes", default_precision),
    Rule(Subject.FRAMEWORK, "NeMo's recipes", tell_framework),
)
