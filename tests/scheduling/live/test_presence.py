"""One loop a store: another is refused, and who merely looks whether one is up keeps none from coming up."""

import fcntl
import threading

import pytest

from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Submission
from schedmate.history.turn import Superseded
from schedmate.scheduling.live.presence import LoopError, is_up, lock_file, presence


def test_who_merely_looks_keeps_no_loop_from_coming_up(tmp_path, monkeypatch):
    monkeypatch.setattr("schedmate.scheduling.live.presence.LOOKERS_S", 60.0)
    with presence(tmp_path):
        pass
    lock_file(tmp_path).write_text("1000000000\n")  # a loop that was killed
    looking = lock_file(tmp_path).open()
    fcntl.flock(looking, fcntl.LOCK_EX)
    threading.Timer(0.1, looking.close).start()
    with presence(tmp_path):
        assert looking.closed


def test_a_second_loop_is_refused_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr("schedmate.scheduling.live.presence.LOOKERS_S", 3600.0)
    with presence(tmp_path), pytest.raises(LoopError, match="up already"), presence(tmp_path):
        pass


def test_a_lock_whose_file_was_removed_is_made_anew(tmp_path):
    with presence(tmp_path) as held:
        lock_file(tmp_path).unlink()
        assert not is_up(tmp_path)
        held.look()
        assert is_up(tmp_path)
        with pytest.raises(LoopError, match="up already"), presence(tmp_path):
            pass
    assert not is_up(tmp_path)


def test_a_loop_whose_lock_another_has_taken_leaves(tmp_path):
    with presence(tmp_path) as first:
        lock_file(tmp_path).unlink()
        with presence(tmp_path) as second:
            second.look()
            with pytest.raises(LoopError, match="up already"):
                first.look()


def test_a_loop_that_was_superseded_writes_nothing_more(tmp_path):
    first, second, user = (LiveStore(tmp_path) for _ in range(3))
    first.own("a")
    number = user.submit(Submission(("true",), "/", {}), "one", 1.0)
    first.update(number, reason="waits")
    second.own("b")
    with pytest.raises(Superseded):
        first.open_run(number, "cpu", [("n", 1)], None, 1.0)
    assert second.open_run(number, "cpu", [("n", 1)], None, 1.0) == 1
    user.ask("cancel", number)
    for store in (first, second, user):
        store.close()


def test_a_loop_leaves_whose_store_another_has_taken_over(make_up):
    up = make_up("--slots", "cpu=1")
    first = up.process
    lock_file(up.data_dir).unlink()
    up.until(lambda: "up on" in up.said() and is_up(up.data_dir))
    up.store.own("that of a loop on another machine")
    up.store.turn = ""
    up.submit("pass")
    up.until(lambda: first.poll() is not None, within_s=60)
    assert "another loop has taken over" in up.said()
    assert first.returncode == 2
    up.start()
    up.until_state("completed", jobs=[1])
