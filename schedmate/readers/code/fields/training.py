"""Does the command train, how long, and with what framework."""

import sys

from schedmate.knowledge.libraries import KNOWN_LIBRARIES, WITHOUT_TRAINING
from schedmate.knowledge.optimizers import is_library_optimizer
from schedmate.readers.code.fields.view import View
from schedmate.readers.code.launchers.likelihood import TRAINS
from schedmate.readers.code.libraries.defaults import is_default
from schedmate.readers.code.python.run import Event, Loop
from schedmate.readers.code.things import Made
from schedmate.readers.code.values import COMMAND, Val, is_constant
from schedmate.tools.repository import NotReadable

DEEP = ("torch", "tensorflow", "keras", "jax", "flax", "mxnet", "paddle", "mindspore", "lightning", "pytorch_lightning")
STEP_NAMES = ("step", "iter", "update", "batch", "frame")


def find_is_training(view: View) -> None:
    """Say yes where the path trains, no where it was followed to its end and does not, nothing where it was lost."""
    if "is_training" in view.values:
        return
    chosen = runner_modes(view)
    if chosen is not None:
        view.keep("is_training", chosen.data, chosen.src)
        return
    asked = evaluation_asked(view)
    if asked is not None:
        view.keep("is_training", False, asked.src, "the command asks for evaluation only")
        return
    training = view.training
    sure = [event for event in training if event.sure]
    if sure or training:
        view.keep("is_training", True, ((sure or training)[0].spot,))
    elif "trains" in view.run.flags:
        view.keep("is_training", True, (view.run.flags["trains"],))
    elif "may train" in view.run.flags:
        return
    elif view.program.found and view.program.complete and not lost(view):
        view.keep(
            "is_training",
            False,
            (view.program.entry or view.launch.spot, *view.command_spot),
            "nothing on the path trains",
        )


def runner_modes(view: View) -> Val | None:
    """Give whether rl_games' `runner.run({"train": ...})` is told to train."""
    for event in view.named("run"):
        modes = event.args[0].data if event.name.startswith("rl_games.") and event.args else None
        value = modes.get("train") if isinstance(modes, dict) else None
        if value is not None and isinstance(value.data, bool):
            return Val(value.data, value.src or (event.spot,))
    return None


def lost(view: View) -> bool:
    """Tell a path that leads into code that could not be found: then nothing is known of what it does."""
    if view.run.flags.get("spawned"):
        return True
    if view.imports.intersection(DEEP) and not uses_a_model(view):
        return True
    if not view.imports.intersection(DEEP) and TRAINS.search(view.launch.name) and mentions_deep_learning(view):
        return True
    known = KNOWN_LIBRARIES | WITHOUT_TRAINING | sys.stdlib_module_names
    if any(name not in known for name in view.imports if name):
        return not view.imports.intersection(DEEP)
    return any(
        "not followed to its end" in note or "cannot be parsed" in note or "too long" in note for note in view.run.notes
    )


EVALUATION_OPTIONS = frozenset(
    {
        "eval",
        "evaluate",
        "eval_only",
        "evaluate_only",
        "test_only",
        "only_eval",
        "eval_mode",
        "inference",
        "validate_only",
    }
)


def evaluation_asked(view: View) -> Val | None:
    """Give the option of the command that asks for evaluation instead of training."""
    for mapping in view.namespaces:
        for name, value in mapping.items():
            if name in EVALUATION_OPTIONS and value.data is True and value.src and value.src[0].path == COMMAND:
                return value
    return None


USES = frozenset(
    {
        "eval", "no_grad", "inference_mode", "from_pretrained", "load_state_dict", "predict", "generate",
        "load_model", "pipeline", "evaluate", "test", "validate", "load_from_checkpoint", "restore", "load_weights",
        "export", "trace", "onnx"
    }
)  # fmt: skip
"""Calls by which a program that does not train uses a network."""


