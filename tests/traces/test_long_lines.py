"""A line without end takes no more memory than a long one, packed or not."""

import gzip

import pytest

from schedmate.traces.reading import LONGEST_LINE, open_text


@pytest.mark.parametrize("form", ["plain", "packed"])
def test_a_line_is_cut_and_the_next_is_whole(tmp_path, form):
    path = tmp_path / "trace"
    text = b"first\n" + b"a" * (2 * LONGEST_LINE + 5) + b"\nlast\r\nend"
    path.write_bytes(text if form == "plain" else gzip.compress(text, 1))
    with open_text(path) as stream:
        lengths = [(len(line), line[-5:]) for line in stream]
    assert lengths == [(6, "irst\n"), (LONGEST_LINE + 1, "aaaa\n"), (6, "ast\r\n"), (3, "end")]


@pytest.mark.parametrize("ending", [b"", b"\n"])
def test_a_line_of_just_so_many_letters_is_kept(tmp_path, ending):
    path = tmp_path / "trace"
    path.write_bytes(b"b" * (LONGEST_LINE - 1) + ending + (b"c\n" if ending else b""))
    with open_text(path) as stream:
        assert [len(line) for line in stream] == ([LONGEST_LINE, 2] if ending else [LONGEST_LINE - 1])
