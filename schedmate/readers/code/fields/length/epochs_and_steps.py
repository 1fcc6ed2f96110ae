"""How long a job trains: epochs and steps."""

import ast
from collections.abc import Iterator

from schedmate.knowledge.code_words import meanings, words
from schedmate.readers.code.evidence.data_loaders import best_training_event, run_in_sessions
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.batches.gathered_gradients import draws_batches
from schedmate.readers.code.fields.length.graph_warm_ups import precedes_recording
from schedmate.readers.code.fields.length.limits_of_steps import (
    STEPS,
    counts_steps,
    is_made_of_batch,
    is_no_total,
    is_of_each_round,
    is_one_turn,
    is_repeated_fit,
)
from schedmate.readers.code.fields.length.repeated_runs import goes_on, in_a_row, is_choice, starts_anew
from schedmate.readers.code.fields.length.rounds_over_data import (
    counted_through,
    cuts_batches,
    goes_over_data,
    holds_batches,
    is_named_shortly,
    is_over_loader,
    is_round_of_others,
    is_worked_out,
    lasts_as_it_likes,
    leave_rivals_open,
    only_pass,
    passes_over,
)
from schedmate.readers.code.fields.length.single_steps import is_one_step
from schedmate.readers.code.fields.length.steps_of_agents import steps_of_rounds, told_epochs, told_steps
from schedmate.readers.code.fields.words.algorithms import learns_to_act
from schedmate.readers.code.python.rounds.left_loops import is_set_besides, list_names, names_steps
from schedmate.readers.code.values.events import Event, FollowedLoop
from schedmate.readers.code.values.nested import is_default
from schedmate.readers.code.values.value import Value, is_constant, product

GRADIENTS = words("training.gradients")
"""Calls that work gradients out, which a step may gather from several of them."""
GAMES = words("training.games")
TOLD = meanings("training.durations")
MOST_EPOCHS = 1_000_000

REPEATS = frozenset(words("training.repeats"))
"""How loops are named that do the whole job several times."""


def from_told_calls(view: View) -> None:
    """Take what libraries' calls are told of how long they train."""
    for event in view.events:
        if event.short in TOLD:
            field_name, names, owner = TOLD[event.short]
            value = event.arg(0, *names) if not owner or owner in event.name else None
            told, epochs = view.number(field_name, value), view.option("epochs")
            if told and field_name == "total_steps" and value is not None and epochs is not None:
                view.number("epochs", epochs if is_made_of(value, epochs) else None)


def from_path(view: View) -> None:
    """Read the loops around the training call with the most of them."""
    event = best_training_event(view)
    own = event is not None and (is_repeated_fit(event) or lasts_as_it_likes(view, event))
    own = own or (event is not None and precedes_recording(view, event))
    if event is not None and not own and not leave_rivals_open(view, event):
        whole = in_a_row(view, event)
        if whole is None:
            view.rule_out("epochs")
            view.rule_out("total_steps")
            return
        from_loops(view, whole)
        from_exits(view, event)


