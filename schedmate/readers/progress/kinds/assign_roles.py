"""Settle what the values of one line are together: what has no name, what is a part, which counter counts."""

import re
from collections.abc import Sequence
from dataclasses import replace

from schedmate.readers.progress.kinds.apart import (
    WIDER,
    best_apart,
    heads_step,
    is_share,
    least_apart,
    paced_apart,
    parts_of_total,
    shares_apart,
    sizes_apart,
    waits_apart,
    widest_clock,
)
from schedmate.readers.progress.kinds.letters import place_letters
from schedmate.readers.progress.kinds.losses import costs_alone, split_loss, whole_loss
from schedmate.readers.progress.lines.fields import Field
from schedmate.readers.progress.lines.names import Role, has, is_thing, pieces_of, role_of, words
from schedmate.readers.progress.lines.parsed_line import ParsedLine
from schedmate.readers.progress.lines.quantities import Item
from schedmate.readers.progress.lines.tokens import value_of
from schedmate.readers.progress.lines.units import Unit

MEASURES = {"loss", "loss_part", "time", "step_time", "elapsed", "throughput", "steps_rate", "metric", "part_time"}
TIMES = {"time", "step_time", "elapsed", "eta", "epoch_time", "interval_time", "part_time"}

VERSION = re.compile(r"\d\.\d")
"""Counters are not printed as `2.0`: such a number is a version's."""
RUNNING = 3
"""So many fractions of one end on a line are one counter."""
DEVICES = {"gpu", "gpus", "device", "npu", "card", "rank", "worker", "chip", "core", "tpu", "hpu", "thread", "p"}

SCORED = {"accuracy", "acc", "correct", "solved", "success", "successes", "hits", "passed", "precision", "recall"}
"""What so many of all were: no counter, however often it is printed."""


def settle(line: ParsedLine, numbers: Sequence[str], is_bar: bool) -> list[Field]:
    """Give each value its role; what has no name gets one from its place in the line."""
    fields: list[Field] = []
    fractions: list[Item] = []
    evaluating = False
    for place, item in enumerate(line.items):
        role, unit = role_of(item)
        evaluating = section(line, place, evaluating)
        if evaluating and role in MEASURES:
            role = "eval"
        if is_open_fraction(item, role, numbers):
            if not (place and is_share(item, line.items[place - 1])):
                fractions.append(item)
            continue
        if is_bar and unit.kind == "per_epoch":
            role = "step_time"  # what the bar counts is an epoch
        if role == "step" and not can_count(item, numbers[item.at[0]]):
            role = "metric"
        fields.append(field_of(item, role, unit))
        place_clock(fields, item, is_bar)
    fields = sizes_apart(fields, fractions)
    place_fractions(fields, fractions, is_bar, numbers)
    place_bare(fields, line, numbers)
    place_letters(fields, numbers)
    fields = fields if is_bar else shares_apart(fields)
    fields = [replace(one, role="epoch") if is_part_way(one, fields, numbers) else one for one in fields]
    fields = fields if is_bar else waits_apart(widest_clock(fields), line)
    counted = {one.total_at for one in fields if one.role == "interval_time"}
    fields = [replace(one, role="count") if one.at[0] in counted else one for one in fields]
    fields = parts_of_total(fields, numbers)
    fields = least_apart(best_apart(fields))
    fields = split_loss(whole_loss(costs_alone(fields), numbers), line.words, numbers)
    return paced_apart(one_counter(parts_and_wholes(fields, numbers), numbers), numbers)


def is_part_way(one: Field, fields: list[Field], numbers: Sequence[str]) -> bool:
    """Tell `epochs: 0.82` beside what is measured: so far a run has come, and no number of passes is broken."""
    told = one.role == "total_epochs" and one.name.lower() == "epochs" and "." in numbers[one.at[0]]
    return told and any(other.role in MEASURES for other in fields) and all(other.role != "epoch" for other in fields)


