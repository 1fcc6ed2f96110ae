"""Nodes beside chance: none stands out where all are alike, one that breaks does, a broken script blames no node."""

import random

import pytest

from schedmate.reports.nodes import nodes
from schedmate.reports.past import Found, Gathering, Told

NODES = [f"n{number:02}" for number in range(40)]


def site(seed, bad=(), rate=0.002, lost=True):
    """Make 3,000 jobs of one to four nodes; bad nodes break thirty times as often."""
    draw = random.Random(seed)
    made = Gathering()
    for number in range(3000):
        names = draw.sample(NODES, draw.choice((1, 1, 1, 2, 4)))
        ran_h = draw.expovariate(1 / 3)
        breaks = any(draw.expovariate(rate * (30 if name in bad else 1)) < ran_h for name in names)
        status = ("node_fail" if lost else "failed") if breaks else "completed"
        made.add(
            Told(
                str(number), name=str(draw.randrange(60)), status=status, gpus=8.0 * len(names), nodes=",".join(names),
                thing=1 + draw.randrange(300), submit_s=number * 60.0, start_s=number * 60.0, ran_s=ran_h * 3600,
            )
        )  # fmt: skip
    past = made.past()
    return nodes(past, past.failed)


def test_alike_nodes_do_not_stand_out():
    named = [sum(row.stands_out for row in site(seed).rows) for seed in range(20)]
    assert sum(1 for count in named if count) <= 3


@pytest.mark.parametrize("lost", [True, False])
def test_a_node_that_breaks_stands_out_and_no_other(lost):
    told = site(3, bad=("n07",), lost=lost)
    assert [row.node for row in told.rows if row.stands_out] == ["n07"]
    worst = told.rows[0]
    assert worst.low > 2
    assert worst.low < worst.ratio < worst.high
    assert told.compared == len(NODES)


def test_expectations_add_up_to_what_came():
    made = Gathering()
    for number in range(60):
        status = "node_fail" if number % 6 == 0 else "completed"
        made.add(Told(str(number), status=status, nodes=f"n{number % 10}", start_s=1.0 * number, ran_s=3600.0))
    past = made.past()
    told = nodes(past, past.failed)
    assert sum(row.expected for row in told.rows) == pytest.approx(10)
    assert sum(row.failures for row in told.rows) == told.failures == 10


def test_a_script_that_fails_everywhere_blames_no_node():
    made = Gathering()
    for number in range(2000):
        node, broken = NODES[number % 40] if number >= 400 else "n07", number < 400
        made.add(
            Told(
                str(number), name="sweep" if broken else f"job{number}", status="failed" if broken else "completed",
                nodes=node, thing=5 if broken else 100 + number, start_s=1.0 * number, ran_s=30.0 if broken else 3600.0,
            )
        )  # fmt: skip
    past = made.past()
    told = nodes(past, past.failed)
    assert not any(row.stands_out for row in told.rows)
    assert next(row for row in told.rows if row.node == "n07").failures == 1


def test_a_log_that_blames_one_node_of_many_clears_the_others():
    made = Gathering()
    for number in range(200):
        failed = number % 10 == 0
        place = made.add(
            Told(
                str(number), status="failed" if failed else "completed", nodes="n[00-07]",
                start_s=100.0 * number, ran_s=3600.0,
            )
        )  # fmt: skip
        if failed:
            made.found[place] = Found(
                "infrastructure", "gpu", "gpu.xid_79", "x", "x", ("n03", "elsewhere"), "elsewhere"
            )
    past = made.past()
    told = {row.node: row for row in nodes(past, past.failed).rows}
    assert (told["n03"].failures, told["n03"].stands_out) == (20, True)
    assert all(told[name].failures == 0 for name in told if name != "n03")


def test_who_outgrew_its_own_memory_is_held_against_no_node():
    made = Gathering()
    for number in range(200):
        hungry, lost = number % 4 == 0, number % 20 == 1
        place = made.add(
            Told(
                str(number), status="node_fail" if lost else "failed" if hungry else "completed",
                nodes="n03" if hungry else "n04", start_s=100.0 * number, ran_s=3600.0,
            )
        )  # fmt: skip
        if hungry:
            made.found[place] = Found("infrastructure", "node", "limits.slurm_memory", "x", "x", (), "no")
    past = made.past()
    told = {row.node: row for row in nodes(past, past.failed).rows}
    assert (told["n03"].failures, told["n03"].stands_out) == (0, False)
    assert told["n04"].failures == 10