def from_loops(view: View, event: Event) -> None:
    """Read epochs and steps off the loops around a training call."""
    loops = event.loops
    rl = plays(view) and view.option("env_steps") is not None
    counted = [loop for loop in loops if is_counted(loop) and not (accumulates(view, loop) or is_one_turn(view, loop))]
    counted = [loop for loop in counted or only_pass(loops) if not starts_anew(view, loop, event)]
    if not counted:
        return
    first = counted[0]
    epoch_loop = next((loop for loop in counted if any(map(counts_epochs, loop.names))), None)
    if plays(view) and (goes_by_episodes(first) or (epoch_loop is not None and loops[0] is not epoch_loop)):
        return  # as long as each episode lasts; or an agent goes over what it has just seen, again and again
    names_round = any(names_steps(name, (*STEPS, "epoch")) for name in first.names)
    if epoch_loop not in (None, first) and names_round:
        return  # rounds, each with epochs of its own: neither are the job's
    first = epoch_loop or first
    turns = any(loop.kind == "while" and loop.count is None for loop in loops[: loops.index(first)])
    if (turns and (plays(view) or epoch_loop is None)) or (plays(view) and cuts_batches(first)):
        return  # rounds of each turn of a loop whose turns are not counted; whole episodes, counted in an agent's steps
    count = bound_value(first)
    if plays(view) and first is epoch_loop and is_worked_out(view, count):
        return  # so many rounds of play as fill the steps of the environment
    inner = [loop for loop in loops[loops.index(first) + 1 :] if loop.kind == "for" and loop.count is None]
    named_epoch = any("epoch" in name.lower() or name in ("e", "ep") for name in first.names)
    named_epoch = named_epoch or (not plays(view) and goes_over_data(view, first, loops)) or passes_over(view, event)
    named_step = not named_epoch and any(names_steps(name, STEPS) for name in first.names)
    named_step = named_step and not holds_batches(view, first, loops)
    if not rl and (named_epoch or named_step):
        multiply_loops(view, counted[counted.index(first) :])
    if named_epoch or (inner and not named_step and not rl and not is_round_of_others(view, first, loops)):
        view.number("epochs", counted_through(first, count) if count.data < MOST_EPOCHS else None)
        if loops[-1] is first and "while" not in {loop.kind for loop in loops} and is_one_step(view, event):
            view.number("total_steps", count, "one step an epoch: all data at once")
    elif not rl and not is_of_batches(view, loops, first) and (named_step or (loops[-1] is first and count.data != 1)):
        view.number("total_steps", count)
        epochs = view.option("epochs")
        if not (epochs is not None and is_made_of(count, epochs) and view.number("epochs", epochs)):
            view.rule_out("epochs")


def from_exits(view: View, event: Event) -> None:
    """Take the number of steps at which the loops over the data are left, where no number of epochs ends them first."""
    if not plays(view) and not view.knows("total_steps"):
        ends = ends_by_epochs(view, event)
        for steps in steps_at_exits(view, event):
            if all(is_later(end, steps) for end in ends) and view.number("total_steps", steps) and ends:
                view.give_up("epochs")


def is_later(epochs: Value, steps: Value) -> bool:
    """Tell epochs that never end before so many steps are taken: each has one at the least."""
    return type(epochs.data) in (int, float) and epochs.data >= steps.data


def asked_exit(view: View) -> Value | None:
    """Give the number of steps that the command asks for, at which the loops are left, beside epochs nobody gave."""
    event = best_training_event(view)
    if event is None or plays(view) or any(map(view.is_told, ends_by_epochs(view, event))):
        return None
    return next((steps for steps in steps_at_exits(view, event) if view.is_told(steps)), None)


def ends_by_epochs(view: View, event: Event) -> list[Value]:
    """Give the numbers of epochs or rounds that end the loops around a training call."""
    ends = [loop.count for loop in event.loops if loop.kind == "for" and loop.count is not None and is_counted(loop)]
    epochs = view.values.get("epochs")
    return ends if epochs is None else [*ends, Value(epochs.value, epochs.spots)]


def steps_at_exits(view: View, event: Event) -> Iterator[Value]:
    """Give the numbers of steps at which the loops around a training call are left, and the job with them."""
    for place, loop in enumerate(event.loops):
        counter, steps = loop.left_at or ("", None)
        if loop.kind == "while" and place and all(one.count and one.count.data == 1 for one in event.loops[:place]):
            counter, steps = loop.names[0] if loop.names else "", loop.count
        if steps is None or steps.data < 2:
            continue
        if not is_set_besides(counter, loop, event.loops[:place], view.run.trees.values()):
            yield steps


def goes_by_episodes(loop: FollowedLoop) -> bool:
    """Tell a loop of an agent's episodes, and one that does not say what it counts: their steps are not known."""
    names = [name.lower() for name in loop.names]
    counts = any(names_steps(name, (*STEPS, "epoch")) for name in names)
    return any("episode" in name for name in names) or not counts


