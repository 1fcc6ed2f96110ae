"""A job is over where its engine or its process says so, whatever its log says; nobody waits for a silence."""

import subprocess
import sys

import pytest

from schedmate.clusters.log_ends import LogEnd
from schedmate.watching.writers import Writers

DEATH = 'Traceback (most recent call last):\n  File "t.py", line 1, in <module>\nIndexError: out of range\n'


class Engine:
    """Knows what it is told here."""

    said = ""

    def __init__(self):
        self.ends = {}

    def look(self, paths, now_s):
        self.followed = list(paths)

    def end_of(self, path):
        return self.ends.get(path)

    def close(self):
        self.closed = True


@pytest.fixture
def engine(site):
    site.stop()
    made = Engine()
    site.start(ends=[made])
    return made


def test_who_dies_without_a_word_is_told_in_seconds(site, engine):
    site.train("a.log", 1, 40)
    engine.ends[site.path("a.log")] = LogEnd("NODE_FAIL")
    site.pass_by(10, 5.0)
    assert site.kinds == ["died"]
    assert site.told[0].diagnosis.failure_id == "exit.node_failed"
    site.pass_by(3600, 300.0)
    assert site.kinds == ["died"]


def test_a_failure_that_neither_log_nor_engine_explains_is_told_all_the_same(site, engine):
    site.train("a.log", 1, 40)
    engine.ends[site.path("a.log")] = LogEnd("FAILED")
    site.pass_by(10, 5.0)
    assert site.kinds == ["died"]
    assert "ended with FAILED, its log does not say why" in site.told[0].said


def test_an_engine_that_knows_the_output_alone_speaks_for_the_errors_too(site, engine):
    for name, end in (("a", LogEnd("FAILED 1")), ("b", LogEnd("COMPLETED 0", True))):
        site.write(f"{name}.err", "")
        site.train(f"{name}.out", 1, 20)
        site.write(f"{name}.err", DEATH)
        engine.ends[site.path(f"{name}.out")] = end
        site.pass_by(3600, 30.0)
    assert site.kinds == ["died"]
    assert (site.told[0].job, site.told[0].diagnosis.failure_id) == (site.path("a.out"), "python.index_error")


def test_the_log_says_why_where_the_engine_says_that(site, engine):
    site.train("a.log", 1, 40)
    site.write("a.log", DEATH)
    engine.ends[site.path("a.log")] = LogEnd("FAILED 1")
    site.pass_by(4, 2.0)
    assert [event.diagnosis.failure_id for event in site.told] == ["python.index_error"]


@pytest.mark.parametrize("end", [LogEnd("COMPLETED 0", well=True), LogEnd("CANCELLED 0", is_meant=True)])
def test_who_ends_well_or_is_ended_calls_nobody(site, engine, end):
    site.train("a.log", 1, 40)
    site.write("a.log", DEATH)
    engine.ends[site.path("a.log")] = end
    site.pass_by(7200, 300.0)
    assert site.kinds == []


def test_a_job_that_runs_is_judged_by_its_log(site, engine):
    site.train("a.log", 1, 40)
    site.pass_by(600, 20.0)
    assert site.kinds == ["stalled"]


def test_a_job_that_is_started_again_goes_on(site, engine):
    site.train("a.log", 1, 40)
    engine.ends[site.path("a.log")] = LogEnd("NODE_FAIL")
    site.pass_by(10, 5.0)
    engine.ends.clear()
    site.train("a.log", 30, 60)
    assert site.kinds == ["died", "went_on"]


HOLDER = "import sys, time; file = open(sys.argv[1], 'a'); print('open', flush=True); sys.stdin.read()"


def hold(path):
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "open\n"
    return process


def let_go(process):
    process.communicate()


def test_a_writer_that_was_there_for_long_and_is_gone_is_an_end(tmp_path):
    path, writers = str(tmp_path / "a.log"), Writers(share=0.0)
    process = hold(path)
    for now_s in (0.0, 1000.0, 2000.0, 3000.0):
        writers.look([path], now_s)
        assert writers.end_of(path) is None
    let_go(process)
    writers.look([path], 4000.0)
    assert writers.end_of(path) is None
    writers.look([path], 5000.0)
    assert writers.end_of(path) == LogEnd()
    again = hold(path)
    writers.look([path], 6000.0)
    assert writers.end_of(path) is None
    let_go(again)
    writers.look([], 7000.0)
    assert writers.known == {}


def test_a_log_that_is_opened_for_a_line_at_a_time_has_no_writer(tmp_path):
    path, writers = str(tmp_path / "a.log"), Writers(share=0.0)
    (tmp_path / "a.log").write_text("x")
    process = hold(path)
    writers.look([path], 0.0)
    let_go(process)
    for now_s in (1000.0, 2000.0, 3000.0):
        writers.look([path], now_s)
    assert writers.end_of(path) is None


def test_a_process_that_is_gone_in_the_middle_is_a_death(site, tmp_path):
    site.stop()
    site.start(ends=[Writers(share=0.0)])
    site.write("a.log", "")
    process = hold(site.path("a.log"))
    site.train("a.log", 1, 40)
    let_go(process)
    site.pass_by(20, 5.0)
    assert site.kinds == ["died"]
    assert "its process is gone" in site.told[0].said