def section(line: ParsedLine, place: int, evaluating: bool) -> bool:
    """Tell whether `[valid]` amid a line has turned what follows into an evaluation's values."""
    for before, word in line.heads:
        if before == place and before > 1 and len(word) > 2 and word.lower() not in line.texts:
            pieces = pieces_of((word,))
            evaluating = has(pieces, "evaluation") or (evaluating and not has(pieces, "training"))
    return evaluating


def is_open_fraction(item: Item, role: Role, numbers: Sequence[str]) -> bool:
    """Tell whether a fraction has no name that says what it counts."""
    if item.form != "fraction" or role in {"step", "epoch", "throughput"} or not is_count_fraction(item, numbers):
        return False
    if item.unit.kind == "bytes" or SCORED.intersection(pieces_of(item.name)) or has(pieces_of(item.name), "waiting"):
        return False
    return not item.name or role in {"nothing", "metric", "count"} or has(pieces_of(item.name), "training")


def is_count_fraction(item: Item, numbers: Sequence[str]) -> bool:
    """Tell whether a fraction can be a counter and its end: two whole numbers, the first not above the second."""
    done, total = numbers[item.at[0]], numbers[item.total_at]
    if "." in done and item.name and not has(pieces_of(item.name), "training"):
        return False  # mean/median reward 59.0/61.0
    return is_whole(done) and is_whole(total) and 0 <= value_of(done) <= value_of(total) + 1 and value_of(total) >= 1


def can_count(item: Item, number: str) -> bool:
    """Tell whether a number can be that of a counter; `1.31M` is one, `2.0` is a version's."""
    if item.form == "plain" and item.scale[0] > 1:
        return abs(value_of(number) * item.scale[0]) < 1e15
    return is_whole(number) and not VERSION.fullmatch(number)


def is_whole(number: str) -> bool:
    """Tell whether a number can be a counter: no part of a step is ever done."""
    value = value_of(number)
    return abs(value) < 1e15 and value == int(value) and value >= -1


def field_of(item: Item, role: Role, unit: Unit) -> Field:
    """Make a field, in seconds where it is a time."""
    scale = item.scale
    timed = unit.kind in {"time", "per_step", "per_epoch"} and item.form != "duration"
    if timed or unit.kind in {"steps_rate", "rate"}:
        scale = tuple(one * unit.scale for one in scale)
    known = unit.kind != "" or item.form == "duration"
    name = " ".join(item.name)
    return Field(name, role, item.at, scale, unit.thing or item.text_unit, item.total_at, known, item.averaged)


def place_clock(fields: list[Field], item: Item, is_bar: bool) -> None:
    """Read unnamed times by their place: `[elapsed<remaining]`, and in a bar what follows it."""
    if fields[-1].role != "time" or item.name:
        return
    if item.before == "<" or (is_bar and item.before == "•"):
        fields[-1] = replace(fields[-1], role="eta")
        if len(fields) > 1 and fields[-2].role == "time":
            fields[-2] = replace(fields[-2], role="elapsed")
    elif item.form == "duration" and not is_bar:
        fields[-1] = replace(fields[-1], role="elapsed")
    elif is_bar:
        taken = any(field.role == "elapsed" for field in fields)
        fields[-1] = replace(fields[-1], role="nothing" if taken else "elapsed")


def place_fractions(fields: list[Field], fractions: list[Item], is_bar: bool, numbers: Sequence[str]) -> None:
    """Make unnamed fractions the epoch and the step; one that stands alone is the step, or tells a named one's end."""
    roles = {field.role for field in fields}
    fractions = last_of_running(fractions, numbers)
    last = replace(field_of(fractions[-1], "step", Unit("")), name="") if fractions else None
    named = [one for one in fields if one.role == "step" and one.total_at < 0 and not is_bar]
    ended = [one for one in named if last and ends_alike(one, last, numbers)]
    if len(fractions) >= 2 and "epoch" not in roles and (ended or not is_bar or "step" not in roles):
        fields.append(field_of(fractions.pop(0), "epoch", Unit("")))
        roles -= {"step"}  # the other counts the steps of this pass, whatever counts those of the run
    if last and ended:
        fields[:] = [replace(one, total_at=last.total_at) if one in ended else one for one in fields]
    elif fractions and ("step" not in roles or is_bar):
        fields.append(replace(field_of(fractions[0], "step", Unit("")), name=""))
    elif fractions and "epoch" not in roles and heads_step(fractions[0], fields):
        fields.append(field_of(fractions[0], "epoch", Unit("")))


