"""Read what a loop counts that learns by acting: its episodes, one by one, or the steps that its world has made."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from schedmate.readers.progress.kinds.kinds import LinesOfKind, Read
from schedmate.readers.progress.lines.fields import Field, Shape
from schedmate.readers.progress.lines.names import has, pieces_of

LEAST = 4
"""Lines below which nothing shows what rises."""
SELDOM = 4
"""A counter may begin anew once in so many lines; what falls as often as that, and in no order, is a length."""
EPISODE = "episode"
"""What streams are called that count episodes, or steps of a world."""
EPISODES = {"episode", "episodes"}

NUMBERED = EPISODES | {
    "num", "number", "no", "index", "idx", "id", "count", "n", "i", "total", "current", "training", "train",
}  # fmt: skip
"""Words of which the name of such a number is made up: an episode's length, or its reward, has others."""
WORLD = {"timestep", "timesteps", "frame", "frames", "interactions", "transitions", "env", "step", "steps", "total"}
WORLD |= {"num", "number", "n", "t", "global", "agent", "environment", "so", "far", "cumulative"}
MANY = {"steps", "batches", "iters", "iterations", "updates"}
"""What the number of a whole pass is called."""
RESULTS = {"score", "scores", "ret", "rew", "win", "won"}
"""What an episode brings, beside the words for acting."""


def episodes_found(stream: LinesOfKind, in_table: bool = False) -> dict[Shape, Shape]:
    """Give new shapes for old where lines tell of one episode after the other, or how far their world has come.

    In a table another row may tell what acting brought.
    """
    shapes = {line.shape for line in stream.lines}
    if stream.counts or stream.key.work not in {"train", "unsaid"} or any(shape.framework for shape in shapes):
        return {}
    if not (in_table and stream.lines[-1].shape.layout == "cells") and not any(map(acts, shapes)):
        return {}
    for is_counter in (is_episode, is_world):
        if rises(values_of(stream.lines, is_counter)):
            return {shape: new for shape in shapes if (new := counted(shape, is_counter)) is not None}
    return {}


def lengths_apart(stream: LinesOfKind) -> dict[Shape, Shape]:
    """Tell how long each episode, or pass, was from a counter of its steps: its number rises with every line."""
    lengths = stream.counter()
    if stream.key.counter != "step" or stream.totals() or any(line.shape.framework for line in stream.lines):
        return {}
    still = len(set(lengths)) == 1
    for is_counter in (is_pass,) if still else (is_episode, is_pass) if wavers(lengths) else ():
        numbers = values_of(stream.lines, is_counter)
        if len(numbers) == len(lengths) and rises(numbers) and all(later != one for one, later in pairwise(numbers)):
            change = ending if still and lengths[-1] > 1 else counted
            pairs = [(shape, change(shape, is_counter)) for shape in {line.shape for line in stream.lines}]
            return {shape: new for shape, new in pairs if new is not None}
    return {}


def ending(shape: Shape, is_counter: Callable[[Field], bool]) -> Shape | None:
    """Let `Epoch: 4, Steps: 225 | time 9.1` tell of a whole pass: how many steps it had, and what they took."""
    steps = shape.find("step")
    if steps is None or pieces_of((steps.name,))[-1:] == ("batch",):
        return counted(shape, is_counter)  # how much a step takes
    if not MANY.intersection(pieces_of((steps.name,))):
        return None
    fields = [replace(one, total_at=one.at[0]) if one is steps else one for one in shape.fields]
    return replace(
        shape, fields=tuple(replace(one, role="epoch_time") if one.role == "time" else one for one in fields)
    )


def acts(shape: Shape) -> bool:
    """Tell whether a line says what acting brought: a reward, a return, a score, or at least which episode it was."""
    return any(tells_acting(one.name) for one in shape.fields)


def tells_acting(name: str) -> bool:
    """Tell the name of what acting brings."""
    pieces = pieces_of((name,))
    return has(pieces, "acting") or not RESULTS.isdisjoint(pieces)


def is_episode(one: Field) -> bool:
    """Tell the number of an episode."""
    pieces = pieces_of((one.name,))
    return one.role == "things" and one.total_at < 0 and not EPISODES.isdisjoint(pieces) and NUMBERED.issuperset(pieces)


def is_world(one: Field) -> bool:
    """Tell the number of steps that all episodes have had so far."""
    return one.role in {"things", "total_steps"} and one.total_at < 0 and WORLD.issuperset(pieces_of((one.name,)))


def is_pass(one: Field) -> bool:
    """Tell the number of a pass."""
    return one.role == "epoch"


def found_in(shape: Shape, is_counter: Callable[[Field], bool]) -> Field | None:
    """Give the first value of a line that is such a number."""
    return next((one for one in shape.fields if is_counter(one)), None)


def values_of(lines: Sequence[Read], is_counter: Callable[[Field], bool]) -> list[float]:
    """Give such numbers of all lines that have one."""
    found = [(line, found_in(line.shape, is_counter)) for line in lines]
    return [one.value(line.numbers) for line, one in found if one is not None]


def rises(values: Sequence[float]) -> bool:
    """Tell whether whole numbers go up from line to line; they may begin anew now and then."""
    moves = [later - one for one, later in pairwise(values) if later != one]
    if len(values) < LEAST or len(moves) < LEAST - 1 or any(value % 1 for value in values):
        return False
    return sum(move < 0 for move in moves) * SELDOM <= len(moves) and values[-1] >= 1


def wavers(values: Sequence[float]) -> bool:
    """Tell whether numbers go up and down in no order: what is counted falls once, and rises many times."""
    moves = [later - one for one, later in pairwise(values)]
    downs, ups = sum(move < 0 for move in moves), sum(move > 0 for move in moves)
    return len(values) >= LEAST and min(downs, ups) * SELDOM > len(moves)


def counted(shape: Shape, is_counter: Callable[[Field], bool]) -> Shape | None:
    """Let a line count by such a number, and by no other; a pass stays one."""
    old = found_in(shape, is_counter)
    if old is None:
        return None
    new = old if old.role == "epoch" else replace(old, role="step")
    others = [replace(one, role="count") if one.role == "step" else one for one in shape.fields]
    fields = tuple(new if one is old else one for one in others)
    name = old.name.lower() if old.role == "epoch" else EPISODE
    stream = shape.stream._replace(kind="line", work="train", counter=new.role, name=name)
    return replace(shape, fields=fields, work="train", stream=stream)
