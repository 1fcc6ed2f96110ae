"""The paper's tables and figures on one page, ours beside them, and why they differ where they do."""

import argparse
import json
import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from evals.failures import ask_hybrid, read_cases
from evals.fidelity import DATA
from evals.field.__main__ import write_set
from evals.paper_tables import estimates_case, lucid_case, scaling_case, sia_case, standalone_case
from evals.paper_tables.page import Section, write_page
from evals.paper_tables.runs import open_runs
from evals.paper_tables.words import ABSENT, DETECTION, ESTIMATES, LUCID, OTHER_EVALS, SCALING, SIA, STANDALONE
from evals.remaining import LOGS, legibility
from evals.report import Report, Table
from schedmate.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CASES = ("lucid", "detection", "sia", "standalone", "estimates", "scaling")
MADE_LOGS, MOST_LINES = 100, 3_000
DETECTION_ON = ("seren-like", "seren-like-64", "venus")
NOTICES = "0,60,480"
QUICK = {"lucid": ("venus", "seren-like-64"), "sia": ("philly",), "standalone": ("kalos-like",)}

QUICK_NOTICES = "0,480"
"""What stands for the rest where the page is to be had in minutes."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take the traces, where the page goes, and which parts of it to play."""
    parser.add_argument("data", nargs="?", type=Path, default=DATA, help="folder with the traces")
    parser.add_argument("--out", type=Path, default=Path("paper"), help="folder of the page and of runs that are done")
    parser.add_argument("--only", default=",".join(CASES), help="parts of the page: " + ",".join(CASES))
    parser.add_argument("--traces", default="", help="only these, in every part that has them")
    parser.add_argument("--notices", default="", help="minutes until a person notices a failure (0,60,480)")
    parser.add_argument("--seeds", type=int, default=5, help="draws of made traces, warm-ups, matches, who saves")
    parser.add_argument("--first-seed", type=int, default=0, help="the first of them")
    parser.add_argument("--workloads", default="1", help="which of Sia's workloads, of 1 to 8 (1,2,3)")
    parser.add_argument("--columns", default="", help="only these ways of Sia, with what they are held against (A;B)")
    parser.add_argument("--quick", action="store_true", help="one draw of few traces: minutes, not an hour and a half")
    parser.add_argument("--logs", type=Path, default=LOGS, help="labelled logs: as many tell the remaining time")


def confusion(folder: Path, seed: int = 4242) -> standalone_case.Confusion:
    """Measure once for a page how well `diagnose` tells the cluster's faults, on logs that strangers to it made."""
    kept = folder / "confusion.json"
    if kept.exists():
        return standalone_case.Confusion(**json.loads(kept.read_text("utf-8")))
    with TemporaryDirectory() as scratch:
        write_set(Path(scratch), seed=seed, count=MADE_LOGS, healthy=0.0, held=True, largest=MOST_LINES)
        pairs = [(case.category, ask_hybrid(case).category) for case in read_cases(Path(scratch))]
    ours = [said for true, said in pairs if true == "infrastructure"]
    others = [said for true, said in pairs if true not in {"infrastructure", "none"}]
    word = "infrastructure"
    found = standalone_case.Confusion(ours.count(word) / len(ours), others.count(word) / len(others))
    kept.write_text(json.dumps(vars(found)), "utf-8")
    return found


def chosen(part: str, known: Iterable[str], options: argparse.Namespace) -> tuple[str, ...]:
    """Pick the traces of one part."""
    wanted = options.traces.split(",") if options.traces else QUICK[part] if options.quick else known
    return tuple(name for name in known if name in wanted)


def sections(options: argparse.Namespace, tell: Callable[[str], None]) -> list[Section]:
    """Play what is asked for; what was played before is taken from the folder."""
    draws = range(options.first_seed, options.first_seed + (1 if options.quick else options.seeds))
    runs, only = open_runs(options.out, tell, draws), options.only.split(",")
    if unknown := set(only) - set(CASES):
        raise InputError(f"the page has no part '{min(unknown)}'", f"there are: {', '.join(CASES)}")
    numbers, wanted = sia_case.numbered(options.workloads), sia_case.picked(options.columns)
    found: list[Section] = []
    if "lucid" in only and (traces := chosen("lucid", lucid_case.TRACES, options)):
        rows = lucid_case.measure(runs, options.data, traces)
        found.append(Section("fig-12", lucid_case.table(rows), LUCID, partial(draw_lucid, rows)))
    if "detection" in only:
        for name in DETECTION_ON:
            seen = lucid_case.detection(runs, options.data, name)
            drawn = partial(lucid_case.draw_detection, found=seen, name=name)
            found.append(Section(f"fig-15c-{name}", lucid_case.detection_table(seen, name), DETECTION, drawn))
    if "sia" in only and (traces := chosen("sia", sia_case.PAPER, options)):
        read = replace(legibility(options.logs, 0.3), share=sia_case.LEGIBLE)
        columns = sia_case.measure(runs, options.data, traces, numbers, read, wanted)
        found.append(
            Section("table-3", sia_case.table(columns, numbers), SIA, lambda axes: sia_case.draw(axes, columns))
        )
    if "standalone" in only and (traces := chosen("standalone", standalone_case.TRACES, options)):
        read, told = legibility(options.logs, 0.3), confusion(options.out)
        notices = [int(one) for one in (options.notices or (QUICK_NOTICES if options.quick else NOTICES)).split(",")]
        tell(f"diagnose recognises {told.recall:.0%} of the cluster's faults, and {told.false_alarms:.0%} of others")
        for like in traces:
            policies = standalone_case.measure(runs, like, notices, told, read)
            drawn = partial(standalone_case.draw, like=like, found=policies)
            found.append(Section(f"fig-13-{like}", standalone_case.table(like, policies), STANDALONE, drawn))
    if "estimates" in only:
        said = estimates_case.measure()
        panels = partial(estimates_case.draw, found=said), partial(estimates_case.draw_utilisation, found=said)
        found.append(Section("fig-14", estimates_case.table(said), ESTIMATES, *panels))
    if "scaling" in only:
        bursts = scaling_case.measure()
        panels = partial(scaling_case.draw_delay, found=bursts), partial(scaling_case.draw, found=bursts)
        found.append(Section("fig-16", scaling_case.table(bursts), SCALING, *panels))
    return found


def draw_lucid(rows: list[lucid_case.Row], axes: "Axes") -> None:
    """Draw Fig. 12d."""
    lucid_case.draw(axes, rows)


def run(options: argparse.Namespace) -> Report:
    """Write the page, and print its tables."""
    # Small matrices: threads of the linear algebra library would only wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    found = sections(options, lambda line: None if options.as_json else print(line, flush=True))
    elsewhere = Table("Measured by evals of their own", ("the paper", "its figure", "ours by"), OTHER_EVALS)
    absent = Table("Not to be had", ("the paper", "why"), ABSENT)
    page = write_page(options.out, found, [elsewhere, absent])
    return Report([*(one.table for one in found), elsewhere, absent], (f"wrote {page}",))
