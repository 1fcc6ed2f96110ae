"""Charts as SVG text, drawn here: no script, no font, no address; colours are the page's, light or dark."""

import html
import math
from collections.abc import Iterable, Sequence

from schedmate.counts import how_many
from schedmate.reports.findings import NodeRow, Week
from schedmate.tools.plain_text import plain

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 560, 56, 12, 12, 26
LONGEST_NAME = 22

CROWDED = 9
"""From so many columns on, every other one is named."""
LEAST_RATIO, MOST_RATIO = 0.05, 50.0


def clean(text: str) -> str:
    """Make text of others fit for a page."""
    return html.escape(plain(text), quote=True)


def svg(height: float, about: str, parts: Sequence[str]) -> str:
    """Frame a drawing; it says in words what it shows to who cannot see it."""
    words = clean(about)
    return (
        f"<svg viewBox='0 0 {WIDTH} {height:.0f}' role='img' aria-label='{words}'><title>{words}</title>"
        f"{''.join(parts)}</svg>"
    )


def text(x: float, y: float, words: str, anchor: str = "start", kind: str = "") -> str:
    """Write words at a place."""
    named = f" class='{kind}'" if kind else ""
    return f"<text x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}'{named}>{clean(words)}</text>"


def box(x: float, y: float, width: float, height: float, kind: str, about: str = "") -> str:
    """Draw a bar; its words appear where a pointer rests on it."""
    inner = f"<title>{clean(about)}</title>" if about else ""
    size = f"width='{max(width, 0):.1f}' height='{max(height, 0):.1f}'"
    return f"<rect x='{x:.1f}' y='{y:.1f}' {size} class='{kind}'>{inner}</rect>"


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """Draw a line."""
    return f"<line x1='{x1:.1f}' y1='{y1:.1f}' x2='{x2:.1f}' y2='{y2:.1f}' class='{kind}'/>"


def steps(most: float) -> list[float]:
    """Choose three to six round marks up to a value."""
    if most <= 0:
        return [0.0]
    size = 10 ** math.floor(math.log10(most))
    step = next(size * part for part in (0.2, 0.25, 0.5, 1.0, 2.0) if most / (size * part) <= 5)
    return [step * number for number in range(int(most / step) + 1)]


def brief(value: float) -> str:
    """Write a number in few letters: 950, 1.2k, 3.4M."""
    for limit, letter in ((1e6, "M"), (1e3, "k")):
        if value >= limit:
            return f"{value / limit:.1f}".removesuffix(".0") + letter
    return f"{value:.3g}"


def weekly(weeks: Sequence[Week], names: Sequence[str]) -> str:
    """Draw GPU hours of failed runs week by week, by class."""
    height = 230
    sums = [sum(week.failed_gpu_hours.values()) for week in weeks]
    top = max(sums, default=0.0) * 1.05 or 1.0
    plot = height - TOP - BOTTOM
    parts = []
    for mark in steps(top):
        y = TOP + plot * (1 - mark / top)
        parts += [line(LEFT, y, WIDTH - RIGHT, y, "grid"), text(LEFT - 6, y + 4, brief(mark), "end", "dim")]
    room = (WIDTH - LEFT - RIGHT) / max(len(weeks), 1)
    every = max(1, math.ceil(len(weeks) / 7))
    for place, week in enumerate(weeks):
        y, x = TOP + plot, LEFT + room * (place + 0.12)
        for number, name in enumerate(names):
            hours = week.failed_gpu_hours.get(name, 0.0)
            tall = plot * hours / top
            y -= tall
            if tall > 0:
                parts.append(box(x, y, room * 0.76, tall, f"c{number}", f"{week.begins}, {name}: {hours:,.0f} GPU h"))
        if place % every == 0:
            parts.append(text(x + room * 0.38, height - 8, week.begins[-5:], "middle", "dim"))
    return svg(height, "GPU hours of failed runs, by week and class", parts)


def shortened(name: str) -> str:
    """Cut a long name in the middle, where names differ least."""
    return name if len(name) <= LONGEST_NAME else f"{name[:11]}…{name[-10:]}"


