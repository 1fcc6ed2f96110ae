"""What a driver told of a device goes before the calls that failed for want of it, though a few steps came between."""

import pytest

from schedmate import diagnose

STEPS = [f"iteration {number}/9000 loss {4 - number / 500:.4f} 812 ms" for number in range(400)]
FAILED = [
    "brine04:5110:5188 [2] enqueue.cc:1640 NCCL WARN Cuda failure 719 'unspecified launch failure'",
    "brine02:7120:7199 [0] enqueue.cc:1640 NCCL WARN Cuda failure 719 'unspecified launch failure'",
]
LINK = "Feb 03 11:40:12 {} kernel: NVRM: Xid (PCI:0009:01:00): 149, NETIR_LINK_EVT  Fatal   XC0 i0 Link 04 (0x0 0x0)"
BUS = "[88123.400122] NVRM: Xid (PCI:0000:4e:00): 79, pid=911, name=sampler, GPU has fallen off the bus."
PROGRAMS = "[88123.400122] NVRM: Xid (PCI:0000:4e:00): 13, pid=911, name=sampler, Graphics Exception: ESR 0x505730=0x1"


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


def test_a_link_that_the_driver_gave_up_explains_launches_that_failed_some_steps_later(tmp_path):
    found = read(tmp_path, [*STEPS[:390], LINK.format("brine02"), *STEPS[390:], *FAILED])
    assert (found.category, found.subcategory, found.root_line) == ("infrastructure", "nvlink", 391)


def test_a_device_that_was_lost_explains_them_as_well(tmp_path):
    raised = ["(Sampler pid=911) torch.AcceleratorError: CUDA error: unspecified launch failure"]
    found = read(tmp_path, [*STEPS[:395], BUS, *STEPS[395:], *raised])
    assert (found.failure_id, found.root_line) == ("gpu.xid_79", 396)


def test_who_hands_the_drivers_word_on_explains_them_too(tmp_path):
    handed = "I0507 10:01:58.000000       1 health.go:159] XidCriticalError: Xid=79 on Device=GPU-75a9-b3, unhealthy."
    raised = "[rank4]: torch.AcceleratorError: CUDA error: unspecified launch failure"
    assert read(tmp_path, [*STEPS[:395], handed, *STEPS[395:], raised]).root_line == 396
    shown = "sample prompt: 'what is Xid 79, GPU has fallen off the bus?'"
    assert read(tmp_path, [*STEPS[:395], shown, *STEPS[395:], raised]).category == "script"


@pytest.mark.parametrize(
    "told",
    [
        [LINK.format("brine02"), *STEPS[10:]],
        [*STEPS[10:390], LINK.format("brine09"), *STEPS[390:]],
        [*STEPS[10:390], PROGRAMS, *STEPS[390:]],
    ],
    ids=["long before", "of another host", "of the program's own"],
)
def test_what_is_far_of_another_host_or_the_programs_own_explains_nothing(tmp_path, told):
    assert read(tmp_path, [*STEPS[:10], *told, *FAILED]).category == "script"


OUT_OF_STEP = "[kiln3] Failed to initialize NVML: Driver/library version mismatch"
NO_CARD = ["[kiln3] Traceback (most recent call last):", '[kiln3]   File "/app/fit.py", line 6, in main']
READ_IN = [
    f"[kiln1] reading in: {part}%|###   | {part}/100 [00:{part // 2:02}<00:50, 2.1 parts/s]" for part in range(100)
]


def test_a_driver_out_of_step_with_its_library_stays_so_whatever_others_do_meanwhile(tmp_path):
    lines = [OUT_OF_STEP, *READ_IN, *READ_IN, *READ_IN, *NO_CARD, "[kiln3] RuntimeError: No CUDA GPUs are available"]
    found = read(tmp_path, lines)
    assert (found.failure_id, found.root_line) == ("node.driver_library_mismatch", 1)


def test_it_explains_no_fault_of_the_program(tmp_path):
    lines = [OUT_OF_STEP, *READ_IN, *READ_IN, *READ_IN, *NO_CARD, "[kiln3] KeyError: 'width'"]
    assert read(tmp_path, lines).root_line == len(lines)


def test_without_a_drivers_word_the_job_saw_no_card(tmp_path):
    lines = [*READ_IN, *NO_CARD, "[kiln3] RuntimeError: No CUDA GPUs are available"]
    assert read(tmp_path, lines).failure_id == "cuda.no_gpus_available"


CARD_FAILED = "RuntimeError: CUDA error (card 0000:{}:00.0): unspecified launch failure"
OTHER_PROCESS = ["(Sampler pid=944) torch.AcceleratorError: CUDA error: unspecified launch failure"]
MEMORY = "[88123.400122] EDAC MC1: 1 UE memory read error on CPU_SrcID#1_Ha#0_Chan#0_DIMM#0"


@pytest.mark.parametrize(
    ("told", "steps", "failed", "category"),
    [
        (BUS, 40, [CARD_FAILED.format("4E")], "infrastructure"),
        (BUS, 40, [CARD_FAILED.format("1b")], "script"),
        (BUS, 6, [CARD_FAILED.format("1b")], "script"),
        (BUS, 6, OTHER_PROCESS, "script"),
        (BUS, 6, ["RuntimeError: CUDA error: unspecified launch failure"], "infrastructure"),
        (BUS, 40, ["RuntimeError: CUDA error: unspecified launch failure"], "script"),
        (MEMORY, 6, ["RuntimeError: CUDA error: unspecified launch failure"], "script"),
    ],
    ids=["its card", "another", "another, soon", "another process", "soon", "much later", "the host's memory"],
)
def test_it_explains_what_is_of_the_same_part_or_came_soon(tmp_path, told, steps, failed, category):
    lines = [*STEPS[: 400 - steps], told, *STEPS[400 - steps :], *failed]
    assert read(tmp_path, lines).category == category
