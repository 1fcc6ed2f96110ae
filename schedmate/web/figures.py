"""What monitoring is told: names and units as Prometheus has them, and no label that a job or a user can make up."""

import os
import resource
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from schedmate.history import figures as rows
from schedmate.history.live import LiveStore
from schedmate.history.overviews import JobLine, Lines, counts_by_state, job_lines
from schedmate.models.call_counts import families as model_calls
from schedmate.scheduling.live.timings import FACT, remembered
from schedmate.tools.exposition import Family, page_of
from schedmate.web import verbs
from schedmate.web.board import SeenBoard
from schedmate.web.failure_counts import category_of
from schedmate.web.queries import node_map

Values = list[tuple[dict[str, str], float]]
STATES = ("pending", "running", "examined", "held", "completed", "failed", "cancelled")
PHASES = ("init", "train", "eval", "checkpoint", "done", "stalled", "failed", "unknown")
CLASSES = ("infrastructure", "framework", "script", "other", "not diagnosed")
NODE_STATES = ("up", "down", "isolated", "drained", "spare", "marked", "unknown")
QUANTILES = (0.5, 0.9, 0.99)

OLD_S = 5.0
"""However many ask, the store is counted no more often."""


@dataclass
class Served:
    """What this server has answered."""

    answers: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("2xx", "3xx", "4xx", "5xx"), 0))
    seconds: float = 0.0

    def count(self, status: int, took_s: float) -> None:
        """Count one answer."""
        kind = f"{status // 100}xx"
        self.answers[kind] = self.answers.get(kind, 0) + 1
        self.seconds += took_s


