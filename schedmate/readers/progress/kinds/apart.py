"""Tell the values of one line apart by each other: a share from a time, the run's clock, losses, what is waited for."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from schedmate.readers.progress.lines.fields import Field
from schedmate.readers.progress.lines.names import Role, has, pieces_of
from schedmate.readers.progress.lines.parsed_line import ParsedLine
from schedmate.readers.progress.lines.quantities import Item

WIDER = ("global", "total", "cumulative")
"""What a name says that takes in more than others of its kind."""
WORLDLY = {"step", "steps"}

ADDED = 0.05
"""How near what parts add up to must come to their whole."""
COUNTING = ("step", "epoch", "training", "done", "other_work", "checkpoint")

COUNTED = {"progress", "total", "overall", "round", "run", "steps", "samples", "data"}
"""What is called so is a share of the way."""


def shares_apart(fields: list[Field]) -> list[Field]:
    """Read a time that its share of the whole follows as that of a part: `Train 13s 31%`, a row of a profile."""
    followed = {one.at[0] for one, after in pairwise(fields) if after.role == "percent" and not after.name}
    part = [one.role == "time" and one.at[0] in followed and not has(pieces_of((one.name,)), "time") for one in fields]
    return [replace(one, role="part_time") if is_part else one for one, is_part in zip(fields, part, strict=True)]


def waits_apart(fields: list[Field], line: ParsedLine) -> list[Field]:
    """Read `No improvement (2/10)` and `EarlyStopping counter: 3 out of 10` as what they are: no step and no pass."""
    waits = has(pieces_of(tuple(line.words)), "waiting")
    counters = [one for one in fields if one.role in {"step", "epoch"} and one.total_at >= 0]
    waiting = [one for one in counters if (waits and not one.name) or has(pieces_of((one.name,)), "waiting")]
    return [replace(one, role="count") if one in waiting else one for one in fields]


def widest_clock(fields: list[Field]) -> list[Field]:
    """Keep the run's own clock of several that are named, as `train_wall=13, wall=1349`: a part's has more words.

    Values tell nothing here: both may stand at nought, and what is read of one line holds for all of its kind.
    """
    clocks = [one for one in fields if one.role == "elapsed" and one.name]
    widest = min(clocks, key=clock_rank, default=None)
    return [replace(one, role="metric") if one in clocks and one is not widest else one for one in fields]


def clock_rank(one: Field) -> tuple[bool, int]:
    """Order clocks by what they take in: what is called a total first, then by how few words narrow it."""
    pieces = pieces_of((one.name,))
    return set(WIDER).isdisjoint(pieces), len(pieces)


def heads_step(fraction: Item, fields: list[Field]) -> bool:
    """Tell the pass of `[17/70] Step: 50/259`: in brackets, before a counter with an end of its own."""
    return fraction.opener == "[" and any(one.role == "step" and one.total_at > fraction.total_at for one in fields)


def is_share(fraction: Item, before: Item) -> bool:
    """Tell how many of all were so, `Top1: 45.08% (577/1280)`: in brackets, behind a percentage of another name."""
    if fraction.opener != "(" or fraction.name or before.form != "percent" or not before.name or before.name_after:
        return False
    pieces = pieces_of(before.name)
    counts = not COUNTED.isdisjoint(pieces) or any(has(pieces, kind) for kind in COUNTING)
    return not counts


def parts_of_total(fields: list[Field], numbers: Sequence[str]) -> list[Field]:
    """Read times that add up to the one that is called their total as its parts: `act 8.1s, learn 3.9s, total 12s`."""
    total = next((one for one in fields if one.role == "elapsed" and pieces_of((one.name,))[:1] == ("total",)), None)
    parts = [one for one in fields if one.role in {"time", "part_time"}]
    if total is None or len(parts) < 2:
        return fields
    whole, added = total.value(numbers), sum(one.value(numbers) for one in parts)
    if not abs(whole - added) <= ADDED * whole:
        return fields
    roles: dict[int, Role] = dict.fromkeys((one.at[0] for one in parts), "part_time")
    roles[total.at[0]] = "time"
    return [replace(one, role=roles.get(one.at[0], one.role)) for one in fields]


def paced_apart(fields: list[Field], numbers: Sequence[str]) -> list[Field]:
    """Read `Update 40, env steps 81920, 5120 steps/s` as what is counted beside the steps, and its rate.

    Where something acts, a rate of steps is that of its world unless steps are what the line counts.
    """
    counter = next((one for one in fields if one.role == "step"), None)
    rates = [one for one in fields if one.role == "steps_rate" and not WORLDLY.isdisjoint(pieces_of((one.unit,)))]
    if counter is None or not rates or not WORLDLY.isdisjoint(pieces_of((counter.name,))):
        return fields
    if adds_up_episodes(counter, fields, numbers):
        return fields
    beside = [one for one in fields if one.role == "count" and not WORLDLY.isdisjoint(pieces_of((one.name,)))]
    if not beside and not any(has(pieces_of((one.name,)), "acting") for one in fields):
        return fields
    roles: dict[int, Role] = dict.fromkeys((one.at[0] for one in rates), "throughput")
    roles.update(dict.fromkeys((one.at[0] for one in beside[:1]), "things"))
    return [replace(one, role=roles.get(one.at[0], one.role)) for one in fields]


def adds_up_episodes(counter: Field, fields: Sequence[Field], numbers: Sequence[str]) -> bool:
    """Tell `873/10000: episode: 24, ... episode steps: 33`: so many steps of so many, of which this episode had those.

    Its own number stands beside; what counts updates has a name, or is less than an episode's steps.
    """
    lengths = [one for one in fields if has(pieces_of((one.name,)), "step") and has(pieces_of((one.name,)), "acting")]
    lengths = [one for one in lengths if one.role == "things" and one is not counter]
    numbered = any(has(pieces_of((one.name,)), "acting") and len(pieces_of((one.name,))) == 1 for one in fields)
    of_so_many = not counter.name and counter.total_at >= 0
    return of_so_many and numbered and any(one.value(numbers) <= counter.value(numbers) for one in lengths)


def sizes_apart(fields: list[Field], fractions: Sequence[Item]) -> list[Field]:
    """Read `[300/5000] ... | loss 0.21 | batch 16` as a step, and how much it takes: a size is told last."""
    measured = min((one.at[0] for one in fields if one.role in {"loss", "loss_part", "steps_rate"}), default=None)
    if not fractions or fractions[0].opener != "[" or measured is None or fractions[0].at[0] > measured:
        return fields
    sizes = [one for one in fields if one.role == "step" and one.total_at < 0 and one.name.lower() == "batch"]
    sizes = [one for one in sizes if one.at[0] > measured]
    return [replace(one, role="batch_size") if one in sizes else one for one in fields]


def best_apart(fields: list[Field]) -> list[Field]:
    """Read `Best metric: 82.63 (epoch 274)` as of a pass that was: it does not say which one is at work."""
    best = next((one.at[0] for one in fields if "best" in pieces_of((one.name,))[:2]), None)
    if best is None or any(one.role in {"step", "loss"} or one.at[0] < best for one in fields if one.role != "nothing"):
        return fields
    return [replace(one, role="metric") if one.role == "epoch" else one for one in fields]


def least_apart(fields: list[Field]) -> list[Field]:
    """Read `length/min` beside `length/max` as the least of several, and not as so many a minute."""
    named = {one.name for one in fields}
    rates = [one for one in fields if one.role == "throughput" and one.name.endswith("/min")]
    least = [one for one in rates if named & {one.name[:-3] + most for most in ("max", "mean")}]
    return [replace(one, role="metric") if one in least else one for one in fields]
