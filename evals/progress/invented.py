"""Invent training logs of formats that no framework prints, with the truth known: a run is simulated, then written.

A format is drawn by chance: what the counter is called, how names and values are parted, which clock the log has (the
step's own time, a rate, time stamps, time since the start, since the last report, none at all), whether it is one line
a record, several, a bar, a table or JSON, how long the excerpt is, and what stands between the records.
"""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median

from evals.progress.runs import Run, Truth

COUNTERS = (
    "step",
    "Step",
    "iter",
    "Iter",
    "iteration",
    "Iteration",
    "global_step",
    "batch",
    "update",
    "it",
    "train/step",
)
LOSSES = ("loss", "Loss", "train_loss", "train/loss", "total_loss", "lm loss", "Training loss", "avg_loss")
EXTRAS = ("lr", "grad_norm", "accuracy", "ppl", "kl", "momentum", "weight_decay", "entropy")
CLOCKS = ("step_time", "rate", "stamps", "elapsed", "report", "eta", "nothing", "throughput")
STYLES = ("pairs", "pairs", "pairs", "bar", "json", "csv", "table", "block", "pipes")
STAMPS = ("{y}-{mo:02}-{d:02} {h:02}:{mi:02}:{s:02},{ms:03}", "[{mo:02}/{d:02} {h:02}:{mi:02}:{s:02}]",
          "{y}/{mo:02}/{d:02} {h:02}:{mi:02}:{s:02}", "[{h:02}:{mi:02}:{s:02}]",
          "{y}-{mo:02}-{d:02}T{h:02}:{mi:02}:{s:02}.{ms:03}Z")  # fmt: skip
LEVELS = ("INFO", "[INFO]", "INFO trainer:", "| INFO |", "root INFO -", "")


@dataclass
class Case:
    """One invented log and its truth."""

    name: str
    form: str
    text: str
    truth: Truth