def last_of_running(fractions: list[Item], numbers: Sequence[str]) -> list[Item]:
    """Take the last of `100/900 200/900 300/900`: a counter that was printed on one line as it went on."""
    ends = {numbers[one.total_at] for one in fractions}
    return fractions[-1:] if len(fractions) >= RUNNING and len(ends) == 1 else fractions


def place_bare(fields: list[Field], line: ParsedLine, numbers: Sequence[str]) -> None:
    """Read a whole number at the head of a line as its counter, as `[10] train-rmse:0.1` has it."""
    has_step = any(field.role == "step" for field in fields)
    has_epoch = any(field.role == "epoch" for field in fields)
    for place, item in enumerate(line.items[:3]):
        bare = item.form == "plain" and numbers[item.at[0]].isdigit() and not item.unit.kind and item.scale == (1.0,)
        if not bare or (item.name and not has(pieces_of(item.name), "training")):
            continue
        if item.name and any(one.at == item.at and one.role in TIMES for one in fields):
            continue
        follows_epoch = place > 0 and item.opener == "[" and has_epoch
        leads = place == 0 and (item.start <= 2 or item.before == "#") and len(line.items) > 1 and not line.words
        in_row = place == 0 and is_plain_row(line)
        leads = leads or in_row or (place == 0 and is_mute_row(line))
        role: Role | None = None
        is_step = any(one.role == "step" and one.at == item.at for one in fields)
        heads = touches_fraction(line, place) or (place == 0 and (item.name != () or heads_fraction(line)))
        if has_step and not has_epoch and heads and not is_step:
            role = "epoch"
        elif not has_step and (follows_epoch or (leads and not has_epoch and len(numbers[item.at[0]]) < 9)):
            role = "step"
        if role:
            counter = replace(
                field_of(item, role, Unit("")), name="epoch" if role == "epoch" else "train" if in_row else ""
            )
            fields[:] = [one for one in fields if one.at != item.at] + [counter]
            return


def touches_fraction(line: ParsedLine, place: int) -> bool:
    """Tell whether a number stands right before another bracket's fraction, `0: TRAIN [3][50/250]`."""
    first, second = line.items[place], line.items[min(place + 1, len(line.items) - 1)]
    touch = first.opener == second.opener == "[" and second.start == first.end + 2
    return touch and second.form == "fraction" and not second.name


def heads_fraction(line: ParsedLine) -> bool:
    """Tell whether a number in brackets stands before another bracket's `50/250`, as in `[6][50/250] loss=0.7`.

    Both may stand in one pair, `[6, 50/250]`.
    """
    first, second = line.items[0], line.items[1] if len(line.items) > 1 else line.items[0]
    apart = second.opener == "[" or (not second.opener and second.before == ",")
    return (
        first.start <= line.begins + 2
        and first.opener == "["
        and apart
        and second.form == "fraction"
        and not second.name
    )


def is_plain_row(line: ParsedLine) -> bool:
    """Tell a row such as `train 050 2.31 44.1 71.9`: a word for training, a counter, and values without names."""
    first, *rest = line.items
    return (
        len(rest) >= 2 and has(pieces_of(first.name), "training") and not any(one.name or one.unit.kind for one in rest)
    )


def is_mute_row(line: ParsedLine) -> bool:
    """Tell a message of two numbers and no word, as `[Feb 11, 09:14:52] 496 5.8207`."""
    mute = not line.words and not any(one.name or one.unit.kind or one.form != "plain" for one in line.items)
    return mute and len(line.items) == 2 and line.items[0].start <= line.begins + 1


