"""Think about each template of line once: what each of its numbers means, and of what kind the line is."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace

from schedmate.readers.progress.clocks import find_stamp, month_of, stamp_numbers
from schedmate.readers.progress.columns import Header, read_row
from schedmate.readers.progress.fields import NO_STREAM, Shape
from schedmate.readers.progress.formats import Format, Match, match_formats
from schedmate.readers.progress.grammar import Line, read_items
from schedmate.readers.progress.settle import overlay, settle
from schedmate.readers.progress.tokens import BAR_MARK, normalise, split_numbers, tokens_of
from schedmate.readers.progress.work import stream_of, work_of

EMPTY = Shape((), "unsaid", False, NO_STREAM)
NO_ROW = Shape((), "other", False, NO_STREAM)


class Shapes:
    """A bounded memory of templates, shared by all logs that one process follows."""

    def __init__(self, formats: Sequence[Format], limit: int = 4096) -> None:
        self.formats = formats
        self.limit = limit
        self.known: OrderedDict[str, Shape] = OrderedDict()

    def read(self, line: str, template: str, numbers: Sequence[str]) -> Shape:
        """Give the shape of a normalised line that was parted into its template and its numbers."""
        shape = self.known.get(template)
        if shape is None:
            shape = shape_of(line, numbers, match_formats(self.formats, line))
            self.keep(template, shape)
        return shape

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
            parsed = read_row(header, tokens_of(spread), spread)
            shape = NO_ROW if parsed is None else shape_of_items(parsed, spread, numbers)
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
    work = work_of(parsed, fields, is_bar)
    framework = ""
    if match:
        fields = overlay(fields, match.fields, numbers)
        framework, work = match.framework, match.work or work
    return Shape(tuple(fields), work, is_bar, stream_of(parsed, fields, work, is_bar), framework)
