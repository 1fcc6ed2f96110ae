"""A file that is followed: late creation, growth, truncation, rotation."""

import os

import pytest

from schedmate.tools.followed_file import FollowedFile, Growth


def test_late_creation_and_growth(tmp_path):
    path = tmp_path / "log"
    file = FollowedFile(path)
    assert file.poll() == Growth()
    path.write_bytes(b"one\n")
    assert file.poll() == Growth(b"one\n")
    assert file.poll() == Growth()
    with path.open("ab") as log:
        log.write(b"two\nthr")
    assert file.poll() == Growth(b"two\nthr")


def test_truncation_begins_anew(tmp_path):
    path = tmp_path / "log"
    path.write_bytes(b"a long first line\n")
    file = FollowedFile(path)
    file.poll()
    path.write_bytes(b"short\n")
    assert file.poll() == Growth(b"short\n", restarted=True)


def test_truncation_that_has_grown_past_the_old_end(tmp_path):
    path = tmp_path / "log"
    path.write_bytes(b"first run\n")
    file = FollowedFile(path)
    file.poll()
    with path.open("r+b") as log:  # the same inode, as copytruncate leaves it
        log.truncate()
        log.write(b"second run, and already longer than the first\n")
    assert file.poll() == Growth(b"second run, and already longer than the first\n", restarted=True)


def test_rotation_reads_the_old_file_to_its_end(tmp_path):
    path = tmp_path / "log"
    path.write_bytes(b"one\n")
    file = FollowedFile(path)
    file.poll()
    with path.open("ab") as log:
        log.write(b"two\n")
    os.rename(path, tmp_path / "log.1")
    path.write_bytes(b"three\n")
    assert file.poll() == Growth(b"two\n")
    assert file.poll() == Growth(b"three\n")


def test_rotation_to_somewhere_unknown(tmp_path):
    path = tmp_path / "log"
    path.write_bytes(b"one\n")
    file = FollowedFile(path)
    file.poll()
    path.rename(tmp_path / "elsewhere")
    path.write_bytes(b"three\n")
    assert file.poll() == Growth(b"three\n", restarted=True)


def test_a_pipe_or_a_folder_does_not_block(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert FollowedFile(tmp_path / "pipe").poll().data == b""
    assert FollowedFile(tmp_path).poll().data == b""


@pytest.mark.parametrize("name", ["log-20010203", "log-2001-02-03.bak", "log.17"])
def test_rotation_to_a_name_of_any_kind_reads_the_old_file_to_its_end(tmp_path, name):
    path = tmp_path / "log"
    path.write_bytes(b"one\n")
    file = FollowedFile(path)
    file.poll()
    with path.open("ab") as log:
        log.write(b"two\n")
    path.rename(tmp_path / name)
    path.write_bytes(b"three\n")
    assert file.poll() == Growth(b"two\n")
    assert file.rotated == str(tmp_path / name)
    assert file.poll() == Growth(b"three\n")


@pytest.mark.parametrize("skipped", [0, 300])
def test_a_file_written_anew_under_the_same_banner_is_read_from_its_beginning(tmp_path, skipped):
    path, banner = tmp_path / "log", b"=== a trainer ===\n" * 20
    path.write_bytes(banner + b"step 1\n" * 20)
    file = FollowedFile(path, skipped)
    file.poll()
    path.write_bytes(banner + b"the first words of the new run\n" + b"step 1\n" * 30)
    assert file.poll() == Growth(path.read_bytes(), restarted=True)


@pytest.mark.parametrize("hole", [b"\0" * 3, b"\0" * 40])
def test_a_place_whose_data_comes_late_is_no_other_file(tmp_path, hole):
    path, written = tmp_path / "log", b"line\n" * 2000
    path.write_bytes(written + hole)
    file = FollowedFile(path)
    seen = file.poll().data
    late = b"2026-11-30 10:00:00 INFO loss=0.5 step 12\n"
    path.write_bytes(written + late + b"next\n")
    assert file.poll() == Growth((written + late + b"next\n")[len(seen) :])


def test_letters_of_two_bytes_come_whole(tmp_path):
    path = tmp_path / "log"
    path.write_bytes("step 1\n".encode("utf-16-le"))
    assert FollowedFile(path).poll() == Growth(path.read_bytes())


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_last_line_that_is_written_over_is_no_other_file(tmp_path, end):
    path, before = tmp_path / "log", b"a banner\n" + b"a" * 300 + b"\n"
    path.write_bytes(before + b"progress 10%" + end)
    file = FollowedFile(path)
    file.poll()
    path.write_bytes(before + b"progress 20%" + end + b"\nnext\n")
    assert file.poll() == Growth(b"\nnext\n")


def test_a_file_that_was_moved_aside_is_forgotten_once_the_new_one_was_read(tmp_path):
    path = tmp_path / "log"
    path.write_bytes(b"one\n")
    file = FollowedFile(path)
    file.poll()
    path.rename(tmp_path / "log.1")
    path.touch()
    file.poll()
    assert file.rotated == str(tmp_path / "log.1")
    path.write_bytes(b"two\n")
    file.poll()
    assert file.rotated == ""
    os.truncate(path, 0)
    assert file.poll() == Growth(restarted=True)
    assert file.rotated == ""
