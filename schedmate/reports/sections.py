"""The sections of the page, in the order in which they stand there."""

from collections.abc import Sequence

from schedmate.counts import how_many
from schedmate.reports import charts
from schedmate.reports.charts import clean
from schedmate.reports.findings import Group, Report
from schedmate.reports.markup import amount, card, section, table, took, two
from schedmate.reports.waits import DECADES

CLASSES = (
    "infrastructure",
    "framework",
    "script",
    "other",
    "node lost",
    "not diagnosed",
    "out of memory",
    "time limit",
)
COLOUR = {name: number for number, name in enumerate(CLASSES)}
SHOWN = 10

ENDS = {"node_fail": "node lost", "timeout": "time limit"}
"""Ends in the words of the classes."""
SMALLEST_Q = 0.001


def tiles(report: Report) -> str:
    """Say the few figures that matter most."""
    share = report.failed_gpu_hours / report.gpu_hours if report.gpu_hours else 0.0
    bad = [row for row in report.nodes.rows if row.stands_out]
    wait = next((one for one in report.waits if one.name == "all"), None)
    told = [
        (f"{report.jobs:,}", f"jobs of {how_many(report.users, 'user')}"),
        (amount(report.gpu_hours), "GPU hours"),
        (f"{report.failures:,}", f"failures, {report.failures / max(report.jobs, 1):.1%} of jobs"),
        (amount(report.failed_gpu_hours), f"GPU hours in runs that failed, {share:.1%}"),
        (took(wait.mean_s) if wait else "unknown", "waited on average"),
        (
            f"{len(bad)} of {report.nodes.compared:,}" if report.nodes.compared else "unknown",
            "nodes fail more than chance",
        ),
    ]
    inner = "".join(f"<div class='tile'><b>{figure}</b><span>{words}</span></div>" for figure, words in told)
    return f"<div class='tiles'>{inner}</div>"


def over_time(report: Report) -> str:
    """Draw the weeks, and tell how jobs ended."""
    names = [name for name in CLASSES if any(week.failed_gpu_hours.get(name) for week in report.weeks)]
    key = "".join(f"<i style='background:var(--c{COLOUR[name]})'></i>{name}" for name in names)
    drawing = charts.weekly(report.weeks, CLASSES)
    ends = table(
        ("ended", "jobs", "share", "GPU hours", "share"),
        [
            (
                ENDS.get(e.status, e.status),
                f"{e.jobs:,}",
                f"{e.share:.1%}",
                amount(e.gpu_hours),
                f"{e.gpu_hours_share:.1%}",
            )
            for e in report.ends
        ],
    )
    return two(
        "Over time",
        card("GPU hours of failed runs, by week", f"{drawing}<p class='key'>{key}</p>"),
        card("How jobs ended", ends),
    )


def costs(report: Report) -> str:
    """Tell what failures cost, by class, failure, queue and user."""
    parts = [
        card(title, groups(rows, name))
        for title, rows, name in (
            ("By class", report.by_class, "class"),
            ("By failure", report.by_failure, "failure"),
            ("By queue", report.by_queue, "queue"),
            ("By user", report.by_user, "user"),
        )
        if rows
    ]
    return two("What failures cost", *parts)


def groups(rows: Sequence[Group], name: str) -> str:
    """Write groups of failures."""
    cells = [
        (g.name, f"{g.failures:,}", amount(g.gpu_hours), amount(g.lost_gpu_hours), amount(g.away_hours))
        for g in rows[:SHOWN]
    ]
    return table((name, "failures", "GPU h of failed runs", "lost since saved", "h until run again"), cells)


def hardware(report: Report) -> str:
    """Show nodes beside chance."""
    nodes = report.nodes
    if not nodes.rows:
        return section("Nodes", "<p class='dim'>No record says on which nodes jobs ran.</p>")
    about = (
        f"{how_many(nodes.compared, 'node')}, {amount(nodes.hours)} node hours, {how_many(nodes.failures, 'failure')}; "
        f"counted: {nodes.counted}. "
        "A node stands out (red) where its excess would be named wrongly in at most one of twenty such nodes, all "
        "compared at once (Benjamini and Hochberg over exact Poisson tails). The line is the 95 % interval."
    )
    shown = nodes.rows[:16]
    rows = [
        (
            r.node,
            str(r.failures),
            f"{r.expected:.2f}",
            f"{r.ratio:.1f} ({r.low:.1f} to {r.high:.1f})",
            amount(r.hours),
            f"{r.q:.2g}" if r.q >= SMALLEST_Q else f"< {SMALLEST_Q}",
        )
        for r in shown
    ]
    listed = table(("node", "failures", "by chance", "times (95 %)", "hours", "q"), rows, [r.stands_out for r in shown])
    drawing = card("Failures over what chance would give", charts.intervals(shown))
    words = f"<p class='dim'>{clean(about)}</p>"
    return section("Nodes", f"{words}<div class='two'>{drawing}{card('In figures', listed)}</div>")


def again(report: Report) -> str:
    """List causes met again, and things run again and again in vain."""
    parts = []
    if report.roots:
        rows = [
            (
                r.failure_id or r.category,
                f"{r.failures:,}",
                f"{r.users:,}",
                amount(r.gpu_hours),
                f"{r.first} to {r.last}",
                r.quote,
            )
            for r in report.roots[:SHOWN]
        ]
        parts.append(
            card("The same cause", table(("failure", "times", "users", "GPU h", "seen", "first fault"), rows, words=5))
        )
    if report.repeats:
        vain = [
            (f"{r.user} {r.name}".strip(), f"{r.failures:,}", f"{r.completed:,}", amount(r.gpu_hours), r.example)
            for r in report.repeats[:SHOWN]
        ]
        parts.append(
            card("Run again in vain", table(("what", "failed in a row", "completed", "GPU h", "such as"), vain))
        )
    return section("Again and again", f"<div class='one-column'>{''.join(parts)}</div>") if parts else ""


