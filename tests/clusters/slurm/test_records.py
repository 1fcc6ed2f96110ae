"""What Slurm prints becomes records: rows as a real 22.05 gave them, and as other versions document theirs."""

import os

import pytest

from schedmate.clusters.log_ends import LogEnd
from schedmate.clusters.managed import Unreachable
from schedmate.clusters.slurm.commands import fields_of, rows_of, rows_of_letters
from schedmate.clusters.slurm.dialects import SINFO, SQUEUE
from schedmate.clusters.slurm.log_ends import ends_of
from schedmate.clusters.slurm.log_names import log_of
from schedmate.clusters.slurm.records import code_of, end_of, job_of, merged, node_of, phase_of, read_exclusions
from schedmate.clusters.slurm.runs import guess, placement_of
from schedmate.tools.host_list import hosts

ROW = {
    "JobArrayID": "2_1", "JobID": "6", "State": "RUNNING", "Reason": "None", "exit_code": "0", "UserName": "ada",
    "UserID": "1007", "Partition": "gpu", "NodeList": "gpu[2-3]", "RestartCnt": "0", "SubmitTime": "1795346267",
    "EligibleTime": "1795346267",
    "tres-alloc": "cpu=2,mem=125G,node=2,billing=2,gres/gpu=4", "StartTime": "1795346268", "EndTime": "1795346868",
    "TimeLimit": "10:00", "PriorityLong": "1", "Nice": "0", "BatchFlag": "1", "NumCPUs": "2", "Comment": "(null)",
    "StdOut": "/home/ada/arr_%A_%a.out", "WorkDir": "/home/ada", "Command": "/home/ada/j.sh 200", "Name": "a|b\nx",
    "admin_comment": "",
}  # fmt: skip
NODE = {
    "NodeList": "gpu1", "StateLong": "mixed", "Gres": "gpu:h100:8,shard:h100:32", "CPUs": "16", "NodeAddr": "10.0.0.1",
    "GresUsed": "gpu:h100:3(IDX:0-1,5),shard:h100:0(IDX:N/A)", "User": "Unknown", "Timestamp": "Unknown",
    "Reason": "none",
}  # fmt: skip


def job(**changes):
    return job_of({**dict.fromkeys(SQUEUE, ""), **ROW, **changes})


def node(**changes):
    return node_of({**dict.fromkeys(SINFO, ""), **NODE, **changes})


def test_an_element_of_an_array_that_runs():
    found = job()
    assert (found.name, found.raw, found.phase, found.nodes, found.gpus) == ("2_1", "6", "runs", ("gpu2", "gpu3"), 4)
    assert (found.user, found.uid, found.start_s, found.comment) == ("ada", 1007, 1795346268.0, "")
    assert log_of(found) == "/home/ada/arr_2_1.out"


@pytest.mark.parametrize(
    ("state", "reason", "priority", "phase"),
    [
        ("PENDING", "Priority", 1, "waits"),
        ("PENDING", "JobHeldUser", 0, "held"),
        ("PENDING", "JobHeldAdmin", 0, "held"),
        ("PENDING", "job requeued in held state", 0, "held"),
        ("PENDING", "None", 0, "held"),
        ("PENDING", "Dependency", 0, "waits"),
        ("CONFIGURING", "None", 1, "waits"),
        ("SUSPENDED", "None", 1, "runs"),
        ("COMPLETING", "None", 1, "leaves"),
        ("OUT_OF_MEMORY", "OutOfMemory", 1, "over"),
    ],
)
def test_where_a_job_stands(state, reason, priority, phase):
    assert phase_of(state, reason, priority) == phase


def records(*table):
    return [fields_of(row) for row in rows_of(*table)]


def test_a_jobs_own_words_forge_no_record():
    """Separators are drawn anew for each question: a name that holds yesterday's is only a name."""
    text = "1<ab>x</cd>\n2<ab>evil </dc>9<ba>forged</cd>\n"
    assert records(text, "<ab>", "</cd>", 2, "squeue") == [["1", "x"], ["2", "evil </dc>9<ba>forged"]]


def test_a_jobs_own_line_ends_cut_no_record_of_the_accountings_apart():
    text = "1<ab>\nevil<ab>x<ab>\n2<ab>\n\x1f<ab>y<ab>\n"
    assert [fields_of(row) for row in rows_of_letters(text, "<ab>", 3, "sacct")] == [["1", "evil", "x"], ["2", "", "y"]]
    for half in (text[:-6], text[:24]):
        with pytest.raises(Unreachable):
            rows_of_letters(half, "<ab>", 3, "sacct")