def counts_epochs(name: str) -> bool:
    """Tell a loop of epochs by its counter's or bound's name; one of so many rounds in each epoch is another."""
    return "epoch" in name.lower() and "per_epoch" not in name.lower()


def is_of_batches(view: View, loops: tuple[FollowedLoop, ...], first: FollowedLoop) -> bool:
    """Tell a counted loop inside one over batches, epochs or steps nobody counted: so many rounds for each of them."""
    around = [loop for loop in loops[: loops.index(first)] if loop.kind == "for" and loop.count is None]
    named = any(part in name.lower() for loop in around for name in loop.names for part in ("batch", "epoch", "step"))
    return named or any(is_over_loader(view, loop) for loop in around)


def is_made_of(count: Value, epochs: Value) -> bool:
    """Tell steps that are so many in each epoch: their number comes from the epochs' place and from one more."""
    numbers = type(count.data) is int and type(epochs.data) is int and 0 < epochs.data < count.data
    return numbers and count.data % epochs.data == 0 and bool(epochs.src) and set(epochs.src) < set(count.src)


def multiply_loops(view: View, loops: list[FollowedLoop]) -> None:
    """Take rounds times steps where a counted loop of steps stands in one of rounds and each of them is an update."""
    named = len(loops) == 2 and any(names_steps(name, STEPS) for name in loops[1].names)
    named = named and not (is_named_shortly(loops[1]) and goes_on_inside(view, loops[1]))
    draws = bool(loops) and any(map(counts_epochs, loops[0].names)) and draws_batches(loops[-1])
    if len(loops) != 2 or not (named or cuts_batches(loops[1]) or draws):
        return
    if any(loop.count is None for event in view.training for loop in between(event.loops, *loops)):
        return  # a loop over batches between them
    made = [one for one in view.training if one.short not in GRADIENTS]
    updates = run_in_sessions(view, view.training) or made
    places = [[loop.spot for loop in one.loops] for one in updates]  # a short loop is followed round by round
    inside = [loops[1].spot in spots for spots in places if loops[0].spot in spots]
    updated = not updates or (bool(inside) and all(inside))  # else another network takes one step for each of many
    outer, inner = bound_value(loops[0]), bound_value(loops[1])
    if updated and counts_on(*loops):
        view.number("total_steps", inner)
    elif updated and (outer.src, outer.data) != (inner.src, inner.data):  # two loops to one bound count the same steps
        view.number("total_steps", product(outer, inner), f"{outer.data} rounds of {inner.data}")


def goes_on_inside(view: View, loop: FollowedLoop) -> bool:
    """Tell a loop inside which training goes over something that nobody counted."""
    inside = [event.loops[event.loops.index(loop) + 1 :] for event in view.training if loop in event.loops]
    return any(one.kind == "for" and one.count is None for loops in inside for one in loops)


def counts_on(outer: FollowedLoop, inner: FollowedLoop) -> bool:
    """Tell a `while` loop whose counter no round of the loop around sets back: its bound is that of the whole job."""
    stores = [
        sum(name.rpartition(".")[2] in inner.names for part in loop.body for name in list_names(part, ast.Store))
        for loop in (outer, inner)
    ]
    return inner.kind == "while" and stores[0] == stores[1] > 0


def between(loops: tuple[FollowedLoop, ...], outer: FollowedLoop, inner: FollowedLoop) -> tuple[FollowedLoop, ...]:
    """Give the loops that stand inside one and around another."""
    places = [place for place, loop in enumerate(loops) if loop is outer or loop is inner]
    return loops[places[0] + 1 : places[-1]] if len(places) > 1 else ()


def is_counted(loop: FollowedLoop) -> bool:
    """Tell a loop whose rounds are known; one round over the pieces of a batch is no loop of steps."""
    if loop.count is None or not is_constant(loop.count) or is_endless(loop) or is_choice(loop) or warms_up(loop):
        return False
    if not REPEATS.isdisjoint(name.lower().strip("_").removeprefix("current_") for name in loop.names):
        return False
    named = any(names_steps(name, (*STEPS, "epoch")) for name in loop.names)
    return named or loop.names[:1] == ("ep",) or loop.count.data != 1


