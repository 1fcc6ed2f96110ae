"""Signs of training in calls that cannot be followed."""

import ast

from schedmate.knowledge.code_words import words
from schedmate.readers.code.signs.facts import TrainingSigns
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.value import SourceLocation

TRAINERS = words("training.trainers")
TRAINING_METHODS = frozenset(words("training.methods"))
OPTIMIZERS = frozenset(words("training.optimizers"))


def note_training(run: Run, call: ast.Call, spot: SourceLocation) -> None:
    """Keep that a trainer is told to train, or a loop of some table gets the optimizer, though neither was followed."""
    node = call.func
    if isinstance(node, ast.Attribute):
        owner = last_name(node.value).lower()
        if node.attr not in TRAINING_METHODS or names_tokenizer(owner):
            return
        if any(word in owner for word in TRAINERS) or ("agent" in owner and is_given_data(call)):
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
