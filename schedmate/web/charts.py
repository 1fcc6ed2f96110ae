"""Charts as SVG, made here: they are drawn with scripts off, and take their colours from the style sheet."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from schedmate.tools.plain_text import plain

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 560, 180, 58, 24, 10, 10
Point = tuple[float, float]


@dataclass(frozen=True)
class Span:
    """A bar on a time line."""

    row: str
    begin_s: float
    end_s: float
    kind: str
    """What it looks like, a class of the style sheet."""
    words: str


def number(value: float) -> str:
    """Write a number beside an axis."""
    if value == 0 or 0.001 <= abs(value) < 100_000:
        return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}"
    return f"{value:.1e}"


def line_chart(points: Sequence[Point], what: str, across: str, ends: Point | None = None) -> Markup:
    """Draw one curve between these ends, else its own; where it spans three orders of magnitude, logarithmically."""
    known = [(x, y) for x, y in points if math.isfinite(x) and math.isfinite(y)]
    if len(known) < 2:
        return Markup("")
    ys = [y for _, y in known]
    is_log = ends is None and min(ys) > 0 and max(ys) / min(ys) > 1000
    low, high = ends or bounds([math.log10(y) for y in ys] if is_log else ys)
    first, last = min(x for x, _ in known), max(x for x, _ in known)
    wide, tall = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def place(point: Point) -> str:
        x = LEFT + wide * (point[0] - first) / ((last - first) or 1)
        y = math.log10(point[1]) if is_log else point[1]
        return f"{x:.1f},{TOP + tall * (1 - (y - low) / (high - low)):.1f}"

    path = " ".join(map(place, known))
    rows = []
    for part in (0.0, 0.5, 1.0):
        y, value = TOP + tall * (1 - part), low + part * (high - low)
        label = number(10**value if is_log else value)
        rows.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        rows.append(f'<text class="tick end" x="{LEFT - 6}" y="{y + 4:.1f}">{label}</text>')
    rows.append(f'<text class="tick" x="{LEFT}" y="{HEIGHT - 6}">{number(first)}</text>')
    rows.append(f'<text class="tick end" x="{WIDTH - RIGHT}" y="{HEIGHT - 6}">{across} {number(last)}</text>')
    words = (
        f"{what} from {number(known[0][1])} to {number(known[-1][1])}, over {across} {number(first)} to {number(last)}"
    )
    return drawing(HEIGHT, words, [*rows, f'<polyline class="curve" points="{path}"/>'])


def bounds(values: Sequence[float]) -> tuple[float, float]:
    """Give the ends of an axis; a curve that is flat lies in its middle."""
    low, high = min(values), max(values)
    if high - low < 1e-12 * max(abs(high), 1.0):
        return low - (abs(low) or 1.0) * 0.1, high + (abs(high) or 1.0) * 0.1
    return low, high


def time_line(spans: Sequence[Span], begin_s: float, end_s: float, ends: tuple[str, str]) -> Markup:
    """Draw bars over time, a row for each name."""
    rows = list(dict.fromkeys(span.row for span in spans))
    height, wide = 24 * len(rows) + 22, WIDTH - LEFT - RIGHT
    drawn = []
    for span in spans:
        x = LEFT + wide * max(0.0, span.begin_s - begin_s) / ((end_s - begin_s) or 1)
        long = max(2.0, wide * (span.end_s - span.begin_s) / ((end_s - begin_s) or 1))
        long = min(long, WIDTH - RIGHT - x + 2)
        y = 24 * rows.index(span.row) + 4
        kind = class_of(span.kind)
        drawn.append(
            f'<rect class="span {kind}" x="{x:.1f}" y="{y}" width="{long:.1f}" height="16" rx="4">'
            f"<title>{shown(span.words)}</title></rect>"
        )
    names = [
        f'<text class="tick end" x="{LEFT - 6}" y="{24 * i + 16}">{shown(row)}</text>' for i, row in enumerate(rows)
    ]
    axis = (
        f'<text class="tick" x="{LEFT}" y="{height - 5}">{shown(ends[0])}</text>'
        f'<text class="tick end" x="{WIDTH - RIGHT}" y="{height - 5}">{shown(ends[1])}</text>'
    )
    words = "; ".join(span.words for span in spans[:20])
    return drawing(height, words, [*drawn, *names, axis])


def bars(rows: Sequence[tuple[str, float, str]], what: str) -> Markup:
    """Draw a bar for each row: its name, its length, what stands at its end."""
    most = max((value for _, value, _ in rows), default=0.0) or 1.0
    height, left = 26 * len(rows) + 6, 130
    drawn = []
    for place, (name, value, words) in enumerate(rows):
        long = max(1.0, (WIDTH - left - 110) * max(0.0, value) / most)
        y = 26 * place + 4
        drawn.append(
            f'<text class="tick end" x="{left - 8}" y="{y + 13}">{shown(name)}</text>'
            f'<rect class="span bar" x="{left}" y="{y}" width="{long:.1f}" height="17" rx="4"/>'
            f'<text class="tick" x="{left + long + 7:.1f}" y="{y + 13}">{shown(words)}</text>'
        )
    return drawing(height, what, drawn)


def columns(stacks: Sequence[tuple[str, Mapping[str, int]]], kinds: Sequence[str], what: str) -> Markup:
    """Draw a column for each name, what it is made of one above the other, in the order of the kinds."""
    most = max((sum(counts.values()) for _, counts in stacks), default=0) or 1
    wide, tall = (WIDTH - LEFT - RIGHT) / max(1, len(stacks)), HEIGHT - TOP - BOTTOM
    every = -(-len(stacks) // 8)
    drawn = []
    for value in dict.fromkeys((0, most // 2, most)):
        y = TOP + tall * (1 - value / most)
        drawn.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        drawn.append(f'<text class="tick end" x="{LEFT - 6}" y="{y + 4:.1f}">{value:,}</text>')
    for place, (name, counts) in enumerate(stacks):
        x, long, top = LEFT + wide * (place + 0.5), min(34.0, wide * 0.7), float(TOP + tall)
        for kind in [kind for kind in kinds if counts.get(kind)]:
            high = tall * counts[kind] / most
            top -= high
            drawn.append(
                f'<rect class="part {class_of(kind)}" x="{x - long / 2:.1f}" y="{top:.1f}" width="{long:.1f}"'
                f' height="{high:.1f}"><title>{shown(f"{name}: {kind} {counts[kind]:,}")}</title></rect>'
            )
        if place % every == (len(stacks) - 1) % every:
            drawn.append(f'<text class="tick middle" x="{x:.1f}" y="{HEIGHT - 6}">{shown(name)}</text>')
    return drawing(HEIGHT, what, drawn)


def class_of(kind: str) -> str:
    """Name what something looks like in the style sheet."""
    plain_name = kind.replace(" ", "_")
    return plain_name if plain_name.isidentifier() else "other"


def drawing(height: float, words: str, parts: Sequence[str]) -> Markup:
    """Put a drawing together; who does not see it is told its words. The parts are of our making, texts escaped."""
    head = f'<svg class="chart" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{shown(words)}">'
    return Markup(head + "".join(parts) + "</svg>")


def shown(text: str) -> Markup:
    """Make a text of others fit for a drawing."""
    return escape(plain(text[:300]))