def invent(seed: int, count: int) -> Iterator[Case]:
    """Give `count` logs; the same seed gives the same bytes."""
    for place in range(count):
        rng = random.Random(f"{seed}/{place}")
        style = rng.choice(STYLES)
        clock = rng.choice(CLOCKS if style not in {"bar"} else ("bar",))
        run = Run(
            rng, clock, 10 ** rng.uniform(-2, 1), rng.choice((1, 1, 2, 5, 10, 20, 50, 100)),
            rng.choice((1, 2, 3, 4, 6, 10, 25, 60)), 0, 0, None, rng.choice((8, 32, 64, 256, 1024)),
        )  # fmt: skip
        run.total = run.stride * rng.choice((run.reports, run.reports * 3, run.reports * 50))
        room = max(0, run.total // run.stride - run.reports)
        run.first = run.stride * rng.choice((0, 0, rng.randint(0, room)))
        run.simulate()
        text, truth = WRITERS[style](run)
        yield Case(f"invented_{place:04}", f"{style}/{clock}", text, truth)


def printed(value: float, digits: int) -> str:
    """Print with so many significant digits, never in exponent form."""
    text = f"{value:.{digits}g}"
    return f"{value:.0f}" if "e" in text else text


def length(seconds: float) -> str:
    """Print a time as clocks do."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


def clock_fields(run: Run, row: dict[str, float], words: dict[str, str]) -> list[tuple[str, str]]:
    """Write the run's clock into a record."""
    if run.clock == "step_time":
        unit, scale = {"ms": ("ms", 1e3), "s": ("s", 1.0), "": ("", 1.0)}[words["unit"]]
        name = words["step_time"] + (" (ms)" if unit == "ms" and words["in_name"] else "")
        value = printed(row["per_step"] * scale, 4)
        return [(name, value if words["in_name"] or unit == "" else value + words["gap"] + unit)]
    if run.clock == "rate":
        return [(words["speed"], printed(row["rate"], 4) + words["gap"] + words["rate_unit"])]
    if run.clock == "elapsed":
        value = length(row["now"]) if words["as_clock"] else f"{row['now']:.2f}s"
        return [(words["elapsed"], value)]
    if run.clock == "report":
        return [(f"time for {run.stride} steps" if words["as_clock"] else "time", f"{row['spent']:.3f}s")]
    if run.clock == "eta":
        return [("eta", length((run.total - row["step"]) * run.step_time_s))]
    if run.clock == "throughput":
        return [("global_batch_size", str(run.batch)), ("samples/s", printed(run.batch * row["rate"], 5))]
    return []


def words_of(rng: random.Random) -> dict[str, str]:
    """Draw how this log names and parts what it prints."""
    return {
        "counter": rng.choice(COUNTERS), "loss": rng.choice(LOSSES), "unit": rng.choice(("ms", "s", "s", "")),
        "in_name": rng.choice(("", "", "y")), "gap": rng.choice(("", " ")), "as_clock": rng.choice(("", "y")),
        "step_time": rng.choice(("step_time", "time per iteration", "iter_time", "time/step", "batch time")),
        "speed": rng.choice(("speed", "throughput", "rate", "iteration speed")),
        "rate_unit": rng.choice(("it/s", "steps/s", "iter/sec", "batches/s", "steps per second")),
        "elapsed": rng.choice(("elapsed", "elapsed time", "total time", "wall", "time_elapsed")),
        "is": rng.choice((": ", "=", " = ", " ", ":")), "parts": rng.choice((", ", " | ", "  ", " - ", "; ", "\t")),
        "total": rng.choice(("", "/", " / ", " of ", "brackets")), "level": rng.choice(LEVELS),
        "stamp": rng.choice(STAMPS),
    }  # fmt: skip


def stamp(words: dict[str, str], now: float) -> str:
    """Print a moment of the run's day."""
    seconds, ms = divmod(int(now * 1000), 1000)
    return words["stamp"].format(y=2031, mo=4, d=5 + seconds // 86400, h=seconds // 3600 % 24, mi=seconds // 60 % 60,
                                 s=seconds % 60, ms=ms)  # fmt: skip


def truth_of(run: Run, words: dict[str, str], has_total: bool) -> Truth:
    """Say what the written log tells; `also_s` is a second right answer, NaN stands for none."""
    last = run.rows[-1]
    truth = Truth(loss=float(f"{last['loss']:.4f}"), step=int(last["step"]))
    truth.total_steps = run.total if has_total else None
    per_step = [row["per_step"] for row in run.rows]
    usual = median(per_step[1:] if len(per_step) > 2 else per_step[-1:])
    fine = len(run.rows) >= 2 and last["now"] - run.rows[0]["now"] > 20
    if run.clock in {"step_time", "rate", "throughput", "bar"}:
        truth.step_time_s = usual
    elif run.clock in {"stamps", "elapsed"}:
        truth.step_time_s = usual if fine else None
        truth.also_s = last["now"] / last["step"] if len(run.rows) < 2 else None if fine else usual
    elif run.clock == "eta":
        truth.step_time_s, truth.also_s = None, run.step_time_s
        if has_total and (run.total - last["step"]) * run.step_time_s > 20:
            truth.step_time_s, truth.also_s = run.step_time_s, None
    elif run.clock == "report":
        known = run.stride == 1 or words["as_clock"]
        truth.step_time_s, truth.also_s = (usual, None) if known else (None, usual)
    if run.clock == "throughput":
        truth.throughput = float(printed(run.batch * last["rate"], 5))
    return truth


def extras(rng: random.Random) -> list[tuple[str, str]]:
    """Draw values that tell nothing of time."""
    return [(name, f"{rng.uniform(0, 2):.4g}") for name in rng.sample(EXTRAS, rng.randint(0, 3))]


def write_pairs(run: Run) -> tuple[str, Truth]:
    """Write one line a record: names and values in some order."""
    rng, words = run.rng, words_of(run.rng)
    if words["is"] == " " and words["parts"] == "  ":
        words["parts"] = " | "
    names = [name for name, _ in extras(rng)]
    lines = []
    for row in run.rows:
        counter = f"{int(row['step'])}"
        if words["total"] == "brackets":
            head = f"{words['counter']} [{counter}/{run.total}]"
        else:
            head = words["counter"] + words["is"] + counter + (f"{words['total']}{run.total}" if words["total"] else "")
        fields = [(words["loss"], f"{row['loss']:.4f}"), *((name, f"{rng.uniform(0, 2):.4g}") for name in names)]
        fields += clock_fields(run, row, words)
        body = words["parts"].join([head, *(f"{name}{words['is']}{value}" for name, value in fields)])
        prefix = " ".join(part for part in (stamp(words, row["now"]), words["level"]) if part)
        lines.append(f"{prefix} {body}" if run.clock == "stamps" else body)
        lines += between(run, row)
    return "\n".join(lines) + "\n", truth_of(run, words, bool(words["total"]))


def between(run: Run, row: dict[str, float]) -> list[str]:
    """Write now and then what stands between records: an evaluation, a checkpoint, a warning."""
    draw = run.rng.random()
    if draw < 0.04:
        return [
            f"Validation: loss {row['loss'] * 1.2:.4f} accuracy {run.rng.random():.3f} ({run.rng.uniform(1, 9):.1f}s)"
        ]
    if draw < 0.06:
        return [f"Saving checkpoint to ckpt/step_{int(row['step'])}.pt", "Checkpoint saved in 2.31s"]
    return ["UserWarning: the default of argument 3 will change in version 2.5"] if draw < 0.07 else []


def write_bar(run: Run) -> tuple[str, Truth]:
    """Write a progress bar that is redrawn."""
    rng = run.rng
    what = rng.choice(("", "Training: ", "Epoch 3: ", "Epoch 3/10: ", "train "))
    pieces, start = [], run.rows[0]["now"] - run.rows[0]["spent"] - run.first * run.step_time_s
    for row in run.rows:
        share, spent = row["step"] / run.total, row["now"] - start
        rate = f"{row['rate']:.2f}it/s" if row["rate"] >= 1 else f"{row['per_step']:.2f}s/it"
        drawn = ("█" * round(share * 10)).ljust(10)
        left = length((run.total - row["step"]) * run.step_time_s)
        post = rng.choice((f", loss={row['loss']:.4f}",))
        pieces.append(
            f"{what}{share:4.0%}|{drawn}| {int(row['step'])}/{run.total} [{length(spent)}<{left}, {rate}{post}]"
        )
    truth = truth_of(run, {}, True)
    truth.epoch = 3 if "Epoch" in what else None
    return rng.choice(("\r", "\n")).join(pieces) + "\n", truth


def write_json(run: Run) -> tuple[str, Truth]:
    """Write one JSON object a line, or a Python dict."""
    words = words_of(run.rng)
    words["unit"], words["as_clock"] = "", words["as_clock"]
    quote = run.rng.choice((json.dumps, repr))
    lines = []
    for row in run.rows:
        record: dict[str, object] = {words["counter"]: int(row["step"]), words["loss"]: float(f"{row['loss']:.4f}")}
        record |= {name: (float(value) if value.replace(".", "").isdigit() else value)
                   for name, value in clock_fields(run, row, words)}  # fmt: skip
        if run.clock == "stamps":
            record = {"time": stamp(words | {"stamp": STAMPS[4]}, row["now"]), **record}
        lines.append(quote(record))
    return "\n".join(lines) + "\n", truth_of(run, words, False)


def columns_of(run: Run, words: dict[str, str]) -> tuple[list[str], list[list[str]]]:
    """Give the names of columns and the cells of each row."""
    words["unit"], words["in_name"], words["gap"] = "", "", ""
    names, rows = [], []
    for row in run.rows:
        cells = [(words["counter"], f"{int(row['step'])}"), (words["loss"], f"{row['loss']:.4f}")]
        cells += [
            (name, value.split()[0] if run.clock != "rate" else value) for name, value in clock_fields(run, row, words)
        ]
        if run.clock == "stamps":
            cells.append(("wall", f"{row['now']:.2f}"))
        names, values = [name for name, _ in cells], [value for _, value in cells]
        rows.append(values)
    return names, rows


def write_csv(run: Run) -> tuple[str, Truth]:
    """Write a header and comma-separated rows."""
    words = words_of(run.rng)
    names, rows = columns_of(run, words)
    return "\n".join([",".join(names), *(",".join(row) for row in rows)]) + "\n", truth_of(run, words, False)


def write_table(run: Run) -> tuple[str, Truth]:
    """Write a header over columns of equal width."""
    words = words_of(run.rng)
    names, rows = columns_of(run, words)
    widths = [max(len(name), *(len(row[place]) for row in rows)) + 3 for place, name in enumerate(names)]
    text = [
        "".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in [names, *rows]
    ]
    text.insert(1, "-" * sum(widths))
    return "\n".join(text) + "\n", truth_of(run, words, False)


def write_block(run: Run) -> tuple[str, Truth]:
    """Write a record over several lines: the counter first, the values under it."""
    words = words_of(run.rng)
    words["is"] = run.rng.choice((": ", " = ", "="))
    lines = []
    for row in run.rows:
        lines.append(f"[{words['counter']}={int(row['step'])}/{run.total}]")
        fields = [(words["loss"], f"{row['loss']:.4f}"), *clock_fields(run, row, words)]
        if run.clock == "stamps":
            lines[-1] = f"{stamp(words, row['now'])} {lines[-1]}"
        lines += [f"    {name}{words['is']}{value}" for name, value in fields]
    return "\n".join(lines) + "\n", truth_of(run, words, True)


def write_pipes(run: Run) -> tuple[str, Truth]:
    """Write a record as a table of names and values, as reinforcement learning does."""
    words = words_of(run.rng)
    lines = []
    for row in run.rows:
        fields = [
            (words["loss"], f"{row['loss']:.4f}"),
            *clock_fields(run, row, words),
            (words["counter"], f"{int(row['step'])}"),
        ]
        if run.clock == "stamps":
            fields.insert(0, ("time_elapsed", f"{row['now']:.2f}"))
        run.rng.shuffle(fields[1:-1])
        lines += ["-" * 40, *(f"| {name:<24} | {value:<12}|" for name, value in fields), "-" * 40]
    return "\n".join(lines) + "\n", truth_of(run, words, False)


WRITERS: dict[str, Callable[[Run], tuple[str, Truth]]] = {
    "pairs": write_pairs, "bar": write_bar, "json": write_json, "csv": write_csv, "table": write_table,
    "block": write_block, "pipes": write_pipes,
}  # fmt: skip
