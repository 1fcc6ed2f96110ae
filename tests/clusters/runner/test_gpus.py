"""Which GPUs a job may open, as far as no kernel is needed for it; `make test-cgroup` asks a kernel."""

import struct

import pytest

from schedmate.clusters.runner.gpus import device_program, minors_of, numbered_anew

CHARACTERS, BLOCKS = 2, 1


def allows(program, kind, major, minor, access=3):
    """Do what a kernel does with such a program."""
    memory, registers, place = (kind | access << 16, major, minor), [0] * 11, 0
    steps = [struct.unpack_from("=BBhi", program, 8 * number) for number in range(len(program) // 8)]
    while True:
        operation, which, offset, number = steps[place]
        target, source = which & 15, which >> 4
        place += 1
        if operation == 0x61:
            assert source == 1
            registers[target] = memory[offset // 4]
        elif operation == 0x54:
            registers[target] &= number
        elif operation == 0xB7:
            registers[target] = number
        elif operation in (0x55, 0x15, 0x35):
            value = registers[target]
            jumps = {0x55: value != number, 0x15: value == number, 0x35: value >= number}[operation]
            place += offset if jumps else 0
        else:
            assert operation == 0x95
            return registers[0]


@pytest.mark.parametrize("mine", [(), (0,), (3, 1), tuple(range(8))])
def test_a_job_opens_its_gpus_and_what_all_share(mine):
    program = device_program(mine)
    assert [minor for minor in range(300) if allows(program, CHARACTERS, 195, minor)] == [
        *sorted(mine), *range(248, 300),
    ]  # fmt: skip
    for kind, major, minor in ((CHARACTERS, 1, 3), (CHARACTERS, 510, 0), (BLOCKS, 195, 5), (CHARACTERS, 1950, 5)):
        assert allows(program, kind, major, minor)


def test_who_can_open_no_others_finds_his_gpus_from_0():
    """As CUDA and NVML count: what they cannot open is not there."""
    told = {"CUDA_VISIBLE_DEVICES": "2,5", "PATH": "/bin"}
    assert numbered_anew(told) == {"CUDA_VISIBLE_DEVICES": "0,1", "PATH": "/bin"}
    assert told["CUDA_VISIBLE_DEVICES"] == "2,5"


def test_gpus_are_counted_as_the_bus_has_them_and_named_as_the_driver_does(tmp_path):
    """The driver's number of a GPU's file need not be its place among the GPUs."""
    for bus, minor in (("0000:07:00.0", 2), ("0000:0a:00.0", 0), ("0000:47:00.0", 1)):
        (tmp_path / bus).mkdir()
        (tmp_path / bus / "information").write_text(
            f"Model: \t H100\nBus Location: \t {bus}\nDevice Minor: \t {minor}\n"
        )
    assert minors_of(str(tmp_path)) == [2, 0, 1]
    (tmp_path / "0000:ff:00.0").mkdir()
    assert minors_of(str(tmp_path)) == [], "half a table is none"
    assert minors_of(str(tmp_path / "none")) == []
