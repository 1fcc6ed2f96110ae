"""A disk that is full when jobs die is no reason to tell nobody."""

import json
import resource
from contextlib import contextmanager

import pytest

from schedmate.cli.watch import troubles
from schedmate.watching.channels import read_channels

DEATH = 'step 1/9 loss 2.0\nTraceback (most recent call last):\n  File "t.py", line 1, in <module>\nIndexError: out\n'


@contextmanager
def no_file_larger(most_bytes):
    """Let each write past so many bytes fail, as a full disk does, the first of them half done."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def wait_for(site, is_so):
    while not is_so():
        site.watch.pipes.sleep(0.05)
        site.now_s += 2.0
        site.look()


def rows(path):
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def taken(path):
    """Name what a channel has taken, as the watch has written it down."""
    return {one["took"] for one in rows(path) if "took" in one}


@pytest.mark.parametrize("room", [5, 900])
def test_deaths_are_sent_though_they_cannot_be_written_down_and_are_when_there_is_room(site, tmp_path, room):
    told, path = tmp_path / "told.jsonl", tmp_path / "data" / "watch.jsonl"
    site.stop()
    site.start(channels=tuple(read_channels([f"file={told}"])))
    for number in range(5):
        site.write(f"job{number}.log", DEATH)
    site.look()
    site.now_s += 60.0
    with no_file_larger(path.stat().st_size + room):
        wait_for(site, lambda: len(site.told) == 5)
        assert "cannot be written (File too large)" in troubles(site.watch)
        assert path.read_bytes().endswith(b"\n")
    site.now_s += 60.0
    ids = {one.id for one in site.told}
    wait_for(site, lambda: taken(path) == ids and not site.watch.is_busy)
    assert troubles(site.watch) == ""
    assert {name for line in told.read_text().splitlines() for name in json.loads(line)["ids"]} == ids
    assert {one["event"]["id"] for one in rows(path) if "event" in one} == ids
