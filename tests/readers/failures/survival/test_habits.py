"""What a job got over many times it got over once more; what ended it need not be what it met last."""

from schedmate import diagnose

LIMIT = "=>> PBS: job killed: walltime 3603 exceeded limit 3600"


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


def steps(first, last):
    return [f"epoch 1 step {step} loss {3 - step / 100:.3f}" for step in range(first, last)]


def test_the_limit_ends_it_and_not_the_trouble_of_every_other_minute(tmp_path):
    lines = []
    for turn in range(6):
        lines += [*steps(10 * turn, 10 * turn + 10), f'reader: OSError(5, "Input/output error") on part {turn}']
    assert read(tmp_path, [*lines, LIMIT]).failure_id == "scheduler.other_time_limit"


def test_what_came_one_time_too_many_explains_what_only_the_launcher_tells(tmp_path):
    killed = "slurmstepd: error: Detected 1 oom_kill event in StepId=81.0. Some of the step tasks have been OOM Killed."
    lines = [line for turn in range(6) for line in (*steps(10 * turn, 10 * turn + 10), killed)]
    assert read(tmp_path, [*lines, "srun: error: n7: task 0: Exited with exit code 1"]).subcategory == "node"


def test_tries_that_were_used_are_tries(tmp_path):
    lines = [*steps(0, 20), 'reader: OSError(5, "Input/output error") on part 7, two of 5 tries used', LIMIT]
    assert read(tmp_path, lines).failure_id == "scheduler.other_time_limit"


def test_an_exception_that_led_to_the_last_was_not_got_over(tmp_path):
    lines = [
        *steps(0, 20),
        "store: GET of part 7 failed (503), will retry, attempt=8",
        "Traceback (most recent call last):",
        '  File "/w/store.py", line 12, in get',
        "    raise answer",
        "botocore.exceptions.ClientError: An error occurred (503) when calling the GetObject operation: Slow Down",
        "",
        "The above exception was the direct cause of the following exception:",
        "",
        "Traceback (most recent call last):",
        '  File "/w/train.py", line 40, in <module>',
        "    fit()",
        '  File "/w/train.py", line 30, in fit',
        "    raise PartMissing(7) from error",
        "train.PartMissing: 7",
    ]
    found = read(tmp_path, lines)
    assert (found.category, found.subcategory) == ("infrastructure", "other")


def test_what_a_kernel_says_of_a_process_of_the_job_is_of_this_job_however_old_it_looks(tmp_path):
    lines = [
        *steps(0, 20),
        "torch.AcceleratorError: CUDA error: unspecified launch failure",
        "failed (exitcode: 1) local_rank: 5 (pid: 81895) of binary: /usr/bin/python",
        "[  839131.161511] NVRM: Xid (PCI:0000:3d:00): 79, pid=81895, name=python3, GPU has fallen off the bus.",
        *(f"[ {839131 + 20000 * turn}.027853] nfs: server vast-3 OK" for turn in range(1, 6)),
    ]
    assert read(tmp_path, lines).root_line == 23


def test_a_verdict_of_the_driver_rests_on_what_it_had_said_before(tmp_path):
    xid = "May  2 {}:45 n12 kernel: NVRM: Xid (PCI:0000:ab:00): {}"
    first = xid.format("12:53", "119, pid=3659, name=python3, Timeout after 45s of waiting for RPC from GPU3 GSP!")
    last = xid.format("13:26", "154, GPU recovery action changed from 0x0 (None) to 0x2 (Node Reboot Required)")
    waited = (
        "[rank4]:[E502 13:47:03.086112 ProcessGroupNCCL.cpp:616] [Rank 4] Watchdog caught collective operation timeout:"
        " WorkNCCL(SeqNum=40, OpType=ALLREDUCE, Timeout(ms)=600000) ran for 600034 milliseconds before timing out."
    )
    found = read(tmp_path, [*steps(0, 20), first, *steps(20, 60), last, waited])
    assert (found.subcategory, found.root_line) == ("gpu", 21)
