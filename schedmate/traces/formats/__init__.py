"""The formats in which traces are published, one file each; a new one is a file and a line in `FORMATS`."""

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TextIO, cast

from schedmate.traces.rows import BadRow, Row

Reader = Callable[[TextIO], Iterator[Row | BadRow]]

FORMATS = {
    "csv": "the project's own: job_id,user,vc,name,submit_s,duration_s,gpus,status,extra",
    "philly": "cluster_job_log of Microsoft's philly-traces (JSON)",
    "helios": "cluster_log.csv of SenseTime's HeliosData",
    "acme": "trace_seren.csv, trace_kalos.csv of AcmeTrace",
    "pai": "Alibaba's cluster-trace-gpu: v2020 task table, v2023 pod list",
    "sia": "workloads of Pollux and Sia: name,time,application,num_replicas,batch_size",
    "sacct": "sacct --parsable2 with a header line, or sacct --json",
}


def reader(name: str) -> Reader:
    """Import the reader of a format."""
    return cast(Reader, import_module(f"schedmate.traces.formats.{name}").read)
