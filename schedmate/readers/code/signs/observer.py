"""Watch a program while it is followed, and keep the signs of training that no library's call gives."""

import ast

import re2

from schedmate.knowledge.code_words import words
from schedmate.knowledge.evaluation_words import tells_evaluation
from schedmate.knowledge.tasks import words_of
from schedmate.readers.code.signs.accumulation import note_accumulation
from schedmate.readers.code.signs.facts import TrainingSigns
from schedmate.readers.code.signs.overridden_trainers import note_overridden_call
from schedmate.readers.code.signs.own_optimizers import note_own_function, note_own_step
from schedmate.readers.code.values.objects import BoundMethod, Class, Function
from schedmate.readers.code.values.run import Run, RunObserver
from schedmate.readers.code.values.scopes import Scope
from schedmate.readers.code.values.value import SourceLocation, Value, is_constant, join_spots

TRAINS = frozenset(words("training.own_methods"))
TRAINERS = words("training.own_trainers")
TRAINED_BY = words("training.trainers")
TRAINING_METHODS = frozenset(words("training.methods"))
SURE_METHODS = frozenset(words("training.sure_methods"))
OPTIMIZERS = frozenset(words("training.optimizers"))
HALVES = frozenset({"bfloat16", "float16", "half"})


class TrainingObserver(RunObserver):
    """Keep rates, accumulation, trainers and optimizers that the repository writes itself."""

    def assigns(self, run: Run, node: ast.Assign, scope: Scope) -> None:
        """Keep a learning rate that is written into the optimizer's groups, and what is shared among devices."""
        note_rate(run, node, scope)
        note_share(run, node.value, scope)

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
        if name in TRAINS and owner is not None and spot.path and is_trainer(owner):
            signs.own_trainer = signs.own_trainer or spot
            signs.own_trainer_surely |= not run.unsure
        note_own_step(run, method, args, kwargs, spot)
        note_overridden_call(run, method, args, kwargs, spot)

    def calls_function(
        self, run: Run, function: Function, args: list[Value], kwargs: dict[str, Value], spot: SourceLocation
    ) -> None:
        """Keep where a function is an optimizer."""
        note_own_function(run, function, args, kwargs, spot)

    def passes_by(self, run: Run, name: str, spot: SourceLocation) -> None:
        """Keep that a model is used: by its forward pass, or by a function that is named after what it does."""
        if not name or tells_evaluation("".join(words_of(name)[:1]), "uses"):
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


def is_trainer(cls: Class) -> bool:
    """Tell a trainer by its class's name; an engine that is a library's module only sets a mode by `train()`."""
    return cls.name.endswith(TRAINERS) or (cls.name.endswith("Engine") and not cls.outside())


def note_training(run: Run, call: ast.Call, spot: SourceLocation) -> None:
    """Keep that a trainer is told to train, or a loop of some table gets the optimizer, though neither was followed."""
    node = call.func
    if isinstance(node, ast.Attribute):
        owner = last_name(node.value).lower()
        if node.attr in SURE_METHODS:
            keep(run, run.unsure == 0, spot)
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


DEEPEST = 8


def note_rate(run: Run, node: ast.Assign, scope: Scope) -> None:
    """Keep the first peak that is written under `lr` into the groups of an optimizer."""
    target = node.targets[0]
    if not isinstance(target, ast.Subscript) or run.about(TrainingSigns).written_rate or not run.functions:
        return
    if not isinstance(target.slice, ast.Constant) or target.slice.value != "lr":
        return
    written = ast.unparse(target)
    if ("param_group" not in written and not run.loops) or written in ast.unparse(node.value):
        return  # what is made of the rate itself makes it a part of what nobody sees here
    if any(map(is_root, ast.walk(node.value))):
        return  # no factor is the peak of a rate that falls with the width and the steps
    peak = peak_of(run, node.value, scope, 0)
    if peak is not None and 0 < peak.data < 100 and peak.src:
        run.about(TrainingSigns).written_rate = peak


def is_root(node: ast.AST) -> bool:
    """Tell a power below zero, as the inverse roots are by which transformers' rates are made."""
    power = node.right if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) else None
    return isinstance(power, ast.UnaryOp) and isinstance(power.op, ast.USub)


def peak_of(run: Run, node: ast.expr, scope: Scope, depth: int) -> Value | None:
    """Work out what a schedule is at most: factors that change while it runs are taken as one."""
    if depth > DEEPEST:
        return None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        left, right = (peak_of(run, side, scope, depth + 1) for side in (node.left, node.right))
        if left is None or right is None:
            return left or right
        return Value(left.data * right.data, join_spots(left, right))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        left, right = peak_of(run, node.left, scope, depth + 1), number(run, node.right, scope)
        divides = left is not None and right is not None and right.data
        return Value(left.data / right.data, join_spots(left, right)) if left and right and divides else left
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and is_wave(node.right):
        left = number(run, node.left, scope)
        return Value(left.data + 1, left.src) if left is not None else None
    value = number(run, node, scope)
    if value is None and isinstance(node, ast.Name):
        first = first_assigned(run, node, scope)
        return peak_of(run, first, scope, depth + 1) if first is not None else None
    return value if value is not None and value.data else None


def number(run: Run, node: ast.expr, scope: Scope) -> Value | None:
    """Give a number that is known."""
    if not isinstance(node, (ast.Name, ast.Attribute, ast.Constant, ast.Subscript)):
        return None
    value = run.evaluate(node, scope)
    return value if is_constant(value) and type(value.data) in (int, float) else None


def is_wave(node: ast.expr) -> bool:
    """Tell a cosine, which is one at most."""
    return isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in ("cos", "cosine")


def first_assigned(run: Run, name: ast.Name, scope: Scope) -> ast.expr | None:
    """Give what a name is set to first in the function around it, where the way to it hangs on the step."""
    tree = run.trees.get(scope.path)
    inner = [
        one
        for one in (ast.walk(tree) if tree is not None else ())
        if isinstance(one, ast.FunctionDef) and one.lineno <= name.lineno <= (one.end_lineno or one.lineno)
    ]
    if not inner:
        return None
    around = max(inner, key=lambda one: one.lineno)
    for statement in ast.walk(around):
        if isinstance(statement, ast.Assign) and statement.lineno < name.lineno:
            first = statement.targets[0]
            if isinstance(first, ast.Name) and first.id == name.id:
                return statement.value
    return None


DEVICES = re2.compile(
    r"(?i)(?:^|[._])(?:n(?:um)?_?gpus?|\w*(?:replicas|world_size|device_count|devices|process_count)\w*)(?:\(\))?$"
)


def note_share(run: Run, node: ast.expr, scope: Scope) -> None:
    """Keep a number that is divided by how many devices there are: apart where that is not known."""
    if isinstance(node, ast.IfExp):
        note_share(run, node.body, scope)
    if isinstance(node, ast.Call) and len(node.args) == 1:
        note_share(run, node.args[0], scope)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Div, ast.FloorDiv)):
        named = isinstance(node.right, (ast.Name, ast.Attribute, ast.Call)) and DEVICES.search(ast.unparse(node.right))
        whole, count = (number(run, side, scope) if named else None for side in (node.left, node.right))
        if whole is not None and type(whole.data) is int and whole.src:
            signs = run.about(TrainingSigns)
            (signs.shared if count is None else signs.dealt_out).append(whole)
