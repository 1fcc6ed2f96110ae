"""A quiet first statement is the root of the end that it leads to, however many steps are between; no other is."""

import pytest

from schedmate import diagnose
from schedmate.knowledge.consequences import consequences

STEPS = [f"iteration {number}/9000 loss {4 - number / 500:.4f} 812 ms" for number in range(400)]
STACK = ["Traceback (most recent call last):", '  File "/srv/lea/fit.py", line 31, in <module>', "    fit(options)"]
KINDS = [pytest.param(kind, id=kind.name) for kind in consequences()]
TOO_OLD = (
    "site/torch/cuda/__init__.py:138: UserWarning: CUDA initialization: The NVIDIA driver on your system is too old"
)
NO_GPUS = "RuntimeError: ProcessGroupNCCL is only supported with GPUs, no GPUs found!"
STOPPED = "{} kiln04 systemd[1]: Stopping nvidia-fabricmanager.service - NVIDIA fabric manager service..."
NOT_READY = "RuntimeError: CUDA error: system not yet initialized"


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


def ended(line):
    """Write an end as its speaker does: an exception comes out at the top of its program."""
    return [*STACK, line] if line.partition(":")[0].endswith(("Error", "OutOfDiskError")) else [line]


def between(kind):
    """Give what a job says between the two: steps, unless none can be made."""
    if kind.unbroken:
        return [f"reading list {number}" for number in range(100)]
    return STEPS[:100] if kind.near_lines else STEPS


@pytest.mark.parametrize("kind", KINDS)
def test_an_end_is_led_back_to_its_first_statement(tmp_path, kind):
    first, end = kind.sample
    assert read(tmp_path, ["begin", first, *between(kind), *ended(end)]).root_line == 2


@pytest.mark.parametrize("kind", KINDS)
def test_another_end_is_not(tmp_path, kind):
    for end in kind.near_miss:
        assert read(tmp_path, ["begin", kind.sample[0], *between(kind), *ended(end)]).root_line != 2


@pytest.mark.parametrize("kind", KINDS)
def test_another_first_statement_leads_to_nothing(tmp_path, kind):
    for first in kind.quiet_miss:
        assert read(tmp_path, ["begin", first, *between(kind), *ended(kind.sample[1])]).root_line != 2, first


LOUD = {"left its cluster", "disk gone", "name not found"}
QUIET = [one for one in KINDS if one.values[0].put_right and one.values[0].name not in LOUD]
"""Those of which the first statement is no cause by itself: a cluster's loss is, a disk's, a name's."""


@pytest.mark.parametrize("kind", QUIET)
def test_what_was_put_right_is_found_behind_a_flood(tmp_path, kind):
    first, end = kind.sample
    literal = max((one for one in kind.literals if one in first.lower().encode()), key=len).decode()
    flood = [f"kiln04 watch: {literal} {number}" for number in range(4100)]
    assert read(tmp_path, ["begin", first, *flood, kind.put_right[0], *ended(end)]).root_line != 2


@pytest.mark.parametrize("kind", KINDS)
def test_it_ends_nothing_by_itself(tmp_path, kind):
    assert read(tmp_path, ["begin", kind.sample[0], *STEPS, "Training complete"]).category == "none"


def test_the_stacks_own_word_decides_the_class(tmp_path):
    found = read(tmp_path, [TOO_OLD, *STEPS, *ended(NO_GPUS)])
    assert (found.failure_id, found.category, found.root_line) == ("cuda.driver_too_old", "framework", 1)
    assert read(tmp_path, ["begin", *STEPS, *ended(NO_GPUS)]).category == "script"


def test_what_was_put_right_led_to_nothing(tmp_path):
    told = [STOPPED.format("Mar 14 02:11:09"), *STEPS[:200]]
    started = "Mar 14 02:15:09 kiln04 systemd[1]: Started nvidia-fabricmanager.service - NVIDIA fabric manager service."
    again = [STOPPED.format("Mar 14 03:00:00"), *STEPS[200:], *ended(NOT_READY)]
    assert read(tmp_path, [*told, *STEPS[200:], *ended(NOT_READY)]).root_line == 1
    assert read(tmp_path, [*told, started, *STEPS[200:], *ended(NOT_READY)]).root_line > 401
    assert read(tmp_path, [*told, started, *again]).root_line == 203


def test_another_machine_lost_nothing(tmp_path):
    silent = "2031-02-03T04:{}:00+00:00 {} kernel: nfs: server filer2 not responding, still trying"
    hung = "2031-02-03T04:40:00+00:00 kiln04 kernel: INFO: task python3:991 blocked for more than 120 seconds."
    found = read(tmp_path, ["begin", silent.format("10", "kiln04"), *STEPS[:50], hung])
    assert (found.root_line, found.failure_id) == (2, "storage.server_silent")
    assert read(tmp_path, ["begin", silent.format("10", "kiln05"), *STEPS[:50], hung]).root_line != 2
    back = "2031-02-03T04:12:00+00:00 kiln04 kernel: nfs: server filer2 OK"
    assert read(tmp_path, ["begin", silent.format("10", "kiln04"), back, *STEPS[:50], hung]).root_line != 2


