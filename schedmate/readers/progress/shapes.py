"""Think about each template of line once: what each of its numbers means, and of what kind the line is."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace

from schedmate.readers.progress.clocks import find_stamp, month_of, stamp_numbers
from schedmate.readers.progress.columns import Header, read_row
from schedmate.readers.progress.fields import Field, Shape, Work
from schedmate.readers.progress.formats import Format, Match, match_formats
from schedmate.readers.progress.grammar import Item, Line, read_items
from schedmate.readers.progress.names import Role, has, is_thing, pieces_of, role_of
from schedmate.readers.progress.tokens import BAR_MARK, normalise, split_numbers, tokens_of, value_of
from schedmate.readers.progress.units import Unit

EMPTY = Shape((), "unsaid", False, "")
NO_ROW = Shape((), "other", False, "")


class Shapes:
    """A bounded memory of templates, shared by all logs that one process follows."""

    def __init__(self, formats: Sequence[Format], limit: int = 4096) -> None:
        self.formats = formats
        self.limit = limit
        self.known: OrderedDict[str, Shape] = OrderedDict()

    def read(self, text: str) -> tuple[Shape, list[str]]:
        """Give a line's shape and its numbers."""
        line = normalise(text)
        template, numbers = split_numbers(line)
        if not numbers:
            return EMPTY, numbers
        shape = self.known.get(template)
        if shape is None:
            shape = shape_of(line, numbers, match_formats(self.formats, line))
            self.keep(template, shape)
        return shape, numbers

    def read_under(self, header: Header, text: str) -> tuple[Shape, list[str]] | None:
        """Give the shape of a row under a header; None when the line is no row of that table."""
        line = header.spread(normalise(text))
        template, numbers = split_numbers(line)
        if not numbers:
            return None
        key = header.key + "\x02" + template
        shape = self.known.get(key)
        if shape is None:
            parsed = read_row(header, tokens_of(line), line)
            shape = NO_ROW if parsed is None else shape_of_items(parsed, line, numbers)
            self.keep(key, shape)
        return None if shape is NO_ROW else (shape, numbers)

    def keep(self, key: str, shape: Shape) -> None:
        """Remember a template and forget the oldest beyond the limit."""
        self.known[key] = shape
        if len(self.known) > self.limit:
            self.known.popitem(last=False)


def shape_of(line: str, numbers: Sequence[str], match: Match | None = None) -> Shape:
    """Work out a new template."""
    stamp = find_stamp(line)
    stamp_at = stamp_numbers(line, stamp[1], stamp[2]) if stamp else ()
    tokens = tokens_of(line)
    if stamp:
        tokens = [token for token in tokens if not stamp[1] <= token.start < stamp[2]]
    shape = shape_of_items(read_items(tokens, line), line, numbers, match)
    if not stamp or not stamp_at:
        return shape
    return replace(shape, stamp=stamp[0], stamp_at=stamp_at, month=month_of(line, stamp[1], stamp[2]))


def shape_of_items(parsed: Line, line: str, numbers: Sequence[str], match: Match | None = None) -> Shape:
    """Work out what the values of a line say together."""
    is_bar = BAR_MARK in line
    fields = settle(parsed, numbers, is_bar)
    work = work_of(parsed, fields)
    framework = ""
    if match:
        fields = overlay(fields, match)
        framework, work = match.framework, match.work or work
    fields = one_counter(fields, numbers)
    return Shape(tuple(fields), work, is_bar, stream_of(parsed, fields, work, is_bar), framework)


def settle(line: Line, numbers: Sequence[str], is_bar: bool) -> list[Field]:
    """Give each value its role; what has no name gets one from its place in the line."""
    fields: list[Field] = []
    open_fractions: list[Item] = []
    for item in line.items:
        role, unit = role_of(item)
        if is_open_fraction(item, role, numbers):
            open_fractions.append(item)
            continue
        if role == "step" and not is_whole(numbers[item.at[0]]):
            role = "metric"
        field = field_of(item, role, unit)
        if role == "time" and is_bar and not item.name:
            field = replace(field, role="eta" if item.before in "<•" and item.before else "elapsed")
        elif role == "time" and item.before == "<" and not item.name:
            field = replace(field, role="eta")
            if fields and fields[-1].role == "time":
                fields[-1] = replace(fields[-1], role="elapsed")
        fields.append(field)
    place_fractions(fields, open_fractions)
    place_bare(fields, line, numbers)
    return fields


def is_open_fraction(item: Item, role: Role, numbers: Sequence[str]) -> bool:
    """Tell whether a fraction has no name that says what it counts."""
    if item.form != "fraction" or not is_count_fraction(item, numbers):
        return False
    return not item.name or role in {"nothing", "metric", "count"} or has(pieces_of(item.name), "training")


def is_count_fraction(item: Item, numbers: Sequence[str]) -> bool:
    """Tell whether a fraction can be a counter and its end: two whole numbers, the first not above the second."""
    done, total = value_of(numbers[item.at[0]]), value_of(numbers[item.total_at])
    return (
        done == int(done) and total == int(total) and 0 <= done <= total + 1 and total >= 1
        if abs(done) < 1e15 and abs(total) < 1e15
        else False
    )


def is_whole(number: str) -> bool:
    """Tell whether a number can be a counter: no part of a step is ever done."""
    value = value_of(number)
    return abs(value) < 1e15 and value == int(value) and value >= -1


