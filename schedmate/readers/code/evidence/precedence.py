"""Who beats whom: of each subject, the proposers from what settles it to what is only likely."""

from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from schedmate.readers.code.evidence.subjects import LENGTH, Subject


class Certainty(IntEnum):
    """What a proposal rests on, from what settles it to what is only likely."""

    CONFIGURED = 9
    """the configuration of a framework that trains by nothing else"""
    TOLD = 8
    """what the framework that runs the loop is told"""
    ENGINE = 7
    """what an engine or launcher around the loop is told"""
    NAMED = 6
    """what the command says by a name that means this and nothing else"""
    SEEN = 5
    """what calls on the followed path do"""
    DESCRIBED = 4
    """what a configuration or a record describes"""
    OPTION = 3
    """what an option of this meaning holds"""
    LIBRARY = 2
    """what a library does where it is told nothing"""
    LIKELY = 1
    """what names and places suggest"""


PRECEDENCE: dict[Subject, dict[Certainty, tuple[str, ...]]] = {
    Subject.IS_TRAINING: {
        Certainty.TOLD: ("rl_games", "ever"),
        Certainty.NAMED: ("the command's wish",),
        Certainty.SEEN: ("RLlib", "a library's trainer", "calls that train"),
        Certainty.DESCRIBED: ("signs of training",),
        Certainty.LIBRARY: ("a trainer of the repository's own",),
        Certainty.LIKELY: (
            "the program's name", "a schedule of the learning rate", "steps that are filled in",
            "an optimizer with its rate", "settings of an optimizer", "what is sampled or simulated",
            "the command's mode", "the whole path", "what is fitted", "the program's name, where its loop was lost",
        ),
    },
    Subject.FRAMEWORK: {
        Certainty.TOLD: ("NeMo's recipes",),
        Certainty.SEEN: ("RLlib", "a library's trainer", "calls"),
        Certainty.LIBRARY: ("imports",),
        Certainty.LIKELY: ("what is fitted", "imports of what builds on PyTorch"),
    },
    Subject.PROCESSES: {
        Certainty.TOLD: ("submitit", "NeMo's recipes", "Lightning", "vLLM", "SpeechBrain"),
        Certainty.ENGINE: ("nodes without GPUs", "what is started"),
        Certainty.SEEN: ("the TPUs that are taken", "Unsloth", "Flower", "Ray", "the group that is joined"),
        Certainty.OPTION: ("options",),
        Certainty.LIBRARY: ("launchers' own numbers",),
        Certainty.LIKELY: (
            "the device that one process takes", "the device that is asked for", "MMEngine's plain runner",
            "what is fitted", "a library's trainer",
        ),
    },
    Subject.CONFIGURATION: {
        Certainty.CONFIGURED: (
            "rl_games", "rsl_rl", "MMEngine", "Detectron2", "ever", "the configuration of the installed program",
        ),
    },
    Subject.TRAINER: {
        Certainty.TOLD: (
            "NeMo's recipes", "Composer", "Ultralytics", "RLlib", "Coqui", "Sentence Transformers",
            "a library's trainer",
        ),
    },
    Subject.DURATION: {
        Certainty.TOLD: (
            "Flower", "federated rounds", "Transformers", "Lightning", "Keras' fits, one after the other", "Keras",
            "an estimator", "what Keras' fit is told", "what calls are told", "MindSpore", "Ignite",
        ),
        Certainty.SEEN: ("loops around the training call",),
        Certainty.OPTION: ("what a library's trainer is told", "options"),
        Certainty.LIKELY: ("settings that the command names",),
    },
    Subject.DISTRIBUTED: {
        Certainty.TOLD: ("Transformers", "Lightning", "Composer", "vLLM"),
        Certainty.ENGINE: ("Accelerate", "DeepSpeed"),
        Certainty.SEEN: ("calls on the path", "the TPUs that are taken"),
        Certainty.DESCRIBED: ("the launcher", "DeepSpeed's engine on the path"),
        Certainty.OPTION: ("joined processes",),
        Certainty.LIBRARY: ("the trainer of one process",),
        Certainty.LIKELY: ("what is fitted", "all that spreads the work"),
    },
    Subject.BATCH: {
        Certainty.TOLD: ("Transformers", "the TPUs that are taken"),
        Certainty.ENGINE: ("DeepSpeed",),
        Certainty.NAMED: ("the command's share of a device",),
        Certainty.SEEN: (
            "the loader", "Keras", "what Keras cuts", "fastai's data", "torchtext's iterators",
            "what each step asks for", "Stable-Baselines3",
        ),
        Certainty.OPTION: ("what a library's trainer is told", "what is shared out", "options"),
        Certainty.LIBRARY: ("Keras' own defaults",),
        Certainty.LIKELY: (
            "letters of an own loader", "what each step draws at random", "rollouts", "a loader out of sight",
            "a loader's default",
            "settings that the command names",
        ),
    },
    Subject.ACCUMULATION: {
        Certainty.TOLD: ("Transformers", "TRL's PPO", "Lightning", "SpeechBrain", "Ignite"),
        Certainty.ENGINE: ("DeepSpeed", "Accelerate"),
        Certainty.SEEN: ("conditions on the step", "a loop inside of each step"),
        Certainty.OPTION: ("options",),
    },
    Subject.CHOSEN_BATCH: {
        Certainty.NAMED: ("loaders", "what the command chose"),
        Certainty.OPTION: ("options of an evaluation", "options that are read"),
    },
    Subject.GLOBAL_BATCH: {
        Certainty.ENGINE: ("DeepSpeed",),
        Certainty.OPTION: ("batch, replicas and accumulation",),
    },
    Subject.STEPS_OF_EPOCHS: {
        Certainty.OPTION: ("the steps of an epoch", "samples and batch"),
        Certainty.LIKELY: ("the steps that the command asks for",),
    },
    Subject.OPTIMIZER: {
        Certainty.TOLD: ("Transformers",),
        Certainty.ENGINE: ("DeepSpeed",),
        Certainty.SEEN: (
            "K-FAC", "what Keras compiles by name", "what Keras compiles", "a schedule that sets the rate",
            "optimizers of parts", "calls on the path", "optax's transformations", "transformations with momentum",
            "a schedule over a rate of one", "classes that options refer to", "descriptions in configurations",
            "the repository's own optimizers", "functions that are optimizers", "Stable-Baselines3",
            "fastai's learner", "Keras", "functions that make optimizers", "descent written out by hand",
        ),
        Certainty.DESCRIBED: ("a schedule written out by hand",),
        Certainty.OPTION: ("options", "rates of stages", "what a library's trainer is told"),
        Certainty.LIBRARY: ("TRL's PPO", "TensorFlow's ready-made estimators", "the library's default"),
        Certainty.LIKELY: ("options that name an optimizer", "settings that the command names"),
    },
    Subject.PRECISION: {
        Certainty.TOLD: ("Transformers", "Lightning", "SpeechBrain", "Ignite"),
        Certainty.ENGINE: ("Accelerate", "Lightning's launcher", "DeepSpeed"),
        Certainty.SEEN: ("MindSpore's levels", "apex", "MindSpore", "casts on the path"),
        Certainty.OPTION: ("JAX", "switches"),
        Certainty.LIBRARY: (
            "options", "NeMo's recipes", "Unsloth", "Transformers' default", "the framework's default",
            "Lightning's default",
        ),
    },
    Subject.CASTS: {
        Certainty.TOLD: ("vLLM",),
        Certainty.ENGINE: ("Accelerate", "Lightning's launcher"),
        Certainty.SEEN: ("apex", "casts on the path"),
        Certainty.OPTION: ("switches",),
        Certainty.LIBRARY: ("the framework's default",),
    },
    Subject.HARDWARE: {
        Certainty.ENGINE: ("no GPUs",),
        Certainty.NAMED: ("requests to the scheduler",),
        Certainty.SEEN: ("requests in the code",),
        Certainty.LIKELY: (
            "comments over a configuration", "the script's name", "the README beside the command",
            "the README on training",
        ),
    },
    Subject.EXTRAS: {
        Certainty.ENGINE: ("DeepSpeed",),
        Certainty.OPTION: ("options and calls",),
    },
    Subject.WITHOUT_NETWORK: {
        Certainty.LIKELY: ("the whole path",),
    },
    Subject.MODEL: {
        Certainty.SEEN: (
            "RLlib", "what is fitted", "a library's trainer", "fastai's learner", "DI-engine",
            "TensorFlow's ready-made estimators", "the algorithm", "SpeechBrain's modules", "the weights",
            "files and folders", "the configuration's name", "the project's title", "the network's parts",
            "the network's opponent", "the network and its option",
            "what the network is built of", "the command", "the network's layers", "the name's own meaning",
            "the README's table of models", "the network's shape",
        ),
    },
    Subject.DATA: {
        Certainty.OPTION: (
            "data that the command has made up", "nnU-Net's command", "the benchmark that the command names",
            "a data set that is loaded by name", "what fastai fetches", "a container of known sets",
            "a library's trainer", "RLlib", "a known set's class", "what is fetched or made up",
            "the environment that is acted in",
        ),
        Certainty.LIBRARY: (
            "options", "paths", "names that options hold", "files that are opened", "paths of any meaning",
            "samples that are drawn", "the program's place", "paths among the settings",
            "the repository's own class of data", "folders of data", "folders that a library reads",
            "tables that are read", "the command",
        ),
        Certainty.LIKELY: (
            "a word of the command's", "a path that the command hands over", "a list of files",
            "texts that are read whole",
            "functions that read", "what a script downloads",
            "a word in the files' names", "the files that are read", "what the README says of the data",
            "the competition that the project is for", "the repository's own environment",
            "the set that the project is called after", "which of a family of sets it is",
        ),
    },
    Subject.TASK: {
        Certainty.SEEN: ("RLlib", "a library's trainer"),
        Certainty.LIBRARY: ("what is fitted",),
        Certainty.LIKELY: (
            "a model of several senses", "options that name the task", "a library for one task", "environments",
            "the ending of the weights' name", "what is made ready", "fastai's learner",
            "names of script and configuration", "the fine-tuning trainer", "a script named after a way to tune",
            "sequences of living things", "the model's class", "the model's family", "what is generated",
            "the model's head",
            "losses, metrics and collators", "the program's own words", "the README beside the program", "the data",
            "the class of data", "the project's README", "what the family mostly learns", "a library's usual task",
            "the README of another end", "tables", "paradigm and loss", "what is done with the data",
            "precise words", "few samples of a class", "for what end a language is learned",
            "weights that are tuned", "how it is learned",
        ),
    },
    Subject.STEPS_OF_STANDARD_SET: {
        Certainty.LIKELY: ("the usual size of the data",),
    },
}  # fmt: skip
"""Of two proposals for a field the more certain is kept; of one certainty, that of the subject that is asked first;
of one subject, that which stands first. `docs/extract-precedence.md` shows the same by field."""