def test_a_disk_has_its_partitions_and_no_other_disks(tmp_path):
    timed_out = "kernel: nvme nvme2: I/O 321 (I/O Cmd) QID 38 timeout, aborting"
    for disk, root in (("nvme2n1p1", 2), ("nvme2n1", 2), ("nvme21n1p1", 403)):
        journal = f"kernel: EXT4-fs error (device {disk}): ext4_journal_check_start:84: Detected aborted journal"
        assert read(tmp_path, ["begin", timed_out, *STEPS, "saving", journal]).root_line in {root, root + 1}, disk


def test_a_message_to_all_is_one_only_if_it_orders_the_machine_down(tmp_path):
    head, end = (
        "Broadcast message from root@kiln04 on pts/2 (Thu 2031-01-16 06:09:07 UTC):",
        "srun: error: Node failure on kiln04",
    )
    ordered = read(tmp_path, ["begin", head, "", "The system will reboot at 06:10!", *STEPS[:40], end])
    other = read(tmp_path, ["begin", head, "", "The system will reboot at 06:10!", *STEPS[:40], end.replace("4", "7")])
    assert other.root_line != 2
    assert (ordered.root_line, ordered.failure_id) == (2, "node.reboot")
    assert read(tmp_path, ["begin", head, "", "please keep /mnt/pears tidy", "", *STEPS[:40], end]).root_line != 2


def test_a_machine_is_blamed_for_no_other(tmp_path):
    stopped = "Mar 14 02:11:09 kiln04 systemd[1]: Stopping slurmd.service - Slurm node daemon..."
    found = read(tmp_path, [*STEPS[:50], stopped, *STEPS[50:], "srun: error: Node failure on kiln05"])
    assert (found.root_line, found.faulty_components) == (len(STEPS) + 2, ("kiln05",))
    lost = "Mar 14 02:11:09 login systemd[1]: Unmounted /scratch."
    missing = "gpu07: FileNotFoundError: [Errno 2] No such file or directory: '/scratch/lea/fit.json'"
    assert (
        read(tmp_path, [lost, *STEPS, *(f"gpu07: {line}" for line in STACK), missing]).failure_id
        != "storage.mount_lost"
    )


def test_a_step_refutes_that_there_is_no_device(tmp_path):
    lost = ended("RuntimeError: CUDA error: no CUDA-capable device is detected")
    assert read(tmp_path, ["No devices were found", *lost]).root_line == 1
    assert read(tmp_path, ["No devices were found", *STEPS, *lost]).root_line > len(STEPS)


def test_a_rank_is_no_other(tmp_path):
    warned, died = "[rank7]: " + TOO_OLD, [f"[rank0]: {line}" for line in ended(NO_GPUS)]
    assert read(tmp_path, ["begin", warned, *STEPS, *died]).root_line != 2
    assert read(tmp_path, ["begin", warned.replace("7", "0", 1), *STEPS, *died]).root_line == 2


def test_who_is_led_back_far_without_a_name_is_less_sure(tmp_path):
    near = read(tmp_path, ["begin", TOO_OLD, *STEPS[:20], *ended(NO_GPUS)])
    far = read(tmp_path, ["begin", TOO_OLD, *STEPS, *ended(NO_GPUS)])
    assert (near.root_line, far.root_line) == (2, 2)
    assert far.confidence < near.confidence
    assert far.root_confidence < near.root_confidence


def test_a_long_sequence_between_steps_ends_one_of_the_next_or_none(tmp_path):
    kind = next(one for one in consequences() if one.name == "sequence too long")
    first, end = kind.sample
    assert read(tmp_path, [*STEPS[:50], first, *STEPS[50:52], *ended(end)]).root_line == 51
    assert read(tmp_path, [*STEPS[:50], first, *STEPS[50:], *ended(end)]).root_line > 401
    prepared = "Map (num_proc=9): 100%|##########| 52002/52002 [01:12<00:00, 721.81 examples/s]"
    assert read(tmp_path, [prepared, first, *STEPS, *ended(end)]).root_line == 2


def test_what_a_dump_behind_the_end_tells_of_before_it_is_the_first_statement(tmp_path):
    job = [f"2031-03-14 02:{minute:02}:00 INFO layer {minute} is ready" for minute in range(10, 40)]
    other = "2031-03-14T{}:00+00:00 kiln04 sshd[88]: Connection closed by 10.0.0.6 port 49669 [preauth]"
    failed = "2031-03-14T{}:08+00:00 kiln04 systemd[1]: nvidia-fabricmanager.service: Failed with result 'exit-code'."
    for moment, root in (("01:07", 37), ("02:50", 34)):
        dump = [other.format("01:05"), other.format("01:06"), failed.format(moment), other.format("02:55")]
        assert read(tmp_path, [*job, *STACK, NOT_READY, *dump]).root_line == root
