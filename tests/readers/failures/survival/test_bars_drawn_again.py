"""A bar that is drawn again where it was shows no job that goes on; one that advances does, and each rank's own."""

import pytest

from schedmate import diagnose

FULL = "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 4.00 GiB"
STACK = ["Traceback (most recent call last):", '  File "fit.py", line 9, in <module>', "    tune()", FULL]


def bar(done, second, name="", total=100):
    share = 100 * done // total
    return f"{name}{share:3}%|{'#' * (share // 10):10}| {done}/{total} [00:{second:02}<01:10, 1.0s/it]"


def ended_by(tmp_path, *behind, before=tuple(bar(done, done) for done in range(0, 46, 5)), fault=(FULL,), feed="\n"):
    lines = [*before, *fault, *behind]
    (tmp_path / "job.log").write_text(feed.join(lines) + "\n", newline="")
    return diagnose(tmp_path / "job.log").root_excerpt


def test_a_bar_that_stands_still_is_no_life(tmp_path):
    assert ended_by(tmp_path, *(bar(45, second) for second in (46, 47, 48))) == FULL
    assert ended_by(tmp_path, *(bar(done, done) for done in (46, 47, 48))) == ""


NAMES = "shelves: ", "books: ", "pages: "


@pytest.mark.parametrize("names", [NAMES, ("", "", "")])
@pytest.mark.parametrize("fault", [STACK, [FULL]])
@pytest.mark.parametrize("feed", ["\n", "\r\n"])
def test_bars_within_each_other_are_all_drawn_again_as_a_program_leaves(tmp_path, names, fault, feed):
    """Each stands at another step, and none of them was reached behind the fault."""
    begun = []
    for shelf in range(3):
        begun.append(bar(shelf, shelf, names[0], 10))
        for book in range(0, 40, 5):
            begun.append(bar(book, shelf, names[1], 100))
            begun += [bar(page, shelf, names[2], 7) for page in range(4)]
    stood = [bar(3, 9, names[2], 7), bar(35, 9, names[1], 100), bar(2, 9, names[0], 10)]
    assert ended_by(tmp_path, *stood, before=begun, fault=fault, feed=feed) == FULL
    went_on = [bar(page, 9, names[2], 7) for page in (4, 5, 6)]
    assert ended_by(tmp_path, *went_on, *stood[1:], before=begun, fault=fault[-1:], feed=feed) == ""


def test_a_bar_of_the_next_pass_comes_by_where_that_of_the_last_one_was(tmp_path):
    passes = [bar(done, done) for done in (20, 40, 60, 80, 100)]
    assert ended_by(tmp_path, *passes[:3], before=passes) == ""
    assert ended_by(tmp_path, *passes[2:], before=[*passes, *passes[:2]]) == ""


def test_another_rank_or_another_bar_is_drawn_for_itself(tmp_path):
    ranks = [f"[rank{rank}]: {bar(45, rank)}" for rank in range(4)]
    assert ended_by(tmp_path, *(bar(45, 46, f"part {number}: ", 50 + number) for number in range(3))) == ""
    assert ended_by(tmp_path, *ranks[1:], before=[*ranks, *ranks], fault=[f"[rank0]: {FULL}"]) == f"[rank0]: {FULL}"
