"""The parts of a page: tables, cards, sections, durations."""

from collections.abc import Sequence
from datetime import timedelta

from schedmate.reports.charts import clean

LEAST = 0.01


def took(seconds: float) -> str:
    """Write a duration in its largest two units."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    whole = timedelta(minutes=round(seconds / 60))
    hours, minutes = whole.seconds // 3600, whole.seconds // 60 % 60
    if whole.days:
        return f"{whole.days} d {hours} h" if hours else f"{whole.days} d"
    return f"{hours} h {minutes} min" if hours and minutes else (f"{hours} h" if hours else f"{minutes} min")


def amount(value: float) -> str:
    """Write an amount: whole where it is large, and never a 0 for what is not nothing."""
    if abs(value) >= 9.95 or value == 0:
        return f"{value:,.0f}"
    return f"{value:.2g}" if abs(value) >= LEAST else f"under {LEAST:g}"


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], hot: Sequence[bool] = (), words: int = -1) -> str:
    """Write a table; hot rows stand out, one column may be running text."""
    head = "".join(f"<th>{clean(name)}</th>" for name in heads)
    body = []
    for place, row in enumerate(rows):
        cells = "".join(
            f"<td{' class=words' if column == words else ''}>{clean(cell)}</td>" for column, cell in enumerate(row)
        )
        body.append(f"<tr{' class=bad' if hot and hot[place] else ''}>{cells}</tr>")
    return f"<div class='scroll'><table><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"


def card(title: str, inner: str) -> str:
    """Frame a part."""
    return f"<div class='card'><h3>{clean(title)}</h3>{inner}</div>"


def section(title: str, inner: str) -> str:
    """Write a section."""
    return f"<h2>{clean(title)}</h2>{inner}"


def two(title: str, *cards: str) -> str:
    """Set cards side by side where there is room."""
    return section(title, f"<div class='two'>{''.join(cards)}</div>")
