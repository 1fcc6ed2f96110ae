"""Think about each template of line once: what each of its numbers means, and of what kind the line is."""

import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace

from schedmate.readers.progress.kinds.assign_roles import overlay, settle
from schedmate.readers.progress.kinds.work import stream_of, work_of
from schedmate.readers.progress.lines.clocks import moment_s, month_of, stamp_numbers
from schedmate.readers.progress.lines.columns import Header, read_row
from schedmate.readers.progress.lines.fields import NO_STREAM, Field, Layout, Shape
from schedmate.readers.progress.lines.formats import Format, Match, match_formats
from schedmate.readers.progress.lines.grammar import read_items
from schedmate.readers.progress.lines.head import Head, head_of
from schedmate.readers.progress.lines.names import has, pieces_of, words
from schedmate.readers.progress.lines.parsed_line import ParsedLine
from schedmate.readers.progress.lines.quantities import Item
from schedmate.readers.progress.lines.stamp_lines import stamp_line
from schedmate.readers.progress.lines.tokens import BAR_MARK, Token, normalise, split_numbers, tokens_of

MAX_KINDS = 12

ENOUGH_IDLE = 24
"""So many templates that differ in digits alone and tell nothing: the next one is not looked into."""
TELLING = {"loss", "step_time", "steps_rate", "throughput", "elapsed", "eta", "epoch_time"}
DIGITS = re.compile(r"[0-9]+")
EMPTY = Shape((), "unsaid", False, NO_STREAM)
NO_ROW = Shape((), "other", False, NO_STREAM)

LISTED = re.compile(r"[-dlbcps](?:[r-][w-][xsStT-]){3}[.+@]? +\d")
"""A file as `ls -l` lists it."""

SUBMITTED = re.compile(r"\bSubmitted batch job \d+|^srun: ")
"""What Slurm says of its own jobs and steps."""
CODE = re.compile(r"\{[\w.\[\]()]{1,60}:[<>^]?\d{0,3}\.\d{1,2}[fFeEgG%]\}")
"""A format in a line of code that is quoted: its digits are no value."""
SIGNATURE = re.compile(r"<\d[\d, ]{0,60}>::~?\w{1,60}\(|\w::~?\w{1,60}\([^()]{0,300}\).{0,200}\btook\b")
"""A function of C++ by its full name, with numbers it was made for, or what a call took: of each part of a step."""
LEARNT_THERE = re.compile(r"(?i)(?:loss(?: is)?|\b(?:epoch|pass))\b[ =:]{1,3}[-+]?\.?\d")
"""What a trainer tells, who writes the name of its own function before it: a loss, or the number of a pass."""


def is_traced(line: str) -> bool:
    """Tell whether a line tells of a call of one function, and neither a loss nor a pass."""
    return "::" in line and SIGNATURE.search(line) is not None and LEARNT_THERE.search(line) is None


