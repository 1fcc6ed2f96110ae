"""`diagnose --explain`: how the first cause was found, below what the page tells."""

from itertools import groupby

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from schedmate.counts import how_many
from schedmate.readers.failures.answer.trail import CauseTrail, Weighed
from schedmate.tools.shortening import short

MOST_SHOWN, SHOWN_CHARS = 25, 110


def trail_parts(trail: CauseTrail) -> list[RenderableType]:
    """Show who chose and moved the root, then each line that was weighed and what rules made of it."""
    parts: list[RenderableType] = [Text("How it was found", style="bold")]
    for place, move in enumerate(trail.moves):
        rule = Text.assemble("chosen by " if not place else "moved by ", (move.rule, "bold"), f": {move.why}")
        parts += [indented(rule, 2), indented(quoted(move.line, move.quote), 4)]
    if not trail.moves:
        parts.append(indented(Text("no line is a cause"), 2))
    best = heaviest(trail)
    parts += [Text("Weighed", style="bold")] if best else []
    for _, alike in groupby(best, lambda one: (one.path, one.failure_id, one.standing, one.turns)):
        parts += weighed_parts(list(alike))
    if more := trail.others + len(trail.weighed) - len(best):
        parts.append(indented(Text(f"and {how_many(more, 'line')} of no more weight"), 2))
    return parts


def weighed_parts(alike: list[Weighed]) -> list[RenderableType]:
    """Show the first of lines of which the same is known, how many more there are, and what rules made of each."""
    one, last = alike[0], alike[-1]
    more = f", and {len(alike) - 1} more up to line {last.line:,}" if one is not last else ""
    held = Text.assemble((one.standing, "bold"), f"  {one.failure_id or 'known by its words'}{more}")
    turns = (f"{turn.rule}: {turn.before} -> {turn.after} ({turn.why})" for turn in one.turns)
    return [
        indented(quoted(one.line, one.quote), 2),
        indented(held, 11),
        *(indented(Text(turn, style="dim"), 11) for turn in turns),
    ]


def heaviest(trail: CauseTrail) -> list[Weighed]:
    """Leave out what counts least where there are too many; the order stays the log's."""
    least = sorted((one.score for one in trail.weighed), reverse=True)[:MOST_SHOWN][-1:]
    return [one for one in trail.weighed if one.score >= least[0]][:MOST_SHOWN]


def quoted(line: int, quote: str) -> Text:
    """Give a line with its number."""
    return Text.assemble((f"{line:>7,}  ", "dim"), (short(quote, SHOWN_CHARS), "cyan"))


def indented(text: Text, columns: int) -> Padding:
    """Set a line in."""
    return Padding(text, (0, 0, 0, columns))
