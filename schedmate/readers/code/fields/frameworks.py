"""With what framework a job computes."""

from schedmate.readers.code.evidence.view import View


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
    return "PyTorch" if view.imports.intersection(BUILT_ON_TORCH) else None


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
