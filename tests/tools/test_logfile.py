"""Any log, whatever its size or packing, is read from both ends with the line numbers of an editor."""

import bz2
import gzip
import io
import lzma
import os
import random
import shutil
import sys

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from schedmate.errors import InputError
from schedmate.tools import logfile
from schedmate.tools.logfile import LogFile, open_log
from schedmate.tools.raw_lines import MAX_LINE_BYTES


def write(path, data):
    path.write_bytes(data)
    return path


def seen(log, lines):
    return [(line.number, line.raw) for line in lines]


@settings(max_examples=60, deadline=None)
@given(
    st.binary(max_size=300).map(lambda data: data.replace(b"\x00", b"\n").replace(b"\x01", b"\r")),
    st.integers(1, 40),
    st.integers(1, 40),
)
def test_both_directions_agree_with_an_editor(tmp_path_factory, data, block, first):
    path = write(tmp_path_factory.mktemp("log") / "a.log", data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(logfile, "BLOCK_BYTES", block)
        patch.setattr(logfile, "FIRST_BYTES", first)
        with LogFile("a", open(path, "rb")) as log:
            expected = [
                (number, part)
                for number, row in enumerate(data.split(b"\n"), 1)
                for part in row.split(b"\r")
                if part and not part.isspace()
            ]
            if max((len(part) for part in data.split(b"\n")), default=0) < block:
                assert seen(log, log.lines()) == expected
                assert seen(log, log.lines_backward()) == expected[::-1]
            rows = data.count(b"\n") + (not data.endswith(b"\n")) if data else 0
            assert log.line_count == rows
            for number in range(1, rows + 1):
                offset = log.line_offset(number)
                assert log.line_number(offset) == number
                assert offset == 0 or data[offset - 1 : offset] == b"\n"


@pytest.mark.parametrize("worth_numpy", [10, sys.maxsize])
def test_lines_are_numbered_the_same_in_whatever_order_they_are_asked(tmp_path, monkeypatch, worth_numpy):
    rng = random.Random(3)
    data = b"".join(b"x" * rng.choice([0, 3, 40, 900]) + rng.choice([b"\n", b"\r", b"\r\n"]) for _ in range(2000))
    monkeypatch.setattr(logfile, "COUNT_BYTES", 1 << 10)
    monkeypatch.setattr(logfile, "WORTH_NUMPY_LINES", worth_numpy)
    with open_log(write(tmp_path / "a.log", data)) as log:
        offset = 0
        for _ in range(3000):
            near = rng.randrange(max(0, offset - 300), min(len(data), offset + 300))
            offset = rng.choice([near, near, near, rng.randrange(len(data))])
            assert log.line_number(offset) == data.count(b"\n", 0, offset) + 1


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, zstandard.compress, lambda data: data])
def test_packing_is_told_by_the_first_bytes_not_the_name(tmp_path, pack):
    path = write(tmp_path / "job.log", pack(b"one\ntwo\rtwo again\nthree\n"))
    with open_log(path) as log:
        assert seen(log, log.lines()) == [(1, b"one"), (2, b"two"), (2, b"two again"), (3, b"three")]