def queues(report: Report) -> str:
    """Tell who waited."""
    if not report.waits:
        return section("Waiting", "<p class='dim'>No record says when jobs started.</p>")
    parts = []
    for title, waits in (("By size", report.waits), ("By user, most GPU hours waited first", report.waits_by_user)):
        rows = [
            (w.name, f"{w.jobs:,}", took(w.mean_s), took(w.p50_s), took(w.p90_s), took(w.p99_s), amount(w.gpu_hours))
            for w in waits
        ]
        if rows:
            parts.append(card(title, table(("", "jobs", "mean", "half", "9 of 10", "99 of 100", "GPU h waited"), rows)))
    return two("Time lost in queues", *parts)


def unused(report: Report) -> str:
    """Tell what was asked for and not used."""
    parts = []
    for title, unit, rows in (
        ("GPUs, where use was measured", "GPU h", report.gpus_asked),
        ("Memory of the hosts", "GiB h", report.memory_asked),
    ):
        cells = [
            (
                a.name,
                f"{a.jobs:,}",
                amount(a.asked),
                f"{a.used / a.asked:.0%}" if a.asked else "",
                f"{a.unused_jobs:,}",
            )
            for a in rows
        ]
        if cells:
            parts.append(card(title, table(("user", "jobs", f"{unit} asked", "used", "jobs under 5 %"), cells)))
    return two("Asked for and not used", *parts) if parts else ""


def limits(report: Report) -> str:
    """Set estimates beside what happened."""
    told, said = report.limits, report.forecast
    parts = []
    if told:
        words = (
            f"<p>Half of {how_many(told.jobs, 'job')} used less than {told.used_p50:.0%} of their time limit, nine in "
            f"ten less than {told.used_p90:.0%}; the limit ended {told.hit:,}.</p>"
        )
        parts.append(card("Time limits beside run times", words + charts.grid(told.grid, marks())))
    if said:
        rest = f"; the users' limits were off by {said.limit_median_factor:g} times" if said.limit_median_factor else ""
        parts.append(
            card(
                "What SchedMate would have said",
                f"<p>Of the last {how_many(said.jobs, 'job')}, asked when they came, with only what had ended by then: "
                f"half were off by less than {said.median_factor:g} times{rest}. {said.within:.0%} took a time within "
                "the interval that is meant to hold 80 %.</p>",
            )
        )
    return two("Estimates beside what happened", *parts) if parts else ""


def marks() -> list[str]:
    """Name the cells of the grid by their upper ends."""
    return [*(took(limit) for limit in DECADES), "more"]


def what_if(report: Report) -> str:
    """Show the replays and the recoveries, each with its interval."""
    told = report.what_if
    if told is None:
        return ""
    parts = []
    if told.policies:
        rows = [(p.policy, p.saved_s, p.low_s, p.high_s) for p in told.policies if p.saved_s is not None]
        cells = [
            (
                p.policy,
                took(p.mean_wait_s),
                "baseline" if p.saved_s is None else f"{p.saved_s:+,.0f} s",
                "" if p.low_s is None else f"{p.low_s:+,.0f} to {p.high_s:+,.0f} s",
            )
            for p in told.policies
        ]
        about = (
            f"<p class='dim'>{how_many(told.jobs, 'job')} of {told.windows} stretches of "
            f"{how_many(told.window_days, 'day')}, on {how_many(told.gpus, 'GPU')}; recorded wait "
            f"{took(told.recorded_wait_s or 0)}, nearest replay: {clean(told.baseline)}.</p>"
        )
        drawing = charts.savings([(name, saved, low, high) for name, saved, low, high in rows if saved is not None])
        listed = table(("policy", "mean wait", "saved a job", "90 %"), cells)
        parts.append(card("Under other policies", about + listed + drawing))
    if told.recovery and (told.recovery.restarts or told.recovery.held):
        r = told.recovery
        parts.append(
            card(
                "With recovery",
                f"<p><b>{how_many(round(r.restart_hours), 'hour')}</b> "
                f"({amount(r.low_hours)} to {amount(r.high_hours)}) in which "
                f"{how_many(r.restarts, 'job')} waited until somebody submitted them again.</p>"
                f"<p><b>{amount(r.held_gpu_hours)} GPU hours</b> in {how_many(r.held, 'run')} of what had failed twice "
                "in a row.</p>",
            )
        )
    doubts = " ".join(f"<p class='bad'>{clean(doubt)}</p>" for doubt in told.doubts)
    return section("What if", doubts + f"<div class='two'>{''.join(parts)}</div>") if parts or doubts else ""


def rests_on(report: Report) -> str:
    """Name every assumption, and what could not be read."""
    listed = "".join(f"<li>{clean(words)}</li>" for words in report.assumptions)
    notes = "".join(f"<li>{clean(words)}</li>" for words in report.notes)
    return section(
        "What the figures rest on", f"<ul>{listed}</ul>" + (f"<h3>Notes</h3><ul>{notes}</ul>" if notes else "")
    )


ALL = (tiles, over_time, costs, hardware, again, queues, unused, limits, what_if, rests_on)