def intervals(rows: Sequence[NodeRow]) -> str:
    """Draw each node's failures over what chance would give, with the interval; 1 is the site's rate."""
    name_width = 150

    def at(ratio: float) -> float:
        share = math.log(min(max(ratio, LEAST_RATIO), MOST_RATIO) / LEAST_RATIO) / math.log(MOST_RATIO / LEAST_RATIO)
        return name_width + share * (WIDTH - name_width - 70)

    height = 46 + 20 * len(rows)
    parts = [text(WIDTH - 4, 12, "failed / by chance", "end", "dim")]
    for mark in (0.1, 0.5, 1, 2, 5, 10, 30):
        parts.append(line(at(mark), 20, at(mark), height - 24, "one" if mark == 1 else "grid"))
        parts.append(text(at(mark), height - 8, f"{mark:g}x", "middle", "dim"))
    for place, row in enumerate(rows):
        y, kind = 30 + 20 * place, "hot" if row.stands_out else "calm"
        about = f"{row.node}: {how_many(row.failures, 'failure')}, {row.expected:.3g} expected"
        about += f"; {row.low:.2g} to {row.high:.2g} times"
        parts.append(text(name_width - 8, y + 4, shortened(row.node), "end"))
        parts.append(line(at(row.low), y, at(row.high), y, kind))
        parts.append(
            f"<circle cx='{at(row.ratio):.1f}' cy='{y}' r='4.5' class='{kind}'><title>{clean(about)}</title></circle>"
        )
        parts.append(text(WIDTH - 4, y + 4, f"{row.failures} / {row.expected:.2g}", "end", "dim"))
    return svg(height, "failures of nodes over what chance would give, with 95 % intervals", parts)


def grid(cells: Sequence[Sequence[int]], marks: Sequence[str]) -> str:
    """Draw how many jobs had which limit (upwards) and took how long (to the right), where there are any."""
    rows = span(any(row) for row in cells)
    columns = span(any(column) for column in zip(*cells, strict=True))
    width = (WIDTH - 110) / max(len(columns), 1)
    height = min(0.6 * width, 36.0)
    most = max((value for row in cells for value in row), default=0) or 1
    parts = [text(WIDTH - 4, 12, "darker: more jobs", "end", "dim"), text(4, 12, "limit", "start", "dim")]
    for row in rows:
        y = 20 + (rows[-1] - row) * height
        for column in columns:
            value = cells[row][column]
            x = 100 + (column - columns[0]) * width
            if value:
                shade = 0.12 + 0.88 * math.log1p(value) / math.log1p(most)
                where = f"limit {marks[row]}, ran {marks[column]}: {how_many(value, 'job')}"
                parts.append(
                    f"<rect x='{x:.1f}' y='{y:.1f}' width='{width - 1.5:.1f}' "
                    f"height='{height - 1.5:.1f}' class='c0' fill-opacity='{shade:.2f}'>"
                    f"<title>{clean(where)}</title></rect>"
                )
        parts.append(text(94, y + height / 2 + 4, marks[row], "end", "dim"))
    low = 20 + len(rows) * height
    for column in columns[:: 1 if len(columns) < CROWDED else 2]:
        parts.append(text(100 + (column - columns[0] + 0.5) * width, low + 14, marks[column], "middle", "dim"))
    parts.append(text(100 + (WIDTH - 110) / 2, low + 32, "ran", "middle", "dim"))
    return svg(low + 38, "jobs by time limit and run time", parts)


def span(used: Iterable[bool]) -> range:
    """Give the places from the first to the last that are used."""
    places = [place for place, one in enumerate(used) if one]
    return range(places[0], places[-1] + 1) if places else range(0)


def savings(rows: Sequence[tuple[str, float, float | None, float | None]]) -> str:
    """Draw waiting time saved a job under each policy, with its interval."""
    most = max((abs(v) for _, *values in rows for v in values if v is not None), default=0.0) or 1.0
    middle, half = 330.0, 190.0

    def at(value: float) -> float:
        return middle + half * value / most

    height = 34 + 26 * len(rows)
    parts = [line(middle, 4, middle, height - 26, "one")]
    for place, (name, mean, low, high) in enumerate(rows):
        y = 18 + 26 * place
        parts.append(text(122, y + 4, shortened(name), "end"))
        if low is not None and high is not None:
            parts.append(line(at(low), y, at(high), y, "calm"))
        parts.append(f"<circle cx='{at(mean):.1f}' cy='{y}' r='5' class='calm'/>")
    for mark in (-most, 0.0, most):
        parts.append(text(at(mark), height - 8, f"{mark:+,.0f} s" if mark else "0", "middle", "dim"))
    return svg(height, "waiting time saved a job, with 90 % intervals", parts)
