"""Tables that are written: a spreadsheet computes nothing of theirs, and our readers get back what was written."""

import csv
import io

import pytest

from schedmate.traces.formats.csv import read
from schedmate.traces.writing import cell, uncell

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
