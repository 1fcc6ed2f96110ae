"""Let players explore small programs over HTTP, and count field by field what the merged answer gains and loses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from evals.played.diagnosing import served
from evals.played.explorers import explorer
from evals.played.gains import Gains
from evals.played.programs import Program, write_program
from schedmate.choices import ReaderChoice
from schedmate.graphs.extract import run_extract
from schedmate.schemas import Workload


@dataclass
class Cells(Gains):
    """The cells of all programs."""

    invented: int = 0
    """values of a field that has no label, which the built-in left open"""


def explore_all(
    folder: Path, count: int, names: Sequence[str], seed: int, context_tokens: int, engines: Mapping[str, ReaderChoice]
) -> dict[str, Cells]:
    """Write programs, read each alone, then with each player in each way; in its name `{}` stands for the player."""
    programs = [write_program(folder, number, seed) for number in range(count)]
    tallies = {way.format(name): Cells() for way in engines for name in names}
    with served(context_tokens) as server:
        for program in programs:
            built = run_extract(program.root, program.command, engine="built-in").workload
            for (way, engine), name in product(engines.items(), names):
                cells = tallies[way.format(name)]
                server.player, before = explorer(name, program, built, seed), server.counts()
                merged = run_extract(program.root, program.command, engine=engine).workload
                cells.spend(before, server.counts())
                count_cells(cells, program, built, merged)
    return tallies


def count_cells(cells: Cells, program: Program, built: Workload, merged: Workload) -> None:
    """Hold each labelled field against its label, and see that no other field was filled."""
    for name, (value, _, _) in program.truth.items():
        before, after = (is_so(getattr(one, name), value) for one in (built, merged))
        cells.compare(before, after, getattr(built, name) is not None)
    cells.invented += merged.num_gpus not in (None, built.num_gpus, 1)


def is_so(said: object, value: str) -> bool:
    """Compare a field with its label."""
    try:
        return said is not None and float(str(said)) == float(value)
    except ValueError:
        return str(said).casefold() == value.casefold()
