"""Small repositories, written by each test for itself."""

import textwrap

import pytest

from schedmate.readers.code.adapters import new_run
from schedmate.readers.code.python.modules.modules import execute_module
from schedmate.readers.code.reader import read_code
from schedmate.readers.code.values.nested import plain
from schedmate.readers.code.values.scopes import Module
from schedmate.readers.code.values.value import COMMAND, SourceLocation, Value, is_unknown
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
        assert not [note for note in reading.notes if "a fault of the reader" in note]
        checked, notes = drop_unfounded(reading.workload, repository, command)
        assert notes == ()
        assert checked.model_dump(exclude={"evidence"}) == reading.workload.model_dump(exclude={"evidence"})
        return reading.workload

    return read_job


@pytest.fixture
def follow(write):
    """Follow a program alone to its end: the run, and what its names stand for."""

    def follow_program(text, words="", files=None):
        repository = Repository(write({"main.py": text, **(files or {})}))
        argv = [Value(word, (SourceLocation(COMMAND, 1, word),)) for word in ("main.py", *words.split())]
        run = new_run(repository, argv)
        module = Module("main", "main.py", ".", is_main=True)
        execute_module(run, module)
        return run, module.vars

    return follow_program


@pytest.fixture
def outcome(follow):
    """Follow a program and give what `x` stands for as plain data, or the word unknown."""

    def outcome_of(text, words="", files=None):
        value = follow(text, words, files)[1]["x"]
        return "unknown" if is_unknown(value) else plain(value)

    return outcome_of
