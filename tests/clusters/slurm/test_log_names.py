"""Where a job's log is, in each version of Slurm: what its patterns stand for, and what the accounting tells."""

import pytest

from schedmate.clusters.slurm.log_names import log_of, may_read
from schedmate.clusters.slurm.versions import known_of
from tests.clusters.slurm.test_records import job


@pytest.mark.parametrize(
    ("out", "log"),
    [
        ("", "/home/ada/slurm-2_1.out"),
        ("/home/ada/slurm-6.out", "/home/ada/slurm-2_1.out"),  # what squeue makes up before 24.05
        ("/home/ada/slurm-%A_%a.out", "/home/ada/slurm-2_1.out"),
        ("%x-%j.log", "/home/ada/a|b\nx-6.log"),
        ("/data/%u/%4a.%N", "/data/ada/0001.gpu2"),
        ("100%%.%A", "/home/ada/100%.2"),
        (r"\%j", "/home/ada/%j"),
        (r"\\%j-%A", r"/home/ada/\%j-%A"),
        ("%9x", "/home/ada/a|b\nx"),
    ],
)
def test_names_of_logs(out, log):
    assert log_of(job(StdOut=out)) == log


ODD_NAMES = ("%b-%A", "x%2b", "%r.%3r", "%12z%j", "%5%j", "%3", "%12j", "%S.log")


@pytest.mark.parametrize(
    ("says", "names"),
    [
        ("slurm-wlm 22.05.8", ["%b-2", "x2b", "%r.3r", "2z6", "56", "3", "0000000006", "%S.log"]),
        ("slurm 24.05.2", ["%b-2", "x2b", "%r.3r", "2z6", "56", "3", "0000000006", "%S.log"]),
        ("slurm 24.11.0", ["7-2", "x07", "%r.3r", "2z6", "56", "3", "0000000006", "%S.log"]),
        ("slurm 25.05.1", ["7-2", "x07", "%r.3r", "2z6", "56", "3", "0000000006", "%S.log"]),
        ("slurm 25.11.0", ["7-2", "x07", "1.001", "%12z6", "%5%j", "%3", "0000000006", ""]),
    ],
)
def test_each_version_has_its_patterns_and_its_way_with_odd_widths(slurm_of, says, names):
    """As the releases' own code does; what stands for 22.05 was seen there (tests/slurm/test_lookup.py)."""
    slurm_of(says)
    told = [log_of(job(JobArrayID="2_17", StdOut=out, WorkDir="/w", RestartCnt="1")) for out in ODD_NAMES]
    assert told == [f"/w/{name}" if name else "" for name in names]


def test_a_width_of_five_thousand_digits_is_ten(slurm_of):
    slurm_of("slurm 22.05.8")
    assert log_of(job(StdOut=f"%{'9' * 5000}j")) == "/home/ada/0000000006"


@pytest.mark.parametrize(
    ("says", "known"),
    [
        ("slurm 20.11.9", []),
        ("slurm-wlm 22.05.8", ["SubmitLine"]),
        ("slurm 24.05.2", ["SubmitLine", "StdOut"]),
        ("a fork", ["SubmitLine", "StdOut"]),
    ],
)
def test_an_accounting_is_not_asked_for_fields_that_it_does_not_know(slurm_of, says, known):
    slurm_of(says)
    assert [*known_of(("SubmitLine", "StdOut"))] == known


def test_who_writes_to_a_terminal_has_no_log():
    assert log_of(job(BatchFlag="0")) == ""


def test_a_log_that_is_a_link_to_somebody_elses_file_is_not_read_for_its_job(tmp_path):
    secret, log = tmp_path / "secret", tmp_path / "log"
    secret.write_text("s")
    log.symlink_to(secret)
    owner = secret.stat().st_uid
    assert may_read(str(log), owner + 1, caller=0) is False
    assert may_read(str(tmp_path / "absent"), owner + 1, caller=0) is False
    assert may_read(str(log), owner + 1, caller=owner + 2) is True, "the file system decides"
