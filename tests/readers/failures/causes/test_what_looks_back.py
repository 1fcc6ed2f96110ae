"""What somebody asked for when all was over tells why a device or a file was gone, where a program knew only that."""

from schedmate import diagnose

STEPS = [f"step {step} loss 2.{step:03d} lr 0.01" for step in range(40)]
EVENTS = [
    "3m   Normal    Pulled       pod/fit-2     Successfully pulled image",
    "2m   Warning   GpuRas       node/n-17     amdgpu 0000:27:00.0: amdgpu: socket: 1, die: 0, 1 uncorrectable "
    "hardware errors detected in umc block",
    "1m   Normal    Killing      pod/fit-2     Stopping container main",
]


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


def test_an_event_says_why_a_device_hung(tmp_path):
    hung = "HW Exception by GPU node-3 (Agent handle: 0x55aa) reason :GPU Hang"
    found = read(tmp_path, [*STEPS, hung, "Aborted (core dumped)", *EVENTS])
    assert (found.failure_id, found.root_line) == ("gpu.amd_uncorrectable", len(STEPS) + 4)


def test_a_driver_says_why_a_device_was_reset(tmp_path):
    reset = "[1,4]<stderr>:[08:11:02.123456][SYN_API  ][error][tid:77] synLaunch: failed, synStatus 30 [synDeviceReset]"
    dump = [
        "[88001.100000] habanalabs 0000:19:00.0 accel6: ECC error detected. address: 0x0. critical 0. (corrected)",
        "[88040.200000] habanalabs 0000:1a:00.0 accel7: HBM READ data uncorrectable ECC (DED)",
        "[88044.300000] habanalabs 0000:1a:00.0 accel7: Going to hard-reset device",
        "[88050.400000] nfs: server filer OK",
    ]
    found = read(tmp_path, [*(f"[1,0]<stdout>:{line}" for line in STEPS), reset, *dump])
    assert found.root_line == len(STEPS) + 3


def test_a_machine_that_goes_down_as_foretold_was_taken_back(tmp_path):
    told = "(w, rank=2, pid=7, ip=10.0.0.2) spot-handler: Spot ITN received. Instance will be interrupted at 08:43:44Z"
    down = "(w, rank=2, pid=7, ip=10.0.0.2) Broadcast message from root@n2: The system will power off now!"
    later = [f"step {step} loss 1.{step} lr 0.01" for step in range(40, 60)]
    assert read(tmp_path, [*STEPS, told, *later, down]).root_line == len(STEPS) + 1


SWITCH = "gpu07 kernel: nvidia-nvswitch1: SXid (PCI:0000:84:00.0): 20034, Fatal, Link 44 LTSSM Fault Up"
LOST = "gpu07:51225:51925 [1] transport/nvls.cc:219 NCCL WARN Cuda failure 719 'unspecified launch failure'"


def test_a_driver_says_why_calls_failed_that_bear_no_clock(tmp_path):
    kernel = [f"Sep 15 23:02:57 {SWITCH}", f"Sep 15 23:02:57 {SWITCH.split(', Fatal')[0]}, Severity 1"]
    assert read(tmp_path, [*STEPS, LOST, "=== journal of the host", *kernel]).root_line == len(STEPS) + 3
    knows = LOST.replace("unspecified launch failure", "system not yet initialized").replace("719", "802")
    assert read(tmp_path, [*STEPS, knows, "=== journal of the host", *kernel]).root_line == len(STEPS) + 1


BUS = "ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory (shm)."
DISK = [
    "n-17 [90417.609636] nvme nvme2: I/O 214 QID 9 timeout, reset controller",
    "n-17 [90417.811200] nvme nvme2: Removing after probe failure status: -19",
]
KILLED = [
    *("[rank9]: Traceback (most recent call last):", '[rank9]:   File "fit.py", line 9, in <module>'),
    "[rank9]: RuntimeError: DataLoader worker (pid 4012) is killed by signal: Bus error. It is possible that "
    "dataloader's workers are out of shared memory. Please try to raise your shared memory limit.",
]


def test_a_driver_says_why_a_worker_died_where_its_program_only_guesses(tmp_path):
    found = read(tmp_path, [*STEPS, BUS, *DISK, *KILLED])
    assert (found.category, found.root_line) == ("infrastructure", len(STEPS) + 2)
    assert read(tmp_path, [*STEPS, *DISK, BUS, *KILLED]).category == "infrastructure"
    assert read(tmp_path, [*STEPS[:20], *DISK, *STEPS[20:], BUS, *KILLED]).failure_id == "dataloader.shm_too_small"
    calm = "n-17 [90417.609636] nvme nvme2: 64/0/0 default/read/poll queues"
    assert read(tmp_path, [*STEPS, BUS, calm, *KILLED]).failure_id == "dataloader.shm_too_small"


def test_a_driver_says_why_a_device_hung_in_the_midst_of_what_others_say(tmp_path):
    hung = "[1,13]<stderr>:HW Exception by GPU node-7 (Agent handle: 0x8b1c) reason :GPU Hang"
    lost = [f"[1,{rank}]<stderr>:RuntimeError: NCCL communicator was aborted on rank {rank}." for rank in (3, 8)]
    kernel = "n-17 kernel: [90417.609636] amdgpu 0000:b5:00.0: amdgpu: 2 uncorrectable hardware errors detected in umc"
    found = read(tmp_path, [*STEPS, hung, *lost, kernel, "Primary job  terminated normally, but 1 process returned"])
    assert found.root_line == len(STEPS) + 4
    other = read(tmp_path, [*STEPS, hung, *lost, "n-17 kernel: [90417.609636] nfs: server filer OK"])
    assert other.root_line == len(STEPS) + 1


def test_a_switch_says_why_kernels_met_memory_that_was_not_theirs(tmp_path):
    met = "[rank9]: RuntimeError: CUDA error: an illegal memory access was encountered"
    kernel = [f"gpu07 kernel: [308407.813505] {SWITCH.partition('kernel: ')[2]}", "srun: error: gpu07: task 9: Exited"]
    assert read(tmp_path, [*STEPS, met, *kernel]).failure_id == "nvlink.switch_fatal"
    own = "gpu07 kernel: [308407.813505] NVRM: Xid (PCI:0000:3b:00): 31, pid=77, name=python, MMU Fault"
    assert read(tmp_path, [*STEPS, met, own]).category == "script"


def test_a_kernel_says_why_a_file_system_was_gone(tmp_path):
    for met, said in (
        ("OSError: [Errno 30] Read-only file system: '/mnt/a/step.pt'", DISK[1]),
        (
            "OSError: [Errno 108] Cannot send after transport endpoint shutdown",
            "n-17 kernel: [90417.813505] LustreError: 167-0: w-OST001a: This client was evicted by w-OST001a; in "
            "progress operations using this service will fail.",
        ),
    ):
        found = read(tmp_path, [*STEPS, "Traceback (most recent call last):", '  File "a.py", line 1', met, said])
        assert found.root_line == len(STEPS) + 4, met
        alone = read(tmp_path, [*STEPS, "Traceback (most recent call last):", '  File "a.py", line 1', met])
        assert alone.root_line == len(STEPS) + 3, met
