"""Known log formats as data: one TOML file a framework, patterns on a linear-time engine, each with its sample."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any, get_args

import re2

from schedmate.errors import InputError
from schedmate.readers.progress.lines.fields import Field, Work
from schedmate.readers.progress.lines.grammar import Reader
from schedmate.readers.progress.lines.names import Role
from schedmate.readers.progress.lines.tokens import normalise, numbers_in, tokens_of, value_of
from schedmate.readers.progress.lines.units import NONE, unit_of

ROLES = frozenset(get_args(Role))
MAX_PATTERN = 2000
TOTALS = {"step": "total_steps", "epoch": "total_epochs"}


@dataclass(frozen=True)
class Pattern:
    """One kind of line that a framework prints."""

    contains: str
    text: str
    units: dict[str, str]
    work: Work | None
    sample: str
    expect: dict[str, float]
    until_end: dict[str, Role] = field(default_factory=dict)
    """What a group means as long as the counter has not reached its end."""
    whole_of: dict[str, str] = field(default_factory=dict)
    """A time that is that of all the steps that a counter is out of."""

    @cached_property
    def regex(self) -> Any:  # Any: RE2 has no types
        """Compile on first use: few logs hold the words of more than one framework."""
        return re2.compile(self.text, quiet_options())

    @cached_property
    def groups(self) -> dict[str, int]:
        """Give the groups' numbers by name; RE2 works them out anew each time."""
        return dict(self.regex.groupindex)


@dataclass(frozen=True)
class Format:
    """What one framework prints."""

    framework: str
    patterns: tuple[Pattern, ...]
    source: str = ""
    last: bool = False
    """Others are tried first: many frameworks print bars of tqdm's."""
    eta_of: str = ""
    """Of what it prints as left what is left, where the counter is that of a pass: of the run, or of the pass."""
    means: str = ""
    """`pass`: a step's time, and what is left, rest on the mean of the steps of the pass so far."""


@dataclass(frozen=True)
class Match:
    """A format's reading of one line."""

    framework: str
    work: Work | None
    fields: list[Field] = field(default_factory=list)
    mark: str = ""
    """The words by which the format knows its line."""


def parse_format(text: str, source: str) -> Format:
    """Read a format file; a file that cannot be used says which and why."""
    try:
        read = read_format(text, source)
        for pattern in read.patterns:
            check_pattern(pattern)
        return read
    except (tomllib.TOMLDecodeError, KeyError, TypeError, AttributeError, ValueError, re2.error) as error:
        raise InputError(f"log format {source} cannot be used: {error}", "mend the file or move it away") from error


def read_format(text: str, source: str) -> Format:
    """Read a format file that is known to be right, as those of the package are."""
    data = tomllib.loads(text)
    patterns = tuple(read_pattern(line) for line in data["line"])
    words = (str(data.get(name, "")) for name in ("eta_of", "means"))
    return Format(str(data["framework"]), patterns, source, bool(data.get("last")), *words)


def read_pattern(line: dict[str, Any]) -> Pattern:  # Any: TOML; each value is made what it has to be
    """Take one pattern as it stands."""
    units = {str(role): str(unit) for role, unit in line.get("units", {}).items()}
    expect = {str(role): float(value) for role, value in line.get("expect", {}).items()}
    until_end = {str(role): other for role, other in line.get("until_end", {}).items()}
    whole_of = {str(role): str(counter) for role, counter in line.get("whole_of", {}).items()}
    words, pattern, sample = str(line.get("contains", "")), str(line["pattern"]), str(line.get("sample", ""))
    return Pattern(words, pattern, units, line.get("work"), sample, expect, until_end, whole_of)


def parse_pattern(line: dict[str, Any]) -> Pattern:  # Any: as above
    """Take one pattern, and check it."""
    return check_pattern(read_pattern(line))


def check_pattern(pattern: Pattern) -> Pattern:
    """Look that a pattern compiles, that its groups are roles and its units can be read."""
    if len(pattern.text) > MAX_PATTERN:
        raise ValueError(f"a pattern of more than {MAX_PATTERN} characters")
    if unknown := {role_of_group(name) for name in pattern.groups} - ROLES:
        raise ValueError(f"groups that are no roles: {', '.join(sorted(unknown))}")
    if meant := set(pattern.until_end.values()) - ROLES:
        raise ValueError(f"meanings that are no roles: {', '.join(sorted(meant))}")
    if unread := [
        unit for role, unit in pattern.units.items() if unit and role != "throughput" and not unit_of(unit).kind
    ]:
        raise ValueError(f"units that cannot be read: {', '.join(unread)}")
    return pattern


def role_of_group(name: str) -> str:
    """Give a group's role: a second value of one role has a number behind it, as part_time_2."""
    return name.rstrip("0123456789").rstrip("_") if name[-1:].isdigit() else name


