"""What is kept is only ever a shortcut: absent, stale, broken or unwritable, the answer is the same."""

import os
import subprocess
import sys

import pytest

from schedmate.knowledge.disk_cache import MOST_OTHERS, kept

ANSWER = b"what takes long to make"


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("SCHEDMATE_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


class Maker:
    def __init__(self):
        self.calls = 0

    def __call__(self):
        self.calls += 1
        return ANSWER


def files(cache):
    return sorted(path for path in cache.iterdir())


def test_it_is_made_once_and_then_read(cache):
    make = Maker()
    assert [kept("thing", b"1", make) for _ in range(3)] == [ANSWER] * 3
    assert make.calls == 1
    assert [path.stat().st_mode & 0o777 for path in files(cache)] == [0o600]


def test_another_source_makes_it_anew_and_both_are_kept(cache):
    make = Maker()
    for source in (b"1", b"2", b"1", b"2"):
        kept("thing", source, make)
    assert make.calls == 2


def test_what_is_older_than_the_last_few_goes(cache):
    make = Maker()
    kept("other", b"1", make)
    for second in range(MOST_OTHERS + 3):
        kept("thing", b"%d" % second, make)
        newest = max(cache.glob("thing-*"), key=lambda path: path.stat().st_mtime_ns)
        os.utime(newest, (second, second))
    made = make.calls
    assert len(files(cache)) == 1 + 1 + MOST_OTHERS
    kept("other", b"1", make)
    for second in range(2, MOST_OTHERS + 3):
        kept("thing", b"%d" % second, make)
    assert make.calls == made
    kept("thing", b"0", make)
    assert make.calls == made + 1


@pytest.mark.parametrize("broken", [b"", b"short", b"\0" * 400, ANSWER])
def test_a_broken_file_is_made_anew(cache, broken):
    make = Maker()
    kept("thing", b"1", make)
    files(cache)[0].write_bytes(broken)
    assert kept("thing", b"1", make) == ANSWER
    assert kept("thing", b"1", make) == ANSWER
    assert make.calls == 2


def test_what_others_may_write_is_not_believed(cache):
    make = Maker()
    kept("thing", b"1", make)
    files(cache)[0].chmod(0o666)
    assert kept("thing", b"1", make) == ANSWER
    assert make.calls == 2


@pytest.mark.parametrize("hindrance", ["a file", "a dangling link"])
def test_without_a_cache_directory_it_still_answers(cache, hindrance):
    cache.write_text("not a directory") if hindrance == "a file" else cache.symlink_to("/nowhere/at/all")
    make = Maker()
    assert kept("thing", b"1", make) == kept("thing", b"1", make) == ANSWER
    assert make.calls == 2


@pytest.mark.parametrize("broken", [b"", b"nonsense" * 99])
def test_a_diagnosis_is_the_same_with_a_broken_cache(tmp_path, broken):
    log = tmp_path / "job.log"
    log.write_text("step 1 loss 2.0\nRuntimeError: CUDA error: uncorrectable ECC error encountered\n")
    environment = os.environ | {"SCHEDMATE_CACHE_DIR": str(tmp_path / "cache")}

    def diagnose():
        command = [sys.executable, "-c", f"import schedmate; print(schedmate.diagnose({str(log)!r}).failure_id)"]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True)

    first = diagnose()
    for path in files(tmp_path / "cache"):
        path.write_bytes(broken)
    second = diagnose()
    assert (first.stdout, first.stderr) == (second.stdout, second.stderr) == ("gpu.ecc_uncorrectable\n", "")
