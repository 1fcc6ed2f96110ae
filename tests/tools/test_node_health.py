"""What a machine tells of itself, from files as its kernel shows them."""

import os

import pytest

from schedmate.tools.node_health import look


@pytest.fixture
def machine(tmp_path):
    def make(**files):
        for name, text in files.items():
            path = tmp_path / name.replace("__", "/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path

    return make


def test_uncorrected_errors_of_memory_speak_against_the_machine(machine):
    root = machine(
        sys__devices__system__edac__mc__mc0__ue_count="3\n", proc__meminfo="MemTotal: 100 kB\nMemAvailable: 50 kB\n"
    )
    assert look("memory", root).faults == ["mc0: 3 uncorrected memory errors"]


def test_memory_that_jobs_have_taken_is_told_and_proves_nothing(machine):
    seen = look("memory", machine(proc__meminfo="MemTotal: 1000 kB\nMemAvailable: 1 kB\n"))
    assert (seen.faults, seen.doubts) == ([], ["hardly any memory is left"])


def test_links_that_are_on_and_down_are_named(machine):
    root = machine(
        sys__class__net__eth0__device__vendor="x", sys__class__net__eth0__operstate="down\n",
        sys__class__net__eth0__flags="0x1003\n", sys__class__net__eth1__device__vendor="x",
        sys__class__net__eth1__operstate="down\n", sys__class__net__eth1__flags="0x1002\n",
        sys__class__net__veth__operstate="down\n", sys__class__net__veth__flags="0x1003\n",
        sys__class__infiniband__mlx5_0__ports__1__state="1: DOWN\n",
        sys__class__infiniband__mlx5_1__ports__1__state="4: ACTIVE\n",
    )  # fmt: skip
    assert look("network", root).faults == ["eth0 is down", "mlx5_0 port 1 is 1: DOWN"]


def test_only_the_kernels_own_words_count(machine):
    root = machine(
        dev__kmsg="3,1,1000,-;mce: [Hardware Error]: Machine check events logged\n"
        "11,2,1000,-;mce: [Hardware Error]: written by a program\n"
        "3,3,1000,-;I/O error, dev nvme0n1, sector 5 op 0x0:(READ)\n"
        "3,4,1000,-;I/O error, dev loop0, sector 5 op 0x0:(READ)\n"
        "6,5,1000,-;EDAC MC0: 1 UE [77]: segfault at 0 ip 0 sp 0 error 4 in python\n"
        "3,6,1000,-;EXT4-fs warning (device sda1): dx_probe: inode #2: comm forced readonly: no space\n"
        "nonsense\n;;;\n"
    )
    faults = look("kernel", root).faults
    assert faults[0] == "the kernel says: mce: [Hardware Error]: Machine check events logged"
    assert faults[1].startswith("the kernel says: I/O error, dev nvme0n1")
    assert len(faults) == 2


def test_what_happened_before_is_over(machine):
    root = machine(dev__kmsg="3,1,1000,-;EDAC MC0: 1 UE memory read error on CPU_SrcID#0_Ha#0 (channel:0)\n")
    assert look("kernel", root).faults
    assert look("kernel", root, since_s=1e12).faults == []


def test_a_log_that_may_not_be_read_is_no_clean_bill(machine):
    assert look("kernel", machine()).blind.startswith("the kernel's log cannot be read")


def test_a_machine_with_room_is_well(machine):
    root = machine(tmp__x="", var__tmp__x="", dev__shm__x="")
    free = os.statvfs(root)
    seen = look("disk", root)
    assert seen.faults == []
    assert bool(seen.doubts) == (free.f_bavail < 0.01 * free.f_blocks)