def quiet_options() -> Any:  # Any: RE2 has no types
    """Keep the engine from writing to standard error about a bad pattern, and bound its memory."""
    options = re2.Options()
    options.log_errors = False
    options.max_mem = 1 << 22
    return options


@lru_cache(maxsize=1)
def known_formats() -> tuple[Format, ...]:
    """Load the formats that come with the package."""
    folder = files("schedmate.knowledge") / "logformats"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".toml"))
    formats = [read_format((folder / name).read_text("utf-8"), name.removesuffix(".toml")) for name in names]
    return tuple(sorted(formats, key=lambda one: one.last))


def eta_of(framework: str) -> str:
    """Tell whether a framework is known to print what is left of the run, or of the pass."""
    return next((one.eta_of for one in known_formats() if one.framework == framework), "")


@lru_cache(maxsize=256)
def means_of_pass(framework: str) -> bool:
    """Tell whether a framework prints means over the pass so far."""
    return any(one.means == "pass" for one in known_formats() if one.framework == framework)


NO_NUMBER = re.compile(r"\d\.\d+\.\d")
"""A version, or two lines that were written into each other: its first part is no value."""


def match_formats(formats: Sequence[Format], line: str, start: int = 0) -> Match | None:
    """Give the first format that reads a normalised line whose message begins at `start`, or its indent with it."""
    begins = (start, 0) if start and line[:start].isspace() else (start,)
    for one in formats:
        for pattern in one.patterns:
            if pattern.contains not in line:
                continue
            tried = ((begin, pattern.regex.search(line[begin:])) for begin in begins)
            begin, found = next((one for one in tried if one[1]), (start, None))
            if found:
                fields = [
                    replace(field, name=f"{one.framework} {field.name}") if field.role in TOTALS else field
                    for field in fields_of(pattern, found, line, begin)
                ]
                return Match(one.framework, pattern.work, fields, pattern.contains)
    return None


def fields_of(pattern: Pattern, found: Any, line: str, before: int = 0) -> list[Field]:  # Any: of RE2
    """Turn the groups of a match into fields over the line's numbers; an end that is printed goes with its counter."""
    spans = [(one.start() - before, one.end() - before) for one in numbers_in(line).finditer(line)]
    line = line[before:]
    groups = pattern.groups
    ends = {
        role: slots_in(spans, *found.span(groups[end])) for role, end in TOTALS.items() if {role, end} <= set(groups)
    }
    fields = []
    for role, group in groups.items():
        start, end = found.span(group)
        if start < 0 or (role in TOTALS.values() and any(TOTALS[one] == role for one in ends)):
            continue
        made = field_in(line, start, end, spans, role_of_group(role), pattern.units.get(role, ""))
        if made:
            end = ends.get(pattern.whole_of.get(role, role))
            made = replace(made, total_at=end[0] if end else -1, until_end=pattern.until_end.get(role))
            fields.append(made)
    return fields


def slots_in(spans: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, ...]:
    """Give the numbers that lie within a group."""
    return tuple(slot for slot, span in enumerate(spans) if start <= span[0] < end)


def field_in(
    line: str, start: int, end: int, spans: Sequence[tuple[int, int]], role: Any, unit: str
) -> Field | None:  # Any: a group's name, checked to be a role
    """Read a group's text, which may be a number or a duration of several."""
    slots = slots_in(spans, start, end)
    if not slots or NO_NUMBER.search(line[start:end]):
        return None
    inner = Reader(tokens_of(line[start:end]), line[start:end]).read().items
    first = inner[0] if inner and len(inner[0].at) == len(slots) else None
    scale = first.scale if first else (1.0,)
    measured = unit_of(unit) if unit else first.unit if first and first.form == "plain" else NONE
    if measured.kind and role != "throughput":
        scale = tuple(one * measured.scale for one in scale)
    return Field(str(role), role, slots[: len(scale)], scale, unit)


def read_line(pattern: Pattern, text: str) -> dict[str, float]:
    """Read one line with one pattern: each role and its value; empty when it does not match."""
    line = normalise(text)
    found = pattern.regex.search(line) if pattern.contains in line else None
    numbers = numbers_in(line).split(line)[1::2]
    fields = fields_of(pattern, found, line) if found else []
    read: dict[str, float] = {one.role: one.value(numbers) for one in reversed(fields)}
    read |= {
        TOTALS[one.role]: value_of(numbers[one.total_at]) for one in fields if one.role in TOTALS and one.total_at >= 0
    }
    return read


def check_samples(one: Format) -> list[str]:
    """Tell which of a format's samples do not read as they should; a file without samples proves nothing."""
    wrong = []
    for pattern in one.patterns:
        read = read_line(pattern, pattern.sample)
        wrong += [
            f"{role}: {read.get(role)} is not {want}"
            for role, want in pattern.expect.items()
            if not near(read.get(role), want)
        ]
    return wrong


def near(value: float | None, want: float) -> bool:
    """Compare two readings of the same digits."""
    return value is not None and abs(value - want) <= 1e-9 + 1e-6 * abs(want)
