"""With what framework a job computes: the one that is called most, else one that is imported."""

from schedmate.readers.code.evidence.rule import Certainty, Rule
from schedmate.readers.code.evidence.view import View

BUILT_ON_TORCH = ("lightning", "pytorch_lightning", "torchvision", "transformers", "fastai", "ultralytics", "ignite")
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
    ("ignite", "PyTorch-Ignite"),
    ("deepspeed", "DeepSpeed"),
    ("keras", "Keras"),
    ("composer", "Composer"),
    ("fastai", "fastai"),
    ("ultralytics", "Ultralytics"),
)


def called(view: View) -> None:
    """Take the framework that is called most of several side by side."""
    calls: dict[str, int] = {}
    for event in view.events:
        root = event.name.partition(".")[0]
        if ".tensorboard" in event.name or event.name.startswith("torch.utils.data"):
            continue
        for name, roots in ROOTS.items():
            if root in roots:
                calls[name] = calls.get(name, 0) + 1
    if calls:
        propose(view, max(calls, key=lambda name: calls[name]))


def imported(view: View) -> None:
    """Take the first framework that the followed files import."""
    for name, roots in ROOTS.items():
        if view.imports.intersection(roots):
            propose(view, name)
            return


def built_on_torch(view: View) -> None:
    """Take PyTorch where libraries are imported that stand on it."""
    if view.imports.intersection(BUILT_ON_TORCH):
        propose(view, "PyTorch")


def propose(view: View, main: str) -> None:
    """Propose a framework, with the library in front by which the program uses it."""
    used = {event.name.partition(".")[0] for event in view.events}
    helper = next(((library, name) for library, name in HELPERS if library in used or library in view.imports), None)
    label = ", ".join(dict.fromkeys([helper[1], main] if helper else [main]))
    libraries = [library for library, name in HELPERS if helper and name == helper[1]]
    view.keep("framework", label, view.import_spot(*libraries, *ROOTS[main]))


RULES = (
    Rule("framework", Certainty.SEEN, "calls", called),
    Rule("framework", Certainty.LIBRARY, "imports", imported),
    Rule("framework", Certainty.LIKELY, "imports of what builds on PyTorch", built_on_torch),
)
