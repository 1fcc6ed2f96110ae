"""The process that reads for the loop: one JSON line in, one out; run by `worker_pool`, which ends it when late."""

import json
import os
import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread

from schedmate.errors import SchedMateError
from schedmate.models.call_counts import CALLS
from schedmate.scheduling.live.messages import Message
from schedmate.schemas import Extraction, Job
from schedmate.tools.memory_limit import TOO_MUCH, keep_small

LAST_WORDS_S = 1.0
"""What has been asked is answered if that takes no longer."""
CLOSED = (
    "its owner may not read SchedMate's own installation, and what is his is read by nobody else: install it where all"
    " accounts may read it, as in /opt"
)


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


class Asker(Thread):
    """Hears the one who asks; should he be gone, nobody would end a reading that hangs, nor what it has started."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.lines: SimpleQueue[str] = SimpleQueue()
        self.is_idle = Event()
        self.start()

    def run(self) -> None:
        """Read on while others work."""
        for line in sys.stdin:
            self.lines.put(line)
        self.lines.put("")
        if not self.is_idle.wait(LAST_WORDS_S):
            os.killpg(0, signal.SIGKILL) if os.getpgrp() == os.getpid() else os._exit(1)

    def next(self) -> str:
        """Wait for work; empty when there will be no more."""
        self.is_idle.set()
        line = self.lines.get()
        self.is_idle.clear()
        return line


def answer_all(work: Mapping[str, Callable[[Message], Message]]) -> None:
    """Answer by kind until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = sys.stdout
    sys.stdout = sys.stderr
    asker, first = Asker(), os.geteuid()
    while line := asker.next():
        asked = json.loads(line)
        if asked["kind"] == "become":
            become_owner(asked["who"])  # an account that is gone ends this process, and nothing is read
            continue
        if asked["kind"] != "step":  # what a step starts on a node may take what it needs
            keep_small()
        try:
            answer = work[asked["kind"]](asked)
        except SchedMateError as error:
            answer = {"error": error.message}
        except MemoryError:
            answer = {"error": TOO_MUCH}
        except ImportError as error:
            answer = {"error": CLOSED if os.geteuid() != first else f"{type(error).__name__}: {error}"}
        except Exception as error:  # a reader's own fault must not end the loop's
            answer = {"error": f"{type(error).__name__}: {error}"}
        if calls := CALLS.drained():
            answer |= {"model_calls": calls}
        try:
            answers.write(json.dumps(answer) + "\n")
            answers.flush()
        except BrokenPipeError:  # the loop has been killed; the next one asks again
            os._exit(0)


def main() -> None:
    """Read for the loop."""
    answer_all(WORK)


if __name__ == "__main__":
    main()