def test_a_gzip_cut_in_the_middle_gives_what_it_held(tmp_path):
    lines = b"".join(b"line %d of a log that was being packed\n" % (i * i) for i in range(90_000))
    packed = gzip.compress(lines, 1)
    with open_log(write(tmp_path / "a.gz", packed[: len(packed) // 2])) as log:
        assert log.cut_short
        assert log.line_count > 1000


def test_utf16_is_read(tmp_path):
    with open_log(write(tmp_path / "win.log", "step 1\r\nstep 2\r\n".encode("utf-16"))) as log:
        assert seen(log, log.lines()) == [(1, b"step 1"), (2, b"step 2")]


def test_what_is_no_file_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for path in (tmp_path, tmp_path / "fifo", tmp_path / "loop", tmp_path / "absent", "/dev/zero", "a\x00b"):
        with pytest.raises(InputError):
            open_log(path)


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, bz2.compress, zstandard.compress])
def test_a_bomb_is_read_as_far_as_its_share_goes(tmp_path, monkeypatch, pack):
    monkeypatch.setattr("schedmate.tools.unpacking.UNPACKED_LIMIT_BYTES", 1 << 20)
    with open_log(write(tmp_path / "bomb", pack(b"Error: gone\n" + bytes(3 << 20)))) as log:
        assert log.cut_short
        assert log.size == 1 << 20
        assert next(log.lines()).raw == b"Error: gone"


def test_a_disk_has_a_share_for_one_log(tmp_path, monkeypatch):
    usage = shutil.disk_usage(tmp_path)._replace(free=4 << 20)
    monkeypatch.setattr("schedmate.tools.unpacking.shutil.disk_usage", lambda path: usage)
    with open_log(write(tmp_path / "bomb.gz", gzip.compress(bytes(9 << 20)))) as log:
        assert (log.cut_short, log.size) == (True, 1 << 20)


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, bz2.compress])
@pytest.mark.parametrize("size", [3_000, 400_000])
def test_what_was_cut_or_damaged_is_read_to_there(tmp_path, pack, size):
    """A job that is killed leaves its log's last block unwritten, often in a log of few lines."""
    rng = random.Random(size)
    lines = b"".join(b"step %d loss %.6f\n" % (step, rng.random()) for step in range(size // 20))
    packed = pack(lines)
    cut = packed[: -len(packed) // 3] if pack is not bz2.compress else pack(lines) + packed[: len(packed) // 2]
    with open_log(write(tmp_path / "cut", cut)) as log:
        assert log.cut_short
        assert log.size > len(lines) // 3
        assert lines.startswith(log.window(0, log.size)) or pack is bz2.compress
    if pack is gzip.compress and size > 100_000:
        middle = len(packed) // 2
        with open_log(write(tmp_path / "bad", packed[:middle] + bytes(64) + packed[middle + 64 :])) as log:
            assert log.cut_short
            assert log.size > len(lines) // 4


def test_members_one_after_another_are_one_log(tmp_path):
    for pack in (gzip.compress, lzma.compress, bz2.compress):
        with open_log(write(tmp_path / "two", pack(b"one\n") + pack(b"two\n") + bytes(512))) as log:
            assert (log.window(0, 99), log.cut_short) == (b"one\ntwo\n", False)


def test_what_only_begins_like_something_packed_is_read_as_it_stands(tmp_path):
    for magic in (b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\x00", b"BZh9"):
        data = magic + b"\xffrubbish\nRuntimeError: gone\n" * 9
        with open_log(write(tmp_path / "bad", data)) as log:
            assert log.window(0, len(data)) == data


def test_standard_input_is_spooled(monkeypatch):
    class Piped(io.TextIOWrapper):
        def isatty(self):
            return False

    monkeypatch.setattr(sys, "stdin", Piped(io.BufferedReader(io.BytesIO(gzip.compress(b"a\nb\n")))))
    with open_log("-") as log:
        assert seen(log, log.lines()) == [(1, b"a"), (2, b"b")]


def test_one_line_of_many_megabytes_is_cut(tmp_path):
    with open_log(write(tmp_path / "long.log", b"x" * (3 << 20) + b"\nend\n")) as log:
        assert all(len(line.raw) <= MAX_LINE_BYTES for line in log.lines())
        assert log.line_at(2 << 20).number == 1
        assert next(iter(log.lines_backward())).raw == b"end"


def test_a_log_cut_while_it_is_read_is_an_error_not_a_crash(tmp_path):
    path = write(tmp_path / "a.log", b"line\n" * 100_000)
    with open_log(path) as log:
        os.truncate(path, 10)
        with pytest.raises(InputError, match="cut while"):
            list(log.lines())


def test_a_log_is_had_as_it_was_when_it_had_come_so_far(tmp_path):
    with open_log(write(tmp_path / "a.log", b"one\ntwo\nthree\n")) as log:
        with log.up_to(8) as part:
            assert [line.raw for line in part.lines()] == [b"one", b"two"]
            assert [line.raw for line in part.lines_backward()] == [b"two", b"one"]
            assert (part.size, part.buffer.find(b"three")) == (8, -1)
        assert [line.raw for line in log.lines()] == [b"one", b"two", b"three"]
        with log.up_to(0) as nothing, log.up_to(10**9) as whole:
            assert (nothing.size, list(nothing.lines()), whole.size) == (0, [], 14)
