"""One's own store and a shared loop's door answer alike: one contract, held against both."""

import json
import os
import socketserver
from threading import Thread

import pytest

from schedmate.errors import SchedMateError
from schedmate.history.live import LiveStore
from schedmate.history.live_requests import OLDER
from schedmate.history.live_rows import Answer, Submission
from schedmate.scheduling.live.door import Door
from schedmate.scheduling.live.loop_client import NoAnswer, answer_to, ask_of
from schedmate.scheduling.live.presence import LoopError, presence
from schedmate.scheduling.live.rights import Rights
from schedmate.scheduling.live.stores import OwnStore
from schedmate.scheduling.live.visitor import Visitor
from schedmate.tools.accounts import my_account

JOB = Submission(("train", "--lr", "1"), "/", {"A": "b"}, slots=2, name="one", user=my_account())


@pytest.fixture
def books(tmp_path):
    """Give the store as the loop has it."""
    made = LiveStore(tmp_path / "data")
    yield made
    made.close()


@pytest.fixture(params=["own", "shared"])
def store(request, books, tmp_path):
    """Give the store as its users have it."""
    if request.param == "own":
        made = OwnStore(books.data_dir)
        yield made
        made.close()
        return
    with Door(tmp_path / "door", books.data_dir, Rights([])) as door:
        Thread(target=door.serve_forever, daemon=True).start()
        made = Visitor(tmp_path / "door")
        yield made
        made.close()
        door.shutdown()


def test_a_job_is_handed_in_once_and_found_in_every_way(store, books):
    number = store.submit(JOB, "a token", 1.0)
    assert store.submit(JOB, "a token", 2.0) == number
    other = store.submit(JOB, "another", 3.0)
    assert [row.id for row in store.jobs()] == [number, other]
    books.update(other, state="held")
    assert [row.id for row in store.jobs(("held",))] == [other]
    row = store.job(number)
    assert (row.command, row.slots, row.name, row.user) == (JOB.command, 2, "one", my_account())
    assert (store.number_of(str(number)), store.name_of(number)) == (number, str(number))
    with pytest.raises(SchedMateError, match="there is no job 99"):
        store.job(99)


def test_runs_and_their_logs_are_read(store, books):
    number = store.submit(JOB, "a token", 1.0)
    assert store.runs(number) == []
    run = books.open_run(number, "gpu", (("n1", 3),), None, 2.0)
    log = books.log_of(number, run)
    log.parent.mkdir(parents=True)
    log.write_text("step 1\n")
    assert store.run(number, run) == books.run(number, run)
    store.job(number)
    assert store.runs(number) == books.runs(number)
    handle = store.open_log(number, run)
    assert os.pread(handle, 100, 0) == b"step 1\n"
    os.close(handle)
    with pytest.raises(SchedMateError, match=f"job {number} has no run 9"):
        store.run(number, 9)


def test_steps_of_recovery_are_told_with_all_that_happened_to_them(store, books):
    number = store.submit(JOB, "a token", 1.0)
    action = books.add_action(number, 1, 0, "isolate", "n1", "a fault", "act")
    books.note_action(action, "done", "n1 takes no jobs", ("n1",))
    assert store.actions() == store.actions(job=number) == books.actions()
    assert store.actions(job=number + 1) == []
    assert store.trail(action) == books.trail(action)
    assert store.verify() == books.verify()


def test_what_is_asked_is_answered_in_words_or_with_data_or_refused(store, books):
    answers = [Answer("job 7 is cancelled"), Answer(data={"position": 2, "before": [None, 1.5]})]
    for answer in answers:
        request = store.ask("cancel", 7)
        assert store.answer_to(request) is None
        with pytest.raises(NoAnswer):
            answer_to(store, request, patience_s=0.0)
        books.answer(request, answer)
        assert answer_to(store, request) == answer
    request = store.ask("release", 7)
    books.answer(request, Answer("job 7 runs", ok=False))
    with pytest.raises(SchedMateError, match=r"^job 7 runs$"):
        answer_to(store, request)


def test_a_loop_is_there_or_missed(store, books):
    """At a door one has met the loop; of one's own the lock tells."""
    store.wake()
    if isinstance(store, OwnStore):
        assert not store.loop_is_up()
        with pytest.raises(LoopError, match="no loop is up"):
            ask_of(store, "cancel", 7)
        assert store.requests() == [], "without a loop nothing is asked"
        with presence(books.data_dir):
            assert store.loop_is_up()
            store.require_loop()
    else:
        assert store.loop_is_up()
        store.require_loop()
        store.ask("cancel", 7)
        assert store.requests() == []


def test_jobs_that_a_store_has_lost_are_known_by_their_folders(store, books):
    number = store.submit(JOB, "a token", 1.0)
    for lost in (number, 41):
        (books.data_dir / "jobs" / str(lost) / "1").mkdir(parents=True)
    assert store.lost_jobs() == ([41] if isinstance(store, OwnStore) else [])


def test_what_an_older_loop_answers_in_a_store_that_a_newer_one_changed_is_no_yes(books):
    drain = books.ask("drain", argument='{"node": "n1"}')
    told = {
        drain: ("error: n1 is drained already", Answer("n1 is drained already", ok=False)),
        books.ask("drain", argument='{"node": "n2"}'): ("n2 is drained", Answer("n2 is drained")),
        books.ask("nodes"): ('[{"name": "n1"}]', Answer(OLDER, ok=False)),
        books.ask("standing", 7): ("null", Answer(OLDER, ok=False)),
    }
    for request, (words, answer) in told.items():
        books.connection.execute("UPDATE live_requests SET done_s = 1, answer = ? WHERE id = ?", (words, request))
        assert books.answer_to(request) == answer
    assert list(books.asked("drain")) == ["n2"]


class OlderDoor(socketserver.StreamRequestHandler):
    """Answers all that is asked in words, as a loop did before its answers said whether they are one."""

    def handle(self):
        asked = []
        for line in self.rfile:
            said = json.loads(line)
            asked += [said["kind"]] if said["verb"] == "ask" else []
            words = {"cancel": "job 7 is cancelled", "release": "error: job 7 runs", "standing": "null"}
            answer = len(asked) if said["verb"] == "ask" else words[asked[said["request"] - 1]]
            self.wfile.write(json.dumps({"answer": answer}).encode() + b"\n")


def test_an_older_loop_behind_a_door_is_understood_in_words_and_asked_to_be_renewed_for_data(tmp_path):
    with socketserver.ThreadingUnixStreamServer(str(tmp_path / "door"), OlderDoor) as door:
        Thread(target=door.serve_forever, daemon=True).start()
        store = Visitor(tmp_path / "door")
        assert ask_of(store, "cancel", 7) == Answer("job 7 is cancelled")
        with pytest.raises(SchedMateError, match=r"^job 7 runs$"):
            ask_of(store, "release", 7)
        with pytest.raises(SchedMateError, match="older version"):
            ask_of(store, "standing", 7)
        store.close()
        door.shutdown()
