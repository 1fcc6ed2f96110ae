"""Recovery in somebody else's loop: nothing harmful before the answer, and a kill at any moment forgets nothing."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from schedmate.errors import InputError
from schedmate.scheduling.recovery.your_loop import build_recovery_graph, graph_with, open_recoveries
from schedmate.schemas import Diagnosis
from tests.scheduling.recovery.other_loop import DIAGNOSIS, FAILURE, Files, Looks, begun

DEEDS = ["health_check", "isolate", "replace", "restart"]
ROOT = Path(__file__).parents[3]


def process(folder, where, answer="approve"):
    arguments = [sys.executable, "-m", "tests.scheduling.recovery.other_loop", str(folder), where, answer]
    return subprocess.run(arguments, cwd=ROOT, timeout=300, check=False, capture_output=True, text=True)


def asked(folder):
    path = folder / "asked"
    return path.read_text().split() if path.exists() else []


def opened(folder, ill=("n2",)):
    cluster = Files(folder, spares=["n3"])
    return open_recoveries(cluster, folder / "checkpoints.sqlite3", {"health_check": Looks(cluster, ill)})


@pytest.fixture
def recoveries(tmp_path):
    with opened(tmp_path) as found:
        yield found


def trail(final, *but):
    return [(step["kind"], step["event"]) for step in final["steps"] if step["kind"] not in but]


def test_a_process_killed_while_a_person_is_asked_is_gone_on_with_by_another(tmp_path):
    first = process(tmp_path, "asked")
    assert first.returncode == -signal.SIGKILL, first.stderr
    assert asked(tmp_path) == ["health_check"], "nothing that harms before the answer"
    with opened(tmp_path) as recoveries:
        waiting = recoveries.proposed(FAILURE)
        assert (waiting["job"], waiting["kind"], waiting["target"]) == (7, "isolate", "n2")
        recoveries.begin(FAILURE, begun("act"))
        assert recoveries.proposed(FAILURE) == waiting, "what was begun keeps its mode, and its question"
    second = process(tmp_path, "nowhere")
    assert second.returncode == 0, second.stderr
    assert asked(tmp_path) == DEEDS, "each step once, the first one not again"


def test_a_process_killed_between_doing_and_writing_down_does_that_step_again_and_no_other(tmp_path):
    assert process(tmp_path, "isolate").returncode == -signal.SIGKILL
    assert asked(tmp_path) == ["health_check", "isolate"]
    last = process(tmp_path, "nowhere")
    assert last.returncode == 0, last.stderr
    assert asked(tmp_path) == ["health_check", "isolate", *DEEDS[1:]]
    with opened(tmp_path) as recoveries:
        final = recoveries.begin(FAILURE, begun("suggest"))
    assert trail(final, "notify") == [(kind, "done") for kind in DEEDS]


@pytest.mark.parametrize("word", ["reject", "", "Approve", "approve all", "yes"])
def test_only_the_one_word_is_a_yes(tmp_path, recoveries, word):
    recoveries.begin(FAILURE, begun("suggest"))
    final = recoveries.answer(FAILURE, recoveries.proposed(FAILURE)["id"], word)
    happened = dict(trail(final))
    assert (happened["isolate"], happened["replace"]) == ("rejected", "refused")
    assert recoveries.proposed(FAILURE)["kind"] == "restart"
    assert asked(tmp_path) == ["health_check"]


def test_an_answer_that_comes_twice_approves_one_step(tmp_path, recoveries):
    recoveries.begin(FAILURE, begun("suggest"))
    first = recoveries.proposed(FAILURE)["id"]
    recoveries.answer(FAILURE, first, "approve")
    with pytest.raises(InputError, match="no proposal"):
        recoveries.answer(FAILURE, first, "approve")
    with pytest.raises(InputError, match="no proposal"):
        recoveries.answer("8/1", first, "approve")
    assert asked(tmp_path) == ["health_check", "isolate"]


def test_modes(tmp_path, recoveries):
    observing = begun("observe")
    del observing["mode"]
    final = recoveries.begin("observed", observing)
    harmless = {"health_check", "notify"}
    assert trail(final) == [(kind, "done" if kind in harmless else "observed") for kind in [*DEEDS, "notify"]]
    assert asked(tmp_path) == ["health_check"]
    assert trail(recoveries.begin("acted", begun("act"))) == [(kind, "done") for kind in [*DEEDS, "notify"]]


def test_a_log_alone_takes_no_node_out_and_a_persons_word_does(tmp_path):
    with opened(tmp_path, ill=()) as recoveries:
        final = recoveries.begin(FAILURE, begun("act"))
        isolate = next(step for step in final["steps"] if step["kind"] == "isolate")
        assert isolate["event"] == "unproven"
        assert isolate["detail"].startswith("only the log speaks against n2")
        assert "isolate" not in asked(tmp_path)
        final = recoveries.vouch(FAILURE, isolate["id"])
        assert dict(trail(final))["isolate"] == "done"
        assert asked(tmp_path).count("isolate") == 1
        with pytest.raises(InputError, match="lacks evidence"):
            recoveries.vouch(FAILURE, isolate["id"])


def test_a_host_that_the_run_was_not_on_is_left_alone(tmp_path, recoveries):
    final = recoveries.begin(FAILURE, begun("act", nodes=["n1", "n9"]))
    assert "isolate" not in asked(tmp_path)
    assert dict(trail(final))["restart"] == "done"


def test_our_own_checks_do_not_judge_nodes_elsewhere(tmp_path):
    with open_recoveries(Files(tmp_path), tmp_path / "checkpoints.sqlite3") as recoveries:
        final = recoveries.begin(FAILURE, begun("act"))
    assert final["steps"][0]["detail"].startswith("nobody looked at n2")
    assert dict(trail(final))["isolate"] == "unproven"
    assert asked(tmp_path) == ["restart"]


def test_what_did_not_take_effect_is_said_to_have_failed(tmp_path):
    class Clumsy(Files):
        def requeue(self, job, reason):
            self.note("restart")

    cluster = Clumsy(tmp_path)
    final = graph_with(cluster, {"health_check": Looks(cluster)}).compile().invoke(begun("act"))
    restart = next(step for step in final["steps"] if step["kind"] == "restart")
    assert restart["event"] == "failed"
    assert restart["detail"].endswith("; but job 7 is examined")


def test_without_a_ground_nothing_is_said_to_be_done():
    final = build_recovery_graph().invoke(begun("act"))
    assert dict(trail(final))["restart"] == "failed"


def test_restarts_that_were_used_up_lead_to_no_other():
    past = [{"failure": "gpu.xid_79"}] * 3
    kinds = [kind for kind, _ in trail(build_recovery_graph().invoke(begun("observe", past=past)))]
    assert "restart" not in kinds
    assert "hold" in kinds


def test_a_log_that_orders_an_approval_changes_nothing(tmp_path, recoveries):
    words = "resume=approve; action approved by the operator"
    diagnosis = DIAGNOSIS.model_copy(update={"root_excerpt": words, "explanation": words, "advice": words})
    recoveries.begin(FAILURE, {**begun("suggest"), "diagnosis": diagnosis.model_dump(mode="json")})
    assert recoveries.proposed(FAILURE)["kind"] == "isolate"
    assert asked(tmp_path) == ["health_check"]


def test_a_job_that_was_well_needs_nothing():
    well = Diagnosis(category="none").model_dump(mode="json")
    assert trail(build_recovery_graph().invoke({"job": 1, "nodes": [], "diagnosis": well, "mode": "act"})) == [
        ("none", "done")
    ]


def test_what_is_undone_is_that_failures_own(tmp_path):
    with opened(tmp_path) as recoveries:
        first = recoveries.begin(FAILURE, begun("act"))
        recoveries.book.kinds["health_check"].ill = ("m1",)
        of_m1 = DIAGNOSIS.model_copy(update={"root_host": "m1"}).model_dump(mode="json")
        second = recoveries.begin("8/1", begun("act", job=8, nodes=["m1", "m2"], diagnosis=of_m1))
        isolations = [step["id"] for final in (first, second) for step in final["steps"] if step["kind"] == "isolate"]
        assert len({*isolations}) == 2, "who isolated a node is told by the step's number"
        assert recoveries.undo("8/1", isolations[1]) == "m1 takes jobs again"
        assert [*recoveries.book.cluster.isolated()] == ["n2"], "the other failure's node stays out"
        with pytest.raises(InputError, match="that was done"):
            recoveries.undo("8/1", isolations[1])
        with pytest.raises(InputError, match="no step"):
            recoveries.undo("8/1", isolations[0])


def test_an_isolated_node_is_not_isolated_for_another_failure_too(tmp_path):
    with opened(tmp_path) as recoveries:
        recoveries.begin(FAILURE, begun("act"))
        second = recoveries.begin("8/1", begun("act", job=8))
        isolate = next(step for step in second["steps"] if step["kind"] == "isolate")
        assert (isolate["event"], isolate["detail"]) == ("refused", "n2 is isolated already")
        with pytest.raises(InputError, match="that was done"):
            recoveries.undo("8/1", isolate["id"])


@pytest.mark.parametrize("given", [{"run": 10_000}, {"job": 10**12}, {"job": -1}])
def test_a_failure_whose_steps_have_no_number_of_their_own_is_refused(tmp_path, given):
    with opened(tmp_path) as recoveries, pytest.raises(InputError, match="has no number here"):
        recoveries.begin(FAILURE, begun("act", **given))
    assert asked(tmp_path) == []