@pytest.mark.parametrize("text", ["1<ab>x</cd>\n2<ab>y", "1<ab>x</cd>\n2</cd>\n", "slurm_load_jobs error\n"])
def test_half_an_answer_is_none(text):
    with pytest.raises(Unreachable):
        records(text, "<ab>", "</cd>", 2, "squeue")


@pytest.mark.parametrize(
    ("text", "code"),
    [("0", 0), ("768", 3), ("9", -9), ("15", -15), ("3:0", 3), ("0:9", -9), ("0:0", 0), ("", None), ("N/A", None)],
)
def test_exit_codes_of_both_forms(text, code):
    assert code_of(text) == code


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("gpu1", ["gpu1"]),
        ("gpu[1-3,07]", ["gpu1", "gpu2", "gpu3", "gpu07"]),
        ("gpu[08-10],login1", ["gpu08", "gpu09", "gpu10", "login1"]),
        ("r[1-2]n[1-2]", ["r1n1", "r1n2", "r2n1", "r2n2"]),
        ("a[1-2]-ib", ["a1-ib", "a2-ib"]),
        ("", []),
        ("odd[", ["odd["]),
    ],
)
def test_lists_of_nodes(text, names):
    assert list(hosts(text)) == names


@pytest.mark.parametrize(
    ("state", "what"),
    [
        ("idle", "up"), ("mixed", "up"), ("allocated", "up"), ("planned", "up"), ("completing", "up"), ("idle~", "up"),
        ("reserved", "up"), ("drained", "marked"), ("draining", "marked"), ("drained*", "marked"), ("maint", "marked"),
        ("down", "down"), ("down*", "down"), ("idle*", "down"), ("fail", "down"), ("unknown", "down"),
        ("inval", "down"), ("failing", "down"), ("future", "down"),
        ("idle$", "marked"), ("mixed^", "marked"), ("reboot^", "marked"), ("blocked", "marked"), ("maint*", "down"),
        ("idle#", "up"), ("allocated%", "up"), ("mixed-", "up"), ("idle@", "up"), ("allocated+", "up"),
        ("powered_down", "up"), ("powering_up", "up"), ("IDLE", "up"),
    ],
)  # fmt: skip
def test_states_of_nodes(state, what):
    """As sinfo's manual names them, of 22.05 and before (`+`) and after (`blocked`)."""
    assert node(StateLong=state).state == what


@pytest.mark.parametrize(
    ("state", "phase"),
    [
        ("EXPEDITING", "waits"), ("POWER_UP_NODE", "waits"), ("REQUEUE_FED", "waits"), ("RESV_DEL_HOLD", "waits"),
        ("SPECIAL_EXIT", "held"), ("REQUEUE_HOLD", "held"), ("STAGE_OUT", "runs"), ("STOPPED", "runs"),
        ("SIGNALING", "runs"), ("RESIZING", "runs"), ("LAUNCH_FAILED", "over"), ("BOOT_FAIL", "over"),
        ("DEADLINE", "over"), ("REVOKED", "over"),
    ],
)  # fmt: skip
def test_states_of_jobs_that_only_some_versions_have(state, phase):
    assert phase_of(state, "None", 1) == phase


@pytest.mark.parametrize(
    ("gres", "used", "gpus", "mask"),
    [
        ("gpu:v100:8(S:0-1)", "gpu:v100:1(IDX:7)", 8, 1 << 7),
        ("gpu:a100:4,gpu:t4:2", "gpu:a100:0(IDX:N/A),gpu:t4:0(IDX:N/A)", 6, 0),
        ("gpu:a100_1g.5gb:7(S:0)", "gpu:a100_1g.5gb:2(IDX:0-1)", 7, 0b11),
        ("gpu:h100:8(S:0-1),nic:8", "gpu:h100:8(IDX:0-7),nic:0", 8, 0xFF),
        ("(null)", "gpu:0", 0, 0),
    ],
)
def test_gpus_of_nodes_with_sockets_slices_and_several_types(gres, used, gpus, mask):
    found = node(Gres=gres, GresUsed=used)
    assert (found.gpus, found.used) == (gpus, mask)


@pytest.mark.parametrize(
    "tres", ["cpu=2,mem=125G,node=1,billing=2,gres/gpu=4", "gres/gpu=4,gres/gpu:h100=4", "gres:gpu:4"]
)
def test_gpus_that_a_job_was_given_in_the_words_of_several_versions(tres):
    assert job(**{"tres-alloc": tres}).gpus == 4