Fields = tuple[str, ...]
SIZE: Fields = ("param_size",)
STEPS: Fields = ("total_steps",)
FINER_TASK: Fields = ("task_fine",)

SILENT_ONCE: dict[Subject, dict[str, Fields]] = {
    Subject.IS_TRAINING: {"the whole path": ("is_training",)},
    Subject.PROCESSES: {"the device that one process takes": ("num_gpus",)},
    Subject.DURATION: {"settings that the command names": LENGTH},
    Subject.BATCH: {
        "rollouts": ("batch_size",),
        "settings that the command names": ("batch_size", "global_batch_size"),
    },
    Subject.STEPS_OF_EPOCHS: {
        "the steps of an epoch": STEPS, "samples and batch": STEPS, "the steps that the command asks for": STEPS,
    },
    Subject.MODEL: {
        "the command": ("model_name",), "the README's table of models": SIZE, "the network's shape": SIZE,
    },
    Subject.DATA: {"the command": ("dataset_name",)},
    Subject.TASK: {
        "the README beside the program": FINER_TASK, "the project's README": FINER_TASK,
        "the README of another end": FINER_TASK, "tables": ("task",),
    },
    Subject.STEPS_OF_STANDARD_SET: {"the usual size of the data": STEPS},
}  # fmt: skip
"""Who is not asked once one of these fields is known, whoever said it, or is known to have no value: he reads more
files for it, concludes from what nobody said, or would give a field that goes ill with the one that is known."""

