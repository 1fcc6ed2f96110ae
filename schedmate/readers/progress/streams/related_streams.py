"""Which kinds of lines tell of the same steps: counters in step, and what stands beside them."""

from bisect import bisect
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from statistics import median

from schedmate.readers.progress.kinds.kinds import LinesOfKind, counted, is_prose
from schedmate.readers.progress.kinds.losses import is_called_loss
from schedmate.readers.progress.lines.cut_line import HEAD, masked
from schedmate.readers.progress.lines.fields import Stream
from schedmate.readers.progress.lines.names import has, pieces_of
from schedmate.readers.progress.lines.stamp_lines import tells_time
from schedmate.tools.late_patterns import late

FEW = 3

SELDOM = 3
"""So many times as many lines count the steps between those that sum up."""
NEIGHBOUR = 12
"""Lines that tell something new and may stand between two lines of one record."""
ALONE = 0.9
"""The share of steps beside which the time must be told once, where lines of their own tell it."""
ENDED = 8
"""Steps of a pass at least, whose time is told without its number."""
EVEN = 0.5
"""How far a pass may last longer or shorter than the first, of which a clock of the run tells the sum."""
CUT_OFF = 2
"""Characters at the end of a cut line that may be what is left of a number."""
TELLING = {
    "interval_time",
    "loss",
    "loss_part",
    "step_time",
    "steps_rate",
    "time",
    "elapsed",
    "eta",
    "throughput",
    "epoch_time",
    "things",
    "part_time",
}
SUMMARY = late(r"wandb:[ ]+[\w/.-]{1,60}[ ]+[-\d]")
LEARNT = {"loss", "loss_part", "throughput"}
CLOCKED = {"time", "elapsed"}
EXPLICIT = {"step_time", "steps_rate", "interval_time"}


def related(primary: LinesOfKind, streams: Iterable[LinesOfKind]) -> set[Stream]:
    """Name the streams that tell of the same steps: counters in step with the primary's, and what stands beside it."""
    low, high = primary.lines[0].place, primary.lines[-1].place
    kin = {primary.key}
    for stream in streams:
        if stream.key == primary.key or stream.lines[-1].shape.work in {"other", "checkpoint", "eval"}:
            continue
        if stream.counts:
            alike = primary.counts and stream.key.counter == "step" and counts_alike(stream, primary)
            if alike and not stream.repeats() and not sums_up(stream, primary):
                kin.add(stream.key)
        elif tells_time(stream.key):
            is_own = not stream.repeats() and not is_elsewhere(stream, primary)
            if is_own and not primary.lines[-1].shape.stamp and accompanies(stream, primary):
                kin.add(stream.key)
        elif same_framework(stream, primary) or same_table(stream, primary) or beside(stream, primary, low, high):
            kin.add(stream.key)
    return kin


def sums_up(stream: LinesOfKind, primary: LinesOfKind) -> bool:
    """Tell what an evaluation came to, now and then, with a clock that ran through it."""
    roles = {one.role for one in stream.lines[-1].shape.fields}
    return "eval" in roles and not roles.isdisjoint(CLOCKED) and primary.count > SELDOM * stream.count


def telling_loss(kin: Collection[Stream], known: Mapping[Stream, LinesOfKind]) -> frozenset[Stream]:
    """Name the lines that tell the loss of a loop whose own lines tell none: as a pass ends, or beside a bar."""
    if any(one.role in {"loss", "loss_part"} for key in kin for line in known[key].lines for one in line.shape.fields):
        return frozenset()
    began = min(known[key].first_order for key in kin)
    return best_told(one for one in known.values() if one.key not in kin and one.lines[-1].order > began)


