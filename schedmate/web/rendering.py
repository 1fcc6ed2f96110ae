"""Pages out of templates. Every value that goes into one is made harmless and cut before it is escaped."""

import json
import time
from datetime import datetime
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from schedmate.history.expectation import expected_s, rests_on_few
from schedmate.readers.failures.advice.headline import headline
from schedmate.tools.plain_text import plain
from schedmate.tools.shortening import short
from schedmate.tools.time_spans import span
from schedmate.web.failure_counts import category_of

PAGES = [
    ("Now", "/"), ("Jobs", "/jobs"), ("Failures", "/failures"), ("Actions", "/actions"), ("History", "/history"),
    ("What if", "/what-if"),
]  # fmt: skip
LONGEST = 2000

DAY_S = 86_400.0
"""Letters of one value on a page; where more is wanted there is a page for it."""


def harmless(value: object) -> object:
    """Show what turns writing around or commands anything as JSON would; cut what nobody reads to its end."""
    if value is None:
        return ""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return plain(value if len(value) <= LONGEST else value[:LONGEST] + "…")


@cache
def templates() -> Environment:
    """Set the templates up: everything is escaped, and a name that is not there is a fault of ours."""
    environment = Environment(
        loader=PackageLoader("schedmate.web"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=harmless,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "expected": expected_s,
        "of_few": rests_on_few,
        "span": span_or_dash, "ago": ago, "moment": moment, "iso": iso, "short": short, "pretty": pretty,
        "count": lambda number: f"{number:,}", "words": lambda name: str(name).replace("_", " "),
        "figure": figure, "hours": hours, "category": category_of, "tail_of": tail_of,
        "headline": lambda diagnosis: upper_first(headline(diagnosis)),
    }  # fmt: skip
    environment.globals |= {"pages_of": pages_of, "zone": lambda: time.strftime("%Z")}
    return environment


def pages_of(reads: bool) -> list[tuple[str, str]]:
    """Name the pages; those that read files only where files may be read."""
    return [*PAGES, ("Diagnose", "/diagnose")] if reads else PAGES


def render(template: str, **values: Any) -> str:
    """Fill in a template."""
    return templates().get_template(template).render(values)


def span_or_dash(seconds: float | None) -> str:
    """Write a time span; of more than two days in days."""
    return "–" if seconds is None else span(seconds) if seconds < 2 * DAY_S else f"{seconds / DAY_S:.1f} d"


def hours(value: float) -> str:
    """Write an amount of slot hours; what rounds to nothing is said to be little."""
    return "0" if not value else "< 0.1" if value < 0.1 else f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def upper_first(text: str) -> str:
    """Let a line begin as a sentence does."""
    return text[:1].upper() + text[1:]


def ago(moment_s: float | None) -> str:
    """Write how long ago something was."""
    return "–" if moment_s is None else span_or_dash(time.time() - moment_s)


def moment(moment_s: float | None) -> str:
    """Write a moment as people here do; one that no clock shows as its number."""
    if moment_s is None:
        return "–"
    try:
        return f"{datetime.fromtimestamp(moment_s):%Y-%m-%d %H:%M:%S}"
    except (OverflowError, ValueError, OSError):
        return f"{moment_s:g} s"


def iso(moment_s: float | None) -> str:
    """Write a moment as machines do."""
    try:
        return "" if moment_s is None else datetime.fromtimestamp(moment_s).astimezone().isoformat(timespec="seconds")
    except (OverflowError, ValueError, OSError):
        return ""


def tail_of(path: str) -> str:
    """Give the last parts of a path, which tell files apart."""
    return "/".join(path.split("/")[-2:])


def figure(value: float | None, digits: int = 3) -> str:
    """Write a measured number with so many digits."""
    return "–" if value is None else f"{value:,.0f}" if abs(value) >= 10**digits else f"{value:.{digits}g}"


def pretty(value: object) -> str:
    """Write JSON for people."""
    return json.dumps(value, indent=2, ensure_ascii=False)
