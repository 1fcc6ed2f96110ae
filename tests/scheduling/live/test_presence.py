"""One loop a store: another is refused, and who merely looks whether one is up keeps none from coming up."""

import fcntl
import threading

import pytest

from schedmate.scheduling.live.presence import LoopError, lock_file, presence


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
