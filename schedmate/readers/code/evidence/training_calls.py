"""Calls that only training makes, and how they are told from others of their names."""

from itertools import islice

from schedmate.knowledge.code_words import words
from schedmate.knowledge.evaluation_words import tells_evaluation
from schedmate.knowledge.optimizers import is_library_optimizer, named_after
from schedmate.knowledge.option_names import field_of_name, squashed
from schedmate.knowledge.tasks import words_of
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import ExternalResult, Instance
from schedmate.readers.code.values.value import Value

BACKWARD = frozenset(words("training.backward"))
TRAINERS = words("training.of_trainers")

TRAINERS_METHODS = frozenset(("train", "train_epoch", "train_one_epoch", "train_for_epoch"))
"""Methods by which a trainer of a library's, or of a part that is not here, is told to train."""
TOKENIZING = ("sentencepiece.", "tokenizers.")
SHALLOW = words("training.shallow")
FASTAI_CALLS = words("training.of_fastai")
TRAIN_CALLS = frozenset((*words("training.calls"), *FASTAI_CALLS))


def is_optimizer_step(event: Event) -> bool:
    """Tell an optimizer's, scaler's or engine's step from a scheduler's or environment's."""
    own = event.short in ("step", "update") and event.owner is not None and isinstance(event.owner.data, Instance)
    if own and named_after(event.name.rpartition(".")[0]) is not None:
        return True
    if event.short == "update" and event.name.startswith("chainer.optimizers."):
        return True
    if event.short != "step" or event.owner is None:
        return False
    name = event.name.lower()
    return ("optim" in name or "scaler" in name or "deepspeed" in name or "engine" in name) and "schedul" not in name


def is_called_step(event: Event) -> bool:
    """Tell a step of MindSpore's, whose optimizers and cells of one step are called."""
    callee = event.name.removesuffix("()")
    steps = callee.endswith("TrainOneStepCell") or is_library_optimizer(callee)
    return event.name.endswith("()") and callee.startswith("mindspore.") and steps


THEANO_GRADIENTS = ("theano.grad", "theano.tensor.grad", "theano.gradient.grad", "lasagne.updates.")
"""How the calls of Theano begin by which gradients are asked for."""


def is_theano_step(event: Event) -> bool:
    """Tell a function of Theano that writes new values, made or called; of which ones its gradients tell."""
    made = event.owner.data if event.name == "theano.function()" and event.owner is not None else event.result.data
    is_function = isinstance(made, ExternalResult) and made.callee == "theano.function"
    return is_function and "updates" in made.kwargs


def without_states(events: list[Event], all_events: list[Event]) -> list[Event]:
    """Leave out functions of Theano that only write states where the program asks for no gradients."""
    if any(event.name.startswith(THEANO_GRADIENTS) for event in all_events):
        return events
    return [event for event in events if not event.name.startswith("theano.")]


def makes_updates(event: Event) -> bool:
    """Tell what gives a step's changes: Keras' `optimizer.get_updates()`, Lasagne's `adam()`."""
    if event.name.startswith("lasagne.updates."):
        return is_library_optimizer(event.name)
    return event.short == "get_updates" and is_library_optimizer(event.name.rpartition(".")[0])


def is_ppo_step(event: Event) -> bool:
    """Tell a step that TRL's first PPO trainer is told by the program's own loop."""
    return event.short == "step" and event.name.startswith("trl.") and "PPOTrainer" in event.name


def hands_optimizer(event: Event) -> bool:
    """Tell a library's object that is called with loss and optimizer in a loop, as timm's scalers are."""
    if not event.loops or not event.name.endswith("Scaler()"):
        return False
    return any(isinstance(value.data, ExternalResult) and "optim" in value.data.callee.lower() for value in event.args)


RUN = ("run", "run_epoch")
"""Methods whose names do not say what is done: a test is run, too."""
DRIVEN = frozenset((*TRAINERS_METHODS, "fit", *RUN))
"""Methods by which a library's object is told to do what it was made for."""
NO_TRAINERS = tuple(words("training.no_trainers"))
"""How words begin in the names of classes that are handed an optimizer for something else than training."""
TRAINING_NAMES = tuple(words("training.trainer_names"))
"""How words begin in the names of classes that train."""
EVALUATION_OPTIONS = frozenset(words("training.evaluation_options"))


def drives_optimizer(event: Event) -> bool:
    """Tell a library's object that was handed an optimizer: `TrainEpoch(net, optimizer=sgd).run(loader)`.

    What is run trains only by the name of its class, or with a loader that is for training.
    """
    if not is_told_with_optimizer(event):
        return False
    if event.short not in RUN or named_so(event.name.rpartition(".")[0].rpartition(".")[2], TRAINING_NAMES):
        return True
    return any(is_training_loader(value.data) for value in (*event.args, *event.kwargs.values()))


def is_told_with_optimizer(event: Event) -> bool:
    """Tell a library's object with an optimizer that is told to do something which may be training, by its name.

    A module's `train()` only sets a mode, a function's result may be the module itself.
    """
    made = event.owner.data if event.owner is not None and event.short in DRIVEN else None
    if not isinstance(made, ExternalResult) or not made.short[:1].isupper() or not (event.args or event.kwargs):
        return False
    if any(name in EVALUATION_OPTIONS and value.data is not False for name, value in event.kwargs.items()):
        return False
    if tells_evaluation(made.short) or named_so(made.short, NO_TRAINERS):
        return False
    told = (value.data for value in (*event.args, *event.kwargs.values()))
    given = (value.data for value in (*made.args, *made.kwargs.values()))
    return any(not isinstance(one, bool) for one in told) and any(is_optimizer(one) for one in given)