def best_told(streams: Iterable[LinesOfKind]) -> frozenset[Stream]:
    """Name the lines of which the loss alone is taken: those that speak of training, else those that come oftenest."""
    known = list(streams)
    told = [one for one in known if is_loss_told(one)]
    trained = [one for one in told if one.key.work == "train" or has(pieces_of((one.key.name,)), "training")] or told
    trained = trained or [one for one in known if is_loss_settled(one)]
    trained = trained or [one for one in known if is_summed_up(one)]
    return frozenset({max(trained, key=lambda one: one.count).key}) if trained else frozenset()


def is_summed_up(stream: LinesOfKind) -> bool:
    """Tell the loss that a tracker of experiments shows once more as a run ends: `wandb: train/loss 1.43`."""
    last = stream.lines[-1]
    fields = [one for one in last.shape.fields if one.role == "loss" and is_called_loss(one.name)]
    trained = len(fields) == len(last.shape.fields) == 1 and has(pieces_of((fields[0].name,)), "training")
    return trained and SUMMARY.match(last.quote) is not None


def is_loss_told(stream: LinesOfKind, is_still: bool = False) -> bool:
    """Tell lines that say again and again what is learnt, each time something else where it does not stay."""
    shape = stream.lines[-1].shape
    told = any(one.role == "loss" and is_called_loss(one.name) for one in shape.fields) and shape.work in {
        "train",
        "unsaid",
    }
    return told and stream.count > 1 and stream.repeats() == is_still and not is_prose(stream.lines[-1])


def is_loss_settled(stream: LinesOfKind) -> bool:
    """Tell a loss of training that is told again and again and has come to stay: no setting is called so."""
    trained = has(pieces_of((stream.key.name,)), "training")
    return trained and stream.repeats() and is_loss_told(stream, is_still=True)


def in_step(stream: LinesOfKind, primary: LinesOfKind) -> bool:
    """Tell whether two counters pass through the same values, and at the same places of the log."""
    mine, others = set(primary.counter()), set(stream.counter())
    if not others or len(mine & others) * 2 < min(len(mine), len(others)):
        return False
    places = [(line.order, value) for line, value in zip(primary.lines, primary.counter(), strict=False)]
    orders = [order for order, _ in places]
    late = [line for line in stream.lines if line.order >= orders[0]]
    met = 0
    for line, value in zip(late, counted(late), strict=False):
        place = bisect(orders, line.order)
        met += value in {places[near][1] for near in range(max(0, place - 1), min(len(places), place + 1))}
    return 2 * met > len(late)


def same_framework(stream: LinesOfKind, primary: LinesOfKind) -> bool:
    """Tell whether a known format reads both."""
    return stream.lines[-1].shape.framework == primary.lines[-1].shape.framework != ""


def same_table(stream: LinesOfKind, primary: LinesOfKind) -> bool:
    """Tell whether lines are rows of the counter's own table, one a record, however far apart noise drives them."""
    layout = stream.lines[-1].shape.layout
    if not layout or layout != primary.lines[-1].shape.layout or abs(stream.count - primary.count) > 1:
        return False
    counters = [line.order for line in primary.lines]
    spaces = [bisect(counters, line.order) for line in stream.lines]
    return layout == "cells" or (len(spaces) > 1 and len(set(spaces)) == len(spaces) and not stream.repeats())


def counts_alike(stream: LinesOfKind, primary: LinesOfKind) -> bool:
    """Tell whether two streams count the same steps."""
    if redrawn(stream, primary) or continues(stream, primary) or is_cut(stream, primary):
        return True
    return in_step(stream, primary) and near(stream, primary)


def is_cut(stream: LinesOfKind, primary: LinesOfKind) -> bool:
    """Tell the last line of a log that was cut before what its format is known by: as far as it goes it is the same."""
    last, whole = stream.lines[-1], primary.lines[-1]
    if stream.key.kind == "bar" or stream.count > 1 or last.order < whole.order or len(last.text) >= len(whole.text):
        return False
    start = masked(last.text.encode())[:-CUT_OFF]
    return len(start) > HEAD and masked(whole.text.encode()).startswith(start)


