"""Put a pattern to the test on the log's own lines before it is believed, whoever wrote it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import re2

from schedmate.counts import how_many
from schedmate.readers.progress.answer.answer import TrackAnswer
from schedmate.readers.progress.kinds.shapes import Shapes
from schedmate.readers.progress.learning.learned import longest_word
from schedmate.readers.progress.lines.fields import Field
from schedmate.readers.progress.lines.formats import Format, Pattern, fields_of, known_formats, parse_pattern
from schedmate.readers.progress.lines.names import has, pieces_of
from schedmate.readers.progress.lines.tokens import numbers_in
from schedmate.readers.progress.lines.units import unit_of
from schedmate.readers.progress.step_time.sources import AGREE, distance
from schedmate.readers.progress.streams.streams import rising
from schedmate.readers.templates import mask_line
from schedmate.schemas import Metrics

MOST_LINES = 0.8
"""Of all lines that look like one that a pattern reads, it must read so many."""
LEAST_LINES = 3
MAX_WRITTEN = 480

NEAR = 2.0
"""A step time may differ so much from independent evidence; warm-up and pauses are in those."""
FAMILIES = {
    **dict.fromkeys(("step", "total_steps", "count", "things"), "a counter"),
    **dict.fromkeys(("epoch", "total_epochs"), "an epoch"),
    **dict.fromkeys(("step_time", "time", "elapsed", "eta", "epoch_time", "interval_time", "part_time"), "a time"),
    **dict.fromkeys(("steps_rate", "throughput"), "a rate"),
    **dict.fromkeys(("loss", "loss_part", "eval"), "something learnt"),
}
CHECKED = ("step", "total_steps", "loss", "epoch")
Match = tuple[str, Any]  # Any: RE2 has no types


def compiled(pattern: str, units: Mapping[str, str], lines: Sequence[str]) -> tuple[Pattern | None, str]:
    """Compile what was written and add a sample of its own lines; or say why it cannot be used."""
    if len(pattern) > MAX_WRITTEN:
        return None, f"the pattern is longer than {MAX_WRITTEN} characters"
    try:
        made = parse_pattern({"pattern": pattern, "units": dict(units), "work": "train"})
    except (ValueError, TypeError, re2.error) as error:
        return None, f"the pattern cannot be used: {str(error)[:200]}"
    found = matches(made, lines)
    if len(found) < LEAST_LINES:
        return None, f"the pattern reads {len(found)} of the log's lines"
    texts = [line for line, _ in found]
    made = replace(made, contains=longest_word(texts), sample=texts[-1])
    return replace(made, expect=readings(made, *found[-1])), ""


def matches(pattern: Pattern, lines: Sequence[str]) -> list[Match]:
    """Give the lines that a pattern reads."""
    return [(line, found) for line in lines if pattern.contains in line and (found := pattern.regex.search(line))]


def readings(pattern: Pattern, line: str, found: Any) -> dict[str, float]:  # Any: RE2 has no types
    """Give the values that a pattern reads in one line."""
    numbers = numbers_in(line).split(line)[1::2]
    return {one.role: one.value(numbers) for one in fields_of(pattern, found, line)}


def problems_of(one: Format, lines: Sequence[str]) -> list[str]:
    """Say what speaks against a format by itself; a format without problems may be read with."""
    roles = {role for pattern in one.patterns for role in pattern.expect}
    found = [] if roles & {"step", "epoch", "step_time", "steps_rate"} else ["no counter and no step time is read"]
    for pattern in one.patterns:
        found += problems_of_pattern(pattern, lines)
    return found


def problems_of_pattern(pattern: Pattern, lines: Sequence[str]) -> list[str]:
    """Test one pattern: it reads most lines of its kind, all its numbers, a rising counter, and no one else's lines."""
    if not pattern.contains:
        return ["the lines that the pattern reads have no word in common"]
    found = matches(pattern, lines)
    kinds = {mask_line(line) for line, _ in found}
    alike = sum(mask_line(line) in kinds for line in lines)
    problems = []
    if len(found) < MOST_LINES * alike:
        problems.append(f"the pattern reads {len(found)} of {how_many(alike, 'line')} of its kind")
    read = [readings(pattern, line, match) for line, match in found]
    groups = set(pattern.groups) - {"total_steps", "total_epochs"}
    for role in sorted({group.rstrip("_0123456789") for group in groups}):
        if sum(math.isfinite(values.get(role, math.nan)) for values in read) < 0.9 * len(read):
            problems.append(f"{role}: not a number in each line")
    counter = [values["step"] for values in read if "step" in values]
    if counter and rising(counter) <= 0:
        problems.append("step: the counter does not rise")
    for role in ("step_time", "steps_rate", "throughput"):
        if any(values.get(role, 1.0) <= 0 for values in read):
            problems.append(f"{role}: not above nought")
    if strangers := [other.framework for other in known_formats() if reads_sample_of(pattern, other)]:
        problems.append(f"the pattern also reads what {strangers[0]} prints")
    return problems + disputes(pattern, found[:: max(1, len(found) // 8)])


def reads_sample_of(pattern: Pattern, other: Format) -> bool:
    """Tell whether a pattern would read lines of a format that is known to be another's."""
    return any(pattern.contains in one.sample and pattern.regex.search(one.sample) for one in other.patterns)


def disputes(pattern: Pattern, found: Sequence[Match]) -> list[str]:
    """Tell where the log's own words say that a number is something else than the pattern says."""
    shapes, problems = Shapes(()), dict[str, None]()
    for line, match in found:
        shape, _ = shapes.read_text(line)
        known = {slot: one for one in shape.fields for slot in one.at}
        for claimed in fields_of(pattern, match, line):
            if set(claimed.at) & set(shape.stamp_at):
                problems[f"{claimed.role}: that number is part of a time stamp"] = None
            for other in {known[slot] for slot in claimed.at if slot in known}:
                if is_other_time(claimed.unit, other.unit):
                    problems[f"{claimed.role}: the log prints {other.unit} with that number, not {claimed.unit}"] = None
                if family_of(other) and family_of(other) != family_of(claimed):
                    problems[f"{claimed.role}: '{other.name}' says that this is {family_of(other)}"] = None
    return list(problems)


def is_other_time(one: str, other: str) -> bool:
    """Tell two units of time apart, where both are told."""
    first, second = unit_of(one), unit_of(other)
    return first.kind == second.kind == "time" and first.scale != second.scale


def family_of(one: Field) -> str:
    """Give what kind of value a field is by its name; empty where the name leaves it open."""
    if one.role in {"metric", "nothing", "setting", "percent"}:
        return "something learnt" if has(pieces_of((one.name,)), "learning") else ""
    return FAMILIES.get(one.role, "") if one.name else ""


def contradictions(before: Metrics, after: TrackAnswer) -> list[str]:
    """Say where a reading with the new format denies what was known, or what clocks and counters say."""
    found = []
    for name in CHECKED:
        known, new = getattr(before, name), getattr(after.metrics, name)
        if known is not None and new != known:
            found.append(
                f"{name} was {known:g} and is {'nothing' if new is None else format(new, 'g')} with the pattern"
            )
    chosen = after.verdict.chosen
    for other in after.verdict.evidence if chosen else ():
        if chosen and other.column != chosen.column and distance(other, chosen) > math.log(NEAR + other.width * AGREE):
            found.append(f"a step of {chosen.value:.3g} s is denied by the {other.source}: {other.value:.3g} s")
    was, now = before.step_time_s, after.metrics.step_time_s
    if was and (not now or abs(math.log(now / was)) > math.log(NEAR)):
        found.append(f"a step took {was:.3g} s without the pattern" + ("" if now else ", and is unknown with it"))
    return found