def named_so(name: str, starts: tuple[str, ...]) -> bool:
    """Tell a class with a word in its name that begins so."""
    return any(word.startswith(starts) for word in words_of(name))


def is_training_loader(told: object) -> bool:
    """Tell a loader that by its name, or by what it shuffles, is for training."""
    if not isinstance(told, ExternalResult) or "load" not in told.short.lower():
        return False
    shuffled = told.kwargs.get("shuffle")
    named = any(named_so(name, ("train",)) for name in told.names)
    return named or (shuffled is not None and shuffled.data is True and not any(map(tells_evaluation, told.names)))


def is_optimizer(made: object) -> bool:
    """Tell an optimizer, by its own class or by the function that makes it."""
    if not isinstance(made, ExternalResult):
        return False
    return is_library_optimizer(made.callee) or made.short.lower().endswith("_optimizer")


def is_run_of_trainer(event: Event) -> bool:
    """Tell `Trainer(...).run()` of a library that nobody knows; tokenizers have trainers, too."""
    owner = event.name.removesuffix(".run").rpartition(".")[2]
    return owner.endswith("Trainer") and event.owner is not None and not event.name.startswith(TOKENIZING)


def is_trainer(event: Event) -> bool:
    """Tell `trainer.train()` from `model.train()`, which only sets a mode, and from what trains a tokenizer."""
    return not event.name.startswith(TOKENIZING) and any(part in event.name for part in TRAINERS)


def is_handed_trainer(event: Event) -> bool:
    """Tell a library's object that was handed a trainer and is told to train: `FedAverage(data, trainer).train()`."""
    made = event.owner.data if event.owner is not None and event.short in TRAINERS_METHODS else None
    if not isinstance(made, ExternalResult) or not made.short[:1].isupper() or event.name.startswith(TOKENIZING):
        return False
    given = [value.data for value in (*made.args, *made.kwargs.values())]
    return any(isinstance(one, (ExternalResult, Instance)) and class_of(one).endswith("Trainer") for one in given)


def class_of(made: ExternalResult | Instance) -> str:
    """Give the name of the class of an object."""
    return made.cls.name if isinstance(made, Instance) else made.short


WRAPPERS = ("skorch.", "scikeras.", "keras.wrappers.", "tensorflow.keras.wrappers.", "sklearn_pytorch.")
"""Libraries whose objects are networks to scikit-learn."""
DEEPEST = 6

WIDEST = 24
"""Steps of a pipeline, and settings of a search, in which a network is looked for."""


def fits_network(event: Event) -> bool:
    """Tell scikit-learn's pipeline or search that is told to fit and has a network in it."""
    return event.short == "fit" and "sklearn" in event.name and event.owner is not None and holds_network(event.owner)


def holds_network(value: Value) -> bool:
    """Tell a network that is made for scikit-learn, and what is made of one; level by level, each part once."""
    level, seen = [value], set[int]()
    for _ in range(DEEPEST + 1):
        below: list[Value] = []
        for made in (one.data for one in level):
            if id(made) in seen:
                continue
            seen.add(id(made))
            if isinstance(made, (list, tuple)):
                below += made[:WIDEST]
            elif isinstance(made, ExternalResult):
                if made.callee.startswith(WRAPPERS):
                    return True
                below += parts_of(made)
        level = below
    return False


def parts_of(made: ExternalResult) -> list[Value]:
    """Give what an object is made of, and what made it."""
    owner = [made.owner] if made.owner is not None else []
    return [*owner, *made.args[:WIDEST], *islice(made.kwargs.values(), WIDEST)]


def is_told_how_long(event: Event) -> bool:
    """Tell a library's `train` that is told how long, `agent.train(steps=1000)`, or `trainNet(data, {"epochs": 3})`.

    A module's `train` takes a truth at most.
    """
    if event.short != "train" and (event.owner is None or words_of(event.short)[:1] != ["train"]):
        return False
    told = [*event.kwargs, *(name for value in event.args if type(value.data) is dict for name in value.data)]
    names = (field_of_name().get(squashed(name), ("", 0))[0] for name in told if isinstance(name, str))
    return any(name in ("epochs", "total_steps", "env_steps") for name in names)


def trains(event: Event) -> bool:
    """Tell a call that only training makes."""
    return (
        (event.short in BACKWARD and not event.name.startswith(SHALLOW))
        or makes_updates(event)
        or is_optimizer_step(event)
        or is_ppo_step(event)
        or is_theano_step(event)
        or is_called_step(event)
        or hands_optimizer(event)
        or (event.short in TRAIN_CALLS and not event.name.startswith(SHALLOW) and "sklearn" not in event.name)
        or (event.short in TRAINERS_METHODS and is_trainer(event))
        or (event.short == "run" and (event.name.startswith("mmcv.runner.") or is_run_of_trainer(event)))
        or fits_network(event)
        or drives_optimizer(event)
        or is_handed_trainer(event)
        or is_told_how_long(event)
    )
