"""What goes on being so was not got over: a name that never had an address, a process that is still seen to wait."""

from schedmate import diagnose

COPIED = [
    f"2031-04-05T10:{11 + number // 60:02d}:{number % 60:02d}Z copied part {number} of 700" for number in range(200)
]
NO_NAME = (
    "[W405 10:11:02 socket.cpp:752] [c10d] The IPv4 network addresses of ({}, 29400) cannot be retrieved (gai error: "
    "-3 - Temporary failure in name resolution)."
)
WAITED = (
    "[rank4]: torch.distributed.DistNetworkError: The client socket has timed out after 600000ms while trying to "
    "connect to (fit-head-0, 29400)."
)


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


def test_a_name_without_an_address_is_why_its_host_was_waited_for_in_vain(tmp_path):
    found = read(tmp_path, [*COPIED[:20], NO_NAME.format("fit-head-0"), *COPIED[20:], WAITED])
    assert (found.subcategory, found.root_line) == ("network", 21)


def test_another_hosts_is_not(tmp_path):
    found = read(tmp_path, [*COPIED[:20], NO_NAME.format("tracker"), *COPIED[20:], WAITED])
    assert found.root_line == len(COPIED) + 2


def test_nor_is_one_that_steps_were_made_behind_for_long(tmp_path):
    steps = [f"step {number}/9000 loss 2.{9000 - number}" for number in range(400)]
    assert read(tmp_path, [NO_NAME.format("fit-head-0"), *steps, WAITED]).root_line == 402


def waits(minute, pid):
    at = f"[Sun Mar  2 03:{minute:02d}:10 2031]"
    stack = [
        "task:python3         state:D stack:    0",
        "Call Trace:",
        " schedule+0x35/0xa0",
        " rpc_wait_bit+0x1c/0x40",
    ]
    return [f"{at} {line}" for line in (f"INFO: task python3:{pid} blocked for more than 120 seconds.", *stack)]


def test_the_wait_of_one_process_began_where_its_kernel_first_told_of_it(tmp_path):
    began = ["[Sat Mar  1 17:45:38 2031] 8021q: adding VLAN 0 to HW filter on device bond0"]
    reports = [line for minute in range(2, 19, 2) for line in waits(minute, 4410)]
    assert read(tmp_path, [*began, *reports]).root_line == 2
    others = [line for minute in (2, 18) for line in waits(minute, 4400 + minute)]
    assert read(tmp_path, [*began, *others]).root_line == 2 + 5
