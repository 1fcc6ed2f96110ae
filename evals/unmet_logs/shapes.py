"""What many programs share: bars as tqdm draws them, clocks, numbers with a suffix, and answers that count as right."""

from evals.training_logs.run import Run, hms, seconds


def at_least(run: Run, step_s: float, most: float = 1e9) -> None:
    """Keep a step's time within what the program's own digits can show."""
    run.step_s = min(max(run.step_s, step_s), most)


def bar(run: Run, step: int, *, head: str = "", tail: str = "", total: int | None = None, unit: str = "it") -> str:
    """Draw one bar as tqdm does: a rate below one is shown as its inverse."""
    total = run.total if total is None else total
    rate = 1 / run.step_s
    shown = f"{rate:5.2f}{unit}/s" if rate >= 1 else f"{run.step_s:5.2f}s/{unit}"
    eighths = step * 80 // total
    drawn = "█" * (eighths // 8) + ("" if eighths >= 80 else " ▏▎▍▌▋▊▉"[eighths % 8])
    return f"{head}{step * 100 // total:3d}%|{drawn:<10}| {step}/{total} [{hms(step * run.step_s)}<{hms((total - step) * run.step_s)}, {shown}{', ' + tail if tail else ''}]"


def short(value: float) -> str:
    """Write a number with K, M or B, three digits."""
    for size, suffix in ((1e9, "B"), (1e6, "M"), (1e3, "K")):
        if value >= size:
            return f"{value / size:.3g}{suffix}"
    return f"{value:.3g}"


def clock(value: float) -> str:
    """Write seconds as h:mm:ss, with days as Python's timedelta writes them."""
    whole = int(value)
    days, rest = divmod(whole, 86_400)
    text = f"{rest // 3600}:{rest % 3600 // 60:02d}:{rest % 60:02d}"
    return f"{days} day{'s' * (days > 1)}, {text}" if days else text


def words(value: float) -> str:
    """Write seconds as 1h02m03s."""
    whole = int(value)
    parts = [(whole // 3600, "h"), (whole % 3600 // 60, "m"), (whole % 60, "s")]
    return "".join(f"{number}{letter}" for number, letter in parts if number) or "0s"


def either(*values: float | None) -> str:
    """List the step times that are right; None stands for silence."""
    return "|".join("null" if value is None else seconds(value) for value in values)


def box(rows: list[tuple[str, str]], width: int = 22) -> list[str]:
    """Draw a table of two columns between rules."""
    rule = "-" * (width + 18)
    return [rule, *(f"| {name:<{width}}| {value:<12}|" for name, value in rows), rule]
