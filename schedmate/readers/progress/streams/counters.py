"""Find a stream's counter where no name tells it: the whole number that rises from line to line."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from schedmate.readers.progress.kinds.episodes import lengths_apart
from schedmate.readers.progress.kinds.kinds import LinesOfKind, Read
from schedmate.readers.progress.lines.fields import Field, Shape
from schedmate.readers.progress.lines.names import has, pieces_of
from schedmate.readers.progress.lines.tokens import value_of
from schedmate.readers.progress.streams.costs import time_of_pass
from schedmate.readers.progress.streams.mute_rows import told_alone
from schedmate.readers.progress.streams.nameless_clock import clocked_by
from schedmate.readers.progress.streams.related_streams import EXPLICIT, LEARNT

LEAST = 4
"""Lines of one template below which nothing can be seen."""
NUMBERING = {"count", "cnt", "no", "idx", "index", "i", "n"}
"""Names that may be a counter's as well as any other's."""
TIMED = ({"time", "eta"}, {"elapsed", "eta"})
"""Who tells how long something took, and how long it will, counts as well as who tells what is learnt."""
EVEN = 0.6
"""So many of the strides between lines must be the same: the counter is printed every so many steps."""


def counters_found(stream: LinesOfKind, is_training: bool = False, speaks_of_loss: bool = False) -> dict[Shape, Shape]:
    """Give new shapes for old, for the templates of a stream whose counter shows only now.

    Where the log tells of training elsewhere, so does what its rows tell without a word: of the loss, if the log does.
    """
    if stream.key.work not in {"train", "unsaid"} or stream.key.kind == "bar":
        return {}
    found: dict[Shape, Shape] = {}
    alike: dict[Shape, list[Read]] = {}
    for line in stream.lines:
        alike.setdefault(line.shape, []).append(line)
    for shape, lines in alike.items():
        if len(lines) >= LEAST and not shape.framework:
            changed = turned(shape, lines) or passing(shape, lines) if stream.counts else counted_by(shape, lines)
            if changed is not None:
                found[shape] = changed
        is_mute = is_training and stream.counts and shape not in found
        alone = told_alone(shape, lines, speaks_of_loss) if is_mute else None
        if alone is not None:
            found[shape] = alone
        costly = time_of_pass(shape, lines) if shape not in found else None
        if costly is not None:
            found[shape] = costly
        timed = clocked_by(found.get(shape, shape), lines)
        if timed is not None:
            found[shape] = timed
    found = found if stream.counts else found | alike_counted(found, alike)
    return found or lengths_apart(stream)


def alike_counted(found: Mapping[Shape, Shape], alike: Mapping[Shape, Sequence[Read]]) -> dict[Shape, Shape]:
    """Count the few lines of other templates by the same number, as the first one, whose times are shorter."""
    counters = {one.at[0] for shape in found.values() for one in shape.fields if one.role == "step"}
    others: dict[Shape, Shape] = {}
    for shape in alike:
        one = next((field for field in shape.fields if is_nameless(field) and field.at[0] in counters), None)
        if shape not in found and one is not None and names_of(shape) in map(names_of, found):
            others[shape] = recounted(shape, one, replace(one, role="step"))
    return others


def names_of(shape: Shape) -> tuple[str, ...]:
    """Give the names of a line's values."""
    return tuple(one.name for one in shape.fields)


def counted_by(shape: Shape, lines: Sequence[Read]) -> Shape | None:
    """Take a nameless whole number that rises evenly as the counter of lines that tell what is learnt."""
    roles = {one.role for one in shape.fields}
    if roles.isdisjoint(LEARNT | EXPLICIT) and not any(both <= roles for both in TIMED):
        return None
    rising = [one for one in shape.fields if is_nameless(one) and one.at[0] not in shape.stamp_at]
    rising = [one for one in rising if rises(lines, one.at[0])]
    if not rising:
        return None
    best = max(rising, key=lambda one: counts_of(lines, one.at[0]))  # a pass rises too, but seldom
    outer = bracketed_with(best, shape, lines)
    if outer is None:
        return recounted(shape, best, replace(best, role="step"))
    kept = replace(shape, fields=tuple(one for one in shape.fields if one is not outer))
    return recounted(kept, best, replace(best, role="step"), replace(outer, role="epoch"))


def bracketed_with(step: Field, shape: Shape, lines: Sequence[Read]) -> Field | None:
    """Find the pass in `[3, 2000] loss: 1.7`: a whole number before its step in one bracket, that never falls."""
    if any(one.role == "epoch" for one in shape.fields):
        return None
    outer = next((one for one in shape.fields if is_nameless(one) and one.at[0] == step.at[0] - 1), None)
    if outer is None or not all(line.numbers[outer.at[0]].isdigit() for line in lines):
        return None
    pair = re.compile(rf"\[\s*{lines[-1].numbers[outer.at[0]]}\s*,\s*{lines[-1].numbers[step.at[0]]}\s*\]")
    passes = [value_of(line.numbers[outer.at[0]]) for line in lines]
    rises_only = all(one <= later for one, later in pairwise(passes))
    return outer if rises_only and pair.search(lines[-1].text) else None