def uses_a_model(view: View) -> bool:
    """Tell a program that is seen to use a network from one that only imports the libraries."""
    if "uses a model" in view.run.flags:
        return True
    return any(event.short in USES or event.short.endswith("Optimizer") for event in view.events) or any(
        is_library_optimizer(event.name) for event in view.events
    )


def mentions_deep_learning(view: View) -> bool:
    """Tell a repository that asks for a deep-learning framework to be installed."""
    repository = view.run.repository
    for name in ("requirements.txt", "setup.py", "pyproject.toml", "environment.yml", "environment.yaml", "setup.cfg"):
        try:
            text = repository.peek(name) if repository.is_file(name) else ""
        except NotReadable:
            continue
        if any(library in text for library in ("torch", "tensorflow", "jax", "keras", "paddlepaddle", "mxnet")):
            return True
    return False


def find_duration(view: View) -> None:
    """Find epochs and steps: from a trainer's arguments, from the loops around the backward pass, from options."""
    from_trainers(view)
    event = best_training_event(view)
    if event is not None:
        from_loops(view, event)
    from_options(view)


def from_trainers(view: View) -> None:
    """Take what library trainers are told."""
    arguments = trainer_arguments(view)
    if arguments is not None:
        steps, epochs = arguments.attrs.get("max_steps"), arguments.attrs.get("num_train_epochs")
        if steps is not None and isinstance(steps.data, int) and steps.data > 0:
            view.number("total_steps", steps)
            view.rule_out("epochs")
        else:
            view.number("epochs", epochs)
    for event in view.lightning:
        steps = event.kwargs.get("max_steps")
        if steps is not None and isinstance(steps.data, int) and steps.data > 0:
            view.number("total_steps", steps)
        epochs = event.kwargs.get("max_epochs")
        if epochs is not None and isinstance(epochs.data, int):
            view.number("epochs", epochs)
    for event in view.named("fit", "fit_generator"):
        view.number("epochs", event.kwargs.get("epochs") or event.kwargs.get("nb_epoch"))
    for event in view.named("learn"):
        view.number("total_steps", event.arg(0, "total_timesteps"))
    for event in view.named("train"):
        if "YOLO" in event.name:
            view.number("epochs", event.kwargs.get("epochs"))


def trainer_arguments(view: View) -> Made | None:
    """Give the arguments of the Hugging Face trainer that is used."""
    found: Made | None = None
    for event in view.events:
        data = event.result.data
        if isinstance(data, Made) and "num_train_epochs" in data.attrs and "per_device_train_batch_size" in data.attrs:
            found = found or data
    if found is not None:
        return found
    for value, _ in view.run.namespaces:
        data = value.data
        if hasattr(data, "attrs") and "num_train_epochs" in data.attrs and "per_device_train_batch_size" in data.attrs:
            return Made("transformers.TrainingArguments", [], {}, data.spot, attrs=data.attrs)
    for value in view.run.instances:
        if "num_train_epochs" in value.data.attrs and "per_device_train_batch_size" in value.data.attrs:
            return Made("transformers.TrainingArguments", [], {}, value.data.spot, attrs=value.data.attrs)
    return None


def best_training_event(view: View) -> Event | None:
    """Give the training call with the most loops around it, the backward pass before anything else."""
    events = [
        event
        for event in view.training
        if event.short in ("backward", "apply_gradients", "manual_backward", "train_batch", "minimize")
    ]
    events = events or view.training
    sure = [event for event in events if event.sure]
    return max(sure or events, key=lambda event: len(event.loops), default=None)


