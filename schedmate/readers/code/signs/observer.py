"""Watch a program while it is followed, and keep the signs of training that no library's call gives."""

import ast

from schedmate.knowledge.code_words import words
from schedmate.knowledge.optimizers import named_after
from schedmate.readers.code.signs.facts import TrainingSigns
from schedmate.readers.code.signs.own_updates import note_accumulation, note_rate
from schedmate.readers.code.values.objects import BoundMethod, Instance
from schedmate.readers.code.values.run import Run, RunObserver
from schedmate.readers.code.values.scopes import Scope
from schedmate.readers.code.values.value import SourceLocation, Value

TRAINS = frozenset(words("training.own_methods"))
TRAINERS = words("training.own_trainers")
STEPS = frozenset(words("training.steps"))
EVALUATES = ("eval", "valid", "test", "generate", "sample")
TRAINED_BY = words("training.trainers")
TRAINING_METHODS = frozenset(words("training.methods"))
OPTIMIZERS = frozenset(words("training.optimizers"))
HALVES = frozenset({"bfloat16", "float16", "half"})


class TrainingObserver(RunObserver):
    """Keep rates, accumulation, trainers and optimizers that the repository writes itself."""

    def assigns(self, run: Run, node: ast.Assign, scope: Scope) -> None:
        """Keep a learning rate that is written into the optimizer's groups."""
        note_rate(run, node, scope)

    def branches(self, run: Run, node: ast.If, scope: Scope) -> None:
        """Keep over how many steps gradients are gathered."""
        note_accumulation(run, node, scope)

    def calls_outside(self, run: Run, node: ast.Call, spot: SourceLocation) -> None:
        """Keep that a trainer which cannot be followed is told to train."""
        note_training(run, node, spot)

    def calls_method(
        self, run: Run, method: BoundMethod, args: list[Value], kwargs: dict[str, Value], spot: SourceLocation
    ) -> None:
        """Keep where a trainer of the repository's own trains, and where its own optimizer takes a step."""
        name, owner, signs = method.function.name, method.function.owner, run.about(TrainingSigns)
        if name in TRAINS and owner is not None and owner.name.endswith(TRAINERS) and spot.path:
            signs.own_trainer = signs.own_trainer or spot
            signs.own_trainer_surely |= not run.unsure
        made = method.owner.data
        if name in STEPS and isinstance(made, Instance) and named_after(made.cls.name) is not None:
            run.record(f"{made.cls.name}.{name}", args, kwargs, spot, method.owner, Value(None))

    def passes_by(self, run: Run, name: str, spot: SourceLocation) -> None:
        """Keep that a model is used: by its forward pass, or by a function that is named after what it does."""
        if not name or name.lower().lstrip("_").startswith(EVALUATES):
            signs = run.about(TrainingSigns)
            signs.uses_model = signs.uses_model or spot

    def breaks_off(self, run: Run, spot: SourceLocation) -> None:
        """Keep that a part of the path was lost to an error."""
        signs = run.about(TrainingSigns)
        signs.broken_off = signs.broken_off or spot

    def names_attribute(self, run: Run, name: str, spot: SourceLocation) -> None:
        """Keep that the program names a type of half precision."""
        if name in HALVES:
            signs = run.about(TrainingSigns)
            signs.half_precision = signs.half_precision or spot

    def sets_item(self, run: Run, key: Value) -> None:
        """Keep that the program sets a learning rate itself."""
        run.about(TrainingSigns).sets_rate |= key.data == "lr"


def note_training(run: Run, call: ast.Call, spot: SourceLocation) -> None:
    """Keep that a trainer is told to train, or a loop of some table gets the optimizer, though neither was followed."""
    node = call.func
    if isinstance(node, ast.Attribute):
        owner = last_name(node.value).lower()
        if node.attr not in TRAINING_METHODS or names_tokenizer(owner):
            return
        if any(word in owner for word in TRAINED_BY) or ("agent" in owner and is_given_data(call)):
            keep(run, run.unsure == 0, spot)
    elif isinstance(node, ast.Subscript) and any(last_name(arg).lower() in OPTIMIZERS for arg in call.args):
        sure = "train" in last_name(node.value).lower() and run.unsure == 0
        keep(run, sure, spot)


def is_given_data(call: ast.Call) -> bool:
    """Tell `agent.train(batch)` from `agent.train()`, which puts a module into the mode for training."""
    return any(not isinstance(arg, ast.Constant) for arg in call.args)


def keep(run: Run, sure: bool, spot: SourceLocation) -> None:
    """Keep the first place of a kind."""
    signs = run.about(TrainingSigns)
    if sure:
        signs.surely = signs.surely or spot
    else:
        signs.perhaps = signs.perhaps or spot


def names_tokenizer(owner: str) -> bool:
    """Tell what learns a vocabulary from what learns a network."""
    return any(word in owner for word in ("sentencepiece", "tokenizer", "bpe", "wordpiece"))


def last_name(node: ast.expr) -> str:
    """Give the last part of a dotted name."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
