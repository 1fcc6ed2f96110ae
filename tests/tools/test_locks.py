"""A lock is seen while another process has it, and only then."""

import fcntl
import subprocess
import sys

from schedmate.tools.locks import is_locked

HOLD = "import fcntl, sys; file = open(sys.argv[1], 'w'); fcntl.flock(file, fcntl.LOCK_EX); print('held'); input()"


def test_a_lock_is_seen_while_it_is_held(tmp_path):
    path = tmp_path / "lock"
    assert not is_locked(path)
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with holder:
        holder.stdout.readline()
        assert is_locked(path)
        holder.communicate("\n")
    assert not is_locked(path)


def test_looking_takes_nothing(tmp_path):
    path = tmp_path / "lock"
    path.touch()
    assert not is_locked(path)
    with path.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
