"""How well lines that no entry knows are classed by their words, each hand's by what the others wrote; --rebuild fits.

`sure` are lines that are said to state a fault with a likelihood of 0.8 and more: `diagnose` asks no others. The kind
is one of eight: five parts of machines and sites, libraries, programs, and what ends a job from outside.
"""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from evals.plain_lines.fitting import fitted, write_weights
from evals.plain_lines.lines import Lines, hands, of_all_hands
from evals.report import Cell, Report, Table
from schedmate.readers.failures.causes.plain_statements import LIKELY
from schedmate.readers.failures.sightings.plain_words import NOTHING, WordWeights, shipped, told_with

COLUMNS = ("hand", "faults", "sure", "kind right", "class right", "other lines", "sure and wrong")


def add_arguments(parser: ArgumentParser) -> None:
    """Take where the weights are to be written."""
    anew = "fit on all hands, write FILE and compare it with what ships"
    parser.add_argument("--rebuild", type=Path, metavar="FILE", help=anew)


def row_of(name: str, lines: Lines, weights: WordWeights) -> list[Cell]:
    """Score one hand's lines."""
    sure = [(kind, told) for kind, text in lines if (told := told_with(weights, text)) and told.sure >= LIKELY]
    faults = [(kind, told.kind) for kind, told in sure if kind != NOTHING]
    right = sum(kind == told for kind, told in faults)
    alike = sum(kind.partition("/")[0] == told.partition("/")[0] for kind, told in faults)
    stated = sum(kind != NOTHING for kind, _ in lines)
    return [name, stated, len(faults), right, alike, len(lines) - stated, len(sure) - len(faults)]


def run(options: Namespace) -> Report:
    """Leave out one hand after the other; or fit on all."""
    told = hands()
    if options.rebuild:
        weights = fitted(of_all_hands(list(told)))
        write_weights(weights, options.rebuild)
        differ = sum(weights.words.get(name) != row for name, row in shipped().words.items())
        note = f"{len(weights.words):,} words and pairs; {differ:,} of the shipped ones differ"
        return Report((), notes=(note,))
    rows = [row_of(name, told[name], fitted(of_all_hands([one for one in told if one != name]))) for name in told]
    total: list[Cell] = ["all", *(sum(int(row[place] or 0) for row in rows) for place in range(1, len(COLUMNS)))]
    return Report((Table("by hand, each by what the others wrote", COLUMNS, [*rows, total]),))
