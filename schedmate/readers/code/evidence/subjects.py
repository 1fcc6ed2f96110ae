"""What is asked about a job: each subject with the fields that it fills and the jobs of which it is asked."""

from enum import Enum, Flag, auto


class ModelUse(Flag):
    """What a job does with a model, which decides what else is asked about it."""

    TRAINS = auto()
    PERHAPS_TRAINS = auto()
    USES = auto()
    NEITHER = auto()


BEFORE = ModelUse(0)
"""Asked of every job, before it is known what it does with a model."""
TRAINING = ModelUse.TRAINS | ModelUse.PERHAPS_TRAINS
OF_MODELS = TRAINING | ModelUse.USES
ANY = OF_MODELS | ModelUse.NEITHER

LENGTH, RATE = ("epochs", "total_steps"), ("optimizer", "learning_rate")
ALL = (
    "framework", "is_training", "model_name", "model_type", "param_size", "task", "task_fine", "dataset_name",
    "distributed", "num_gpus", "num_nodes", "batch_size", "global_batch_size", *LENGTH, *RATE, "precision",
)  # fmt: skip


class Subject(Enum):
    """What rules are about, in the order in which it is asked: later subjects build on earlier ones."""

    IS_TRAINING = "is_training", ("is_training",), BEFORE
    FRAMEWORK = "framework", ("framework",), BEFORE
    PROCESSES = "processes", ("num_gpus", "num_nodes", "device"), OF_MODELS
    CONFIGURATION = "configuration", ALL, OF_MODELS
    TRAINER = "trainer", ALL, TRAINING
    DURATION = "duration", (*LENGTH, "batch_size", *RATE), TRAINING
    DISTRIBUTED = "distributed", ("distributed",), OF_MODELS
    BATCH = "batch", ("batch_size", "global_batch_size", *LENGTH, *RATE), TRAINING
    ACCUMULATION = "accumulation", (), TRAINING
    CHOSEN_BATCH = "chosen batch", ("batch_size",), ModelUse.USES
    GLOBAL_BATCH = "global batch", ("global_batch_size", "batch_size"), TRAINING
    STEPS_OF_EPOCHS = "steps of epochs", LENGTH, TRAINING
    OPTIMIZER = "optimizer", (*RATE, *LENGTH, "batch_size"), TRAINING
    PRECISION = "precision", ("precision",), ModelUse.TRAINS
    CASTS = "casts", ("precision",), ModelUse.USES
    HARDWARE = "hardware", ("hardware",), OF_MODELS
    EXTRAS = "extras", (), TRAINING
    WITHOUT_NETWORK = "without a network", ("num_gpus", "num_nodes", "distributed"), ModelUse.NEITHER
    MODEL = "model", ("model_name", "model_type", "param_size"), ANY
    DATA = "data", ("dataset_name",), ANY
    TASK = "task", ("task", "task_fine"), ANY
    STEPS_OF_STANDARD_SET = "steps of a standard set", LENGTH, ModelUse.TRAINS

    def __init__(self, words: str, fills: tuple[str, ...], asked_of: ModelUse) -> None:
        self.words = words
        self.fills = fills
        self.asked_of = asked_of
