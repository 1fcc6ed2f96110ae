"""What is known of one job, in words and as JSON: why it waits, how it gets on, why it died, what was done about it."""

import json
import time

from schedmate.counts import how_many
from schedmate.errors import SchedMateError
from schedmate.history.expectation import expected_s, rests_on_few
from schedmate.history.live_rows import LiveRow
from schedmate.readers.failures.exit_codes import read_end
from schedmate.scheduling.live.loop_client import ask_of
from schedmate.scheduling.live.messages import Message, Standing
from schedmate.scheduling.live.stores import Store
from schedmate.schemas import Estimate
from schedmate.tools.time_spans import span

BY = {"resubmission": "it has run before", "similar": "as similar jobs did"}
"""What an expectation rests on."""


def facts_of(row: LiveRow, store: Store, queue: Standing | None) -> list[str]:
    """Tell all that is known of a job, a line each; `queue` is where it stands, if it waits."""
    doom = doomed(row, store)
    waits = waiting(queue) if row.state == "pending" and not doom else []
    return [story(row, store), *doom, *waits, *expected(row), *runs_of(row, store), *steps_of(row, store)]


def story(row: LiveRow, store: Store) -> str:
    """Say in one line how it stands."""
    reason = f": {row.reason}" if row.reason else ""
    examined = "died, and what to do is being decided" if row.diagnosis else "died, and its log is being read"
    words = {"examined": examined, "pending": "waits"}.get(row.state, row.state)
    stands = f"{'is ' if row.state in ('held', 'running') else ''}{words}"
    by = f", handed in by {row.account}" if row.account not in ("", row.user) else ""
    return f"job {row.job_id} ({row.name} of {row.user}{by}) {stands}{reason}"


def stands(row: LiveRow, store: Store) -> Standing | None:
    """Ask the loop where a waiting job stands; None where it does not wait, or no loop tells."""
    if row.state != "pending" or not store.loop_is_up():
        return None
    try:
        told: Standing | None = ask_of(store, "standing", row.id).data
    except SchedMateError:  # the loop has gone meanwhile, is busy, or may not be asked
        return None
    return told


def doomed(row: LiveRow, store: Store) -> list[str]:
    """Say that somebody cancelled a job while no loop was up to do it."""
    is_over = row.state in ("completed", "failed", "cancelled")
    asked = [] if is_over or store.loop_is_up() else store.requests()
    by = [one.actor for one in asked if (one.kind, one.target) == ("cancel", row.id)]
    return [f"{by[0]} has cancelled it: the next `schedmate up` does so before anything else"] if by else []


def waiting(queue: Standing | None) -> list[str]:
    """Say what a waiting job waits for."""
    if queue is None:
        return ["no loop is up, or it is busy: schedmate up"]
    facts = [f"it waits for {queue['waits_for']}"]
    if queue["position"] is None:
        others = queue["waiting"] - 1
        facts.append(f"policy {queue['policy']}: {how_many(others, 'other waits', 'others wait')}")
    else:
        facts.append(f"policy {queue['policy']}: it is number {queue['position']} of {queue['waiting']} that wait")
    own_s = queue["expected_s"]
    for other in queue["before"]:
        lasts_s = other["expected_s"]
        shorter = ", shorter" if lasts_s is not None and own_s is not None and lasts_s < own_s else ""
        lasts = f" expected {span(lasts_s)}{shorter}," if lasts_s is not None else ""
        slots = how_many(other["slots"], "slot")
        facts.append(
            f"  before it: job {other['job_id']} ({other['name']} of {other['user']}), {slots},{lasts}"
            f" waits for {span(other['waited_s'])}"
        )
    more = (queue["position"] or 1) - 1 - len(queue["before"])
    if more > 0:
        facts.append(f"  and {more} more")
    if queue["expected_start_in_s"] is not None:
        facts.append(f"expected to start in {span(queue['expected_start_in_s'])}, if all take what is expected of them")
    elif own_s is None:
        facts.append("when it starts nobody can say: no job has ended here yet")
    return facts


