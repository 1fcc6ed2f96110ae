"""A kernel that was started days ago tells how it came up, and at last of tasks that hang in a file system."""

import pytest

from schedmate import diagnose

BOOT = [
    "hfi1 0000:0e:00.0: hfi1_1: enabling queue 7 on context 11",
    "IPv6: ADDRCONF(NETDEV_UP): ib1: link is not ready",
    "IPv6: ADDRCONF(NETDEV_CHANGE): ib1: link becomes ready",
    "8021q: adding VLAN 0 to HW filter on device bond0",
    "bond0: (slave ens3f1): Enslaving as a backup interface with a down link",
    "igb 0000:b0:00.0 ens3f0: igb: ens3f0 NIC Link is Up 1000 Mbps Full Duplex, Flow Control: RX",
]
WAITS = {
    "mmfslinux": "cxiWaitEventWait+0x208/0x330 [mmfslinux]",
    "lustre": "cl_sync_io_wait+0x1c3/0x3d0 [obdclass]",
    "nfs": "nfs4_proc_getattr+0x5a/0xd0 [nfsv4]",
}


def hung(minute, wait, seconds=120):
    at = f"[Sat Mar  4 04:{minute:02d}:52 2023]"
    return [
        f"{at} INFO: task python:28005 blocked for more than {seconds} seconds.",
        f"{at}       Tainted: P           OE    --------- -  - 4.18.0-372.el8.x86_64 #1",
        f"{at} task:python          state:D stack:    0 pid:28005 ppid:27996 flags:0x00000080",
        f"{at} Call Trace:",
        f"{at}  schedule+0x35/0xa0",
        f"{at}  {wait}",
    ]


def read(tmp_path, lines):
    (tmp_path / "dmesg.txt").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "dmesg.txt")


@pytest.mark.parametrize("wait", WAITS.values(), ids=WAITS)
def test_tasks_that_hang_are_told_by_the_first_line_of_their_wait(tmp_path, wait):
    booted = [f"[Wed Mar  1 17:45:38 2023] {line}" for line in BOOT]
    lines = [*booted, *hung(10, wait), *hung(12, wait, 241), *hung(14, wait, 362)]
    found = read(tmp_path, lines)
    assert (found.failure_id, found.subcategory, found.root_line) == ("node.hung_task", "node", len(BOOT) + 1)


def test_a_link_that_comes_up_at_the_start_is_no_trouble(tmp_path):
    assert read(tmp_path, [f"[Wed Mar  1 17:45:38 2023] {line}" for line in BOOT]).category == "none"


def test_a_link_that_is_lost_later_is(tmp_path):
    booted = [f"[Wed Mar  1 17:45:38 2023] {line}" for line in BOOT]
    lost = "[Sat Mar  4 04:10:52 2023] mlx5_core 0000:17:00.0 ib0: Link down"
    assert read(tmp_path, [*booted, lost]).subcategory == "network"
