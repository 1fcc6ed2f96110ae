"""What a job can put into its own run's folder: no end is believed but its runner's, and the loop lives on."""

import json
import os
import subprocess
import sys

import pytest

from schedmate.history.database import FILE_NAME
from schedmate.history.live import LiveStore
from schedmate.tools.numbered_folders import numbers_in
from tests.scheduling.live.up_process import Up

FOLDER = "import json, os, sys, time\nfolder = os.path.dirname(os.readlink('/proc/self/fd/1'))\n"
END = '{"code": 0, "stopped": false, "ran_s": 1, "ended_s": 1}'
FORGED = {
    "an end": f"open(f'{{folder}}/exit', 'w').write('{END}')",
    "an end of odd values": 'open(f\'{folder}/exit\', \'w\').write(\'{"code": "x", "stopped": 1, "ran_s": 1e999}\')',
    "an end that is a list": "open(f'{folder}/exit', 'w').write('[]')",
    "a pipe": "os.mkfifo(f'{folder}/exit')",
    "a directory": "os.makedirs(f'{folder}/exit/x')",
    "a link": "os.symlink('/dev/zero', f'{folder}/exit')",
    "a file without end": "os.truncate(os.open(f'{folder}/exit', os.O_RDWR | os.O_CREAT), 1 << 42)",
    "a pipe for the blocks": "os.unlink(f'{folder}/exit.part'); os.mkfifo(f'{folder}/exit.part')",
    "a link for the blocks": "os.unlink(f'{folder}/exit.part'); os.symlink('/dev/full', f'{folder}/exit.part')",
    "another begin": 'open(f\'{folder}/began\', \'w\').write(\'{"pid": "x", "ticks": [], "began_s": "x", "boot": 1}\')',
    "another process": 'open(f\'{folder}/job\', \'w\').write(\'{"pid": 0, "ticks": 0, "group": "/sys/fs/cgroup"}\')',
    "a pipe for the log": "os.unlink(f'{folder}/log'); os.mkfifo(f'{folder}/log')",
    "a link for the log": "os.unlink(f'{folder}/log'); os.symlink('/proc/self/mem', f'{folder}/log')",
    "a log without end": "os.truncate(1, 1 << 40)",
}
GOES_ON = "\nopen('ready', 'w').close()\nwhile not os.path.exists('gate'):\n    time.sleep(0.02)\nsys.exit(3)\n"


@pytest.mark.parametrize("what", FORGED)
def test_a_job_that_forges_its_folder_runs_until_it_ends(make_up, what):
    """Its slot is not given away before, its own code is booked, and others are served meanwhile."""
    up = make_up("--slots", "cpu=1", "--nodes", "2")
    liar = up.submit(FOLDER + FORGED[what] + GOES_ON)
    up.until((up.work / "ready").exists)
    if what == "a log without end":
        up.until_state("failed", jobs=[liar])
        assert "its log has" in up.store.runs(liar)[0].reason
        return
    others = [up.submit("print('here')") for _ in range(3)]
    up.until_state("completed", jobs=others)
    assert up.store.job(liar).state == "running", "it is still there"
    assert dict(up.store.runs(others[0])[0].parts).keys() != dict(up.store.runs(liar)[0].parts).keys()
    if what.endswith("the log"):
        told = subprocess.run(
            [sys.executable, "-P", "-m", "schedmate", "logs", str(liar)], capture_output=True, text=True, timeout=120,
            env={**os.environ, "SCHEDMATE_DATA_DIR": str(up.data_dir), "PYTHONPATH": ":".join(sys.path)}, check=False,
        )  # fmt: skip
        assert "Traceback" not in told.stderr
        assert told.returncode == 2
    (up.work / "gate").touch()
    up.until_state("failed", jobs=[liar])
    assert up.store.runs(liar)[0].code == 3
    assert up.process.poll() is None


@pytest.mark.parametrize("what", ["an end of odd values", "a pipe", "a directory", "another begin", "another process"])
def test_a_loop_comes_up_whatever_a_job_has_left_in_its_folder(make_up, what):
    up = make_up("--slots", "cpu=1")
    liar = up.submit(FOLDER + FORGED[what] + GOES_ON)
    up.until((up.work / "ready").exists)
    up.kill()
    (up.data_dir / "jobs" / "007").mkdir()
    (up.data_dir / "jobs" / ("9" * 40)).mkdir()
    (up.data_dir / "jobs" / "\u0663").mkdir()
    (up.data_dir / "jobs" / str(liar) / "2").mkdir()
    os.mkfifo(up.data_dir / "jobs" / str(liar) / "2" / "spec")
    up.start()
    (up.work / "gate").touch()
    up.until_state("failed", "completed", jobs=[liar])
    after = up.submit("print('here')")
    up.until_state("completed", jobs=[after])
    assert up.log(after) == "here\n"


def test_what_is_poured_into_the_pipe_that_wakes_the_loop_ends_nothing(make_up):
    up = make_up("--slots", "cpu=1")
    up.until((up.data_dir / "jobs" / "wake").exists)
    wake = os.open(up.data_dir / "jobs" / "wake", os.O_WRONLY | os.O_NONBLOCK)
    for words in (b"9" * 60_000 + b"/1\n", b"\xff/\xff\n", b"1/1/1\n", b"-1/-1\n", b"\xb2/1\n"):
        os.write(wake, words)
        job = up.submit("print('here')")
        up.until_state("completed", jobs=[job])
    os.close(wake)
    assert up.process.poll() is None


def test_names_that_look_like_numbers_are_not_taken_for_ours(tmp_path):
    for name in ("1", "12", "007", "\u0663", "\u00b2", "9" * 40, "-1", "1 ", "x"):
        (tmp_path / name).mkdir()
    assert numbers_in(tmp_path) == [1, 12]
    assert numbers_in(tmp_path / "none") == numbers_in(tmp_path / "1") == []
    store = LiveStore(tmp_path / "data")
    jobs = tmp_path / "data" / "jobs"
    for name in ("1/1", "9" * 40 + "/1"):
        (jobs / name).mkdir(parents=True)
    up = Up.__new__(Up)
    up.data_dir, up.work, up.store = tmp_path / "data", tmp_path, store
    assert up.submit("") == 2, "the folder of job 1 is another's"
    store.close()
    assert (tmp_path / "data" / FILE_NAME).exists()
    assert json.loads(END)["code"] == 0
