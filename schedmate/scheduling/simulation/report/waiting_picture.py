"""The drawing of who waits for whom: bands from those who wait to those who have the GPUs, as SVG in the page."""

import html
from collections.abc import Mapping

from schedmate.counts import how_many
from schedmate.scheduling.simulation.report.figures import COLOURS
from schedmate.scheduling.simulation.report.who_waits import GROUPS, MEANS
from schedmate.scheduling.simulation.results import Floats

WIDTH, LEFT, RIGHT, BAR = 610, 140, 470, 14
"""Of a panel: its width, where the bars of either side stand, how wide they are."""
HEIGHT, GAP, TOP, LEAST = 190.0, 33.0, 84.0, 1.0
"""How high the longest waiting is drawn, what parts two groups, where they begin, the thinnest band."""
WAITS = (COLOURS[3], COLOURS[8], COLOURS[1], COLOURS[2])
IDLE = "#c9ccd3"
HOLDERS = (*GROUPS, "nobody")
KEYS = (*MEANS, "GPUs lay idle")
HEADING = "font-weight='600' font-size='11' fill='#777' letter-spacing='1'"

TOLD = 0.005
"""Bands below this part of a panel are left out."""


def picture(waits: Mapping[str, tuple[Floats, int]]) -> str:
    """Draw a panel a policy, all to one scale: the seconds waited, and how many jobs there were."""
    most_s = max((float(flows.sum()) for flows, _ in waits.values()), default=0.0)
    panels = "".join(panel(name, flows, jobs, most_s) for name, (flows, jobs) in waits.items())
    return (
        "<h2>Who waits for whom</h2><p>On the left those who waited, on the right those who had the GPUs meanwhile; a "
        "band is as thick as the hours waited, in all panels alike. Grey: GPUs that nobody used, where the next job "
        f"did not fit or was not let in.</p><div class='pair'>{panels}</div>"
    )


def panel(name: str, flows: Floats, jobs: int, most_s: float) -> str:
    """Draw one policy."""
    total_s = float(flows.sum())
    scale = HEIGHT / most_s if most_s else 0.0
    left, right = flows.sum(axis=1) * scale, flows.sum(axis=0) * scale
    starts, ends = stacked(left), stacked(right)
    height = max(starts[-1] + float(left[-1]), ends[-1] + float(right[-1])) + GAP
    head = f"{name}: a job waited {spoken(total_s / max(jobs, 1))} on average"
    parts = [words(0, 18, head, "start", "font-weight='700' font-size='16'"), words(0, 38, gist(flows), "start")]
    parts += [
        words(LEFT + BAR, TOP - 16, "WAITED", "end", HEADING),
        words(RIGHT, TOP - 16, "HAD THE GPUS", "start", HEADING),
    ]
    parts += bands(flows, scale, starts, ends)
    for group, means in enumerate(KEYS):
        if group < len(GROUPS):
            parts += side(LEFT, starts[group], float(left[group]), WAITS[group], GROUPS[group], means, "end")
        colour = WAITS[group] if group < len(GROUPS) else IDLE
        parts += side(RIGHT, ends[group], float(right[group]), colour, HOLDERS[group], means, "start")
    told = html.escape(f"{head}. {gist(flows)}", quote=True)
    return (
        f"<svg viewBox='0 0 {WIDTH} {height:.0f}' role='img' aria-label='{told}' font-family='system-ui,sans-serif' "
        f"font-size='13' fill='#222'>{''.join(parts)}</svg>"
    )


def stacked(heights: Floats) -> list[float]:
    """Put bars below each other, each with room for its name."""
    tops, at = [], TOP
    for height in heights.tolist():
        tops.append(at)
        at += max(height, LEAST) + GAP
    return tops


def bands(flows: Floats, scale: float, starts: list[float], ends: list[float]) -> list[str]:
    """Draw the bands, in the colour of those who wait."""
    found, from_y, to_y = [], list(starts), list(ends)
    for group, row in enumerate(flows.tolist()):
        for holder, waited_s in enumerate(row):
            thick = waited_s * scale
            if waited_s > TOLD * flows.sum():
                about = f"{GROUPS[group]} waited {spoken(waited_s)} in all while {had(holder)}"
                found.append(band(from_y[group], to_y[holder], thick, WAITS[group], about))
            from_y[group] += thick
            to_y[holder] += thick
    return found


def band(from_y: float, to_y: float, thick: float, colour: str, about: str) -> str:
    """Draw a band that bends half-way."""
    x, end, half = LEFT + BAR, RIGHT, (LEFT + BAR + RIGHT) / 2
    y, to, thick = from_y + thick / 2, to_y + thick / 2, max(thick, LEAST)
    return (
        f"<path d='M{x} {y:.1f}C{half} {y:.1f} {half} {to:.1f} {end} {to:.1f}' fill='none' stroke='{colour}' "
        f"stroke-width='{thick:.1f}' stroke-opacity='0.5'><title>{html.escape(about)}</title></path>"
    )


def side(x: float, y: float, height: float, colour: str, name: str, means: str, anchor: str) -> list[str]:
    """Draw a bar and its name."""
    height = max(height, LEAST)
    at = x - 8 if anchor == "end" else x + BAR + 8
    middle = y + height / 2
    return [
        f"<rect x='{x}' y='{y:.1f}' width='{BAR}' height='{height:.1f}' fill='{colour}'/>",
        words(at, middle, name, anchor),
        words(at, middle + 14, means, anchor, "fill='#777' font-size='11'"),
    ]


def words(x: float, y: float, text: str, anchor: str, how: str = "") -> str:
    """Write words at a place."""
    return f"<text x='{x:.0f}' y='{y:.1f}' text-anchor='{anchor}' {how}>{html.escape(text)}</text>"


def gist(flows: Floats) -> str:
    """Say in a sentence who waited most, and for whom most of all."""
    total_s = float(flows.sum())
    if total_s <= 0:
        return "Nobody waited."
    group = int(flows.sum(axis=1).argmax())
    part = float(flows[group].sum()) / total_s
    meanwhile = had(int(flows[group].argmax()))
    return f"{GROUPS[group].capitalize()} waited most: {part:.0%} of it, above all while {meanwhile}."


def had(holder: int) -> str:
    """Say who had the GPUs."""
    return f"{GROUPS[holder]} had the GPUs" if holder < len(GROUPS) else "GPUs lay idle"


def spoken(time_s: float) -> str:
    """Write a time as people say it."""
    for unit_s, name in ((86_400.0, "day"), (3600.0, "hour"), (60.0, "minute")):
        if time_s >= 2 * unit_s:
            return how_many(round(time_s / unit_s), name)
    return how_many(round(time_s), "second")
