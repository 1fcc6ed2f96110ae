"""Many diagnoses at a glance: a row a job, those that an operator has to act on first."""

from collections import Counter
from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from schedmate.cli.diagnosis_page import COLORS
from schedmate.cli.progress_table import cut, short_names
from schedmate.cli.render import console
from schedmate.counts import how_many
from schedmate.readers.failures.answer.how_ended import is_by_hand, is_end_unknown
from schedmate.schemas import Category, Diagnosis

WORST_FIRST: tuple[Category, ...] = ("infrastructure", "framework", "script", "other", "none")

DO = {
    "health_check": "check",
    "nccl_test": "test nodes",
    "isolate": "isolate",
    "restart": "restart",
    "requeue": "restart",
    "hold": "hold",
    "smaller_batch": "smaller batch",
}
"""What a step is called where there is little room; telling people goes without saying."""
COLUMNS = ("job", "class", "failure", "faulty", "do")

LEAST = {"job": 14, "faulty": 8, "failure": 16, "do": 12}
"""Down to how many letters a column is cut on a narrow terminal, in this order; a class is never cut."""
GAP = 2


def print_table(diagnoses: Sequence[Diagnosis], with_cards: bool) -> None:
    """Print the table, and under it how many jobs there are of each class."""
    out = console()
    out.print(table_of(sorted(diagnoses, key=urgency), out.width))
    counts = Counter(class_of(one) for one in sorted(diagnoses, key=urgency))
    told = ", ".join(f"{count:,} {name}" for name, count in counts.items())
    more = "" if with_cards else "; --cards prints all about each"
    out.print(f"{how_many(len(diagnoses), 'job')}: {told}{more}", style="dim")


def urgency(one: Diagnosis) -> tuple[int, bool, bool, str]:
    """Put first what takes down other jobs too: a part of the machine that is known to be at fault."""
    return WORST_FIRST.index(one.category), not one.faulty_components, not is_end_unknown(one), one.failure_id or ""


def table_of(diagnoses: Sequence[Diagnosis], width: int) -> Table:
    """Lay out one line a job, as wide as the terminal."""
    names = short_names([one.log for one in diagnoses])
    rows = [cells(one, name) for one, name in zip(diagnoses, names, strict=True)]
    shown = [name for name in COLUMNS if name in ("job", "class") or any(row[name] != "-" for row in rows)]
    if room_for(rows, shown) > width:  # what failed is named last: of scheduler.slurm_preempted the end says more
        rows = [row | {"failure": row["failure"].rpartition(".")[2]} for row in rows]
    widths = fitted(widest(rows, shown), width)
    table = Table(box=None, header_style="bold", pad_edge=False)
    for name in shown:
        table.add_column(name, no_wrap=True, overflow="ellipsis", width=widths[name])
    for row, one in zip(rows, diagnoses, strict=True):
        styled: dict[str, str | Text] = {**row, "job": Text(cut(row["job"], widths["job"]))}
        styled["class"] = Text(row["class"], COLORS[one.category])
        table.add_row(*(styled[name] for name in shown))
    return table


def widest(rows: Sequence[dict[str, str]], shown: Sequence[str]) -> dict[str, int]:
    """Give how wide each column is uncut."""
    return {name: max(len(name), *(len(row[name]) for row in rows)) for name in shown}


def room_for(rows: Sequence[dict[str, str]], shown: Sequence[str]) -> int:
    """Give how wide the table is uncut."""
    return sum(widest(rows, shown).values()) + GAP * (len(shown) - 1)


def fitted(widths: dict[str, int], width: int) -> dict[str, int]:
    """Cut columns one after the other, each to its least, until a row fits."""
    over = sum(widths.values()) + GAP * (len(widths) - 1) - width
    kept = dict(widths)
    for name, least in LEAST.items():
        if over > 0 and kept.get(name, 0) > least:
            less = min(over, kept[name] - least)
            kept[name], over = kept[name] - less, over - less
    return kept


def cells(one: Diagnosis, name: str) -> dict[str, str]:
    """Write a job's row."""
    return {
        "job": name,
        "class": class_of(one),
        "failure": one.failure_id or "-",
        "faulty": ", ".join(one.faulty_components) or "-",
        "do": to_do(one),
    }


def class_of(one: Diagnosis) -> str:
    """Name the class; of a job without a failure, whether its end is known."""
    if one.category == "none":
        return "end not known" if is_end_unknown(one) else "no failure"
    return one.category


def to_do(one: Diagnosis) -> str:
    """Put the plan into a few words."""
    steps = list(dict.fromkeys(DO[action.kind] for action in one.actions if action.kind in DO))
    if steps:
        return ", ".join(steps)
    if is_by_hand(one):
        return "tell its owner"
    return "see how it ended" if is_end_unknown(one) else "-"
