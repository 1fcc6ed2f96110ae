"""Many live logs, little time: each gets its turn, pairs come first, and nothing that was read is lost."""

import pytest

from schedmate.readers.progress.loop.ends import Ends
from schedmate.readers.progress.reading import shared_shapes
from schedmate.scheduling.live.followed_logs import Watched


class Meter:
    """CPU time that passes by one at each look at it."""

    def __init__(self):
        self.spent_s = 0.0

    def __call__(self):
        self.spent_s += 1.0
        return self.spent_s


@pytest.fixture
def logs(tmp_path):
    paths = {name: tmp_path / name for name in "abcde"}
    for path in paths.values():
        grow(path, range(1, 13))
    return paths


def grow(path, steps):
    with path.open("a") as file:
        file.writelines(f"step {step}/900 loss {9 / step:.3f} 0.5 s/step\n" for step in steps)


def watch(logs, budget_s):
    watched = Watched(shared_shapes(None), budget_s, Meter())
    for name, path in logs.items():
        watched.follow(name, str(path), ())
    return watched


def steps(watched, now_s=1.0):
    return {name: news["metrics"]["step"] for name, news in watched.look(now_s)}


def test_with_time_for_all_each_is_told_at_every_look(logs):
    watched = watch(logs, 100.0)
    assert steps(watched) == dict.fromkeys("abcde", 12)
    assert steps(watched) == {}, "no news"
    grow(logs["c"], [13])
    assert steps(watched) == {"c": 13}


def test_with_time_for_two_each_has_its_turn(logs):
    watched = watch(logs, 2.0)
    seen = [list(steps(watched)) for _ in range(3)]
    assert seen == [["a", "b"], ["c", "d"], ["e"]], "a, whose turn it is again, has no news"
    for path in logs.values():
        grow(path, [13])
    told = {}
    for _ in range(3):
        told |= steps(watched)
    assert told == dict.fromkeys("abcde", 13)


def test_who_shares_slots_comes_first_whatever_the_time(logs):
    watched = watch(logs, 1.0)
    watched.mark("e", 0.5)
    watched.mark("gone", 0.5)
    assert list(steps(watched)) == ["e", "a"]


def test_who_leaves_is_looked_at_once_more_and_has_no_turn_after(logs):
    watched = watch(logs, 100.0)
    steps(watched)
    grow(logs["a"], [13])
    assert watched.leave("a", 2.0)["metrics"]["step"] == 13
    assert watched.leave("a", 2.0) is None
    assert steps(watched) == {}
    assert "a" not in watched.turns


def test_company_ends_the_metering(logs):
    watched = Watched(shared_shapes(None))
    watched.follow("a", str(logs["a"]), [0])
    assert watched.logs["a"].meter is not None
    watched.mark("a", 1.0)
    assert watched.logs["a"].meter is None


def test_what_is_heard_later_of_the_end_tells_what_is_left(tmp_path):
    path = tmp_path / "endless"
    path.write_text("".join(f"step {step} loss {9 / step:.3f} 0.5 s/step\n" for step in range(1, 13)))
    watched = watch({"a": path}, 100.0)
    assert [news["metrics"]["eta_s"] for _, news in watched.look(1.0)] == [None]
    watched.learn("a", Ends(steps=100))
    watched.learn("gone", Ends(steps=100))
    assert [news["metrics"]["eta_s"] for _, news in watched.look(2.0)] == [pytest.approx(44.0)]
    watched.learn("a", Ends(steps=100))
    assert list(watched.look(3.0)) == []
