"""What a service said as it ended goes before what its starter tells of that; a list of killed ranks has its crash."""

from schedmate import diagnose

AT = "May  6 07:08:44 kiln64 "
STARTER = [
    f"{AT}systemd[1]: nvidia-fabricmanager.service: Control process exited, code=exited, status=1/FAILURE",
    f"{AT}systemd[1]: Failed to start NVIDIA fabric manager service.",
]
ITSELF = (
    f"{AT}nv-fabricmanager[45]: fabric manager NVIDIA GPU driver interface version 535.1 don't match with driver"
    " version 535.2. Please update with matching NVIDIA driver package."
)
MET = [
    "Traceback (most recent call last):",
    '  File "fit.py", line 9, in <module>',
    "    main()",
    "RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 802: system not yet initialized",
]
RULE = "=" * 83


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


def test_the_service_itself_says_why(tmp_path):
    assert read(tmp_path, *STARTER, ITSELF, "plums are read", *MET).root_line == 3


def test_its_starter_does_where_it_is_silent(tmp_path):
    assert read(tmp_path, *STARTER, "plums are read", *MET).root_line == 1


def ranks(*signals):
    for rank, signal in enumerate(signals):
        yield from (RULE, "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES")
        yield from (f"=   RANK {rank} PID {900 + rank} RUNNING AT kiln64", f"=   KILLED BY SIGNAL: {signal}", RULE, "")


def test_ranks_listed_as_killed_beside_one_that_crashed_were_killed_by_their_launcher(tmp_path):
    found = read(tmp_path, "plums are read", *ranks("9 (Killed)", "9 (Killed)", "11 (Segmentation fault)"))
    assert (found.category, found.root_line) == ("framework", 17)


def test_without_a_crash_they_were_killed_from_outside(tmp_path):
    assert read(tmp_path, "plums are read", *ranks("9 (Killed)", "9 (Killed)")).category == "infrastructure"
