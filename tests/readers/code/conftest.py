"""Small repositories, written by each test for itself."""

import textwrap

import pytest

from schedmate.readers.code.reader import read_code
from schedmate.readers.code.verify import drop_unfounded
from schedmate.tools.repository import Repository


@pytest.fixture
def write(tmp_path):
    """Write files into a repository: their paths and dedented contents."""

    def write_files(files):
        for path, content in files.items():
            place = tmp_path / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(textwrap.dedent(content).lstrip("\n"))
        return tmp_path

    return write_files


@pytest.fixture
def read(write):
    """Read a job of a repository that is written for it; every value must carry a quote that stands."""

    def read_job(files, command, workdir="."):
        repository = Repository(write(files))
        reading = read_code(repository, command, workdir)
        checked, notes = drop_unfounded(reading.workload, repository, command)
        assert notes == ()
        assert checked.model_dump(exclude={"evidence"}) == reading.workload.model_dump(exclude={"evidence"})
        return reading.workload

    return read_job
