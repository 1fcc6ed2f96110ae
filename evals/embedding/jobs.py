"""Generate metadata texts of jobs: one job told in many ways, as code, configs and people name it."""

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

LEXICON = Path(__file__).parent / "jobs.toml"

FRAMEWORKS = (
    "PyTorch",
    "pytorch",
    "TensorFlow",
    "JAX",
    "PyTorch Lightning",
    "HuggingFace Transformers",
    "DeepSpeed",
    "",
)

FIELDS = {
    "model": ("model_name", "model", "arch", "Model", "network"),
    "dataset": ("dataset_name", "dataset", "data", "Dataset", "train_data"),
    "task": ("task", "task_fine", "objective", "Task", "purpose"),
    "type": ("model_type", "type", "architecture"),
    "framework": ("framework", "library", "backend"),
    "num_gpus": ("num_gpus", "gpus", "n_gpu", "world_size"),
    "batch_size": ("batch_size", "bs", "train_batch_size", "per_device_train_batch_size"),
    "learning_rate": ("learning_rate", "lr", "base_lr"),
    "epochs": ("epochs", "num_train_epochs", "max_epochs"),
    "optimizer": ("optimizer", "optim"),
    "precision": ("precision", "amp", "dtype"),
}
"""The fields of a job, and what configurations call them."""


@dataclass(frozen=True)
class JobKind:
    """What makes jobs alike: the same model on the same data for the same task."""

    task: tuple[str, ...]
    type: tuple[str, ...]
    model: tuple[str, ...]
    dataset: tuple[str, ...]
    scripts: tuple[str, ...]

    @property
    def name(self) -> str:
        """Name the kind."""
        return f"{self.task[0]}/{self.model[0]}/{self.dataset[0]}"


def read_kinds(held_out: bool) -> list[JobKind]:
    """Combine each task's models and datasets."""
    tasks = tomllib.loads(LEXICON.read_text("utf-8"))["task"]
    return [
        JobKind(tuple(task["names"]), tuple(task["type"]), tuple(model), tuple(dataset), tuple(task["scripts"]))
        for task in tasks
        if bool(task.get("held_out")) == held_out
        for model in task["models"]
        for dataset in task["datasets"]
    ]


def draw_facts(kind: JobKind, draw: Random) -> dict[str, str]:
    """Draw one job of a kind: its names as someone wrote them, and settings that say little about the kind."""
    return {
        "model": draw.choice(kind.model),
        "dataset": draw.choice(kind.dataset),
        "task": draw.choice(kind.task),
        "type": draw.choice(kind.type),
        "framework": draw.choice(FRAMEWORKS),
        "num_gpus": str(draw.choice((1, 2, 4, 8, 16, 64))),
        "batch_size": str(draw.choice((8, 16, 32, 64, 128, 256, 512))),
        "learning_rate": draw.choice(("0.1", "0.01", "1e-3", "3e-4", "1e-4", "2e-5")),
        "epochs": str(draw.choice((1, 3, 10, 30, 50, 90, 100, 300))),
        "optimizer": draw.choice(("sgd", "adam", "AdamW", "adamw", "SGD momentum", "lamb")),
        "precision": draw.choice(("fp32", "fp16", "bf16", "true", "mixed")),
    }


def chosen(facts: dict[str, str], draw: Random) -> dict[str, str]:
    """Leave fields out, as readers do not find everything: of task and type one may be missing, data seldom is."""
    gone = {name for name in facts if name not in ("model", "dataset") and draw.random() < 0.35}
    if draw.random() < 0.1:
        gone.add("dataset")
    return {name: value for name, value in facts.items() if value and name not in gone}


def as_json(facts: dict[str, str], draw: Random) -> str:
    """Write the metadata as JSON, in the order in which it was found."""
    items = list(chosen(facts, draw).items())
    draw.shuffle(items)
    return json.dumps({draw.choice(FIELDS[name]): value for name, value in items})


def as_fields(facts: dict[str, str], draw: Random) -> str:
    """Write `name: value` pairs, on lines or on one."""
    named = [
        f"{draw.choice(FIELDS[name])}{draw.choice((': ', '='))}{value}" for name, value in chosen(facts, draw).items()
    ]
    return draw.choice(("\n", ", ", " | ", "; ")).join(named)


def as_command(facts: dict[str, str], script: str, draw: Random) -> str:
    """Write the command line that starts the job."""
    launcher = draw.choice(
        ("python", "torchrun --nproc_per_node 8", "python -m torch.distributed.launch", "srun python", "deepspeed")
    )
    named = chosen(facts, draw)
    flags = [f"--{draw.choice(FIELDS[name]).lower()} {value.replace(' ', '-')}" for name, value in named.items()]
    return " ".join([launcher, script, *flags])


def as_sentence(facts: dict[str, str], draw: Random) -> str:
    """Tell a colleague what the job does."""
    wording = draw.choice(
        (
            "{task}: train {model} ({type}) on {dataset} with {num_gpus} GPUs",
            "Training {model} on {dataset} for {task}, {optimizer}, lr {learning_rate}",
            "{model} {dataset} {task}",
            "a {type} ({model}) for {task} on the {dataset} data, batch size {batch_size}, {framework}",
            "we fine-tune {model} using {dataset}; goal: {task}; {epochs} epochs in {precision}",
            "{dataset}-{model}-bs{batch_size}-lr{learning_rate}",
            "job {model}_{dataset} ({task})",
        )
    )
    return wording.format(**facts)


def describe(kind: JobKind, draw: Random) -> str:
    """Write one job of a kind in one of the ways."""
    facts = draw_facts(kind, draw)
    way = draw.randrange(4)
    if way == 0:
        return as_json(facts, draw)
    if way == 1:
        return as_fields(facts, draw)
    return as_command(facts, draw.choice(kind.scripts), draw) if way == 2 else as_sentence(facts, draw)


def generate_jobs(kinds: list[JobKind], each: int, seed: int) -> Iterator[tuple[JobKind, str]]:
    """Describe each kind several times."""
    draw = Random(seed)
    for kind in kinds:
        for _ in range(each):
            yield kind, describe(kind, draw)
