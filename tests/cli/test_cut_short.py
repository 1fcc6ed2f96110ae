"""A packed log that ends in its middle is read as far as it goes, and every reader says that it was cut short."""

import gzip
import json

import pytest
from typer.testing import CliRunner

from schedmate.cli import make_app


@pytest.mark.parametrize("verb", ["diagnose", "track", "classify"])
def test_who_reads_a_cut_log_says_so(tmp_path, verb):
    lines = b"".join(b"step %d/90000 loss 0.%d lr %d\n" % (step, step * step, step**3) for step in range(90_000))
    packed = gzip.compress(lines, 1)
    whole, cut = tmp_path / "whole.log.gz", tmp_path / "cut.log.gz"
    whole.write_bytes(packed)
    cut.write_bytes(packed[: len(packed) // 2])
    for path, said in ((whole, False), (cut, True)):
        answer = CliRunner().invoke(make_app(), [verb, str(path), "--engine", "built-in", "--json"])
        notes = json.loads(answer.stdout.splitlines()[0])["notes"]
        assert any("is cut short" in note for note in notes) is said, answer.output
        shown = CliRunner().invoke(make_app(), [verb, str(path), "--engine", "built-in"]).output
        assert ("cut short" in " ".join(shown.split())) is said
