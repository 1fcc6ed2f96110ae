"""`schedmate watch`: follow every log that comes, and tell once of each job that dies, hangs or goes wrong."""

import glob
import json
import re
import signal
import sys
import time
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from schedmate.cli.saying import mark, say, stand_in_last_line
from schedmate.counts import how_many

if TYPE_CHECKING:
    from schedmate.clusters.log_ends import KnowsEnds
    from schedmate.tools.messages import MailServer
    from schedmate.watching.events import WatchEvent
    from schedmate.watching.service import WatchService

NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
WORDS = {
    "died": ("DIED", "\x1b[1;31m"),
    "stalled": ("HANGS", "\x1b[1;31m"),
    "silent": ("SILENT", "\x1b[1;34m"),
    "not_a_number": ("NAN", "\x1b[1;35m"),
    "diverged": ("DIVERGED", "\x1b[1;35m"),
    "slower": ("SLOWER", "\x1b[1;33m"),
    "behind": ("BEHIND", "\x1b[1;33m"),
    "went_on": ("GOES ON", "\x1b[1;32m"),
}
SINCE = "10m"
CLASSES = ("infrastructure", "framework", "script", "other", "not diagnosed")


def watch(
    logs: list[str] = typer.Argument(
        None, metavar="LOG...", help="Logs, folders, or quoted patterns: 'runs/**/*.out'."
    ),
    slurm: bool = typer.Option(False, "--slurm", help="Ask Slurm how jobs end; some die without a message."),
    ray: str = typer.Option("", metavar="URL", help="Ask Ray's job server how the jobs of `ray job submit` end."),
    kubernetes: bool = typer.Option(False, "--kubernetes", help="Follow the logs of pods, with kubectl's rights."),
    namespace: str = typer.Option("", "--namespace", "-n", help="With --kubernetes: only there; else everywhere."),
    selector: str = typer.Option("", "--selector", "-l", help="With --kubernetes: only pods with these labels."),
    context: str = typer.Option("", "--context", help="With --kubernetes: kubectl's context, if not the present one."),
    notify: list[str] = typer.Option(
        [],
        "--notify",
        metavar="[USER:]KIND=TO",
        help="slack=URL, webhook=URL, mail=ADDRESS or file=PATH; repeat it, or use commas.",
    ),
    quiet_hours: str = typer.Option("", metavar="FROM-TO", help="Send nothing in this time, and all of it after."),
    since: str = typer.Option("", metavar="TIME", help="Look back to 12h, 30d, 2026-05-01; 10m at the first start."),
    stall_after: float = typer.Option(180.0, min=1, help="Least seconds without a step before a job counts as hung."),
    interval: float = typer.Option(1.0, min=0.1, help="Seconds between two looks."),
    prometheus: str = typer.Option("", metavar="PORT", help="Serve /metrics on PORT, or on HOST:PORT."),
    name: str = typer.Option("default", help="The name under which this watch keeps its state."),
    once: bool = typer.Option(False, "--once", help="Read all once, report, exit; code 1 if a job died or hangs."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object an event, a line each."),
) -> None:
    """Follow all logs and report each job that dies, hangs or goes wrong, once; changes nothing.

    It reports deaths with their first cause, jobs that hang, a loss that is not a number or diverges, steps that
    take longer than before, and ranks that fall behind. Started again, it continues where it was.

    Examples: schedmate watch 'logs/**/*.out'; schedmate watch logs --notify slack=https://hooks.example.org/T0/B0/x;
    schedmate watch --slurm 'logs/slurm-*.out'; schedmate watch --ray http://127.0.0.1:8265;
    schedmate watch --kubernetes -n ml -l app=train;
    schedmate watch logs --notify mail=ops@example.org --notify alice:mail=alice@example.org --quiet-hours 22:00-07:00
    """
    from schedmate.cli.exposition import serve as serve_figures
    from schedmate.clusters.engines import open_pod_logs
    from schedmate.settings import get_settings
    from schedmate.watching.channels import read_channels
    from schedmate.watching.journal import Journal
    from schedmate.watching.outbox import read_quiet_hours
    from schedmate.watching.service import WatchOptions, WatchService
    from schedmate.watching.writers import Writers

    data_dir = get_settings().data_dir
    pods = place_of(name, data_dir).with_suffix(".pods")
    logs = [*named(logs, bool(ray), kubernetes, once), *([str(pods)] if kubernetes else [])]
    channels = read_channels(notify)
    mail = mail_server(data_dir, any(channel.kind == "mail" for channel in channels))
    options = WatchOptions(tuple(logs), channels, mail, read_quiet_hours(quiet_hours), stall_after)
    shown, now_s = WatchScreen(as_json), time.time()
    journal = Journal(pods.with_suffix(".jsonl"), now_s, back_to(since or SINCE, now_s), bool(since))
    ends = [*asked_for_ends(slurm, ray), Writers()]
    ends += [open_pod_logs(pods, namespace, selector, context, once)] if kubernetes else []
    watched = WatchService(options, journal, shown.tell, now_s, ends)
    if prometheus:
        serve_figures(prometheus, lambda: shown.figures(watched))
    run_watch(watched, shown, once, interval)
    if once and shown.is_bad:
        raise typer.Exit(1)


def named(logs: list[str] | None, ray: bool, kubernetes: bool, once: bool) -> list[str]:
    """Give the logs that are to be followed, beside those of pods; whoever looks once waits for none to come."""
    from schedmate.clusters.engines import logs_of_others
    from schedmate.errors import InputError

    found = logs or ([logs_of_others("ray")] if ray else [])
    if not found and not kubernetes:
        raise InputError("no log is named", "schedmate watch 'logs/**/*.out', or schedmate watch --kubernetes -n ml")
    for path in logs or ():
        if once and not glob.has_magic(path) and not Path(path).exists():
            raise InputError(f"{path} is not there", "name a log, a folder, or a quoted pattern: 'runs/**/*.out'")
    return found


def asked_for_ends(slurm: bool, ray: str) -> "list[KnowsEnds]":
    """Open the engines that are asked how jobs ended."""
    from schedmate.clusters.engines import open_log_ends

    return [*([open_log_ends("slurm")] if slurm else ()), *([open_log_ends("ray", ray)] if ray else ())]


def back_to(since: str, now_s: float) -> float:
    """Say how many seconds back logs are looked at: from a time, or from 10m, 12h, 30d; a bare number is minutes."""
    from schedmate.cli.history_options import moment
    from schedmate.errors import InputError

    since_s = moment(f"{since}m" if since.replace(".", "", 1).isdecimal() else since)
    if since_s is None or since_s < 0:
        raise InputError(f"--since '{since}' is no time", "as in 10m, 12h, 30d, 2026-05-01")
    return max(0.0, now_s - since_s)


def place_of(name: str, data_dir: Path) -> Path:
    """Say where a watch keeps what is its own."""
    from schedmate.errors import InputError

    if not NAME.fullmatch(name):
        raise InputError(f"'{name}' cannot name a watch", "letters, digits, - and _, 64 at most")
    return data_dir / "watch" / name


def mail_server(data_dir: Path, is_needed: bool) -> "MailServer":
    """Give the mail server that the rules of recovery name; the first death is too late to miss it."""
    from schedmate.errors import InputError
    from schedmate.scheduling.recovery.owner_rules import FILE_NAME, read_rules
    from schedmate.tools.messages import MailServer

    mail = read_rules(data_dir / FILE_NAME).notify
    if is_needed and not mail.smtp:
        raise InputError(
            "no mail server is named", f'in {data_dir / FILE_NAME}: [notify] and below it smtp = "HOST:PORT"'
        )
    return MailServer(mail.smtp, mail.sender, mail.smtp_user)


def run_watch(watched: "WatchService", shown: "WatchScreen", once: bool, interval: float) -> None:
    """Look once, or again and again until a signal says that it is enough."""
    from schedmate.watching.service import serve

    over: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, frame: over.append(number))
    try:
        if once:
            look_once(watched)
            shown.say_trouble(watched)
            say_nothing_to_read(watched)
        else:
            shown.begin(watched)
            serve(watched, interval, lambda: bool(over), lambda: shown.status(watched))
    finally:
        shown.clear()
        watched.close()


