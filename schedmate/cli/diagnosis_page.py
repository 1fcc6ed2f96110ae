"""A diagnosis for a person at three in the morning: the verdict first, then what it rests on, then what to do."""

from datetime import UTC, datetime

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from schedmate.cli.diagnosis_trail import trail_parts
from schedmate.cli.render import Screen, console
from schedmate.cli.saying import say
from schedmate.counts import how_many
from schedmate.readers.failures.advice.headline import headline
from schedmate.readers.failures.answer.how_ended import LAST_LINE, LAST_STEP, LAST_WELL, ONLY_BEGAN
from schedmate.readers.failures.answer.trail import Explained
from schedmate.schemas import Action, Diagnosis, Evidence
from schedmate.tools.shortening import short

COLORS = {"infrastructure": "red", "framework": "magenta", "script": "yellow", "other": "blue", "none": "green"}
YOURS = "your code"

LAST = {LAST_WELL: "Last well", LAST_STEP: "Last well", LAST_LINE: "Last line"}
"""What the quote of how far a job came is called."""
LONGEST_QUOTE = 500
UNCUT_CHARS = 5000


def print_page(diagnosis: Diagnosis) -> None:
    """Print one diagnosis; a pipe gets the same lines uncut and without colours."""
    out = console()
    if out.is_terminal:
        out.print(page(diagnosis, out))
        return
    wide = Screen(width=UNCUT_CHARS, color_system=None, highlight=False, markup=False, emoji=False)
    with wide.capture() as captured:
        wide.print(page(diagnosis, wide))
    say("\n".join(line.rstrip() for line in captured.get().splitlines()) + "\n")


def page(diagnosis: Diagnosis, out: Console) -> Group:
    """Put the parts in order: verdict, facts, other lines, why, what to do."""
    parts: list[RenderableType] = [verdict(diagnosis, out), facts(diagnosis)]
    if others(diagnosis):
        parts += [Text("Seen", style="bold"), quotes(diagnosis)]
    parts += [Text("Why", style="bold"), Padding(Text(diagnosis.explanation), (0, 0, 0, 2))]
    done = tuple(action for action in diagnosis.actions if action.kind != "none")
    if done or diagnosis.advice:
        parts.append(Text("Do", style="bold"))
        if diagnosis.advice:
            parts.append(Padding(Text(diagnosis.advice), (0, 0, 0, 2)))
        if done:
            parts.append(steps(done))
    if isinstance(diagnosis, Explained) and diagnosis.trail:
        parts += trail_parts(diagnosis.trail)
    return Group(*parts, Text(footer(diagnosis), style="dim"))


def verdict(diagnosis: Diagnosis, out: Console) -> RenderableType:
    """Say the class, the failure and how sure that is, so that it can be read from across the room."""
    color = COLORS[diagnosis.category]
    name = "NO FAILURE" if diagnosis.category == "none" else diagnosis.category.upper()
    line = Text.assemble((name, f"bold {color}"))
    if diagnosis.subcategory:
        line.append(f" · {diagnosis.subcategory}", style=color)
    if diagnosis.failure_id:
        line.append(f"   {diagnosis.failure_id}", style="bold")
    line.append(f"   {diagnosis.confidence:.0%} sure", style="dim")
    if head := headline(diagnosis):
        line.append(f"\n{head}")
    if diagnosis.faulty_components:
        line.append(f"; faulty: {', '.join(diagnosis.faulty_components)}")
    if not out.is_terminal:
        return Text(f"{diagnosis.log}\n").append_text(line)
    return Panel(line, title=Text(diagnosis.log), title_align="left", border_style=color)


