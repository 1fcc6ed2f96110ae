"""Hosts that stand before a daemon's words, and in the line above a dump of a kernel's log."""

import pytest

from schedmate import diagnose

STEPS = [f"epoch 1 step {step} loss {3 - step / 100:.3f}" for step in range(1, 40)]
KERNEL = [
    "[Sat Apr 05 08:25:10 2031] docker0: port 3(veth9e0d2) entered disabled state",
    "[Sat Apr 05 09:52:42 2031] docker0: port 3(veth9e0d2) entered disabled state",
    "[Sat Apr 05 10:00:03 2031] mce: [Hardware Error]: CPU 32: Machine Check Exception: 5 Bank 4: be00000000800400",
    "[Sat Apr 05 10:00:03 2031] Kernel panic - not syncing: Fatal machine check",
]
HEADS = [
    "---- dmesg -T tail on n7-12 ----",
    "## journalctl -k -n 30 --no-pager  (n7-12)",
    "[node-debug] === n7-12 kernel log ===",
    "+ ssh n7-12 sudo dmesg -T | tail -n 25",
    '[epilog] n7-12: kernel messages (grep -Ei "nvrm|mlx|edac")',
    "--- journal of n7-12 (last boot) ---",
    "[ipmi-console n7-12] last 8 lines",
]


def read(tmp_path, lines):
    (tmp_path / "job.out").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.out")


@pytest.mark.parametrize("head", HEADS)
def test_the_line_above_a_dump_tells_whose_it_is(tmp_path, head):
    found = read(tmp_path, [*STEPS, "srun: error: n7-11: task 0: Aborted", head, *KERNEL])
    assert (found.category, found.subcategory) == ("infrastructure", "node")
    assert found.faulty_components == ("n7-12", "CPU 32")


def test_another_line_above_a_dump_tells_nothing_of_it(tmp_path):
    found = read(tmp_path, [*STEPS, "copying results to n7-12", *KERNEL])
    assert "n7-12" not in found.faulty_components


def test_a_daemon_names_the_host_of_which_it_speaks(tmp_path):
    said = (
        "[healthd] 2031-04-05 10:00:38 n7-12: dcgmi health: GPU 2: DCGM_FR_CLOCK_THROTTLE_THERMAL: Detected clock"
        " throttling due to thermal violation in GPU 2; temperature 94 C"
    )
    drained = "[healthd] 2031-04-05 10:01:08 n7-12: policy gpu-thermal matched -> draining node, killing job 4711"
    found = read(tmp_path, [*STEPS, said, drained, "srun: error: n7-11: task 0: Killed"])
    assert (found.subcategory, found.root_excerpt) == ("gpu", said)
    assert found.faulty_components == ("n7-12", "GPU 2")


def test_a_host_that_was_booted_while_the_job_ran_is_the_cause(tmp_path):
    stuck = (
        "[rank0]:[E405 10:45:02.277 ProcessGroupNCCL.cpp:632] [Rank 0] Watchdog caught collective operation timeout:"
    )
    stuck += " WorkNCCL(SeqNum=38819, OpType=BROADCAST, Timeout(ms)=600000) ran for 600010 milliseconds"
    up = [f"n{number}:  10:45:40 up {up},  0 users,  load average: 7.06, 4.11, 2.20" for number, up in NODES]
    found = read(tmp_path, [*STEPS, stuck, *up])
    assert (found.subcategory, found.root_excerpt, found.faulty_components) == ("node", up[1], ("n7",))
    assert read(tmp_path, [*up, *STEPS]).category == "none"


NODES = [(6, "65 days, 13:44"), (7, "11 min")]


def test_what_a_node_check_found_goes_before_what_the_program_then_misses(tmp_path):
    check = (
        "ERROR:  nhc:  Health check failed:  check_nv_gpu_count 8: 7 GPUs found, GPU 0000:3b:00 missing from the bus"
    )
    raised = [
        "[rank7]: Traceback (most recent call last):",
        '[rank7]:   File "main.py", line 522, in <module>',
        "[rank7]:     torch.cuda.set_device(7)",
        "[rank7]: RuntimeError: CUDA error: invalid device ordinal",
    ]
    assert read(tmp_path, [check, *raised]).subcategory == "gpu"
    assert read(tmp_path, raised).category == "script"


def test_the_word_of_one_node_of_sky_is_its_processes(tmp_path):
    raised = [
        "(worker1, rank=1, pid=6811, ip=10.9.3.176) [rank8]: Traceback (most recent call last):",
        '(worker1, rank=1, pid=6811, ip=10.9.3.176) [rank8]:   File "main.py", line 800, in <module>',
        "(worker1, rank=1, pid=6811, ip=10.9.3.176) [rank8]: FileNotFoundError: [Errno 2] No such file: '/data/a'",
    ]
    after = [f"(head, rank=0, pid=6725)   exitcode  : 1 (pid: {pid})" for pid in range(6730, 6738)]
    found = read(tmp_path, [*raised, *after, "ERROR: Job 1 failed with return code list: [1, 1]"])
    assert (found.category, found.root_line) == ("script", 3)


NODE_FAILED = (
    "slurmstepd: error: *** JOB 77 ON n7-11 CANCELLED AT 2031-04-05T10:01:00 DUE TO NODE FAILURE, SEE SLURMCTLD LOG ***"
)
CONTROLLER = "[2031-04-05T10:00:53.529] error: Nodes n7-12 not responding, setting DOWN"


def test_the_daemon_on_the_first_node_does_not_say_which_node_failed(tmp_path):
    assert read(tmp_path, [*STEPS, NODE_FAILED, CONTROLLER]).faulty_components == ("n7-12",)
    assert read(tmp_path, [*STEPS, NODE_FAILED]).faulty_components == ()
    assert read(tmp_path, [*STEPS, NODE_FAILED, CONTROLLER, CONTROLLER.replace("-12", "-13")]).faulty_components == ()


def test_whom_nobody_reaches_is_at_fault_and_not_who_says_so(tmp_path):
    said = "n7-11:800521:800521 [7] misc/socket.cc:484 NCCL WARN Connect to 10.9.8.7<48211> failed : No route to host"
    assert read(tmp_path, [*STEPS, said]).faulty_components == ("10.9.8.7",)


def test_what_a_kernels_messages_are_called_is_no_machine(tmp_path):
    said = (
        "n7-12: kmsg: [121721.551199] thermal thermal_zone1: x86_pkg_temp: critical temperature reached, shutting down"
    )
    assert read(tmp_path, [*STEPS, said]).faulty_components == ("n7-12",)
