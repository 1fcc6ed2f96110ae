"""A folder of somebody else's is refused, and nothing that he put into ours is followed."""

import os
import subprocess
import sys

import pytest

from schedmate.errors import StoreError
from schedmate.history.database import FILE_NAME, open_database
from schedmate.scheduling.live.presence import lock_file, presence
from schedmate.tools.own_folder import claim

STRANGER = 65_533
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can make files of another account")


def test_a_folder_is_made_private_and_kept_so(tmp_path):
    folder = tmp_path / "data"
    claim(folder)
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.chmod(0o777)
    claim(folder)
    assert folder.stat().st_mode & 0o777 == 0o700


@as_root
def test_a_folder_of_another_account_is_refused(tmp_path):
    os.chown(tmp_path, STRANGER, STRANGER)
    for use in (claim, open_database, lambda folder: presence(folder).__enter__()):
        with pytest.raises(StoreError, match=f"belongs to account {STRANGER}"):
            use(tmp_path)
    assert os.listdir(tmp_path) == []


@as_root
@pytest.mark.parametrize("name", [FILE_NAME, "up.lock", "jobs"])
def test_what_another_account_has_planted_is_not_followed(tmp_path, name):
    target = tmp_path / "target"
    target.write_text("theirs")
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / name).symlink_to(target)
    os.chown(folder / name, STRANGER, STRANGER, follow_symlinks=False)
    with pytest.raises(StoreError, match="was put there"):
        open_database(folder)
    assert target.read_text() == "theirs"


def test_a_lock_that_is_a_link_is_refused(tmp_path):
    (tmp_path / "target").write_text("mine")
    (tmp_path / "data").mkdir()
    lock_file(tmp_path / "data").symlink_to(tmp_path / "target")
    with pytest.raises(Exception, match="cannot be used"), presence(tmp_path / "data"):
        pass
    assert (tmp_path / "target").read_text() == "mine"


@as_root
def test_another_account_cannot_take_the_lock(tmp_path):
    """Not even after a loop of an older version has left its lock file open to all."""
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    lock_file(folder).write_text("")
    lock_file(folder).chmod(0o644)
    with presence(folder):
        pass
    code = f"import os, fcntl; os.setuid({STRANGER}); fcntl.flock(os.open({str(lock_file(folder))!r}, os.O_RDONLY), 2)"
    for parent in (tmp_path, *tmp_path.parents[:3]):
        parent.chmod(0o755)
    tried = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "PermissionError" in tried.stderr
