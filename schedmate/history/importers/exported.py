"""What `schedmate history export` wrote: one past job a line."""

from collections.abc import Iterator
from typing import TextIO

from pydantic import ValidationError

from schedmate.schemas import PastJob
from schedmate.traces.rows import BadRow


def read(stream: TextIO, source: str) -> Iterator[PastJob | BadRow]:
    """Read line by line; a job keeps the source it was exported with unless another is named."""
    for number, line in enumerate(stream, 1):
        if not line.strip():
            continue
        try:
            past = PastJob.model_validate_json(line)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            yield BadRow(number, f"{where}: {first['msg']}" if where else first["msg"])
            continue
        if not past.job.job_id:
            yield BadRow(number, "no job id")
            continue
        yield past.model_copy(update={"source": source}) if source else past
