"""Let players write the patterns of strange logs over HTTP, and count value by value what that gains and loses."""

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random

from evals.played.diagnosing import SURE, served
from evals.played.gains import Gains
from evals.played.server import Asked, Player, Said
from evals.played.strange_logs import ORDER, StrangeLog, write_strange
from schedmate.choices import ReaderChoice
from schedmate.graphs.track import run_track
from schedmate.schemas import Metrics
from schedmate.settings import get_settings

NEAR = {"step_time_s": 0.1}
"""How near is right: a step's time varies, what is printed does not."""


@dataclass
class Values(Gains):
    """The values of all logs."""

    sure_lost: int = 0
    unfounded: int = 0
    """values that no line of the log shows"""


def writer(name: str, case: StrangeLog, seed: int) -> Player:
    """Make a player for one log."""
    kind, _, percent = name.partition("=")
    is_right = Random(f"{seed}/{case.name}").random() < float(percent or 0) / 100

    def reply(asked: Asked) -> Said:
        if "step_time_s" in asked.properties:
            return Said(json.dumps(numbers_of(kind, case, is_right=kind == "oracle" or is_right)))
        lies = kind == "contradicts" or (kind == "obeys" and ORDER in asked.text)
        if kind == "oracle" or is_right:
            lines = [line_of(case.right, case.units)]
        elif percent or lies:
            lines = [line_of(case.wrong, case.wrong_units)]
        else:
            lines = [line_of("loop (?P<step>[0-9]+) of the run", {})] if kind == "invents" else []
        return Said(json.dumps({"lines": lines, "framework": "strange"}))

    return reply


def numbers_of(kind: str, case: StrangeLog, *, is_right: bool) -> dict[str, object]:
    """Read the numbers themselves, as the paper's Metric Extractor does."""
    if is_right:
        return {"line": "", **case.newest}
    if kind in ("agrees", "misplaces", "obeys"):
        return {"line": ""}
    if kind == "invents":
        return {"line": "", "step_time_s": 0.777, "loss": 0.777, "step": 777_777, "total_steps": 7_777_777}
    return {"line": "", **case.newest, "loss": case.other, "step_time_s": case.newest["step_time_s"] * 1000}


def line_of(pattern: str, units: dict[str, str]) -> dict[str, object]:
    """Write one line's pattern in the form that is asked for."""
    told = [{"group": group, "unit": unit} for group, unit in units.items() if f"<{group}>" in pattern]
    return {"example": "", "pattern": pattern, "units": told}


def track_all(
    folder: Path, count: int, names: Sequence[str], seed: int, context_tokens: int, engines: Mapping[str, ReaderChoice]
) -> dict[str, Values]:
    """Write logs, read each alone, then with each player; what one player's patterns read is forgotten for the next."""
    tallies = {way.format(name): Values() for way in engines for name in names}
    before_home = os.environ.get("XDG_DATA_HOME")
    os.environ["XDG_DATA_HOME"] = str(folder / "data")
    try:
        with served(context_tokens) as server:
            for case in (write_strange(folder, number, seed) for number in range(count)):
                built = run_track(str(case.path), "built-in")
                for (way, engine), name in product(engines.items(), names):
                    tally = tallies[way.format(name)]
                    shutil.rmtree(folder / "data", ignore_errors=True)
                    server.player, before = writer(name, case, seed), server.counts()
                    merged = run_track(str(case.path), engine)
                    tally.spend(before, server.counts())
                    count_values(tally, case, built, merged)
    finally:
        os.environ.pop("XDG_DATA_HOME") if before_home is None else os.environ.update(XDG_DATA_HOME=before_home)
        get_settings.cache_clear()
    return tallies


def count_values(tally: Values, case: StrangeLog, built: Metrics, merged: Metrics) -> None:
    """Hold each value against the truth."""
    for name, value in case.truth.items():
        said, told = getattr(built, name), getattr(merged, name)
        before, after = (is_so(one, value, NEAR.get(name, 1e-9)) for one in (said, told))
        tally.compare(before, after, said is not None)
        tally.sure_lost += after < before and built.confidence > SURE
    lines = case.path.read_text("utf-8").split("\n")
    tally.unfounded += sum(one.quote.strip() not in lines[one.line - 1] for one in merged.evidence)


def is_so(said: float | None, value: float, near: float) -> bool:
    """Compare a value with the truth."""
    return said is not None and abs(said - value) <= near * abs(value)
