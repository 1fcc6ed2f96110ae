"""Failures of the site counted: by the class that each id bears, and against nodes only what speaks against one."""

from schedmate.history.overviews import Death
from schedmate.web.failure_counts import category_of, offenders


def death(failure, node, user="one"):
    return Death(1, "1", "train", user, 1, failure, 1.0, 8, 60.0, (node,), 1)


def test_ids_of_ends_bear_a_class_too():
    assert category_of("limits.slurm_memory") == category_of("exit.memory_limit") == "infrastructure"
    assert category_of("exit.out_of_time") != "infrastructure"
    assert category_of("") == "not diagnosed"


def test_a_limit_of_the_jobs_own_speaks_against_no_node():
    hungry = [death("limits.k8s_memory", "n1", user) for user in ("one", "two", "three")]
    hungry += [death("exit.memory_limit", "n1"), death("python.key_error", "n1")]
    told = {one.node: one for one in offenders([*hungry, death("gpu.xid_79", "n2"), death("gpu.xid_79", "n2", "two")])}
    assert (told["n1"].failures, told["n1"].infrastructure, told["n1"].again) == (5, 0, False)
    assert (told["n2"].infrastructure, told["n2"].again) == (2, True)
