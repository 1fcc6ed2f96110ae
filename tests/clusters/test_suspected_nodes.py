"""Which nodes a restarted job is kept from."""

from schedmate.clusters.suspected_nodes import suspects
from schedmate.history.live_rows import ActionRow


def step(kind, target="", run=2, **found):
    return ActionRow(1, 0.0, 7, run, 0, kind, target, "", "act", "done", 0.0, "", **found)


def test_what_was_to_be_taken_out_and_what_tests_found_is_suspected_unless_a_check_cleared_it():
    steps = [
        step("isolate", "gpu9", run=1),
        step("nccl_test", "gpu1,gpu2,gpu3", nodes=("gpu2",), cleared=("gpu1", "gpu3")),
        step("isolate", "gpu3"),
        step("isolate", "gpu4"),
        step("restart", "the job"),
    ]
    assert suspects(steps) == ["gpu4", "gpu2"]
    assert suspects([step("restart")]) == suspects([]) == []