class Shapes:
    """A bounded memory of templates, shared by all logs that one process follows."""

    def __init__(self, formats: Sequence[Format], limit: int = 4096) -> None:
        self.formats = formats
        self.limit = limit
        self.known: OrderedDict[str, Shape] = OrderedDict()
        self.idle: OrderedDict[str, int] = OrderedDict()
        """How many templates in turn counted nothing that differ in digits alone, as names of hosts and files do."""

    def read(self, line: str, template: str, numbers: Sequence[str]) -> Shape:
        """Give the shape of a normalised line that was parted into its template and its numbers."""
        shape = self.known.get(template)
        if shape is None:
            rough = DIGITS.sub("0", template)
            if self.idle.get(rough, 0) >= ENOUGH_IDLE:
                return EMPTY
            shape = self.shape_of(line, numbers)
            self.keep(template, shape)
            self.count_idle(rough, shape)
        return shape

    def count_idle(self, rough: str, shape: Shape) -> None:
        """Count the templates of one rough kind that count nothing and tell no loss or pace, until one does."""
        tells = shape.stream.counter or shape.is_bar or TELLING & {one.role for one in shape.fields}
        self.idle[rough] = 0 if tells else self.idle.get(rough, 0) + 1
        if len(self.idle) > self.limit:
            self.idle.popitem(last=False)

    def shape_of(self, line: str, numbers: Sequence[str]) -> Shape:
        """Work out a new template."""
        if (alone := stamp_line(line)) is not None:
            return alone
        if LISTED.match(line) or SUBMITTED.search(line) or CODE.search(line) or is_traced(line):
            return EMPTY
        head = head_of(line)
        match = match_formats(self.formats, line, head.end)
        parsed = replace(read_items(message_tokens(line, head), line), begins=head.end)
        shape = replace(shape_of_items(parsed, line, numbers, match), layout=layout_of(line[head.end :], parsed))
        return with_head(shape, line, head)

    def read_text(self, text: str) -> tuple[Shape, list[str]]:
        """Give a line's shape and its numbers."""
        line = normalise(text)
        template, numbers = split_numbers(line)
        return (self.read(line, template, numbers) if numbers else EMPTY), numbers

    def read_row(self, header: Header, line: str, template: str, numbers: list[str]) -> tuple[Shape, list[str]] | None:
        """Give the shape of a row under a header; None when the line is no row of that table."""
        spread = header.spread(line)
        if spread != line:
            template, numbers = split_numbers(spread)
        key = header.key + "\x02" + template
        shape = self.known.get(key)
        if shape is None:
            head = head_of(spread)
            parsed = read_row(header, message_tokens(spread, head), spread, head.end)
            shape = NO_ROW if parsed is None else row_shape(parsed, spread, numbers, head)
            self.keep(key, shape)
        return None if shape is NO_ROW else (shape, numbers)

    def keep(self, key: str, shape: Shape) -> None:
        """Remember a template and forget the oldest beyond the limit."""
        self.known[key] = shape
        if len(self.known) > self.limit:
            self.known.popitem(last=False)


NAMING = ("key", "name", "metric", "metric_name", "tag", "scalar")
DIGITS_OF = {"ms": 13, "us": 16, "ns": 19}
VALUE = {("value",), ("val",), ("metric_value",)}
CELLS = re.compile(r"[|│┃][^|│┃\d]*[^\W\d][^|│┃]*[|│┃]\s*[-+]?\.?\d[^|│┃]*[|│┃]")


ENDLESS = re.compile(r"\d ?[^\W\d]{1,16} \[(?:\d+:)?\d+:\d\d, ")
"""A bar that knows no end, as `731it [00:07, 98.5it/s]`: over data, unless it tells what is learnt."""


OCCUPIED = re.compile(r"\d ?[KMGT]i?B ?/ ?\d{1,9}(?:\.\d{1,3})? ?[KMGT]i?B\b")
"""How much of a device's memory is taken: where nothing is learnt or counted by name, a table of devices."""
BUILD = re.compile(
    r"\bStep \d+/\d+ ?: [A-Z]{2,11} |\[\d+/\d+\] (?:/[\w./+-]+ -|(?:Building|Linking|Compiling|Generating) )"
)
"""What container images and compilers are built with counts its steps too."""


def is_named(fields: Sequence[Field]) -> bool:
    """Tell whether a line tells what is learnt, or counts steps or passes by name."""
    return is_learning(fields) or any(one.role in {"step", "epoch"} and one.name for one in fields)


def is_paced(fields: Sequence[Field]) -> bool:
    """Tell whether a line tells how fast its counter goes, as a bar does and no device."""
    return any(one.role in {"steps_rate", "step_time"} for one in fields)


def is_learning(fields: Sequence[Field]) -> bool:
    """Tell whether a line says what is learnt."""
    return any(one.role in {"loss", "loss_part"} for one in fields)


UNDRAWN = re.compile(r"\d% \d{1,12}/\d{1,12} \[\d{1,3}:\d\d[:\d]{0,3}<")
"""A bar of a notebook, whose drawing is not part of its text: `20% 266/1330 [02:58<09:37, 1.84it/s]`."""


def layout_of(message: str, parsed: ParsedLine) -> Layout:
    """Tell whether a message is one name and its value, and how they are set."""
    if CELLS.match(message):
        return "cells"
    return "pair" if len(parsed.items) == 1 and parsed.items[0].name and not parsed.words else ""


