"""Numbers that options call steps and that are not the job's: of one turn, of each round, a limit that is not met."""

import ast

from schedmate.knowledge.option_names import option_names, squashed
from schedmate.readers.code.evidence.config_sections import flattened
from schedmate.readers.code.evidence.data_loaders import best_training_event
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.words.algorithms import is_world
from schedmate.readers.code.python.rounds.left_loops import names_steps
from schedmate.readers.code.values.events import Event, FollowedLoop
from schedmate.readers.code.values.reasons import Reason
from schedmate.readers.code.values.value import Value, is_unknown_by

STEPS = ("step", "iter", "update", "batch", "frame", "img", "sample", "seen", "t_env")
"""Parts of names of what counts steps."""


def is_no_total(view: View, steps: Value) -> bool:
    """Tell a number of steps at which the job does not end."""
    if is_of_one_turn(view, steps) or gives_way(view, steps, view.option("epochs")) or is_scaled(view, steps):
        return True
    if counts_rounds(view, steps) or is_called_per(view, steps) or is_of_a_world(view, steps):
        return True
    is_counter = steps.data == 1  # of the loop, seen in its first round
    return not view.is_told(steps) and (is_counter or runs_until_stopped(view))


def is_of_a_world(view: View, steps: Value) -> bool:
    """Tell the steps that an environment of the repository's own lets one game have: its class's default."""
    worlds = [value.data.cls for value in view.run.instances if is_world(value)]
    lines = [(cls.spot.path, cls.node.lineno, cls.node.end_lineno or 0) for cls in worlds]
    within = (any(path == spot.path and a <= spot.line <= b for path, a, b in lines) for spot in steps.src)
    return bool(lines) and bool(steps.src) and all(within)


def is_made_of_batch(view: View, epochs: Value) -> bool:
    """Tell a number worked out from the batch: how many steps an epoch has, under a name that epochs have, too."""
    made = len({spot for spot in epochs.src if spot.path}) > 1
    batches = {spot for _, one in view.options("batch_size") if one.data != epochs.data for spot in one.src}
    return made and not batches.isdisjoint(epochs.src)


def counts_rounds(view: View, steps: Value) -> bool:
    """Tell a number of rounds of which each has epochs of its own."""
    training = best_training_event(view)
    loops = training.loops if training is not None else ()
    within = next((place for place, loop in enumerate(loops) if any("epoch" in one.lower() for one in loop.names)), 0)
    within = within or (len(loops) if training is not None and fits_epochs(training) else 0)
    bounds = [loop.count for loop in loops[:within] if loop.count is not None]
    return any(bound.data == steps.data and not set(bound.src).isdisjoint(steps.src) for bound in bounds)


def is_one_turn(view: View, loop: FollowedLoop) -> bool:
    """Tell a loop of one step that nobody asked for: so many of a critic's for each of a generator's."""
    if loop.count is None or loop.count.data != 1 or view.is_told(loop.count):
        return False
    return loop.names[:1] != ("ep",) and not any("epoch" in one.lower() for one in loop.names)


def is_called_per(view: View, steps: Value) -> bool:
    """Tell a number that an option declares as so many of something else: `--updates_per_iteration`."""
    declared = (pair for mapping in view.namespaces for pair in flattened(mapping))
    return any("per" in name.lower().split("_") and bool(one.src) and one.src == steps.src for name, one in declared)


FITS = ("fit", "fit_generator")


def fits_epochs(event: Event) -> bool:
    """Tell a `fit` that is told to go over its data several times."""
    told = event.kwargs.get("epochs")
    return event.short in FITS and told is not None and told.data != 1


def is_repeated_fit(event: Event) -> bool:
    """Tell a `fit` in loops that is done again, and its own steps are inside: of epochs, or where none names a step."""
    named = any(names_steps(name, (*STEPS, "epoch")) for loop in event.loops for name in loop.names)
    return event.short in FITS and bool(event.loops) and (not named or fits_epochs(event))


