"""Files to be written are refused before long work, and nothing is left behind by looking."""

from pathlib import Path

import pytest

from schedmate.errors import InputError
from schedmate.tools.output import check_output, writing

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
    with pytest.raises(InputError, match="No space left"), writing(FULL), FULL.open("w") as full:
        full.write("x")
