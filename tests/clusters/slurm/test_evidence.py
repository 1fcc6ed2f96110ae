"""What Slurm knows of an end beside the log, in words."""

from schedmate.clusters.slurm.evidence import evidence
from tests.clusters.slurm.test_records import node


def test_an_end_is_told_with_its_limit_and_the_nodes_that_are_not_well():
    known = {
        "gpu1": node(),
        "gpu2": node(NodeList="gpu2", StateLong="down*", Reason="Not responding"),
        "gpu3": node(NodeList="gpu3", StateLong="drained"),
    }
    assert evidence("TIMEOUT, TimeLimit", -15, 3605.4, "1:00:00", ["gpu1", "gpu2", "gpu3", "gpu9"], known) == (
        "Slurm says TIMEOUT, TimeLimit, signal 15",
        "it ran 1:00:05 of 1:00:00 that its limit allows, on gpu1, gpu2, gpu3, gpu9",
        "gpu2 is down* now: Not responding",
        "gpu3 is drained now",
    )


def test_nothing_is_said_that_is_not_known():
    assert evidence("", None, None, "", [], {}) == ("Slurm says FAILED",)
    assert evidence("", 3, 2.0, "UNLIMITED", [], {}) == ("Slurm says FAILED, exit code 3", "it ran 0:00:02")


def test_of_a_thousand_nodes_a_few_are_named():
    (_, ran) = evidence("", 1, 60.0, "", [f"n{number}" for number in range(1000)], {})
    assert ran.endswith(", on n0, n1, n2, n3, n4, n5, n6, n7 and 992 more")