def redrawn(stream: LinesOfKind, primary: LinesOfKind) -> bool:
    """Tell a bar that a notebook redraws in its place, above the table of its steps: it stands where they end."""
    roles = {one.role for one in stream.lines[-1].shape.fields}
    alone = stream.count == 1 and bool(roles & EXPLICIT) and primary.count > 1
    return alone and stream.totals() != [] and stream.counter()[-1] == primary.counter()[-1]


def continues(stream: LinesOfKind, primary: LinesOfKind) -> bool:
    """Tell whether two counters of one name are one counter: put together, it falls no oftener than before."""
    if stream.key.name != primary.key.name or stream.key.kind != primary.key.kind or not primary.key.name:
        return False
    told = {one.role for one in stream.lines[-1].shape.fields} & TELLING
    if stream.count == 1 and (not told or primary.count > FEW) and not same_framework(stream, primary):
        return False  # a heading with a number, once
    if stream.key.total != primary.key.total and not (learns(stream) and learns(primary)):
        return False  # a bar to another end, over other data
    both = sorted((*stream.lines, *primary.lines), key=lambda line: line.order)
    own, other = falls(primary.counter()), falls(stream.counter())
    return falls(counted(both)) <= own + min(other, own + 1)  # what starts again and again is another counter


def learns(stream: LinesOfKind) -> bool:
    """Tell whether lines print a loss."""
    return any(one.role in {"loss", "loss_part"} for one in stream.lines[-1].shape.fields) or not stream.key.total


def falls(counter: Sequence[float]) -> int:
    """Count how often a counter goes back."""
    return sum(later < earlier for earlier, later in pairwise(counter))


def near(stream: LinesOfKind, primary: LinesOfKind) -> bool:
    """Tell whether two streams are written by one loop, line by line."""
    return min(gaps(stream, primary, 8)) <= NEIGHBOUR or len(set(stream.counter())) >= 4


def beside(stream: LinesOfKind, primary: LinesOfKind, low: int, high: int) -> bool:
    """Tell whether lines without a counter belong to the steps: they say so, or they come as often and in between."""
    roles = {one.role for one in stream.lines[-1].shape.fields}
    if not roles & TELLING or stream.count > 4 * primary.count + 2:
        return False
    if stream.repeats() or is_prose(stream.lines[-1]):
        return False  # a sentence, as a model writes them, names times that are none of its own training
    if roles & EXPLICIT:
        return True
    if roles.isdisjoint(LEARNT) and is_elsewhere(stream, primary):
        return False
    if not any(low - NEIGHBOUR <= line.place <= high + NEIGHBOUR for line in stream.lines):
        return False
    if closes_passes(stream, primary) or ends_passes(stream, primary, roles):
        return True
    if stream.count == primary.count >= FEW and not CLOCKED.isdisjoint(roles) and accompanies(stream, primary):
        return True  # one to one, however far noise has driven them apart
    if min(primary.count, stream.count) >= (4 if roles & LEARNT else 8):
        return alternates(stream, primary)
    gap = median(gaps(stream, primary))
    if roles & LEARNT:
        said = stream.count > 1 or primary.count <= FEW or not roles.isdisjoint({"loss", "loss_part"})
        said = said or has(pieces_of((stream.key.name,)), "training")  # as a run is summed up
        return gap <= NEIGHBOUR and said
    return gap <= NEIGHBOUR // 3 and abs(stream.count - primary.count) <= 1


def gaps(stream: LinesOfKind, primary: LinesOfKind, most: int = 0) -> list[int]:
    """Give how far lines, or the last of them, stand from the counter's.

    What is said over and over between them is not counted where nearly every record has such a line: one that came but
    once may tell of anything, that far away.
    """
    counters = [line.order for line in primary.lines]
    spaces = {bisect(counters, line.order) for line in stream.lines}
    is_each = min(stream.count, primary.count) > 1 >= abs(stream.count - primary.count)
    is_each = is_each and len(spaces) >= ALONE * len(stream.lines)
    lines = list(stream.lines)[-most:]
    if is_each:
        return [min(abs(line.place - other.place) for other in primary.lines) for line in lines]
    return [min(abs(line.order - other.order) for other in primary.lines) for line in lines]


