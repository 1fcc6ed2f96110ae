"""`schedmate why`: why does a job wait, why did it die, what is expected of it."""

import json
from typing import TYPE_CHECKING

import typer

from schedmate.cli.asking import live_store
from schedmate.cli.jobs import place_of, span

if TYPE_CHECKING:
    from schedmate.history.live import LiveStore
    from schedmate.history.live_rows import LiveRow


def why(
    job: int = typer.Argument(..., metavar="JOB", help="The job's number."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Say why a job waits, how it is getting on, or why it died, and what was done about it.

    Example: schedmate why 12
    """
    with live_store() as store:
        row = store.job(job)
        facts = waiting(row, store) if row.state == "pending" else []
        facts = [story(row, store), *facts, *expected(row), *runs_of(row, store), *steps_of(row, store)]
        if as_json:
            diagnosis = json.loads(row.diagnosis) if row.diagnosis else None
            answer = {"job": job, "state": row.state, "reason": row.reason, "facts": facts, "diagnosis": diagnosis}
            typer.echo(json.dumps(answer))
            return
    for fact in facts:
        typer.echo(fact)
    if row.diagnosis:
        from schedmate.cli.diagnosis_page import print_page
        from schedmate.schemas import Diagnosis

        typer.echo("")
        print_page(Diagnosis.model_validate_json(row.diagnosis))


def story(row: "LiveRow", store: "LiveStore") -> str:
    """Say in one line how it stands."""
    reason = f": {row.reason}" if row.reason else ""
    words = {"examined": "died, and its log is being read", "pending": "waits"}.get(row.state, row.state)
    return f"job {row.id} ({row.name} of {row.user}) {'is ' if row.state in ('held', 'running') else ''}{words}{reason}"


def waiting(row: "LiveRow", store: "LiveStore") -> list[str]:
    """Say what a waiting job waits for."""
    from schedmate.scheduling.live.presence import is_up

    if not is_up(store.data_dir):
        return ["no loop is up: start one with `schedmate up`"]
    pending = store.jobs(("pending",))
    before = [other for other in pending if other.id < row.id]
    running = store.jobs(("running",))
    facts = [f"it wants {row.slots * row.share:g} slots; {len(running)} jobs run on {sum(r.slots for r in running)}"]
    facts.append(f"{len(pending) - 1} others wait, {len(before)} of them were there before it")
    return facts


def expected(row: "LiveRow") -> list[str]:
    """Say what is expected of it."""
    facts = []
    if row.estimate:
        told = json.loads(row.estimate)
        middle, late = told.get("duration_p50_s"), told.get("duration_p90_s")
        if middle is not None:
            most = f", {span(late)} at most in nine of ten" if late is not None else ""
            facts.append(f"expected to run {span(middle)}{most} ({told.get('source', '')})")
        facts += [f"warning: {warning}" for warning in told.get("warnings", ())]
    if row.metrics and row.state == "running":
        told = json.loads(row.metrics)
        if told.get("step") is not None:
            facts.append(
                f"its log tells of step {told['step']}"
                + (f" of {told['total_steps']}" if told.get("total_steps") else "")
            )
        if told.get("eta_s") is not None:
            facts.append(f"{span(told['eta_s'])} left, by its own speed")
    return facts


def runs_of(row: "LiveRow", store: "LiveStore") -> list[str]:
    """Tell of its runs."""
    facts = []
    for one in store.runs(row.id):
        ran = span((one.ended_s or 0.0) - (one.began_s or one.intended_s)) if one.ended_s is not None else ""
        end = f"{one.outcome or one.stopping} after {ran}" if one.ended_s is not None else "runs"
        code = f" with code {one.code}" if one.code else ""
        why_stopped = f" ({one.stopping})" if one.stopping else ""
        facts.append(f"run {one.run} on {place_of(one.parts)}: {end}{code}{why_stopped}")
    return facts


def steps_of(row: "LiveRow", store: "LiveStore") -> list[str]:
    """Tell what was done about its failures."""
    return [
        f"action {step.id} {step.kind} {step.event}" + (f": {step.detail}" if step.detail else "")
        for step in store.actions(job=row.id)
    ]