def is_scaled(view: View, steps: Value) -> bool:
    """Tell a setting that the program itself takes times what is not known: so many epochs, counted in steps later."""
    scaled = (one for one in view.read("total_steps") if is_unknown_by(one, Reason.MULTIPLIED))
    return bool(steps.src) and any(part.src == steps.src for one in scaled for part in one.data.parts)


def gives_way(view: View, steps: Value, epochs: Value | None) -> bool:
    """Tell a limit of steps that nobody gave beside epochs that the command gives, and fewer steps than epochs."""
    if epochs is None or type(epochs.data) is not int or type(steps.data) is not int or view.is_told(steps):
        return False
    return view.is_told(epochs) or 0 < steps.data < epochs.data


MOST_PLAIN = 10_000


def counts_steps(view: View, epochs: Value | None) -> bool:
    """Tell a setting that some call epochs and others steps, `niter`: nobody waits for so many epochs."""
    if epochs is None or type(epochs.data) is not int or epochs.data < MOST_PLAIN:
        return False
    names = option_names()["epochs"]
    return any("iter" in names[rank] for rank, value in view.options("epochs") if value is epochs)


def is_of_one_turn(view: View, value: Value) -> bool:
    """Tell a number that is written into a call in a `while` loop: so many steps each turn, not in all."""
    spot = value.src[0] if value.src else None
    tree = view.run.trees.get(spot.path) if spot is not None else None
    if spot is None or tree is None:
        return False
    calls = (call for loop in ast.walk(tree) if isinstance(loop, ast.While) for call in ast.walk(loop))
    return any(
        isinstance(one.value, ast.Constant) and one.value.value == value.data and one.value.lineno == spot.line
        for call in calls
        if isinstance(call, ast.Call)
        for one in call.keywords
    )


def runs_until_stopped(view: View) -> bool:
    """Tell a program that trains until a coordinator of threads says stop: no setting is the number of its steps."""
    entry = view.program.entry
    tree = view.run.trees.get(entry.path) if entry is not None else None
    tests = [node.test for node in ast.walk(tree) if isinstance(node, ast.While)] if tree is not None else []
    return any(ast.unparse(test) in ("not coord.should_stop()", "not coordinator.should_stop()") for test in tests)


def is_of_each_round(view: View, steps: Value) -> bool:
    """Tell an agent's steps between two updates: `range(args.num_steps)` in a loop, `while step < most` in one."""
    inner_loops = (loop for event in view.training for loop in event.loops[1:] if loop.count is not None)
    if any(not set(loop.count.src).isdisjoint(steps.src) for loop in inner_loops if loop.count is not None):
        return True
    named = {squashed(name) for name in names_of_steps(view, steps)}
    for tree in view.run.trees.values():
        for outer in ast.walk(tree) if tree is not None else ():
            if isinstance(outer, (ast.For, ast.While)):
                inner = (one for part in outer.body for one in ast.walk(part) if isinstance(one, (ast.For, ast.While)))
                if any(squashed(bound) in named for one in inner for bound in bounds_of(one)):
                    return True
    return False


def names_of_steps(view: View, steps: Value) -> list[str]:
    """Give the names under which the program keeps a number of steps."""
    names = option_names()["total_steps"]
    return [names[rank] for rank, value in view.options("total_steps") if value is steps]


def bounds_of(loop: ast.For | ast.While) -> list[str]:
    """Give the names up to which a loop counts: `range(self.args.num_steps)`, `step < args.num_steps`."""
    if isinstance(loop, ast.While):
        tests = [one for one in ast.walk(loop.test) if isinstance(one, ast.Compare) and isinstance(one.ops[0], ast.Lt)]
        return [name for one in tests for name in named(one.comparators[0])]
    call = next((one for one in ast.walk(loop.iter) if isinstance(one, ast.Call) and is_range(one)), None)
    return named(call.args[-1]) if call is not None and call.args else []


def named(node: ast.expr) -> list[str]:
    """Give the last part of a name."""
    return [node.attr] if isinstance(node, ast.Attribute) else [node.id] if isinstance(node, ast.Name) else []


def is_range(call: ast.Call) -> bool:
    """Tell a call that makes a range."""
    return isinstance(call.func, ast.Name) and call.func.id in ("range", "trange")