def is_elsewhere(stream: LinesOfKind, primary: LinesOfKind) -> bool:
    """Tell lines of which most came before the first of the counter's: they tell of something else."""
    before = sum(line.order < primary.first_order for line in stream.lines)
    return stream.count > FEW and 2 * before > len(stream.lines)


def accompanies(stream: LinesOfKind, primary: LinesOfKind) -> bool:
    """Tell whether each step has a line of a kind, and only one."""
    counters = [line.order for line in primary.lines]
    spaces = Counter(bisect(counters, line.order) for line in stream.lines)
    within = [spaces[place] for place in range(min(spaces) + 1, len(counters))]
    return bool(within) and sum(count == 1 for count in within) >= ALONE * len(within)


def closes_passes(stream: LinesOfKind, primary: LinesOfKind) -> bool:
    """Tell a clock of the run that is told once in each pass, between its last step and the first one of the next."""
    orders = [line.order for line in primary.lines]
    starts = [at for at, (one, later) in enumerate(pairwise(primary.counter()), 1) if later < one]
    spaces = [bisect(orders, line.order) for line in stream.lines if line.order > orders[0]]
    ends = {*starts, len(orders)}
    once = len(set(spaces)) == len(spaces) > 1 and ends.issuperset(spaces)
    return once and bool(starts) and len(spaces) >= len(starts) and adds_up(stream)


def ends_passes(stream: LinesOfKind, primary: LinesOfKind, roles: Collection[str]) -> bool:
    """Tell what a pass took, told as each of them ends, between as many steps of a counter that goes on through all."""
    orders, steps = [line.order for line in primary.lines], primary.counter()
    if "epoch_time" not in roles or primary.key.counter != "step" or len(steps) != len(orders):
        return False
    ends = sorted({at for line in stream.lines if (at := bisect(orders, line.order))})
    lengths = {steps[later - 1] - steps[one - 1] for one, later in pairwise(ends)}
    return len(lengths) == 1 and min(lengths) >= ENDED


def adds_up(stream: LinesOfKind) -> bool:
    """Tell elapsed times that each go on from the one before by about what the first one was; else each is its own."""
    found = [(line.shape.find("elapsed"), line.numbers) for line in stream.lines]
    times = [one.value(numbers) for one, numbers in found if one is not None]
    return len(times) > 1 and all(abs(later - one - times[0]) <= EVEN * times[0] for one, later in pairwise(times))


def alternates(stream: LinesOfKind, primary: LinesOfKind) -> bool:
    """Tell whether two kinds of lines come in turn; what merely happens to stand in the log does not.

    What stands before the first of the counter's lines that were kept tells nothing of it.
    """
    counters = [line.order for line in primary.lines]
    kept = [line.order for line in stream.lines if line.order >= counters[0]]
    orders = kept if primary.count > len(counters) and len(kept) > FEW else [line.order for line in stream.lines]
    first, last = orders[0], orders[-1]
    spaces = Counter(bisect(counters, order) for order in orders)
    inside = sum(first < order < last for order in counters) + 1
    single = sum(count == 1 for count in spaces.values())
    return (single >= 0.8 * len(spaces) and len(spaces) * 5 >= inside * 4) or every(spaces)


def every(spaces: Mapping[int, int]) -> bool:
    """Tell whether lines come after every so many steps, regularly, and few at a time."""
    places = sorted(spaces)
    strides = {later - earlier for earlier, later in pairwise(places)}
    return len(places) >= 4 and len(strides) == 1 and sum(spaces.values()) <= FEW * len(places)
