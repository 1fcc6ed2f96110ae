"""A kernel's or a daemon's own line that tells of trouble counts where the job stopped, in whatever words."""

import pytest

from schedmate import diagnose
from schedmate.readers.failures.sightings.machine_trouble import tells_of_trouble

STEPS = [f"[rank0]: iter {step} of 9000 loss {3 - step / 100:.3f}" for step in range(1, 80)]
LOST = "[rank3]: ConnectionResetError: [Errno 104] Connection reset by peer"
SAID = {
    "Jan 09 02:11:40 n17 boardd[412]: GPU 3 met a fault in its memory that it cannot mend, health FAIL": "gpu",
    "2026-01-09T02:11:40+00:00 n17 nvlinkwatch[41]: NVLink 5 of GPU 3 would not train": "nvlink",
    "Jan 09 02:11:40 leaf-4 portd[9]: swp14 (n17): loss of signal": "network",
    "n17: [ 81234.551200] md/raid1:md4: Disk failure on nvme3n1, disabling device.": "node",
    "Jan 09 02:11:40 hall-b plantd[2]: chilled water of row 4 is lost": "other",
    "Jan 09 02:11:40 n17 mountd[7]: volume corpus could not be attached, timed out": "other",
    "Jan 09 02:11:40 n17 minio[71]: drive pool 2 is offline, read quorum lost": "other",
    "Jan 09 02:11:40 n17 nvidia-smi-watch[4]: query of index 3 returns ERR!": "gpu",
    "Jan 09 02:11:40 tor-4 opticsd[4]: swp9: rx power too low, port disabled": "network",
    "Jan 09 02:11:40 n17 namesd[4]: no upstream name server answers, hosts cannot be resolved": "network",
    "Jan 09 02:11:40 n17 multipathd[4]: mpatha: remaining active paths: 0": "node",
    "Jan 09 02:11:40 n17 beatd[4]: n17: no heartbeat for 30 s": "node",
    "Jan 09 02:11:40 n17 eventsd[4]: Preempt scheduled for this VM, not before 02:12:10": "other",
    "Jan 09 02:11:40 n17 dcgm[51]: NvLink lane 3 of GPU 1 recovered 900 times, giving up on it": "nvlink",
}
CALM = [
    "Jan 09 02:11:40 n17 boardd[412]: GPU 3: 4 correctable errors, no faults",
    "Jan 09 02:11:40 n17 sshd[99]: session of host n9 timed out",
    "Jan 09 02:11:40 n17 mountd[7]: nfs server filer9 not responding, still trying",
    "Jan 09 02:11:40 leaf-4 portd[9]: swp14 is up at 400 Gb/s, 0 errors",
    "Jan 09 02:11:40 leaf-4 portd[9]: the fault of swp14 is resolved, nothing was lost",
    "Jan 09 02:11:40 n17 eventsd[4]: Reboot scheduled for Sunday, 04:00, hosts of row C go down",
]
SET_UP = [
    "Jan 09 02:11:40 n17 kernel: EDAC igen6: ECC is disabled by the firmware",
    "Jan 09 02:11:40 n17 kernel: cxl_mem mem0: memory scrub support not available, patrol disabled",
    "Jan 09 02:11:40 n17 nvidia-settingsd[4]: GPU 2: auto boost disabled",
    "Jan 09 02:11:40 n17 blowerd[4]: fan 4 duty down to 35%",
    "Jan 09 02:11:40 n17 imagesd[4]: image layer cache: digest missing, will be pulled",
    "Jan 09 02:11:40 n17 linkd[4]: <info> eno2: carrier change: up -> unavailable",
    "Jan 09 02:11:40 n17 nodelet[4]: debug: job_id 812 (of another user) was killed",
    "Jan 09 02:11:40 n17 diskwatchd[4]: sdb: disk temperature changed to 31, not above threshold",
    "Jan 09 02:11:40 n17 kernel: br-4: port 2(veth1b) entered disabled state",
    "Jan 09 02:11:40 n17 systemd[1]: Stopped memory pressure watch for shutdown of a user's slice.",
]
OF_NO_JOB = [
    "Jan 09 02:11:40 n17 systemd[1]: logrotate.service: Failed with result 'exit-code'.",
    "Jan 09 02:11:40 n17 telegraf[4]: E! [outputs.influxdb] could not write metrics, host influx down",
    "Jan 09 02:11:40 n17 slurmd[4]: error: Unable to read file /sys/class/power",
    "n17: [ 81234.551200] ACPI Error: Aborting method due to previous error (AE_NOT_EXIST)",
    "Jan 09 02:11:40 ctl slurmctld[4]: error: slurm_receive_msg [10.0.0.9:44]: Zero Bytes were transmitted or received",
    "n17: [ 81234.551200] mce: CPU3: Core temperature is above threshold, cpu clock is throttled (total events = 1)",
]
BUG = ["Traceback (most recent call last):", '  File "/app/train.py", line 4, in <module>', "KeyError: 'labels'"]


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize(("line", "part"), SAID.items())
@pytest.mark.parametrize("fallout", [[], [LOST, LOST]])
def test_what_a_machine_says_in_its_own_words_is_heard(tmp_path, line, part, fallout):
    found = read(tmp_path, [*STEPS, line, *fallout])
    assert (found.category, found.subcategory, found.root_line) == ("infrastructure", part, len(STEPS) + 1)


