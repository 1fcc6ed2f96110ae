"""From conditions to events: what is told, in which words, and when it is over."""

import uuid
from collections.abc import Sequence
from datetime import datetime

from schedmate.schemas import Diagnosis, Evidence
from schedmate.tools.shortening import short
from schedmate.tools.time_spans import span
from schedmate.watching.collectives import last_collective
from schedmate.watching.events import Kind, WatchEvent
from schedmate.watching.gathering import cause_of
from schedmate.watching.job import Log, WatchedJob
from schedmate.watching.last_words import may_pass
from schedmate.watching.ownership import owner_of

LEAST_SURE, SURE_AT_ONCE = 0.5, 0.65
"""Below this a diagnosis is no death; where a log is silent for seconds only, more is asked."""
SURE_OF_END = 0.8


def is_death(found: Diagnosis, at_once: bool, is_seen_gone: bool = False) -> bool:
    """Tell whether a diagnosis says that a job died; where its end was seen, only of what is to be told."""
    if found.category == "none":
        return False
    if is_seen_gone:
        return True
    if not at_once and may_pass(found.root_excerpt):
        return False
    return found.confidence >= (SURE_AT_ONCE if at_once else LEAST_SURE)


def is_end(found: Diagnosis) -> bool:
    """Tell whether a diagnosis says that the job ended as it should."""
    return found.category == "none" and found.confidence >= SURE_OF_END


def event(job: WatchedJob, kind: Kind, said: str, now_s: float, log: Log, **more: object) -> WatchEvent:
    """Put an event together."""
    step = log.metrics.step if log.metrics.step is not None else job.leader.metrics.step
    values = {"evidence": evidence_of(log)} | more
    return WatchEvent.model_validate(
        {
            "id": uuid.uuid4().hex,
            "kind": kind,
            "job": job.name,
            "log": log.path,
            "at_s": now_s,
            "user": owner_of(log.path),
            "said": said,
            "step": step,
            **values,
        }
    )


def evidence_of(log: Log) -> tuple[Evidence, ...]:
    """Quote the last line of the loop."""
    return log.metrics.evidence[-1:]


def death(job: WatchedJob, found: Diagnosis, checkpoint: str, now_s: float) -> WatchEvent:
    """Tell that a job died, of what, and where it could go on."""
    log = job.logs.get(found.root_path or "") or job.leader
    kind = f"{found.category}/{found.subcategory}" if found.subcategory else found.category
    parts = f", faulty: {', '.join(found.faulty_components)}" if found.faulty_components else ""
    where = f", at line {found.root_line}: {short(found.root_excerpt.strip(), 160)}" if found.root_line else ""
    from_there = f"; checkpoint {checkpoint}" if checkpoint else ""
    said = f"{log.path} died: {found.failure_id or 'unknown'} ({kind}){parts}{where}{from_there}"
    first = found.evidence or evidence_of(log)
    return event(job, "died", said, now_s, log, diagnosis=found, cause=cause_of(found), evidence=first[:6])


def wordless(job: WatchedJob, how: str, now_s: float) -> WatchEvent:
    """Tell that a job died of what its log does not say, or nobody could read."""
    log = job.leader
    return event(job, "died", f"{log.path} died: {how}", now_s, log, cause=how)


def without_reason(said: str) -> str:
    """Say how a job died without a word: as the engine says, or its process is gone in the middle."""
    how = f"ended with {said}" if said else "its process is gone before its end"
    return f"{how}, its log does not say why"


def stall(job: WatchedJob, now_s: float, found: Diagnosis | None) -> WatchEvent:
    """Tell that a job hangs; of a job of many ranks, which of them stopped first."""
    log = job.leader
    since = f"{datetime.fromtimestamp(log.moved_s):%H:%M:%S}"
    usual_s = log.usual_s
    usual = f" (usually a report each {span(usual_s)})" if usual_s else ""
    said = f"{log.path} hangs: no step since {since}, {span(now_s - log.moved_s)} ago{usual}{first_to_stop(job)}"
    if found is not None and found.root_line and found.category != "none":
        said += f"; its log says at line {found.root_line}: {short(found.root_excerpt.strip(), 160)}"
    together = last_collective({path: line_of_step(one) for path, one in job.logs.items()})
    quoted = evidence_of(log)
    if together is not None:
        said, quoted = f"{said}; {together.said}", (*quoted, together.evidence)
    return event(job, "stalled", said, now_s, log, diagnosis=found, evidence=quoted, cause="hangs")


def line_of_step(log: Log) -> int:
    """Give the line of a log's last report."""
    return max((one.line for one in evidence_of(log)), default=0)


def silence(job: WatchedJob, now_s: float) -> WatchEvent:
    """Tell that nothing comes any more, where nothing says whether that is the end."""
    log = job.leader
    since = f"{datetime.fromtimestamp(log.grew_s):%H:%M:%S}"
    return event(
        job, "silent", f"{log.path} is silent since {since}: it ended or hangs, its log does not say", now_s, log
    )


def first_to_stop(job: WatchedJob) -> str:
    """Name the ranks whose counter stopped before that of the others."""
    steps = {log.path: log.step[1] for log, *_ in job.ranks.values() if log.step[0]}
    if len(steps) < 2 or len(set(steps.values())) < 2:
        return ""
    least = min(steps.values())
    late = [path for path, step in steps.items() if step == least]
    return f"; {shown(late)} stopped first, at step {least:g}"


def shown(paths: Sequence[str]) -> str:
    """Name some logs."""
    return ", ".join(paths[:3]) + (f" and {len(paths) - 3} more" if len(paths) > 3 else "")
