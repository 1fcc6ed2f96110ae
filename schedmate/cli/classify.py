"""`schedmate classify`: what kinds of lines a log holds, and the statements behind them."""

from typing import TYPE_CHECKING

import typer

from schedmate.choices import EngineChoice
from schedmate.cli.saying import say
from schedmate.counts import how_many

if TYPE_CHECKING:
    from schedmate.schemas import Classification

COLOURS = {"error": "red", "warning": "yellow", "progress": "green", "other": "dim"}


def classify(
    log: str = typer.Argument(..., metavar="LOG", help="A log, packed or not; - reads standard input."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object with every statement of the log."),
    engine: EngineChoice = typer.Option("auto", help="auto asks a model only where the embedder is unsure."),
    top: int = typer.Option(5, min=0, help="How many statements of each class to show."),
) -> None:
    """Sort a log's lines into error, warning, progress and other.

    Lines that differ in nothing but numbers, times, paths and ids are one statement, so a log of any size is read once
    and each statement is classified once.

    Examples: schedmate classify slurm-4711.out; schedmate classify train.log.gz --top 20;
    schedmate classify train.log --json | jq .counts
    """
    answer = classify_with_bar(log, engine)
    if as_json:
        say(answer.model_dump_json())
    else:
        print_page(answer, top)


def classify_with_bar(log: str, engine: EngineChoice) -> "Classification":
    """Read the log behind a progress bar, which only a terminal gets to see."""
    from schedmate import classify as verb
    from schedmate.cli.render import progress

    with progress(f"reading {log}", as_bytes=True) as advance:
        return verb(log, engine=engine, advance=advance)


def print_page(answer: "Classification", top: int) -> None:
    """Print the counts, then the most frequent statements of each class with the line where they first stand."""
    from rich.table import Table
    from rich.text import Text

    from schedmate.cli.render import console

    page = console()
    counts = Table("class", "lines", "share", "statements", box=None, header_style="bold", pad_edge=False)
    for name, lines in answer.counts.items():
        kinds = sum(statement.label == name for statement in answer.statements)
        share = f"{lines / answer.lines:.1%}" if answer.lines else "-"
        counts.add_row(Text(name, COLOURS[name]), f"{lines:,}", share, f"{kinds:,}")
    page.print(counts)
    for name in answer.counts:
        chosen = [statement for statement in answer.statements if statement.label == name][:top]
        if not chosen:
            continue
        page.print(f"\n{name}", style=f"bold {COLOURS[name]}")
        table = Table("times", "first at", "statement", box=None, show_header=False, pad_edge=False)
        for statement in chosen:
            table.add_row(f"{statement.count:,} x", f"line {statement.line}", statement.quote)
        page.print(table)
    took = f"{answer.elapsed_s * 1000:.0f} ms" if answer.elapsed_s < 1 else f"{answer.elapsed_s:.1f} s"
    page.print(
        f"\n{how_many(answer.lines, 'line')}, {how_many(len(answer.statements), 'statement')}, {took}, {answer.engine}"
    )
    for note in answer.notes:
        page.print(f"note: {note}")
