"""`schedmate why`: why does a job wait, why did it die, what is expected of it."""

import json

import typer

from schedmate.cli.asking import JOB, live_store
from schedmate.cli.saying import say


def why(
    job: str = typer.Argument(..., metavar="JOB", help=JOB),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Say why a job waits, how it is getting on, or why it died, and what was done about it.

    Of a job that waits: its place in the queue, who is before it, what it waits for, when it is expected to start.

    Examples: schedmate why 12; schedmate why 12 --json
    """
    from schedmate.scheduling.live.job_account import facts_of, stands

    with live_store(only_look=True) as store:
        row = store.job(store.number_of(job))
        queue = stands(row, store)
        facts = facts_of(row, store, queue)
        if as_json:
            diagnosis = json.loads(row.diagnosis) if row.diagnosis else None
            answer = {
                "job": row.id,
                "job_id": row.job_id,
                "state": row.state,
                "reason": row.reason,
                "facts": facts,
                "queue": queue,
            }
            say(json.dumps(answer | {"diagnosis": diagnosis}))
            return
    for fact in facts:
        say(fact)
    if row.diagnosis:
        from schedmate.cli.diagnosis_page import print_page
        from schedmate.schemas import Diagnosis

        say("")
        print_page(Diagnosis.model_validate_json(row.diagnosis))