def from_loops(view: View, event: Event) -> None:
    """Read epochs and steps off the loops around a training call."""
    loops = event.loops
    rl = plays(view) and view.option("env_steps") is not None
    counted = [loop for loop in loops if loop.count is not None and is_constant(loop.count)]
    if not counted:
        return
    first = counted[0]
    epoch_loop = next((loop for loop in counted if any("epoch" in name.lower() for name in loop.names)), None)
    if epoch_loop is not None and not any(
        part in name.lower() for name in first.names for part in (*STEP_NAMES, "epoch")
    ):
        first = epoch_loop
    count = bound_value(first)
    inner = [loop for loop in loops[loops.index(first) + 1 :] if loop.kind == "for" and loop.count is None]
    named_epoch = any("epoch" in name.lower() or name in ("e", "ep") for name in first.names)
    named_step = any(part in name.lower() for name in first.names for part in STEP_NAMES)
    if named_epoch or (inner and not named_step and not rl):
        view.number("epochs", count)
        if loops[-1] is first and "while" not in {loop.kind for loop in loops} and event.short == "backward":
            view.number("total_steps", count, "one step an epoch: all data at once")
    elif not rl and (named_step or not inner):
        view.number("total_steps", count)
        view.rule_out("epochs")


def plays(view: View) -> bool:
    """Tell reinforcement learning, whose steps are those of the environment."""
    return bool(
        view.imports.intersection(("gym", "gymnasium", "envpool", "stable_baselines3", "procgen", "dm_control", "brax"))
    ) or (view.get("task") == "RL")


def bound_value(loop: Loop) -> Val:
    """Give a loop's count with the places of its bound."""
    assert loop.count is not None
    value = Val(loop.count.data, tuple(loop.count.src))
    return value if value.src else Val(value.data, (loop.spot,))


def from_options(view: View) -> None:
    """Take options by their names where nothing else told."""
    env_steps = view.option("env_steps") if plays(view) else None
    if env_steps is not None and view.number("total_steps", env_steps):
        view.rule_out("epochs")
        return
    if "epochs" not in view.values and "total_steps" not in view.values:
        steps = view.option("total_steps")
        if steps is not None and not is_default(steps):
            view.number("total_steps", steps)
        view.number("epochs", view.option("epochs"))


def find_framework(view: View) -> None:
    """Name the framework by what the followed files import and the path calls."""
    imports = view.imports
    used = {event.name.partition(".")[0] for event in view.events}
    main = main_framework(view)
    if main is None:
        return
    extras = [name for library, name in HELPERS if library in used or library in imports]
    label = ", ".join(dict.fromkeys([*extras[:1], main]))
    names = [library for library, name in HELPERS if name in extras[:1]] + list(ROOTS[main])
    view.keep("framework", label, view.import_spot(*names))


def main_framework(view: View) -> str | None:
    """Choose between frameworks that are imported side by side: the one that is called most counts."""
    calls: dict[str, int] = {}
    for event in view.events:
        root = event.name.partition(".")[0]
        if ".tensorboard" in event.name or event.name.startswith("torch.utils.data"):
            continue
        for name, roots in ROOTS.items():
            if root in roots:
                calls[name] = calls.get(name, 0) + 1
    if calls:
        return max(calls, key=lambda name: calls[name])
    found = [name for name, roots in ROOTS.items() if view.imports.intersection(roots)]
    if found:
        return found[0]
    return (
        "PyTorch"
        if view.imports.intersection(("lightning", "pytorch_lightning", "torchvision", "transformers"))
        else None
    )


ROOTS = {
    "PyTorch": ("torch", "torchvision", "lightning", "pytorch_lightning", "stable_baselines3", "accelerate", "timm"),
    "JAX": ("jax", "flax", "optax", "haiku"),
    "TensorFlow": ("tensorflow", "keras", "tf_keras"),
    "PaddlePaddle": ("paddle",),
    "MXNet": ("mxnet",),
    "MindSpore": ("mindspore",),
}
HELPERS = (
    ("lightning", "PyTorch Lightning"),
    ("pytorch_lightning", "PyTorch Lightning"),
    ("stable_baselines3", "Stable-Baselines3"),
    ("flax", "Flax"),
    ("mmengine", "MMEngine"),
    ("detectron2", "Detectron2"),
    ("speechbrain", "SpeechBrain"),
    ("trl", "Hugging Face TRL"),
    ("transformers", "Hugging Face Transformers"),
    ("accelerate", "Hugging Face Accelerate"),
    ("deepspeed", "DeepSpeed"),
    ("keras", "Keras"),
)