def field_of(item: Item, role: Role, unit: Unit) -> Field:
    """Make a field, in seconds where it is a time."""
    scale = item.scale
    if (unit.kind in {"time", "per_step", "per_epoch"} and item.form != "duration") or unit.kind in {
        "steps_rate",
        "rate",
    }:
        scale = tuple(one * unit.scale for one in scale)
    known = unit.kind != "" or item.form == "duration"
    return Field(" ".join(item.name), role, item.at, scale, unit.thing or item.text_unit, item.total_at, known)


def place_fractions(fields: list[Field], fractions: list[Item]) -> None:
    """Make unnamed fractions the epoch and the step; one that stands alone is the step."""
    if (
        len(fractions) >= 2
        and not any(field.role == "epoch" for field in fields)
        and not any(f.role == "step" for f in fields)
    ):
        first = fractions.pop(0)
        fields.append(field_of(first, "epoch", Unit("")))
    if fractions and not any(field.role == "step" for field in fields):
        fields.append(replace(field_of(fractions[0], "step", Unit("")), name=""))


def place_bare(fields: list[Field], line: Line, numbers: Sequence[str]) -> None:
    """Read a whole number at the head of a line as its counter, as `[10] train-rmse:0.1` has it."""
    has_step = any(field.role == "step" for field in fields)
    has_epoch = any(field.role == "epoch" for field in fields)
    first = line.items[0] if line.items else None
    for place, item in enumerate(line.items[:3]):
        whole = item.form == "plain" and numbers[item.at[0]].isdigit() and not item.unit.kind
        if not whole or (item.name and not has(pieces_of(item.name), "training")):
            continue
        follows_epoch = place > 0 and item.opener == "[" and has_epoch
        if has_step and not has_epoch and item.name and place == 0:
            fields[:] = [f for f in fields if f.at != item.at] + [
                replace(field_of(item, "epoch", Unit("")), name="epoch")
            ]
            return
        leads = item is first and item.start <= 2 and len(line.items) > 1 and not line.words
        if not has_step and (follows_epoch or (leads and not has_epoch and len(numbers[item.at[0]]) < 9)):
            fields[:] = [f for f in fields if f.at != item.at] + [replace(field_of(item, "step", Unit("")), name="")]
            return


COUNTER_RANK = ("global", "total", "cumulative")


def one_counter(fields: list[Field], numbers: Sequence[str]) -> list[Field]:
    """Keep one counter of steps: the global one, else the one whose end is known, else the first."""
    counters = [field for field in fields if field.role == "step"]
    if len(counters) < 2:
        return fields

    def rank(field: Field) -> tuple[bool, bool, bool, bool]:
        pieces = pieces_of((field.name,))
        return (not is_thing(pieces), bool(set(pieces) & set(COUNTER_RANK)), field.total_at >= 0, bool(field.name))

    best = max(counters, key=rank)
    return [field if field.role != "step" or field is best else replace(field, role="count") for field in fields]


def overlay(fields: list[Field], match: Match) -> list[Field]:
    """Let a known format's reading stand where it and the general one meet."""
    taken = {at for field in match.fields for at in (*field.at, field.total_at) if at >= 0}
    roles = {field.role for field in match.fields} & {"step", "epoch", "step_time", "loss", "elapsed", "eta"}
    kept = []
    for field in fields:
        if set(field.at) & taken:
            continue
        if field.role in roles or (field.role in {"time", "interval_time"} and roles & {"step_time", "elapsed"}):
            field = replace(field, role="metric")
        kept.append(field)
    return [*match.fields, *kept]


LEARNING_ROLES = {"loss", "loss_part"}


HEADING = {"step", "epoch", "count", "nothing", "percent", "eval"}


def heading_of(line: Line, fields: list[Field]) -> tuple[str, ...]:
    """Give the words of a line that tell what it is about: free ones, texts, and names up to the first measure."""
    names: list[str] = []
    for one in sorted(fields, key=lambda one: one.at[0]):
        if one.role not in HEADING:
            break
        names.append(one.name)
    names += [one.name for one in fields if one.role in {"step", "epoch"}]
    return pieces_of((*line.words, *names, *line.texts.values()))


def work_of(line: Line, fields: list[Field]) -> Work:
    """Tell training from evaluation and from work beside both, by the words that name no value."""
    heading = heading_of(line, fields)
    learns = any(one.role in LEARNING_ROLES or has(pieces_of((one.name,)), "learning") for one in fields)
    counted = any(one.role in {"step", "epoch"} for one in fields)
    if has(heading, "evaluation") and not has(heading, "training"):
        return "eval"
    if has(heading, "training") and counted:
        return "train"
    if learns:
        return "train" if counted else "unsaid"
    if has(heading, "other_work") or any(one.role == "nothing" and "/" in one.unit for one in fields):
        return "other"
    return "checkpoint" if has(heading, "checkpoint") else "unsaid"


def stream_of(line: Line, fields: list[Field], work: Work, is_bar: bool) -> str:
    """Name the stream a line belongs to: its kind of work and the name of its counter, or its values' names."""
    counter = next((f for f in fields if f.role == "step"), None) or next(
        (f for f in fields if f.role == "epoch"), None
    )
    if counter is not None:
        described = (
            " ".join(w for w in line.words[:6] if w.isalpha())[:40].lower() if is_bar and not counter.name else ""
        )
        return f"{'bar' if is_bar else 'line'}:{work}:{counter.role}:{counter.name.lower()}:{described}"
    named = sorted({field.name.lower() for field in fields if field.role not in {"nothing", "setting", "percent"}})[:4]
    return f"beside:{work}:{','.join(named)}"[:120] if named else ""
