"""Files to be written are refused before long work, and nothing is left behind by looking."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from schedmate.errors import InputError
from schedmate.tools.output import check_output, whole, writing

FULL = Path("/dev/full")


def test_a_file_that_can_be_written_is_not_made_by_looking(tmp_path):
    check_output(tmp_path / "new.csv")
    check_output(None)
    assert not (tmp_path / "new.csv").exists()


@pytest.mark.parametrize(("name", "why"), [("", "it is a folder"), ("gone/out.csv", "its folder does not exist")])
def test_a_file_that_cannot_be_written_is_named_with_the_reason(tmp_path, name, why):
    with pytest.raises(InputError, match=why) as caught:
        check_output(tmp_path / name)
    assert str(tmp_path / name) in caught.value.message


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
def test_a_disk_that_is_full_is_no_traceback():
    with pytest.raises(InputError, match="No space left") as caught, writing(FULL), FULL.open("w") as full:
        full.write("x")
    assert "make room" in caught.value.hint


def test_what_is_interrupted_leaves_nothing(tmp_path):
    """Killed in the middle, by hand or by a scheduler: neither half a file nor a hidden one, and the old one stays."""
    target = tmp_path / "shared.log"
    target.write_text("old")
    code = (
        "import os, signal, sys, pathlib\nfrom schedmate.tools.output import whole\n"
        "with whole(pathlib.Path(sys.argv[1])) as handle:\n"
        "    handle.write('half')\n    handle.flush()\n    os.kill(os.getpid(), getattr(signal, sys.argv[2]))\n"
        "    signal.pause()\n"
    )
    for name in ("SIGTERM", "SIGINT"):
        done = subprocess.run([sys.executable, "-c", code, str(target), name], capture_output=True, timeout=60)
        assert done.returncode != 0
        assert os.listdir(tmp_path) == ["shared.log"]
        assert target.read_text() == "old"


def test_a_whole_file_takes_the_place_of_the_old(tmp_path):
    target = tmp_path / "shared.log"
    (tmp_path / "link").symlink_to(target)
    with whole(tmp_path / "link") as handle:
        handle.write("new")
        assert not target.exists()
    assert target.read_text() == "new"
    assert (tmp_path / "link").is_symlink()