def is_nameless(one: Field) -> bool:
    """Tell a single number of which nothing says what it is."""
    nameless = (one.role == "nothing" and not one.name) or one.name.lower() in NUMBERING
    return nameless and not one.unit and len(one.at) == 1 and one.total_at < 0


def turned(shape: Shape, lines: Sequence[Read]) -> Shape | None:
    """Read `2/7900` and `2 7900`, where the second number rises and the first stands still, as a pass and its step."""
    one = shape.find("step")
    if one is None or counts_of(lines, one.at[0]) > len(lines) // 2:
        return None
    bare = [field.at[0] for field in shape.fields if field.role == "nothing" and not field.name and not one.name]
    slots = [slot for slot in (one.total_at, *bare) if slot >= 0 and rises(lines, slot)]
    rising = max(slots, key=lambda slot: counts_of(lines, slot), default=-1)
    if rising < 0 or moves_of(lines, rising) <= moves_of(lines, one.at[0]):
        return None
    epoch = replace(one, role="epoch", total_at=-1)
    kept = [field for field in shape.fields if field.role != "epoch" and rising not in field.at]
    return recounted(replace(shape, fields=tuple(kept)), one, replace(one, at=(rising,), total_at=-1), epoch)


def passing(shape: Shape, lines: Sequence[Read]) -> Shape | None:
    """Read `iteration: 21 step: 20/29` as a pass and its step, where both together rise evenly from line to line."""
    step = shape.find("step")
    if step is None or step.total_at < 0 or shape.find("epoch") is not None:
        return None
    for one in shape.fields:
        is_before = one.role == "count" and one.total_at < 0 and len(one.at) == 1 and one.at[0] < step.at[0]
        if is_before and has(pieces_of((one.name,)), "step") and counts_passes(lines, one.at[0], step):
            fields = tuple(replace(one, role="epoch") if field is one else field for field in shape.fields)
            return replace(shape, fields=fields)
    return None


def counts_passes(lines: Sequence[Read], slot: int, step: Field) -> bool:
    """Tell whether a number goes on as the counter beside it comes to its end, and not whenever that one does."""
    texts = [(line.numbers[slot], line.numbers[step.at[0]], line.numbers[step.total_at]) for line in lines]
    if not all(text.isdigit() for row in texts for text in row) or len({end for _, _, end in texts}) > 1:
        return False
    placed = [(value_of(outer), value_of(inner), value_of(end)) for outer, inner, end in texts]
    moves = [(later[0] - one[0], later[1] - one[1]) for one, later in pairwise(placed) if later != one]
    strides = [outer * placed[0][2] + inner for outer, inner in moves]
    if not any(outer for outer, _ in moves) or min(strides) <= 0 or all(outer == inner for outer, inner in moves):
        return False
    return Counter(strides).most_common(1)[0][1] >= EVEN * len(strides)


def counts_of(lines: Sequence[Read], slot: int) -> int:
    """Count the values that a number takes."""
    return len({line.numbers[slot] for line in lines})


def moves_of(lines: Sequence[Read], slot: int) -> int:
    """Count how often a number changes from line to line: what steps through many short passes takes few values."""
    return sum(one.numbers[slot] != later.numbers[slot] for one, later in pairwise(lines))


def rises(lines: Sequence[Read], slot: int) -> bool:
    """Tell whether a number is whole and rises in even strides; it may start again."""
    texts = [line.numbers[slot] for line in lines]
    if not all(text.isdigit() for text in texts):
        return False
    strides = [value_of(later) - value_of(earlier) for earlier, later in pairwise(texts) if later != earlier]
    if not strides:
        return False  # each of many processes may print the same count
    stride, times = Counter(strides).most_common(1)[0]
    return stride > 0 and times >= EVEN * len(strides) and sum(one < 0 for one in strides) * LEAST <= len(strides)


def recounted(shape: Shape, old: Field, *new: Field) -> Shape:
    """Put a counter into a shape, and name its stream after it."""
    fields = tuple(field for field in shape.fields if field is not old) + new
    learns = any(one.role in {"loss", "loss_part"} for one in fields)
    work = "train" if learns and shape.work == "unsaid" else shape.work
    about = next((one.name for one in fields if one.role in LEARNT | EXPLICIT), "")[:40].lower()
    stream = shape.stream._replace(kind="line", work=work, counter="step", name="", about=about)
    return replace(shape, fields=fields, work=work, stream=stream)
