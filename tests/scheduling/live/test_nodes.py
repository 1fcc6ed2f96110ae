"""A person takes nodes out and lets them take jobs again; who did it, and why, is told."""

import json
import subprocess
import sys

import pytest

from schedmate.answers import adapters
from schedmate.history.live_rows import Answer
from tests.scheduling.live.test_rights import ME, ask, loop  # noqa: F401 - a fixture


def say_of(service, kind, actor=ME, **words):
    request = service.store.ask(kind, argument=json.dumps(words), actor=actor)
    service.desk.serve()
    return service.store.answer_to(request)


def test_a_node_is_drained_and_resumed_by_operators_alone(loop):  # noqa: F811
    service = loop("oda")
    [node] = [row["node"] for row in ask(service, "nodes", 0, "ada").data]
    assert say_of(service, "drain", "ada", node=node, why="mine").words.startswith("ada may not drain")
    assert say_of(service, "drain", "oda", node=node, why="a new fan") == Answer(
        f"{node} takes no new jobs; what runs there goes on"
    )
    [row] = ask(service, "nodes", 0, "ada").data
    assert (row["state"], row["by"], row["reason"], row["action"]) == ("drained", "oda", "a new fan", None)
    assert node not in [spec.name for spec in service.cluster.nodes()]
    assert say_of(service, "drain", "oda", node=node, why="") == Answer(f"{node} is drained already", ok=False)
    assert say_of(service, "resume", "ada", node=node).words.startswith("ada may not resume")
    assert say_of(service, "resume", "oda", node=node) == Answer(f"{node} takes jobs again")
    assert ask(service, "nodes", 0, "ada").data[0]["state"] == "up"
    assert say_of(service, "resume", "oda", node=node) == Answer(f"{node} is up: nobody drained it here", ok=False)
    assert say_of(service, "drain", "oda", node="nowhere", why="").words.startswith("there is no node nowhere")


@pytest.mark.parametrize("argument", ["", "x", "7", "null", "[]", "{}", '{"node": []}', '{"node": 7}', "[" * 100_000])
def test_what_names_no_node_is_an_error_and_ends_no_loop(loop, argument):  # noqa: F811
    """A request that is not answered is met again by every loop to come."""
    service = loop("oda")
    for kind in ("drain", "resume"):
        request = service.store.ask(kind, argument=argument, actor="oda")
        service.desk.serve()
        assert service.store.answer_to(request) == Answer("that names no node", ok=False)
    assert ask(service, "nodes", 0, "ada").data[0]["state"] == "up"


def test_what_recovery_isolated_is_its_actions_to_undo(loop):  # noqa: F811
    service = loop("oda")
    [node] = [spec.name for spec in service.cluster.nodes()]
    service.store.mark(node, "isolated", 7, 1.0)
    assert say_of(service, "resume", "oda", node=node) == Answer(
        f"{node} was isolated by action 7: schedmate undo 7", ok=False
    )


def test_a_drained_node_stays_so_through_a_kill_and_the_commands_show_it(make_up):
    up = make_up("--slots", "cpu=1", "--nodes", "2")

    def call(*words):
        return subprocess.run(
            [sys.executable, "-m", "schedmate", *words], capture_output=True, text=True, check=True,
            env={"SCHEDMATE_DATA_DIR": str(up.data_dir), "PYTHONPATH": ":".join(sys.path), "PATH": "/bin"},
        ).stdout  # fmt: skip

    assert "takes no new jobs" in call("drain", "node1", "--why", "a new fan")
    up.kill()
    up.start()
    job = up.submit("print('hello')")
    up.until_state("completed", jobs=[job])
    assert dict(up.store.runs(job)[0].parts).keys() == {"node2"}
    rows = call("nodes", "--json").splitlines()
    assert [json.loads(row)["state"] for row in rows] == ["drained", "up"]
    for row in rows:
        adapters()["nodes"][1].validate_json(row)
    assert "a new fan" in call("nodes")
    assert call("resume", "node1") == "node1 takes jobs again\n"
