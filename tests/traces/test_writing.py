"""Tables that are written: a spreadsheet computes nothing of theirs, and our readers get back what was written."""

import csv
import io

import numpy as np
import pytest

from schedmate.traces.formats.csv import read
from schedmate.traces.reading import read_trace
from schedmate.traces.reshaping import scale, whole_gpus
from schedmate.traces.writing import cell, uncell, write_trace

NAMES = ["=1+2", "+cmd|x", "-n", "@SUM(A1)", "\t=1", "'quoted", "plain", "", "a=b"]


@pytest.mark.parametrize("name", NAMES)
def test_no_cell_is_a_formula_and_every_name_comes_back(name):
    assert not cell(name).startswith(("=", "+", "-", "@", "\t", "\r"))
    assert uncell(cell(name)) == name


def test_a_table_is_read_back_as_it_was():
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(["job_id", "submit_s", "duration_s", "gpus", "user", "name"])
    table.writerows([[i, 0, 1, 1, cell(name), cell(name)] for i, name in enumerate(NAMES)])
    rows = list(read(io.StringIO(text.getvalue())))
    assert [row.user for row in rows] == NAMES


def test_parts_of_gpus_are_written_and_read_back(tmp_path):
    (tmp_path / "t.csv").write_text("job_id,submit_s,duration_s,gpus\n1,0,5,0.25\n2,0,5,3g.40gb\n3,0,5,8\n")
    was = read_trace(str(tmp_path / "t.csv"))
    with (tmp_path / "again.csv").open("w") as stream:
        write_trace(was, stream)
    assert [line.split(",")[6] for line in (tmp_path / "again.csv").read_text().splitlines()[1:]] == [
        "0.25",
        "0.428571",
        "8",
    ]
    assert read_trace(str(tmp_path / "again.csv")).sizes() == was.sizes() == [0.25, 0.428571, 8]


def test_whole_gpus_can_be_had_instead_of_parts(tmp_path):
    (tmp_path / "t.csv").write_text("job_id,submit_s,duration_s,gpus\n1,0,5,0.25\n2,0,5,8\n")
    whole = whole_gpus(read_trace(str(tmp_path / "t.csv")))
    assert whole.sizes() == [1, 8]
    assert whole.notes == ("jobs that ask for a part of a GPU, and get a whole one: 1",)
    assert whole_gpus(whole) is whole


SACCT = """JobID|User|Account|QOS|Partition|JobName|Submit|Start|End|ElapsedRaw|State|AllocTRES|Timelimit
1|ada|=vision|urgent|gpu|a|2026-01-01T00:00:10|2026-01-01T00:00:40|2026-01-01T01:00:40|3600|COMPLETED|gres/gpu=8|02:00:00
2|bob|text|normal|gpu|b|2026-01-01T00:01:00|2026-01-01T00:01:00|2026-01-01T00:02:00|60|FAILED|gres/gpu=1|UNLIMITED
"""


def test_what_a_site_told_of_its_jobs_is_written_and_read_back(tmp_path):
    (tmp_path / "site.txt").write_text(SACCT)
    was = read_trace(str(tmp_path / "site.txt"))
    with (tmp_path / "site.csv").open("w") as stream:
        write_trace(was, stream)
    now = read_trace(str(tmp_path / "site.csv"))
    assert now.account.listed() == ["=vision", "text"]
    assert now.qos.listed() == ["urgent", "normal"]
    assert now.limit_s.tolist()[0] == 7200.0
    assert np.isnan(now.limit_s[1])
    assert now.waited_s.tolist() == [30.0, 0.0]
    assert now.status.listed() == was.status.listed()


def test_waits_that_were_recorded_do_not_hold_for_jobs_that_come_faster(tmp_path):
    (tmp_path / "site.txt").write_text(SACCT)
    was = read_trace(str(tmp_path / "site.txt"))
    assert not len(scale(was, rate=2.0).waited_s)
    assert scale(was, most_gpus=4).waited_s.tolist() == [30.0, 0.0]


def test_a_trace_that_tells_no_more_has_no_more_columns(tmp_path):
    (tmp_path / "plain.csv").write_text("job_id,submit_s,duration_s,gpus\n1,0,5,1\n")
    text = io.StringIO()
    write_trace(read_trace(str(tmp_path / "plain.csv")), text)
    assert text.getvalue().splitlines()[0] == "job_id,user,vc,name,submit_s,duration_s,gpus,status,kind,extra"