def message_tokens(line: str, head: Head) -> list[Token]:
    """Give the tokens of a line's message: none of its head, and none of a time stamp within it."""
    tokens = [token for token in tokens_of(line) if token.start >= head.end]
    if head.stamp is None:
        return tokens
    _, start, end = head.stamp
    return [token for token in tokens if not start <= token.start < end]


def with_head(shape: Shape, line: str, head: Head) -> Shape:
    """Add to a shape what stands before the message: when it was written, and by which process."""
    rank = stamp_numbers(line, *head.rank) if head.rank else ()
    if head.end:
        told = line[slice(*head.rank)] if head.rank and not rank else ""
        shape = replace(shape, rank_at=next(iter(rank), -1), rank=told, heading=len(stamp_numbers(line, 0, head.end)))
    stamp_at = stamp_numbers(line, *head.stamp[1:]) if head.stamp else ()
    if not head.stamp or not stamp_at or shape.stamp:  # a record's own clock is the program's, a prefix its carrier's
        return shape
    return replace(shape, stamp=head.stamp[0], stamp_at=stamp_at, month=month_of(line, *head.stamp[1:]))


def row_shape(parsed: ParsedLine, line: str, numbers: Sequence[str], head: Head) -> Shape:
    """Work out a row: rows whose cells are of other kinds are of another table, that shares the header by chance."""
    shape = shape_of_items(parsed, line, numbers)
    kinds = "".join("i" if numbers[item.at[0]].isdigit() else "f" for item in parsed.items[:MAX_KINDS])
    return with_head(replace(shape, stream=shape.stream._replace(about=f"{kinds} {shape.stream.about}")), line, head)


def shape_of_items(parsed: ParsedLine, line: str, numbers: Sequence[str], match: Match | None = None) -> Shape:
    """Work out what the values of a line say together."""
    is_bar = BAR_MARK in line or UNDRAWN.search(line) is not None
    parsed = named_by_neighbour(parsed)
    moments = [item for item in parsed.items if is_moment(item, numbers)]
    parsed = replace(parsed, items=[item for item in parsed.items if item not in moments]) if moments else parsed
    fields = settle(parsed, numbers, is_bar)
    work = work_of(parsed, fields, is_bar)
    if work in {"unsaid", "train"} and BUILD.search(line) and not is_learning(fields):
        work = "other"
    if work == "unsaid" and (
        ENDLESS.search(line) or (OCCUPIED.search(line) and not is_named(fields) and not is_paced(fields))
    ):
        work = "other"
    framework = ""
    if match:
        fields = overlay(fields, match.fields, numbers)
        scored = work == "eval" and not has(pieces_of((match.mark,)), "evaluation")
        framework, work = match.framework, work if scored else match.work or work
    shape = Shape(tuple(fields), work, is_bar, stream_of(parsed, fields, work, is_bar), framework)
    return replace(shape, stamp="moment", stamp_at=moments[0].at) if moments else shape


def named_by_neighbour(parsed: ParsedLine) -> ParsedLine:
    """Name a value by the field beside it, as structured loggers write: `"key": "loss", "value": 2.3`."""
    name = next((parsed.texts[key] for key in NAMING if key in parsed.texts), None)
    if name is None or sum(item.name in VALUE for item in parsed.items) != 1:
        return parsed
    named = [replace(item, name=(name,)) if item.name in VALUE else item for item in parsed.items]
    return replace(parsed, items=named)


def is_moment(item: Item, numbers: Sequence[str]) -> bool:
    """Tell a value that is a time of day, as `"time_ms": 1714862430274`, and so no duration."""
    if item.form != "plain" or len(item.at) != 1 or moment_s(numbers[item.at[0]]) is None:
        return False
    pieces = set(pieces_of(item.name))
    digits = len(numbers[item.at[0]].partition(".")[0])
    fits = all(digits == whole for unit, whole in DIGITS_OF.items() if unit in pieces)  # 1714862430 ns are 2 s
    return fits and not pieces.isdisjoint(words()["moment"])
