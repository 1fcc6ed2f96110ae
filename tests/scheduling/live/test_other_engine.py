"""The whole loop on an engine that is not this machine: it names jobs itself, and writes logs where it likes."""

import os
import signal
import time

import pytest

from schedmate.clusters import NodeSpec
from schedmate.clusters.engines import ENGINES
from schedmate.clusters.managed import Mark
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Submission
from schedmate.scheduling.live.service import Service, ServiceOptions
from schedmate.scheduling.recovery.owner_rules import RecoveryRules, Rules, ToolRules
from tests.contract.tiny_cluster import start_engine

NODES = [NodeSpec("n1", 1), NodeSpec("n2", 1)]
LIMIT_S = 120.0


class Loop:
    """A loop in this process on the tiny engine."""

    def __init__(self, folder, chooses=False):
        self.folder = folder / "engine"
        self.folder.mkdir()
        self.engine = start_engine(self.folder, NODES, *(["--own"] if chooses else []))
        self.said = []
        rules = Rules(recovery=RecoveryRules(isolate_share=0.5), tools=ToolRules(dcgmi="finds"))
        self.options = ServiceOptions(
            folder / "data", (), mode="act", rules=rules, reading="tests.scheduling.live.quick_reading", tracks=False,
            cluster="tiny", words={"folder": str(self.folder), "chooses": "yes" if chooses else "no"},
        )  # fmt: skip
        self.service = Service(self.options, self.said.append)
        self.store = self.service.store

    def submit(self, script, **options):
        job = Submission(("sh", "-c", script), str(self.folder), {"PATH": os.environ["PATH"]}, **options)
        users = LiveStore(self.options.data_dir)
        try:
            return users.submit(job, os.urandom(8).hex(), time.time())
        finally:
            users.close()

    def until(self, done):
        limit_s = time.monotonic() + LIMIT_S
        while not done():
            assert time.monotonic() < limit_s, self.said
            self.service.turn()

    def close(self):
        self.engine.send_signal(signal.SIGCONT)
        self.service.close()
        self.engine.terminate()
        self.engine.wait()
        self.engine.stdout.close()


@pytest.fixture
def make_loop(tmp_path, monkeypatch):
    monkeypatch.setitem(ENGINES, "tiny", "tests.contract.tiny_cluster")
    made = []

    def make(**options):
        made.append(Loop(tmp_path, **options))
        return made[0]

    yield make
    made[0].close()


def test_a_job_on_a_broken_node_ends_on_another(make_loop):
    loop = make_loop()
    broken = 'case "$SCHEDMATE_RUN" in 1) echo "Xid 79"; exit 1;; esac; echo fine'
    number = loop.submit(broken, name="train", user="ada")
    loop.service.cluster.submit(Submission(("true",), "/", {}), "other")  # by the loop itself
    loop.until(lambda: loop.store.job(number).state == "completed" and loop.store.job(number + 1).state == "completed")
    first, second = loop.store.runs(number)
    assert (first.outcome, second.outcome) == ("failed", "completed")
    assert first.parts != second.parts
    steps = {step.kind: step for step in loop.store.actions(job=number)}
    assert {kind: steps[kind].event for kind in ("isolate", "restart")} == {"isolate": "done", "restart": "done"}
    (bad,) = [state for state in loop.service.cluster.states() if state.mark]
    assert bad.mark == Mark("isolated", steps["isolate"].id)
    assert bad.spec.name == first.parts[0][0]
    assert loop.store.log_of(number, 2).read_text() == "fine\n"
    assert loop.store.log_of(number, 2).parent == loop.folder
    row = loop.store.job(number)
    assert loop.store.number_of(row.engine_id) == number
    assert any(words.startswith(f"job {row.job_id} ") for words in loop.said)


BROKEN = 'case "$TINY_PARTS" in *n1*) echo "Xid 79"; exit 1;; esac; echo fine'


def test_an_engine_that_schedules_by_itself_is_told_of_broken_nodes(make_loop):
    """The first job dies on the first node, which the engine gives to nobody after that."""
    loop = make_loop(chooses=True)
    numbers = [loop.submit(BROKEN, name=f"train{place}", user="ada") for place in range(3)]
    loop.until(lambda: all(loop.store.job(number).state == "completed" for number in numbers))
    runs = {number: loop.store.runs(number) for number in numbers}
    assert all(each[-1].parts[0][0] == "n2" for each in runs.values())
    died = [number for number in numbers if runs[number][0].outcome == "failed"]
    assert all(runs[number][0].parts[0][0] == "n1" for number in died)
    (bad,) = [state for state in loop.service.cluster.states() if state.mark]
    assert (bad.spec.name, bad.mark.kind) == ("n1", "isolated")


def test_an_engine_that_hangs_while_jobs_come_fail_and_end_delays_them_only(make_loop):
    loop = make_loop()
    gate = loop.folder / "gate"
    number = loop.submit(f'until test -e {gate}; do sleep 0.02; done; case "$SCHEDMATE_RUN" in 1) exit 1;; esac')
    loop.until(lambda: any(run.began_s is not None for run in loop.service.cluster.running()))
    loop.service.cluster.answer_s = 0.2
    loop.engine.send_signal(signal.SIGSTOP)
    gate.touch()
    later = loop.submit("true")
    loop.until(lambda: any("waiting, nothing is lost" in words for words in loop.said))
    assert loop.store.job(number).state == "running"
    loop.engine.send_signal(signal.SIGCONT)
    loop.service.cluster.answer_s = 10.0
    loop.until(lambda: all(loop.store.job(one).end_s is not None for one in (number, later)))
    loop.until(lambda: "the cluster answers again" in loop.said)
    assert loop.store.job(later).state == "completed"
    assert [row.outcome for row in loop.store.runs(number)] in (["failed"], ["failed", "completed"])
