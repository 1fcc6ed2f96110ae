"""The process that reads for the loop and for a watch."""

import os
from dataclasses import replace
from pathlib import Path

from schedmate.scheduling.live.messages import Message
from schedmate.schemas import Extraction, Job
from schedmate.workers.answering import answer_all


def diagnose(asked: Message) -> Message:
    """Find why a run died, and where it could go on from."""
    from schedmate.graphs.diagnose import run_diagnose
    from schedmate.scheduling.recovery.checkpoints import last_checkpoint

    repo = Path(asked["workdir"])
    engine, exited = asked["engine"], asked.get("exited", "")
    files = asked.get("files", ())
    diagnosis = run_diagnose(
        asked["log"], repo=repo if repo.is_dir() else None, engine=engine, exited=exited, files=files
    )
    found = last_checkpoint(asked["log"], repo, asked.get("since_s", 0.0), asked.get("is_alone", True))
    return {"diagnosis": diagnosis.model_dump(mode="json"), "checkpoint": found}


def advise(asked: Message) -> Message:
    """Read what a job is from its code, and what its likes took from the history."""
    from schedmate.graphs.advise import past_of_settings
    from schedmate.scheduling.estimators.advising import run_advise

    job, past = Job.model_validate(asked["job"]), replace(past_of_settings(), data_dir=Path(asked["data_dir"]))
    found = run_advise(Path(asked["workdir"]), started_by(asked, job), ".", job, past, asked["engine"])
    return {"estimate": found.model_dump(mode="json")}


def started_by(asked: Message, job: Job) -> str:
    """Give what starts a job: of one that others handed to an engine, the script that the engine keeps."""
    if "script_of" not in asked:
        return job.command
    from schedmate.clusters.engines import handed_in

    return handed_in(asked["script_of"], job.command)


def take_step(asked: Message) -> Message:
    """Run a slow recovery step; here it can do nothing to the cluster."""
    from schedmate.history.live_rows import ActionRow
    from schedmate.scheduling.recovery.owner_rules import Rules
    from schedmate.scheduling.recovery.registry import SLOW
    from schedmate.scheduling.recovery.steps import Finding, load_case

    row = ActionRow(**asked["row"])
    done = SLOW[row.kind].run(row, load_case(asked["case"]), Rules.model_validate(asked["rules"]))
    answer: Message = {"done": str(done)}
    return answer | ({"found": done.found, "cleared": done.cleared} if isinstance(done, Finding) else {})


def extract(asked: Message) -> Message:
    """Read what a job is from its code alone, as its owner."""
    from schedmate.graphs.extract import run_extract

    job = Job.model_validate(asked["job"])
    found = run_extract(Path(asked["workdir"]), started_by(asked, job), ".", asked["engine"])
    return {"extraction": found.model_dump(mode="json")}


def estimate(asked: Message) -> Message:
    """Say what a job's likes took, by what was read of it before."""
    from schedmate.graphs.advise import past_of_settings
    from schedmate.scheduling.estimators.advising import run_estimate

    job, extraction = Job.model_validate(asked["job"]), Extraction.model_validate(asked["extraction"])
    past = replace(past_of_settings(), data_dir=Path(asked["data_dir"]))
    found = run_estimate(job, extraction, past)
    return {"estimate": found.model_dump(mode="json")}


def become_owner(who: Message) -> None:
    """Become the account whose job is to be read; neither its settings nor ours lie where it looks from then on.

    A process that has changed its account cannot be looked into by that account, so keys stay secret.
    """
    from schedmate.clusters.runner.account import become
    from schedmate.settings import get_settings

    nowhere = "/nonexistent"
    for name in ("SCHEDMATE_DATA_DIR", "SCHEDMATE_CACHE_DIR", "SCHEDMATE_CONFIG"):
        os.environ.pop(name, None)
    os.environ |= dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"), nowhere)
    os.environ["SCHEDMATE_LLM_CACHE"] = "false"
    become({name: who[name] for name in ("name", "uid", "gid")})
    get_settings.cache_clear()


WORK = {"advise": advise, "diagnose": diagnose, "extract": extract, "estimate": estimate, "step": take_step}


def main() -> None:
    """Read for the loop."""
    answer_all(WORK, become_owner)


if __name__ == "__main__":
    main()