def say_nothing_to_read(watched: "WatchService") -> None:
    """Say that no log is there, or, when a watch first starts, that all are too old: silence reads like all is well."""
    if not watched.counts[0]:
        say(f"no log matches {', '.join(watched.options.patterns[:3])}", err=True)
    elif watched.passed_by and watched.journal.is_new:
        since = f"{datetime.fromtimestamp(watched.since_s):%Y-%m-%d %H:%M}"
        passed = how_many(watched.passed_by, "log")
        say(f"passed by {passed}, last written to before {since}; --since 30d looks further back", err=True)


def look_once(watched: "WatchService") -> None:
    """Read what there is, wait for the answers and for what is sent, and stop."""
    while True:
        watched.look(time.time())
        if not watched.is_busy:
            return
        watched.pipes.sleep(0.1)


def troubles(watched: "WatchService") -> str:
    """Name the channels that take no message, the engines that do not answer, and a journal that cannot be written."""
    return "; ".join(
        [
            *filter(None, [watched.journal.wrong]),
            *watched.outbox.failed.values(),
            *(one.said for one in watched.ends if one.said),
        ]
    )


class WatchScreen:
    """What people see: a line an event, and on a terminal how many logs there are."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json
        self.is_bad = False
        self.told: Counter[str] = Counter()
        self.classes: Counter[str] = Counter()
        """Deaths by the class of their diagnosis."""
        self.line = ""
        """What stands in the last line of the terminal."""
        self.trouble = ""

    def begin(self, watched: "WatchService") -> None:
        """Say that the watch has begun."""
        patterns = watched.options.patterns
        more = f" and {len(patterns) - 3} more" if len(patterns) > 3 else ""
        say(f"watching {', '.join(patterns[:3])}{more}; Ctrl-C ends it", err=True)

    def status(self, watched: "WatchService") -> None:
        """Keep the terminal's last line up to date; there is none in a pipe."""
        if not sys.stderr.isatty():
            self.say_trouble(watched)
            return
        logs, jobs = watched.counts
        failed = troubles(watched)
        untold = f"; in trouble: {failed}" if failed else ""
        unread = f", {watched.unread:,} still to be read" if watched.unread else ""
        line = f"{how_many(logs, 'log')}, {how_many(jobs, 'job')} followed{unread}{untold}"
        if line != self.line:
            self.line = line
            stand_in_last_line(line)

    def say_trouble(self, watched: "WatchService") -> None:
        """Say in a line of its own who does not answer or takes no message, whenever that is another."""
        failed = troubles(watched)
        if failed and failed != self.trouble:
            say(failed, err=True)
        self.trouble = failed

    def figures(self, watched: "WatchService") -> str:
        """Give the page for Prometheus: counts, and no name of a job or a log."""
        from schedmate.models.call_counts import families
        from schedmate.tools.exposition import Family, page_of

        logs, jobs = watched.counts
        failing: list[tuple[dict[str, str], float]] = [({}, float(len(watched.outbox.failed)))]
        deaths = [({"class": name}, float(self.classes[name])) for name in CLASSES]
        events = [({"kind": kind}, float(self.told[kind])) for kind in WORDS]
        return page_of(
            [
                Family("schedmate_watch_logs", "gauge", "Logs that the patterns name.", [({}, float(logs))]),
                Family("schedmate_watch_jobs", "gauge", "Jobs that are followed.", [({}, float(jobs))]),
                Family("schedmate_watch_events_total", "counter", "Events that were reported, by kind.", events),
                Family("schedmate_watch_deaths_total", "counter", "Deaths by the class of the diagnosis.", deaths),
                Family("schedmate_watch_channels_failing", "gauge", "Channels that take no messages.", failing),
                Family(
                    "schedmate_watch_reading_seconds",
                    "histogram",
                    "Time that a reading took, its turn waited for.",
                    watched.inquests.reading_s.values(),
                ),
                *families({"watch": watched.pool.calls}),
            ]
        )

    def clear(self) -> None:
        """Make room in the terminal's last line."""
        if self.line:
            self.line = ""
            stand_in_last_line("")

    def tell(self, event: "WatchEvent") -> None:
        """Print one event."""
        self.is_bad = self.is_bad or event.kind in {"died", "stalled"}
        self.told[event.kind] += 1
        if event.kind == "died":
            found = event.diagnosis.category if event.diagnosis is not None else ""
            self.classes[found if found in CLASSES else CLASSES[-1]] += 1
        self.clear()
        if self.as_json:
            say(json.dumps(event.model_dump(mode="json")))
        else:
            word, color = WORDS[event.kind]
            mark(f"{word:9}", color)
            say(f"{datetime.fromtimestamp(event.at_s):%H:%M:%S} {event.said}")
        sys.stdout.flush()