@pytest.mark.parametrize("line", [*CALM, *SAID])
def test_what_is_well_or_was_outlived_is_no_cause(tmp_path, line):
    after = [] if line in CALM else [*STEPS, "training finished"]
    assert read(tmp_path, [*STEPS, line, *after]).category == "none"


@pytest.mark.parametrize("line", SET_UP)
def test_settings_and_what_informs_are_no_trouble(tmp_path, line):
    assert read(tmp_path, [*STEPS, line]).category == "none"


@pytest.mark.parametrize(
    "line",
    [
        "fabricd: port 4 of spine 2 is down",
        "blade 7: DIMM 3 was disabled by the memory test",
        "rackd: the host has gone silent",
        "routed: neighbor 10.4.0.2 (uplink of row 4) is lately Down, no routes",
        "filerd: NFS filer f3 has not answered in 90 s",
    ],
)
def test_the_same_words_of_what_happened_are_trouble(line):
    assert tells_of_trouble(line)


@pytest.mark.parametrize("line", OF_NO_JOB)
def test_what_a_host_says_of_its_own_affairs_ends_no_job(tmp_path, line):
    assert read(tmp_path, [*STEPS, line]).category == "none"
    assert read(tmp_path, [*STEPS, line, *STEPS[-2:]]).category == "none"
    assert read(tmp_path, [*STEPS, line, *BUG]).category == "script"


def test_a_programs_own_line_bears_no_mark(tmp_path):
    said = "trainer: GPU 3 met a fault in its memory that it cannot mend, health FAIL"
    assert read(tmp_path, [*STEPS, said]).failure_id != "machines.accelerator"


def test_a_host_that_is_named_after_its_cards_is_no_card(tmp_path):
    line = "Jan 09 02:11:40 gpu17-02 jobd[7]: job 71 goes back to the queue as node gpu17-02 failed"
    assert read(tmp_path, [*STEPS, line, LOST]).subcategory == "node"


def test_what_a_watcher_calls_harmless_itself():
    told = "nv-hostengine[22]: GPU 4: DCGM_HEALTH_WATCH_PCIE: violation, 2 replays in the last minute"
    assert tells_of_trouble(told)
    assert tells_of_trouble(f"{told}, clock below its minimum")
    assert not tells_of_trouble(f"{told} (below threshold)")
    assert tells_of_trouble("healthd[9]: GPU 2 halted, fan at 80 % (within limits)")
    assert not tells_of_trouble("kernel: nvme nvme0: I/O tag 4 QID 2 timeout, completion polled")


def test_words():
    assert tells_of_trouble("railwatch: rail 2 sees a storm of pauses")
    assert not tells_of_trouble("railwatch: rail 2 is up again, 0 errors")
