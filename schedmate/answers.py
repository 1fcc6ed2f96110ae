"""What the commands print with --json, as types: `schedmate schema` writes them down, and the tests hold them to it."""

from dataclasses import fields, is_dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, create_model

from schedmate.history.live_rows import LiveRow
from schedmate.reports.findings import Report
from schedmate.scheduling.results import Summary
from schedmate.schemas import (
    Check,
    Classification,
    Diagnosis,
    Estimate,
    Extraction,
    Hardware,
    Metrics,
    PastJob,
    Workload,
)


class Answer(BaseModel):
    """What all share: no field that is not named here."""

    model_config = ConfigDict(extra="forbid")


class Failed(Answer):
    """A log that could not be read, in its place among the others."""

    log: str
    error: str
    hint: str


class RunOfJob(Answer):
    """One run of a job: where, from when to when, how it ended."""

    run: int
    placement: dict[str, int]
    """for each node the slots, as bits"""
    began_s: float | None
    ended_s: float | None
    outcome: str
    code: int | None


class Before(Answer):
    """A job that waits before another."""

    job: int
    job_id: str
    name: str
    user: str
    slots: int
    expected_s: float | None
    waited_s: float


class Standing(Answer):
    """Where a waiting job stands in the queue."""

    policy: str
    waiting: int
    position: int | None
    before: list[Before]
    expected_s: float | None
    waits_for: str
    expected_start_in_s: float | None


class Why(Answer):
    """Why a job waits, how it gets on, why it died."""

    job: int
    job_id: str
    state: str
    reason: str
    facts: list[str]
    queue: Standing | None
    diagnosis: Diagnosis | None


class Node(Answer):
    """A node of the loop."""

    node: str
    slots: int
    kind: str
    state: str
    reason: str
    by: str
    action: int | None
    jobs: list[str]


class Setting(Answer):
    """One setting, masked where it is a secret."""

    name: str
    value: str
    source: str
    about: str


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


def adapters() -> dict[str, tuple[int, TypeAdapter[Any]]]:
    """Give each answer's version and type, by the command that prints it.

    A version is raised when a field goes or changes its meaning; a new field alone raises none.
    """
    return {
        "diagnose": (1, TypeAdapter(Diagnosis | Failed)),
        "track": (1, TypeAdapter(Metrics | Failed)),
        "extract": (1, TypeAdapter(extraction_model())),
        "advise": (1, TypeAdapter(Estimate)),
        "classify": (1, TypeAdapter(Classification)),
        "jobs": (1, TypeAdapter(job_model())),
        "why": (1, TypeAdapter(Why)),
        "nodes": (1, TypeAdapter(Node)),
        "simulate": (1, TypeAdapter(Summary)),
        "report": (1, TypeAdapter(Report)),
        "history-list": (1, TypeAdapter(PastJob)),
        "history-show": (1, TypeAdapter(PastJob)),
        "selftest": (1, TypeAdapter(list[Check])),
        "config": (1, TypeAdapter(list[Setting])),
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


def fields_of(schema: dict[str, Any]) -> dict[str, str]:
    """List every field of a schema by its path, with its type in short: what a version promises."""
    found: dict[str, str] = {}
    walk(schema, schema.get("$defs", {}), "", found, ())
    return dict(sorted(found.items()))


def walk(part: dict[str, Any], known: dict[str, Any], path: str, found: dict[str, str], above: tuple[str, ...]) -> str:
    """Go through one part of a schema, note the fields below it, and give its type in short."""
    if "$ref" in part:
        name = part["$ref"].rpartition("/")[2]
        return name if name in above else walk(known[name], known, path, found, (*above, name))
    if kinds := part.get("anyOf") or part.get("oneOf"):
        return " or ".join(sorted({walk(one, known, path, found, above) for one in kinds}))
    if "const" in part:
        return repr(part["const"])
    if "enum" in part:
        return " or ".join(map(str, part["enum"]))
    for name, below in part.get("properties", {}).items():
        field = f"{path}.{name}" if path else name
        found[field] = ""
        found[field] = walk(below, known, field, found, above)
    kind = str(part.get("type", "any"))
    if kind == "array":
        items = part.get("items") or {}
        return f"list of {walk(items, known, path + '[]', found, above)}" if items else "list"
    if kind == "object" and isinstance(part.get("additionalProperties"), dict):
        return f"{{name: {walk(part['additionalProperties'], known, path + '{}', found, above)}}}"
    return kind