def parts_and_wholes(fields: list[Field], numbers: Sequence[str]) -> list[Field]:
    """Tell wholes from parts: no whole is shorter than its part, nor faster: `fps step`, `fps total`."""
    timed = any(one.role in {"time", "step_time"} for one in fields)
    read = []
    for one in fields:
        pieces = pieces_of((one.name,))
        timely = pieces and set(pieces) <= words()["part"] - words()["valued"]
        if timed and one.role == "metric" and timely and "." in numbers[one.at[-1]]:
            one = replace(one, role="part_time")
        read.append(one)
    rates = [one for one in read if one.role == "throughput"]
    if rates and not all(map(is_per_device, rates)):
        read = [replace(one, role="metric") if one in rates and is_per_device(one) else one for one in read]
    rates = [one for one in read if one.role == "throughput" and one.name]
    if len(rates) > 1 and len({pieces_of((one.name,))[0] for one in rates}) == 1:
        slowest = min(rates, key=lambda one: one.value(numbers))
        read = [replace(one, role="metric") if one in rates and one is not slowest else one for one in read]
    longest = max((one.value(numbers) for one in read if one.role == "part_time"), default=0.0)
    longer = max((one.value(numbers) for one in read if one.role == "time"), default=0.0)
    for place, one in enumerate(read):
        value = one.value(numbers)
        if one.role == "step_time" and value < longest <= longer:
            read[place] = replace(one, role="part_time")
        elif one.role == "steps_rate" and value * longest > 2:
            read[place] = replace(one, role="throughput")
    return read


def is_per_device(one: Field) -> bool:
    """Tell whether a rate is that of one device of many."""
    return not DEVICES.isdisjoint(pieces_of((one.name, *one.unit.split("/"))))


def ends_alike(one: Field, other: Field, numbers: Sequence[str]) -> bool:
    """Tell whether two counters run side by side, so that the end of one is the end of both."""
    return abs(one.value(numbers) - other.value(numbers)) <= 1


def one_counter(fields: list[Field], numbers: Sequence[str]) -> list[Field]:
    """Keep one counter of steps: the global one, else the one whose end is known, else the first."""
    counters = [field for field in fields if field.role == "step"]
    if len(counters) < 2:
        return fields

    def rank(field: Field) -> tuple[bool, bool, bool, bool]:
        pieces = pieces_of((field.name,))
        return (not is_thing(pieces), bool(set(pieces) & set(WIDER)), field.total_at >= 0, bool(field.name))

    best = max(counters, key=rank)
    ended = next((one for one in counters if one.total_at >= 0 and ends_alike(one, best, numbers)), None)
    if best.total_at < 0 and ended is not None:
        whole = replace(best, total_at=ended.total_at)
        fields = [whole if field is best else field for field in fields]
        best = whole
    return [field if field.role != "step" or field is best else replace(field, role="count") for field in fields]


def overlay(fields: list[Field], known: Sequence[Field], numbers: Sequence[str]) -> list[Field]:
    """Let a known format's reading stand where it and the general one meet."""
    ends = [one for one in fields if one.role == "step" and one.total_at >= 0]
    known = [
        replace(one, total_at=end.total_at)
        if one.role == "step" and one.total_at < 0 and (end := next(iter(ends), None)) and ends_alike(end, one, numbers)
        else one
        for one in known
    ]
    taken = {at for field in known for at in (*field.at, field.total_at) if at >= 0}
    roles = {field.role for field in known} & {"step", "epoch", "step_time", "loss", "elapsed", "eta"}
    kept = []
    for field in fields:
        if set(field.at) & taken:
            continue
        if field.role in roles or (field.role in {"time", "interval_time"} and roles & {"step_time", "elapsed"}):
            field = replace(field, role="metric")
        kept.append(field)
    return [*known, *kept]
