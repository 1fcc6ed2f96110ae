"""What a language model gains and loses when it is asked: players in the place of weights, over real HTTP."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from evals.played.diagnosing import Tally, ask_players, joined, without_entries, write_logs
from evals.played.exploring import Cells, explore_all
from evals.played.gains import Gains
from evals.played.tracking import Values, track_all
from evals.report import Cell, Report, Table
from schedmate.choices import ReaderChoice
from schedmate.graphs.diagnose_state import DiagnoseContext

PLAYERS = ("oracle", "p=90", "p=70", "p=50", "agrees", "contradicts", "misplaces", "invents")
SETS = ("known", "held back", "no entry")
ORDERED = "obeys"

PAPERS = "{}, in the paper's agent"
"""The paper's own agents: its locator and the model's word alone, its explorer, its Metric Extractor."""
COLUMNS = (
    *("player", "logs", "asked", "calls", "tokens read a call"),
    *(
        "class right, built-in",
        "class right, merged",
        "gained",
        "lost",
        "lost of sure ones",
        "wrong ones asked",
        "wrong ones corrected",
    ),
    *("places corrected", "sure places lost", "claims unfounded", "right of the sure"),
)


CELLS = (
    *("player", "programs", "asked", "calls", "tokens read a call", "fields", "right, built-in", "right, merged"),
    *("gained", "lost", "wrong ones corrected", "unlabelled fields filled"),
)
VALUES = (
    *("player", "logs", "asked", "calls", "tokens read a call", "values", "right, built-in", "right, merged"),
    *("gained", "lost", "lost of sure ones", "wrong ones corrected", "claims unfounded"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say how many logs to make, from which seed, and what to make harder."""
    parser.add_argument("--logs", type=int, default=140, help="logs a set (default: 140)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the logs and of the players")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=SETS, help="kinds of failure (default: all)")
    parser.add_argument("--without", type=float, default=0.5, metavar="SHARE", help="entries left out of one set")
    parser.add_argument("--context", type=int, default=32_768, help="tokens that the played model can hold")
    parser.add_argument("--programs", type=int, default=30, help="small programs to explore (default: 30)")
    parser.add_argument("--strange", type=int, default=40, help="training logs in strange words (default: 40)")
    parser.add_argument(
        "--players",
        nargs="+",
        default=[*PLAYERS, ORDERED],
        help="who plays; wavers=70: anew in each answer",
    )
    parser.add_argument("--votes", type=int, default=1, help="answers of which the majority counts")
    parser.add_argument("--paper", action="store_true", help="let each also play in the paper's agents, ours beside")
    parser.add_argument("--cases", action="store_true", help="also list what was lost and what stayed wrong")


def run(options: argparse.Namespace) -> Report:
    """Play on logs of known kinds, on kinds that the generator held back, and on kinds that no entry knows."""
    os.environ["SCHEDMATE_LLM_VOTES"] = str(options.votes)
    sets = {"known": (False, 0.0), "held back": (True, 0.0), "no entry": (False, options.without)}
    sets = {name: how for name, how in sets.items() if name in options.sets}
    paper: dict[str, ReaderChoice] = {PAPERS: "paper"} if options.paper else {}
    tables, notes, sums = [], [], dict[str, list[Tally]]()
    for name, (held, share) in sets.items():
        with TemporaryDirectory() as scratch:
            tallies = play(Path(scratch), options, options.seed + SETS.index(name), held=held, share=share)
        tables.append(table(f"diagnose, {name} kinds of failure", tallies))
        for player, tally in tallies.items():
            sums.setdefault(player, []).append(tally)
            if options.cases:
                notes += [f"{name}, {player}, lost: {text}" for text in tally.losses]
                notes += [f"{name}, {player}, still wrong: {text}" for text in tally.misses if player == "oracle"]
    tables.append(table("diagnose, all sets", {player: joined(several) for player, several in sums.items()}))
    with TemporaryDirectory() as scratch:
        engines: dict[str, ReaderChoice] = {"{}": "model", **paper}
        cells = explore_all(Path(scratch), options.programs, options.players, options.seed, options.context, engines)
    tables.append(Table("extract, fields of small programs", CELLS, [cells_row(*pair) for pair in cells.items()]))
    with TemporaryDirectory() as scratch:
        engines = {"{}": "auto", **paper}
        values = track_all(Path(scratch), options.strange, options.players, options.seed, options.context, engines)
    tables.append(
        Table("track, values of logs in strange words", VALUES, [values_row(*pair) for pair in values.items()])
    )
    notes.append("sure: the built-in's confidence is over 0.8; right of the sure: merged answers of 0.8 and more")
    return Report(tables, notes)


def play(folder: Path, options: argparse.Namespace, seed: int, *, held: bool, share: float) -> dict[str, Tally]:
    """Let each player read one set; the obedient one reads logs that give it orders."""
    aside = without_entries(share, seed) if share else []
    ways = {"{}": DiagnoseContext()} | ({PAPERS: DiagnoseContext("model", "paper")} if options.paper else {})
    names = [name for name in options.players if name != ORDERED]
    tallies: dict[str, Tally] = {}
    for player_names, ordered in ((names, False), ([ORDERED] if ORDERED in options.players else [], True)):
        if player_names:
            place = folder / ("ordered" if ordered else "plain")
            rows = write_logs(place, seed, options.logs, held=held, ordered=ordered)
            tallies |= ask_players(place, rows, player_names, options.seed, options.context, aside, ways)
    return tallies


def table(title: str, tallies: dict[str, Tally]) -> Table:
    """Write one row a player."""
    return Table(title, COLUMNS, [row(name, one) for name, one in tallies.items()])


def cells_row(name: str, one: Cells) -> Sequence[Cell]:
    """Write what one player's claims are worth."""
    return [name, *gains(one), f"{one.wrong_gained}/{one.wrong}", one.invented]


def values_row(name: str, one: Values) -> Sequence[Cell]:
    """Write what one player's patterns are worth."""
    return [name, *gains(one), one.sure_lost, f"{one.wrong_gained}/{one.wrong}", one.unfounded]


def gains(one: Gains) -> Sequence[Cell]:
    """Write what asking took, and what it gained and lost."""
    read = round(one.read_tokens / one.calls) if one.calls else None
    return [one.cases, one.asked, one.calls, read, one.values, one.right_before, one.right_after, one.gained, one.lost]


def row(name: str, one: Tally) -> Sequence[Cell]:
    """Write what one player's answers are worth."""
    spent: list[Cell] = [one.asked, one.calls, round(one.read_tokens / one.calls) if one.calls else None]
    classed: list[Cell] = [
        one.right_before,
        one.right_after,
        one.gained,
        one.lost,
        one.sure_lost,
        f"{one.wrong_asked}/{one.wrong_told}",
        f"{one.gained}/{one.wrong_told}",
    ]
    placed: list[Cell] = [f"{one.place_gained}/{one.place_told}", one.sure_place_lost]
    return [name, one.logs, *spent, *classed, *placed, one.unfounded, f"{one.sure_right}/{one.sure}"]
