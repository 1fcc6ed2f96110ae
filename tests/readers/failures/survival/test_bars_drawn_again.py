"""A bar that is drawn again where it was shows no job that goes on; one that advances does, and each rank's own."""

from dataclasses import replace

from schedmate import diagnose
from schedmate.readers.failures.survival.bars_drawn_again import without_bars_drawn_again
from schedmate.readers.lines import Line

FULL = "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 4.00 GiB"


def bar(done, second, name=""):
    return f"{name}{done:3}%|{'#' * (done // 10):10}| {done}/100 [00:{second:02}<01:10, 1.0s/it]"


def ended_by(tmp_path, *behind):
    lines = [*(bar(done, done) for done in range(0, 46, 5)), FULL, *behind]
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log").root_excerpt


def test_a_bar_that_stands_still_is_no_life(tmp_path):
    assert ended_by(tmp_path, *(bar(45, second) for second in (46, 47, 48))) == FULL
    assert ended_by(tmp_path, *(bar(done, done) for done in (46, 47, 48))) == ""


def test_another_bar_or_another_ranks_is_drawn_for_itself_and_words_may_be_said_twice():
    mine, said = Line(bar(45, 46)), Line("step 45 of 100 loss 2.1")
    others = [Line(bar(46, 46)), Line(bar(45, 46, "valid: ")), replace(mine, rank=1)]
    assert list(without_bars_drawn_again([mine, *others, said, said, Line(bar(45, 47))])) == [mine, *others, said, said]
