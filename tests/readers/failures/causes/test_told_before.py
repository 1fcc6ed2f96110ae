"""Lines that may tell of an end are found from the last to the first; each part of a log is searched once for all."""

import pytest

from schedmate.knowledge.consequences import consequences
from schedmate.readers.failures.case import JobCase
from schedmate.readers.failures.causes import told_before as walk
from schedmate.readers.failures.reading import read_log
from schedmate.tools.logfile import open_log

SILENT = next(literal for kind in consequences() for literal in kind.literals if literal.startswith(b"nfs"))
LINES = [
    *("step 1 loss 2.0", "NFS: Server oak07 not responding", "step 2 loss 1.9", "nfs: server oak08 not responding"),
    *("step 3 loss 1.8", "kernel: rebooting soon", "step 4 loss 1.7"),
]


@pytest.fixture
def case(tmp_path):
    (tmp_path / "job.log").write_text("\n".join(LINES * 40) + "\n")
    with open_log(tmp_path / "job.log") as log:
        yield JobCase([read_log(log)])


def numbers(case, *literals):
    return [raw.number for raw, _ in walk.told_before(literals, 0, 0, case.readings[0].log.size, case)]


def test_the_last_is_given_first_whatever_its_case(case):
    found = numbers(case, SILENT)
    assert found == sorted(found, reverse=True)
    assert len(found) == 80
    assert {number % len(LINES) for number in found} == {2, 4}


def test_what_stands_nowhere_is_not_looked_for_line_by_line(case, monkeypatch):
    def never(*asked):
        raise AssertionError

    monkeypatch.setattr(walk, "places_in", never)
    assert numbers(case, b"failed call to cuinit: ") == []


def test_several_kinds_search_a_part_once(case, monkeypatch):
    monkeypatch.setattr(walk, "WINDOW_BYTES", 1 << 10)
    first = numbers(case, SILENT)
    parts = dict(case.searched)
    assert len(parts) > 3
    monkeypatch.setattr(walk.scanner(), "find", None)
    assert numbers(case, SILENT) == first
    assert case.searched == parts