def warms_up(loop: FollowedLoop) -> bool:
    """Tell the rounds before training by which a program is made ready: their number is named after that alone."""
    told = [name.lower() for name in loop.names if names_steps(name, (*STEPS, "epoch"))]
    return bool(told) and all("warm" in name for name in told)


def accumulates(view: View, loop: FollowedLoop) -> bool:
    """Tell a loop over the micro-batches of one step: named after them, or as long as gradients are gathered."""
    if any("micro" in name.lower() or "accum" in name.lower() for name in loop.names):
        return True
    told = [value for _, value in view.options("accumulation")]
    places = {spot for value in told for spot in value.src}
    count = loop.count
    return count is not None and count.data in [value.data for value in told] and bool(places & set(count.src))


def is_endless(loop: FollowedLoop) -> bool:
    """Tell a loop over more epochs than anybody waits for: something else ends it."""
    count = loop.count.data if loop.count is not None else None
    return isinstance(count, int) and count >= MOST_EPOCHS and any("epoch" in name.lower() for name in loop.names)


def plays(view: View) -> bool:
    """Tell reinforcement learning, whose steps are those of the environment."""
    return not view.imports.isdisjoint(GAMES) or view.get("task") == "RL" or view.once(learns_to_act)


def bound_value(loop: FollowedLoop) -> Value:
    """Give a loop's count with the places of its bound."""
    assert loop.count is not None
    value = Value(loop.count.data, tuple(loop.count.src))
    return value if value.src else Value(value.data, (loop.spot,))


def times_around(view: View, epochs: Value | None) -> Value | None:
    """Take epochs times the rounds of a counted loop around them, where one network made before it goes on learning."""
    event = best_training_event(view)
    if epochs is None or is_made_of_batch(view, epochs) or event is None or not goes_on(view, event):
        return epochs if epochs is not None and not is_made_of_batch(view, epochs) else None
    inner = next((place for place, loop in enumerate(event.loops) if loop.count and loop.count.data == epochs.data), 0)
    outer = event.loops[:inner]
    if len(outer) != 1 or not isinstance(outer[0].items.data, range) or not is_counted(outer[0]):
        return epochs
    return product(bound_value(outer[0]), epochs)


def from_options(view: View) -> None:
    """Take options by their names where nothing else told."""
    env_steps = (view.option("env_steps") or steps_of_rounds(view)) if plays(view) else None
    if env_steps is not None and view.number("total_steps", env_steps):
        view.rule_out("epochs")
        return
    if plays(view) and not view.knows("total_steps") and any(map(view.is_told, told_steps(view))):
        view.number("total_steps", told_steps(view)[0])
    if not view.knows("epochs") and not view.knows("total_steps"):
        steps = view.option("total_steps")
        if steps is not None and (is_no_total(view, steps) or (plays(view) and is_of_each_round(view, steps))):
            steps = None
        epochs = times_around(view, told_epochs(view) if plays(view) else view.option("epochs"))
        if epochs is not None and is_default(epochs) and view.said("total_steps"):
            epochs = None  # the command says how many steps, though not with a number that is known here
        if counts_steps(view, epochs):
            steps, epochs = steps or epochs, None
        chosen = steps is not None and not is_default(steps) and view.number("total_steps", steps)
        asked = epochs is not None and view.is_told(epochs)
        if chosen and steps is not None and not asked and (view.is_told(steps) or (epochs and epochs.data == 1)):
            view.rule_out("epochs")
        endless = epochs is not None and isinstance(epochs.data, int) and epochs.data >= MOST_EPOCHS
        if not endless and (not chosen or (epochs is not None and len(epochs.src) < 2)):
            view.number("epochs", epochs)


RULES = (
    Rule(Subject.DURATION, "what calls are told", from_told_calls),
    Rule(Subject.DURATION, "loops around the training call", from_path),
    Rule(Subject.DURATION, "options", from_options),
)