class Figures:
    """Counts, and keeps the count for a moment."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.lock = threading.Lock()
        self.made_s = -OLD_S
        self.page = ""

    def of(self, store: LiveStore, board: Callable[[], SeenBoard], served: Served) -> str:
        """Give the page for Prometheus."""
        with self.lock:
            if self.clock() - self.made_s >= OLD_S:
                self.page = page_of([*of_loop(store, board()), *of_runs(store), *of_readers(store)])
                self.made_s = self.clock()
            return self.page + page_of(of_server(served))


def of_loop(store: LiveStore, board: SeenBoard) -> Iterator[Family]:
    """Tell how the loop stands now."""
    connection, now_s = store.connection, time.time()
    counts = counts_by_state(connection)
    yield gauge("up", "1 while a scheduling loop is up.", [({}, float(board.is_up))])
    jobs = [({"state": state}, float(counts.get(state, 0))) for state in STATES]
    yield gauge("jobs", "Jobs of the store by state.", jobs)
    policies = {queue["vc"]: queue["policy"] for queue in board.queues}
    waiting = {vc: (count, slots, since_s) for vc, count, slots, since_s in rows.waiting_by_cluster(connection)}
    names = list(dict.fromkeys([*policies, *waiting])) or [""]
    labels = [{"cluster": vc, "policy": policies.get(vc, "")} for vc in names]
    told = [waiting.get(vc, (0, 0.0, now_s)) for vc in names]
    for name, about, values in (
        ("jobs", "Jobs that wait.", [float(count) for count, _, _ in told]),
        ("slots", "Slots that those who wait want.", [float(slots) for _, slots, _ in told]),
        ("oldest_seconds", "For how long the first of them has waited.", [now_s - since_s for _, _, since_s in told]),
    ):
        yield gauge(f"queue_{name}", about, list(zip(labels, values, strict=True)))
    delays = sorted(rows.start_delays(connection, now_s))
    about = "Time to the first start, of the jobs that started in the last day."
    yield gauge("start_delay_seconds", about, quantiles(delays))
    ratios = sorted(expected / took for expected, took in rows.expected_and_taken(connection, now_s))
    about = "What was expected of a job over what it took, of those that completed in the last day."
    yield gauge("estimate_ratio", about, quantiles(ratios))
    running = job_lines(connection, Lines(states=("running",)), "oldest", 5000)
    yield from of_running(running)
    yield from of_nodes(store, board, running)


def of_running(running: list[JobLine]) -> Iterator[Family]:
    """Tell how those that run get on, all together: no job has a line of its own."""
    phases = dict.fromkeys(PHASES, 0)
    for job in running:
        phases[job.phase if job.phase in phases else "unknown"] += 1
    values = [({"phase": phase}, float(count)) for phase, count in phases.items()]
    yield Family(
        "schedmate_running_jobs",
        "gauge",
        "Running jobs by what their logs say they do; stalled: no step comes.",
        values,
    )
    done = sorted(job.done for job in running if job.done is not None)
    yield Family(
        "schedmate_running_progress_ratio", "gauge", "How far running jobs are, by their logs.", quantiles(done)
    )
    left = [job.eta_s * job.held for job in running if job.eta_s is not None]
    about = "Slot seconds that running jobs have to go, by their logs."
    yield gauge("running_remaining_slot_seconds", about, [({}, sum(left))])


def of_nodes(store: LiveStore, board: SeenBoard, running: list[JobLine]) -> Iterator[Family]:
    """Tell of nodes and their slots."""
    nodes = node_map(store, board, [(job.job_id, job.parts) for job in running])
    states = dict.fromkeys(NODE_STATES, 0)
    for node in nodes:
        states[node.state if node.state in states else "marked"] += 1
    values = [({"state": state}, float(count)) for state, count in states.items()]
    yield Family(
        "schedmate_nodes", "gauge", "Nodes by state; isolated, drained and spare ones get no new jobs.", values
    )
    slots = [slot for node in nodes for slot in node.slots]
    busy = sum(bool(slot.jobs) for slot in slots)
    shared = sum(len(slot.jobs) > 1 for slot in slots)
    values = [({"state": "busy"}, float(busy)), ({"state": "free"}, float(len(slots) - busy))]
    yield gauge("slots", "Slots of all nodes.", values)
    yield gauge("shared_slots", "Slots that two jobs share.", [({}, float(shared))])


def of_runs(store: LiveStore) -> Iterator[Family]:
    """Tell what has ended, what that cost, and what was done."""
    ended = rows.ended_runs(store.connection)
    outcomes: dict[str, float] = {}
    failed = dict.fromkeys(CLASSES, 0.0)
    lost = dict.fromkeys(CLASSES, 0.0)
    for one in ended:
        outcomes[one.outcome] = outcomes.get(one.outcome, 0.0) + one.runs
        if one.outcome == "failed":
            category = category_of(one.failure)
            category = category if category in failed else "other"
            failed[category] += one.runs
            lost[category] += one.slot_seconds
    values = [({"outcome": outcome}, count) for outcome, count in sorted(outcomes.items())]
    yield counter("runs_total", "Runs that have ended.", values)
    about = "Runs that failed, by the class of the diagnosis."
    yield Family("schedmate_failed_runs_total", "counter", about, by_class(failed))
    about = "Slot seconds of runs that failed; of GPUs, divide by 3600 for GPU hours."
    yield Family("schedmate_lost_slot_seconds_total", "counter", about, by_class(lost))
    events = [
        ({"action": kind, "event": event}, float(n)) for kind, event, n in rows.actions_by_event(store.connection)
    ]
    yield counter("action_events_total", "What happened to recovery's steps.", events)
    awaited = len(store.actions(("proposed", "unproven")))
    yield gauge("actions_awaited", "Steps that wait for a person's word.", [({}, float(awaited))])


def of_readers(store: LiveStore) -> Iterator[Family]:
    """Tell how long decisions and readings took, as the loop wrote it down."""
    timings = remembered(store.fact(FACT))
    about = "CPU seconds of the loop's turns."
    yield Family("schedmate_loop_turn_cpu_seconds", "histogram", about, timings.turns.values())
    readings = [value for kind, one in sorted(timings.readings.items()) for value in one.values(kind=kind)]
    yield Family("schedmate_reading_seconds", "histogram", "Time that a reading took, its turn waited for.", readings)
    yield from model_calls({"loop": timings.calls, "web": verbs.CALLS})
    answered = [({"kind": kind, "engine": by}, float(n)) for (kind, by), n in sorted(timings.outcomes.items())]
    about = "Readings by who answered: built-in, model, both; error: nobody."
    yield counter("readings_total", about, answered)


def of_server(served: Served) -> Iterator[Family]:
    """Tell of this process."""
    answers = [({"code": code}, float(count)) for code, count in sorted(served.answers.items())]
    yield counter("web_answers_total", "What this server has answered.", answers)
    yield counter("web_answer_seconds_total", "Time it took for that.", [({}, served.seconds)])
    usage = resource.getrusage(resource.RUSAGE_SELF)
    yield Family(
        "process_cpu_seconds_total", "counter", "CPU time of this process.", [({}, usage.ru_utime + usage.ru_stime)]
    )
    with open("/proc/self/statm", encoding="ascii") as file:
        pages = int(file.read().split()[1])
    memory = float(pages * os.sysconf("SC_PAGE_SIZE"))
    yield Family("process_resident_memory_bytes", "gauge", "Memory of this process.", [({}, memory)])


def by_class(counts: dict[str, float]) -> Values:
    """Give a count for each class."""
    return [({"class": name}, count) for name, count in counts.items()]


def gauge(name: str, about: str, values: Values) -> Family:
    """Make a figure that goes up and down."""
    return Family(f"schedmate_{name}", "gauge", about, values)


def counter(name: str, about: str, values: Values) -> Family:
    """Make a figure that only goes up."""
    return Family(f"schedmate_{name}", "counter", about, values)


def quantiles(ordered: list[float]) -> Values:
    """Give some quantiles; nothing of nothing."""
    if not ordered:
        return []
    return [({"share": f"{q:g}"}, ordered[min(len(ordered) - 1, int(q * len(ordered)))]) for q in QUANTILES]