def facts(diagnosis: Diagnosis) -> Table:
    """List where it broke, what was last well, and how much came after."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    if diagnosis.root_line:
        table.add_row("First fault", Text(place(diagnosis)))
        table.add_row("", Text(diagnosis.root_excerpt[:LONGEST_QUOTE], style="cyan"))
    for item in diagnosis.evidence:
        if item.note.startswith(YOURS):
            table.add_row(
                "Your code", Text.assemble(f"{item.path}:{item.line}  ", (item.quote[:LONGEST_QUOTE], "yellow"))
            )
    healthy = next((item for item in diagnosis.evidence if item.note in LAST), None)
    if healthy:
        table.add_row(LAST[healthy.note], Text(f"line {healthy.line:,}: {healthy.quote[:LONGEST_QUOTE].strip()}"))
    if diagnosis.root_line:
        table.add_row("Fallout", f"{how_many(diagnosis.fallout_lines, 'line')} after the first fault")
    if diagnosis.attempts > 1:
        which = "last one" if diagnosis.running_again_line is None else "one before; in the last one the job gets on"
        if any(note.startswith(ONLY_BEGAN) for note in diagnosis.notes):
            which = "last that says how it ended"
        table.add_row("Attempts", f"{diagnosis.attempts}; this is about the {which}")
    for place_of_note, note in enumerate(diagnosis.notes):
        table.add_row("" if place_of_note else "Note", Text(note))
    return table


def place(diagnosis: Diagnosis) -> str:
    """Write line, time, rank and host as far as they are known."""
    parts = [f"line {diagnosis.root_line:,}"]
    if diagnosis.root_path and diagnosis.root_path != diagnosis.log:
        parts.insert(0, diagnosis.root_path)
    if diagnosis.root_time_s is not None:
        parts.append(f"{datetime.fromtimestamp(diagnosis.root_time_s, UTC):%Y-%m-%d %H:%M:%S}")
    if diagnosis.root_rank is not None:
        parts.append(f"rank {diagnosis.root_rank}")
    if diagnosis.root_host:
        parts.append(f"host {diagnosis.root_host}")
    return "  ".join(parts)


def quotes(diagnosis: Diagnosis) -> RenderableType:
    """Show the other lines that were weighed, with their numbers."""
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right", style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    table.add_column(style="dim", no_wrap=True)
    for item in others(diagnosis):
        table.add_row(Text(where(item, diagnosis)), Text(short(item.quote, 160)), Text(item.note))
    return Padding(table, (0, 0, 0, 2))


def where(item: Evidence, diagnosis: Diagnosis) -> str:
    """Write a quote's line, with its file where that is not the log that the first fault stands in."""
    here = item.path in {diagnosis.root_path, diagnosis.log}
    return f"{item.line:,}" if here else f"{item.path}:{item.line}"


def others(diagnosis: Diagnosis) -> list[Evidence]:
    """Leave out what stands in the facts already; the rest in the order in which it stands in the log."""
    told = {"first cause", *LAST}
    rest = [item for item in diagnosis.evidence if item.note not in told and not item.note.startswith(YOURS)]
    return sorted(rest, key=lambda item: (item.path != diagnosis.root_path, item.path, item.line))


def steps(actions: tuple[Action, ...]) -> RenderableType:
    """Number the steps and show the exact commands."""
    table = Table.grid(padding=(0, 1))
    table.add_column(justify="right", no_wrap=True)
    table.add_column()
    for number, action in enumerate(actions, 1):
        head = Text(action.kind.replace("_", " "), style="bold")
        head.append(f" {action.target}" if action.target else "", style="none")
        head.append(f": {action.reason}" if action.reason else "", style="none")
        table.add_row(f"{number}.", head)
        for system, command in action.commands.items():
            table.add_row("", Text.assemble((f"{system}  ", "dim"), (command, "cyan")))
    return Padding(table, (0, 0, 0, 2))


def footer(diagnosis: Diagnosis) -> str:
    """Say how much was read, how fast, and by whom."""
    took = f"{diagnosis.elapsed_s * 1000:.0f} ms" if diagnosis.elapsed_s < 1 else f"{diagnosis.elapsed_s:.1f} s"
    return (
        f"read {diagnosis.read_fraction:.1%} of {how_many(diagnosis.line_count, 'line')} in {took}, {diagnosis.engine}"
    )