def expected(row: LiveRow) -> list[str]:
    """Say what is expected of it."""
    facts = []
    if (estimate := estimate_of(row)) is not None:
        late = estimate.duration_p90_s
        if (mean_s := expected_s(estimate)) is not None:
            most = f", {span(late)} at most in nine of ten" if late is not None and not rests_on_few(estimate) else ""
            facts.append(f"expected to run {span(mean_s)}{most} ({basis(estimate)})")
        if estimate.gpu_util is not None and estimate.gpu_memory_gib is not None:
            util, memory_gib = estimate.gpu_util, estimate.gpu_memory_gib
            facts.append(f"expected to take {util:.0%} of a GPU and {memory_gib:.1f} GiB of its memory")
        facts += [f"warning: {warning}" for warning in estimate.warnings]
    if row.metrics and row.state == "running":
        told = json.loads(row.metrics)
        if told.get("step") is not None:
            facts.append(
                f"its log is at step {told['step']}" + (f" of {told['total_steps']}" if told.get("total_steps") else "")
            )
        if stall := stall_of(told):
            facts.append(stall)
        elif told.get("eta_s") is not None:
            facts.append(f"{span(told['eta_s'])} left, by its own speed")
    return facts


def estimate_of(row: LiveRow) -> Estimate | None:
    """Read what was estimated; None where nothing was, or another version wrote what is not known here."""
    try:
        return Estimate.model_validate_json(row.estimate) if row.estimate else None
    except ValueError:
        return None


def basis(estimate: Estimate) -> str:
    """Say what an expectation rests on, and how few jobs that are."""
    few = how_many(len(estimate.rests_on), "past job") if estimate.rests_on and rests_on_few(estimate) else ""
    if by := BY.get(estimate.source):
        return f"{by}: {few}" if few else by
    if not estimate.rests_on:
        return "a guess: nothing similar ran"
    return f"a guess from {few or how_many(len(estimate.rests_on), 'past job')}: nothing similar ran"


def stall_of(told: Message) -> str:
    """Say that a job stands still, and for how long, by what its log told last; empty where it goes on."""
    if told.get("phase") != "stalled":
        return ""
    since_s = told.get("still_since_s")
    return "stalled: no step comes" if since_s is None else f"stalled: no step for {span(time.time() - since_s)}"


def runs_of(row: LiveRow, store: Store) -> list[str]:
    """Tell of its runs."""
    facts = []
    for one in store.runs(row.id):
        ran = span((one.ended_s or 0.0) - (one.began_s or one.intended_s)) if one.ended_s is not None else ""
        end = f"{one.outcome or one.stopping} after {ran}" if one.ended_s is not None else "runs"
        code = f" with code {one.code}{reading_of(one.code)}" if one.code else ""
        why_stopped = f" ({one.stopping})" if one.stopping else ""
        said = f": {one.reason}" if one.reason else ""
        facts.append(f"run {one.run} on {place_of(one.parts)}: {end}{code}{why_stopped}{said}")
    return facts


def reading_of(code: int) -> str:
    """Say what an exit code tells; nothing of one that tells nothing but that it went badly."""
    meaning = read_end(code).meaning
    return f": {meaning.meaning.rstrip('.')}" if meaning and code != 1 else ""


def steps_of(row: LiveRow, store: Store) -> list[str]:
    """Tell what was done about its failures."""
    return [
        f"action {step.id} {step.kind} {step.event}" + (f": {step.detail}" if step.detail else "")
        for step in store.actions(job=row.id)
    ]


def record(row: LiveRow, store: Store) -> Message:
    """Give a job as JSON: all but its environment."""
    runs = store.runs(row.id)
    fields = {name: getattr(row, name) for name in row.__slots__ if name not in ("environment", "token")}
    fields["job_id"] = row.job_id
    for name in ("estimate", "workload", "metrics", "diagnosis", "hardware"):
        fields[name] = json.loads(fields[name]) if fields[name] else None
    fields["runs"] = [
        {"run": one.run, "placement": dict(one.parts), "began_s": one.began_s, "ended_s": one.ended_s,
         "outcome": one.outcome, "code": one.code} for one in runs
    ]  # fmt: skip
    return fields


def place_of(parts: tuple[tuple[str, int], ...]) -> str:
    """Write a placement as node:slots; the node alone where its engine has not said which slots."""
    slots = {node: [str(i) for i in range(mask.bit_length()) if mask >> i & 1] for node, mask in parts}
    return " ".join(f"{node}:{','.join(each)}" if each else node for node, each in slots.items())