CORRECTS: dict[Subject, dict[str, Fields]] = {
    Subject.CONFIGURATION: {"the configuration of the installed program": ("batch_size", "distributed")},
    Subject.DURATION: {"loops around the training call": ("epochs",)},
    Subject.GLOBAL_BATCH: {"batch, replicas and accumulation": ("batch_size",)},
    Subject.STEPS_OF_EPOCHS: {"samples and batch": ("epochs",)},
    Subject.DATA: {"which of a family of sets it is": ("dataset_name",)},
    Subject.TASK: dict.fromkeys(
        (
            "environments", "what is done with the data", "precise words", "few samples of a class",
            "for what end a language is learned", "weights that are tuned", "how it is learned",
        ),
        FINER_TASK,
    ),
    Subject.STEPS_OF_STANDARD_SET: {"the usual size of the data": ("epochs",)},
}  # fmt: skip
"""Who puts a value of his own in the place of the one that was kept, whoever said that: his is made from it, as one
process' share of a batch, or says the same more precisely. Epochs are taken back where steps end the job before."""


class Proposer(NamedTuple):
    """One who proposes values of a subject, and his place in the table: who has the lower rank is kept."""

    name: str
    certainty: Certainty
    rank: int
    silent_once: Fields = ()
    corrects: Fields = ()


@lru_cache(maxsize=1)
def proposers() -> dict[tuple[Subject, str], Proposer]:
    """Rank all proposers: by certainty, then by subject, then by their place in its list."""
    places = [
        (subject, proposer, certainty)
        for certainty in Certainty
        for subject in Subject
        for proposer in PRECEDENCE[subject].get(certainty, ())
    ]
    return {
        (about, name): Proposer(
            name, certainty, rank, SILENT_ONCE.get(about, {}).get(name, ()), CORRECTS.get(about, {}).get(name, ())
        )
        for rank, (about, name, certainty) in enumerate(places)
    }


def proposer_of(subject: Subject, proposer: str) -> Proposer:
    """Give one who proposes values of a subject, with his place; a rule without one is its author's mistake."""
    found = proposers().get((subject, proposer))
    if found is None:
        raise LookupError(f"'{proposer}' has no place under Subject.{subject.name} in evidence/precedence.py")
    return found
