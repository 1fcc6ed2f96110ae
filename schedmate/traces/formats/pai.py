"""Alibaba PAI: the v2023 pod list has a header; the v2020 task table has none, so its columns go by place."""

from collections.abc import Iterator
from itertools import chain
from typing import TextIO

from schedmate.traces.formats.table import Fields, number, optional, read_rows
from schedmate.traces.rows import BadRow, Row

TASK_COLUMNS = "job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu,gpu_type"
ANY_KIND = {"", "MISC"}


def read(stream: TextIO) -> Iterator[Row | BadRow]:
    """Read pods or tasks, whichever the first line shows."""
    first = stream.readline()
    if "creation_time" in first:
        return read_rows(chain([first], stream), ("name", "num_gpu", "creation_time"), pod)
    if "job_name" not in first:
        first = f"{TASK_COLUMNS}\n{first}"
    lines = chain(first.splitlines(keepends=True), stream)
    return read_rows(lines, ("job_name", "start_time", "plan_gpu"), task)


def task(row: Fields) -> Row:
    """Count GPUs over all instances (`plan_gpu` is in per cent); the trace has no submit time, so start stands in."""
    start_s = number(row["start_time"], "start_time")
    end_s = optional(row["end_time"], "end_time")
    gpus = (optional(row["plan_gpu"], "plan_gpu") or 0.0) / 100 * (optional(row["inst_num"], "inst_num") or 1.0)
    kind = "" if row["gpu_type"] in ANY_KIND else row["gpu_type"]
    job_id = f"{row['job_name']}/{row['task_name']}"
    duration_s = None if end_s is None else end_s - start_s
    return Row(
        row.line,
        job_id,
        start_s,
        duration_s,
        gpus,
        status=row["status"],
        kind=kind,
        name=row["task_name"],
        start_s=start_s,
        end_s=end_s,
    )


def pod(row: Fields) -> Row:
    """Count parts of a GPU by `gpu_milli`; a pod that was never scheduled ran from creation to deletion."""
    created_s = number(row["creation_time"], "creation_time")
    deleted_s = optional(row["deletion_time"], "deletion_time")
    scheduled_s = optional(row["scheduled_time"], "scheduled_time")
    began_s = scheduled_s or created_s
    gpus = number(row["num_gpu"], "num_gpu")
    if gpus == 1:
        gpus = (optional(row["gpu_milli"], "gpu_milli") or 1000.0) / 1000
    kind = row["gpu_spec"].split("|")[0]
    duration_s = None if deleted_s is None else deleted_s - began_s
    return Row(
        row.line,
        row["name"],
        created_s,
        duration_s,
        gpus,
        vc=row["qos"],
        status=row["pod_phase"],
        kind=kind,
        start_s=scheduled_s or None,
        end_s=deleted_s,
    )