class Said:
    """Answers as squeue does."""

    def __init__(self, text):
        self.text = text

    def run(self, *words):
        assert words[0] == "squeue"
        return self.text


def test_where_jobs_may_not_start():
    told = read_exclusions(Said("7 gpu[1-2],gpu9\n8_3 \n9 (null)\n 10_1   n1 \n"))
    assert told == {"7": {"gpu1", "gpu2", "gpu9"}, "10_1": {"n1"}}


def test_a_node_tells_which_gpus_are_given():
    found = node()
    assert (found.gpus, found.used, found.reason, found.by) == (8, 0b100011, "", "")
    assert node(Gres="(null)", GresUsed="gpu:0").gpus == 0
    assert node(Gres="gpu:4(S:0-1)", GresUsed="gpu:2(IDX:0,3)").used == 0b1001


def test_which_gpus_a_job_has_is_known_or_called_a_guess():
    nodes = {"gpu1": node(GresUsed="gpu:h100:3(IDX:0-2)")}
    mine = job(NodeList="gpu1", **{"tres-alloc": "gres/gpu=2"})
    other = guess(job(NodeList="gpu1", **{"tres-alloc": "gres/gpu=1"}), {"gpu1": node(GresUsed="gpu:1(IDX:0)")}, [])[0]
    assert guess(mine, nodes, [other]) == (other._replace(parts=(("gpu1", 0b110),)), False)
    assert guess(mine, nodes, []) == (other._replace(parts=(("gpu1", 0b111),)), True), "another came in the same moment"
    nodes = {"gpu1": node(GresUsed="gpu:h100:0(IDX:N/A)"), "gpu2": node()}
    whole = job(NodeList="gpu1", **{"tres-alloc": "gres/gpu=8"})
    assert guess(whole, nodes, [other]) == (other._replace(parts=(("gpu1", 0xFF),)), False), "sinfo was late"
    text = "   JOB_GRES=gpu:h100:2\n     Nodes=gpu1 CPU_IDs=0 Mem=4000 GRES=gpu:h100:2(IDX:0,2)\n"
    assert placement_of(text, ["gpu1"]).parts == (("gpu1", 0b101),)
    assert placement_of(text, ["gpu9"]) is None


def test_components_of_a_heterogeneous_job_are_one():
    parts = [job(JobArrayID="10+1", NodeList="gpu3"), job(JobArrayID="10+0", NodeList="gpu1", Name="first")]
    (whole,) = merged(parts)
    assert (whole.name, whole.nodes, whole.gpus, whole.title) == ("10", ("gpu1", "gpu3"), 8, "first")


def test_an_end_as_the_accounting_tells_it():
    row = ["4", "4", "CANCELLED by 0", "0:15", "1795346538", "1795346542", "gpu1", "None"]
    found = end_of(
        dict(zip(["JobID", "JobIDRaw", "State", "ExitCode", "Start", "End", "NodeList", "Reason"], row, strict=True))
    )
    assert (found.state, found.code, found.start_s, found.reason) == ("CANCELLED", -15, 1795346538.0, "")


def batch(state, log, code="0", **more):
    return job(**{"UserID": str(os.getuid()), **more}, State=state, StdOut=str(log), exit_code=code, JobArrayID="6")


def test_ends_of_logs_are_those_of_the_last_job_that_wrote_there(tmp_path):
    mine, uid = tmp_path / "a.out", os.getuid()
    mine.write_text("")
    failed = batch("FAILED", mine, "256")
    assert ends_of([failed], uid) == {str(mine): LogEnd("FAILED 1")}
    assert ends_of([failed, batch("RUNNING", mine)], uid) == {str(mine): None}
    later = batch("COMPLETED", mine, SubmitTime="1895346267")
    assert ends_of([later, failed], uid)[str(mine)].well
    assert ends_of([batch("CANCELLED", mine)], uid)[str(mine)].is_meant
    assert ends_of([batch("NODE_FAIL", mine)], uid)[str(mine)].said.startswith("NODE_FAIL")


def test_who_may_read_everything_believes_no_job_about_anothers_log(tmp_path):
    log = tmp_path / "b.out"
    log.write_text("")
    os.chown(log, os.getuid(), -1)
    assert ends_of([batch("FAILED", log, UserID=str(os.getuid() + 1))], 0) == {}
