"""What the commands print with --json, as types: `schedmate schema` writes them down, and the tests hold them to it."""

from dataclasses import fields, is_dataclass
from functools import cache, reduce
from operator import or_
from typing import Any

from pydantic import BaseModel, TypeAdapter, create_model

from schedmate.answer_types import (
    Answer,
    Failed,
    FailuresSummary,
    Node,
    PodQuestion,
    ProposalRecord,
    Pruned,
    Reindexed,
    Remembered,
    RunOfJob,
    Setting,
    SimilarJobs,
    SiteFailure,
    SiteFormat,
    SiteMatch,
    SiteTrouble,
    Submitted,
    TrailEntry,
    Why,
)
from schedmate.history.importers.importing import Imported
from schedmate.history.live_rows import ActionRow, LiveRow
from schedmate.history.stats import Stats
from schedmate.readers.failures.answer.trail import Explained
from schedmate.reports.findings import Report
from schedmate.scheduling.simulation.as_it_was import Change, RecordedWaits
from schedmate.scheduling.simulation.results import Summary
from schedmate.schemas import (
    Check,
    Classification,
    Diagnosis,
    Estimate,
    Extraction,
    GpuSample,
    Hardware,
    Metrics,
    PastJob,
    Workload,
)
from schedmate.traces.describing import Described
from schedmate.watching.events import WatchEvent

READ_OF_A_JOB = {
    "estimate": Estimate | None,
    "workload": Workload | None,
    "metrics": dict[str, Any] | None,
    "diagnosis": Diagnosis | None,
    "hardware": Hardware | None,
}
"""What the store keeps as text and `jobs` prints as what it is."""


def job_model() -> type[BaseModel]:
    """Make the type of a job from its row, without what belongs to its owner alone."""
    assert is_dataclass(LiveRow)
    kept = {one.name: (READ_OF_A_JOB.get(one.name, one.type), ...) for one in fields(LiveRow)}
    left = {name: kind for name, kind in kept.items() if name not in {"environment", "token"}}
    extra: dict[str, Any] = {"job_id": (str, ...), "runs": (list[RunOfJob], ...)}
    made: type[BaseModel] = create_model("Job", __base__=Answer, **(left | extra))
    return made


def extraction_model() -> type[BaseModel]:
    """Make the type of `extract --json`: the workload's fields and the reading's on one level."""
    both = {**Workload.model_fields, **{k: v for k, v in Extraction.model_fields.items() if k != "workload"}}
    parts: dict[str, Any] = {name: (field.annotation, field) for name, field in both.items()}
    made: type[BaseModel] = create_model("ExtractionRecord", __base__=Answer, **parts)
    return made


def with_fields(base: type[Any], name: str, **more: Any) -> type[BaseModel]:
    """Make the type of a record that is printed with fields of its own."""
    kinds = {one.name: one.type for one in fields(base)} | more
    parts: dict[str, Any] = {key: (kind, ...) for key, kind in kinds.items()}
    made: type[BaseModel] = create_model(name, __base__=Answer, **parts)
    return made


def either(*kinds: Any) -> TypeAdapter[Any]:
    """Take an answer that is one of several kinds."""
    return TypeAdapter(reduce(or_, kinds))


def with_list(name: str, kind: type[Any], **more: Any) -> type[BaseModel]:
    """Make the type of an answer that is a list under its name."""
    parts: dict[str, Any] = {name: (list[kind], ...)} | {key: (one, ...) for key, one in more.items()}  # type: ignore[valid-type]
    made: type[BaseModel] = create_model(f"ListOf{name.title()}", __base__=Answer, **parts)
    return made


def metrics_model() -> type[BaseModel]:
    """Make the type of `track --json`: a line has `slower` with --follow, `gpus` with --gpu."""
    extra: dict[str, Any] = {"slower": (str, ""), "gpus": (list[GpuSample] | None, None)}
    made: type[BaseModel] = create_model("TrackRecord", __base__=Metrics, **extra)
    return made


def policy_model() -> type[BaseModel]:
    """Make the type of a policy's line of `simulate --json`; its change against the past is null where none is told."""
    change: Any = with_fields(Change, "Change")
    return with_fields(Summary, "PolicySummary", change=change | None)


@cache
def adapters() -> dict[str, tuple[int, TypeAdapter[Any]]]:
    """Give each answer's version and type, by the command that prints it.

    A version is raised when a field goes or changes its meaning; a new field alone raises none.
    """
    job, action = job_model(), with_fields(ActionRow, "ActionStep", job_id=str)
    trail = with_fields(ActionRow, "ActionRecord", job_id=str, trail=list[TrailEntry])
    step = with_fields(ActionRow, "PodStep")
    pod = TypeAdapter(with_list("steps", step, pod=str, proposed=PodQuestion | None))
    return {
        "diagnose": (1, either(Explained, Failed)),
        "track": (1, either(metrics_model(), Failed)),
        "extract": (1, TypeAdapter(extraction_model())),
        "advise": (1, TypeAdapter(Estimate)),
        "classify": (1, TypeAdapter(Classification)),
        "watch": (1, TypeAdapter(WatchEvent)),
        "submit": (1, TypeAdapter(Submitted)),
        "jobs": (1, TypeAdapter(job)),
        "why": (1, TypeAdapter(Why)),
        "nodes": (1, TypeAdapter(Node)),
        "actions": (1, TypeAdapter(trail)),
        "simulate": (1, either(policy_model(), with_fields(RecordedWaits, "AsItWas", policy=str))),
        "report": (1, TypeAdapter(Report)),
        "trace-describe": (1, TypeAdapter(Described)),
        "history-import": (1, TypeAdapter(Imported)),
        "history-add": (1, TypeAdapter(PastJob)),
        "history-list": (1, TypeAdapter(PastJob)),
        "history-show": (1, TypeAdapter(PastJob)),
        "history-stats": (1, TypeAdapter(Stats)),
        "history-prune": (1, TypeAdapter(Pruned)),
        "history-reindex": (1, TypeAdapter(Reindexed)),
        **{f"kubernetes-{name}": (1, pod) for name in ("recover", "list", "approve", "reject")},
        "proposals-list": (1, TypeAdapter(ProposalRecord)),
        "remember-list": (1, TypeAdapter(Remembered)),
        "knowledge-list": (1, either(SiteFailure, SiteFormat, SiteTrouble)),
        "knowledge-test": (1, either(SiteFailure, SiteFormat, SiteTrouble, SiteMatch)),
        "selftest": (1, TypeAdapter(list[Check])),
        "config": (1, TypeAdapter(list[Setting])),
        "mcp-list_jobs": (1, TypeAdapter(with_list("jobs", job, next_after=int | None))),
        "mcp-why_job": (
            1,
            TypeAdapter(with_list("facts", str, job=job)),
        ),
        "mcp-failures_summary": (1, TypeAdapter(FailuresSummary)),
        "mcp-list_actions": (1, TypeAdapter(with_list("actions", action))),
        "mcp-find_similar_jobs": (1, TypeAdapter(SimilarJobs)),
    }


def schema_of(name: str) -> dict[str, Any]:
    """Write an answer's JSON schema, with its version."""
    version, adapter = adapters()[name]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:schedmate:{name}:{version}",
        "title": f"schedmate {name.replace('-', ' ')} --json",
        "version": version,
        **adapter.json_schema(mode="serialization"),
    }
