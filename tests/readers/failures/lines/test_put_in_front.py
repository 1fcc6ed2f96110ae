"""A dump that somebody put in front of a job's log is of the run that its clock tells."""

import pytest

from schedmate import diagnose

HEAD = "--- kiln16: journalctl -u {} ---"
PLUM = "{} kiln16 slurmd[4733]: launch task StepId=77.0 request from UID:9 GID:9 HOST:10.9.8.7 PORT:5185"
NO_POWER = "{} kiln16 ipmievd[678]: Power Supply sensor PS{} Status - Power Supply AC lost Asserted"
FIRST_RUN = [
    *(f"[2031-04-24 05:{minute:02}:00,100] [INFO] step={minute} loss=1.{90 - minute}" for minute in range(10, 30)),
    "Traceback (most recent call last):",
    '  File "fit.py", line 9, in <module>',
    "    main()",
    "KeyError: 'plums'",
    "requeued (restart count 1)",
]
SECOND_RUN = [
    *(f"[2031-04-24 07:{minute:02}:00,100] [INFO] step={minute} loss=0.{90 - minute}" for minute in range(20, 39)),
    "[rank4]: [E0424 08:08:35.243277668 ProcessGroupNCCL.cpp:566] [Rank 4] Watchdog caught collective operation"
    " timeout: WorkNCCL(SeqNum=492, OpType=_ALLGATHER_BASE, NumelIn=3, NumelOut=9, Timeout(ms)=1800000) ran for"
    " 1800081 milliseconds before timing out.",
    "srun: error: kiln11: task 0: Terminated",
]


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


def front(moment):
    lost = [NO_POWER.format(f"2031-04-24T{moment}:35.196539+00:00", supply) for supply in (1, 2)]
    return [HEAD.format("slurmd"), PLUM.format("2031-04-24T05:09:52.176021+00:00"), HEAD.format("ipmievd"), *lost, ""]


@pytest.mark.parametrize("runs", [[*FIRST_RUN, *SECOND_RUN], SECOND_RUN], ids=["second run", "only run"])
def test_what_was_said_as_the_last_step_was_made_is_the_root(tmp_path, runs):
    found = read(tmp_path, *front("07:38"), *runs)
    assert (found.category, found.subcategory, found.root_line) == ("infrastructure", "other", 4)


def test_what_was_said_long_before_the_last_step_is_not(tmp_path):
    assert read(tmp_path, *front("05:20"), *FIRST_RUN, *SECOND_RUN).root_line > len(FIRST_RUN)


def test_where_no_step_bears_a_time_the_jobs_last_word_before_it_does(tmp_path):
    steps = [f"{{'loss': 1.{90 - n}, 'learning_rate': 9.3e-05, 'epoch': 0.{n}}}" for n in range(10, 60)]
    ended = [
        "RuntimeError: Socket Timeout",
        "srun: error: kiln16: task 2: Killed",
        "srun: error: kiln17: task 4: Terminated",
    ]
    for stamp in ("07:36:00.100 - fit - INFO - saved", "[2031-04-24 07:36:00,100] [INFO] saved"):
        assert read(tmp_path, *front("07:38"), *steps[:40], stamp, *steps[40:], *ended).root_line == 4
        assert read(tmp_path, *front("05:20"), *steps[:40], stamp, *steps[40:], *ended).root_line > len(steps)


UP = "[{:.6f}] {}"
PERF = "perf: interrupt took too long (2501 > 2500), lowering kernel.perf_event_max_sample_rate to 79000"
SWITCH = "nvidia-nvswitch1: SXid (PCI:0000:86:00.0): 20034, Fatal, Link 44 LTSSM Fault Up"
FABRIC = (
    "[Apr 24 2031 07:38:50] [ERROR] [tid 4084] detected NVSwitch fatal error 20034 on fid 0 on NVSwitch pci bus id 86"
)


@pytest.mark.parametrize("ago", [200, 20_000])
def test_what_a_kernel_counts_from_its_start_is_of_the_end_where_it_is_near_the_dumps_last_line(tmp_path, ago):
    kernel = [UP.format(90_000 + 50 * n, PERF) for n in range(5)]
    at = [UP.format(90_200 + 200 - ago, SWITCH)]
    dump = sorted([*kernel, *at, UP.format(90_400, PERF)])
    heading = "[epilog] collecting kernel messages from kiln16"
    ended = ["Traceback (most recent call last):", '  File "fit.py", line 9, in <module>', "    main()"]
    ended += ["RuntimeError: CUDA error: unspecified launch failure"]
    found = read(tmp_path, heading, *dump, FABRIC.replace("07:38", "05:08"), *SECOND_RUN[:19], *ended)
    assert (found.subcategory == "nvlink") == (ago == 200)
